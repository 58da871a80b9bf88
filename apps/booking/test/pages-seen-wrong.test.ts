import { schema } from '@crm/db'
import { createRecipientLimit } from '@crm/mail'
import { systemClock } from '@crm/runtime'
import { launchBrowser } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { mailerTo } from '@crm/testkit/mailer'
import { bookingUnderTest, guest } from './booking-under-test.ts'

// The only workspace of an installation owns every host, including the loopback address of the browser.
const service = await bookingUnderTest({ clock: systemClock })
const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
const newLink = (values: Parameters<typeof service.link>[0] = {}) =>
  service.link({ timezone: 'UTC', weeklyHours: always, ...values })
await service.app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
const browser = await launchBrowser()
afterAll(() => browser.close())
afterEach(async () => void (await Promise.all(browser.contexts().map((context) => context.close()))))

const phone = { viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true, timezoneId: 'UTC' } as const

async function openPage(path: string, options: Parameters<typeof browser.newContext>[0] = {}) {
  const page = await (await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', ...options })).newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(origin + path)
  return page
}

type Page = Awaited<ReturnType<typeof openPage>>

const days = (page: Page) => page.locator('.day:not([aria-disabled])')
const times = (page: Page) => page.locator('.time')
const isInView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((shown) => {
    const { top, bottom } = (
      shown as unknown as { getBoundingClientRect(): { top: number; bottom: number } }
    ).getBoundingClientRect()
    return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight
  })

async function openForm(
  slug: string,
  options: Parameters<typeof browser.newContext>[0] = phone,
  query = '',
): Promise<Page> {
  const page = await openPage(`/book/${slug}${query}`, options)
  await days(page).last().click()
  await times(page).last().click()
  await page.locator('.go').click()
  await page.locator('form').waitFor()
  return page
}

const submit = (page: Page) => page.locator('form button.main').click()

describe('a form that is refused', () => {
  it('on a phone leads to the field, which says what is wrong with it', async () => {
    const page = await openForm((await newLink()).slug)
    await submit(page)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('name')
    expect(await isInView(page, '#name')).toBe(true)
    await expect.poll(() => page.locator('#name').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.locator('#name-problem').textContent()).toBe('Name is required.')
    await expect.poll(() => page.locator('#name').getAttribute('aria-describedby')).toContain('name-problem')
    await expect.poll(() => page.locator('#phone').getAttribute('aria-invalid')).toBe('false')
  })

  it('for another reason brings its message into view', async () => {
    const { slug } = await newLink()
    const page = await openForm(slug)
    await page.locator('#name').fill('Zoë')
    await page.locator('#email').fill('zoe@guest.test')
    await page.route('**/api/public/booking/*', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/json',
        body: JSON.stringify({ success: false, error: { code: 'RATE_LIMITED', message: 'x' } }),
      }),
    )
    await submit(page)
    await page.getByText('Too many requests. Please try again in a minute.').waitFor()
    await expect.poll(() => isInView(page, '.said')).toBe(true)
    expect(await page.evaluate("document.activeElement.classList.contains('said')")).toBe(true)
  })

  it.each([
    ['de', 'E-Mail muss wie name@example.com aussehen.'],
    ['fr', 'Le champ « E-mail » doit ressembler à nom@example.com.'],
    ['ru', 'Поле «Эл. почта» должно быть вида name@example.com.'],
  ])('speaks the language of the page: %s', async (language, atField) => {
    const page = await openForm((await newLink()).slug, phone, `?lang=${language}`)
    await page.locator('#name').fill('Zoë')
    for (const address of ['nobody', 'zoe@guest..test']) {
      await page.locator('#email').fill(address)
      await submit(page)
      await expect.poll(() => page.locator('#email-problem').textContent()).toBe(atField)
      await expect.poll(() => page.locator('#email').getAttribute('aria-invalid')).toBe('true')
      expect(await page.evaluate('document.activeElement.id')).toBe('email')
    }
  })
})

it('an address with a domain in another script is taken as it is typed', async () => {
  const page = await openForm((await newLink()).slug)
  await page.locator('#name').fill('Zoë')
  await page.locator('#email').fill('zoë-free@münchen.example'.replace('ë', 'e'))
  await submit(page)
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  const rows = await service.db
    .select()
    .from(schema.bookings)
    .where(eq(schema.bookings.inviteeEmail, 'zoe-free@münchen.example'))
  expect(rows).toHaveLength(1)
})

it('a move is asked for before it is made; the picker opens at the meeting, whose own time is free', async () => {
  const { slug } = await newLink({ durationMin: 60 })
  const startAt = `${new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)}T10:00:00.000Z`
  const { body } = await service.call({ method: 'POST', path: slug, body: guest(startAt, { timezone: 'UTC' }) })
  const page = await openPage(`/book/manage/${body.data.manageToken}`, { timezoneId: 'UTC' })
  await page.getByRole('button', { name: 'Reschedule' }).click()
  await page.locator(`.day[data-date="${startAt.slice(0, 10)}"][aria-pressed="true"]`).waitFor()
  await expect
    .poll(() => times(page).allTextContents())
    .toContain(
      new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' }).format(
        new Date(startAt),
      ),
    )
  const stored = async () =>
    (await service.db.select().from(schema.bookings).where(eq(schema.bookings.id, body.data.bookingId)))[0]?.startAt
  await times(page).last().click()
  await page.getByRole('button', { name: 'Confirm new time' }).waitFor()
  expect(await stored()).toBe(startAt)
  await page.getByRole('button', { name: 'Keep current time' }).click()
  await page.getByRole('button', { name: 'Reschedule' }).click()
  await times(page).last().click()
  await page.getByRole('button', { name: 'Confirm new time' }).click()
  await page.getByText('Meeting rescheduled').waitFor()
  expect(await stored()).toBe(`${startAt.slice(0, 10)}T23:00:00.000Z`)
})

it('free times for a move keep what other guests have booked, and tell nothing to a wrong token', async () => {
  const { slug } = await newLink({ durationMin: 60 })
  const [one, other] = ['2030-06-03T10:00:00.000Z', '2030-06-03T11:00:00.000Z']
  const made = await service.call({ method: 'POST', path: slug, body: guest(one) })
  await service.call({ method: 'POST', path: slug, body: guest(other) })
  const slots = async (token: string) =>
    (
      await service.call({
        path: `${slug}/availability?from=2030-06-03T09:00:00Z&to=2030-06-03T13:00:00Z${token && `&manageToken=${token}`}`,
      })
    ).body.data.slots
  expect(await slots('')).toEqual(['2030-06-03T09:00:00.000Z', '2030-06-03T12:00:00.000Z'])
  expect(await slots(made.body.data.manageToken)).toEqual(['2030-06-03T09:00:00.000Z', one, '2030-06-03T12:00:00.000Z'])
  expect(await slots('wrong')).toEqual(await slots(''))
})

it('many bookings of one address do not silence the mail to the organizer', async () => {
  const mayReceive = createRecipientLimit({ redis: service.redis, name: 'silenced' })
  const sent: string[] = []
  const mailer = mailerTo(async ({ to, isToMember }) => {
    if (!(await mayReceive(to.address, isToMember))) throw new Error('Too much')
    sent.push(to.address)
  })
  const app = service.instance({ mailer })
  const { slug } = await newLink()
  for (let n = 0; n < 15; n += 1) {
    const startAt = new Date(Date.parse('2031-06-03T00:00:00.000Z') + n * 3_600_000).toISOString()
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/booking/${slug}`,
      headers: { host: service.workspace.host },
      payload: guest(startAt, { email: 'junk@guest.test' }),
    })
    expect(answer.statusCode).toBe(201)
  }
  expect(sent.filter((address) => address === service.workspace.adminEmail)).toHaveLength(15)
  expect(sent.filter((address) => address === 'junk@guest.test')).toHaveLength(10)
})

it('the organizer is shown where the link says so: by their photo, and by their initials without one', async () => {
  const [shown, hidden] = [await newLink({ showAvatar: true }), await newLink({ showAvatar: false })]
  const page = await openPage(`/book/${shown.slug}`)
  await expect.poll(() => page.locator('.avatar').textContent()).toBe('AA')
  await page.goto(`${origin}/book/${hidden.slug}`)
  await days(page).first().waitFor()
  await expect.poll(() => page.locator('.avatar').count()).toBe(0)
})

it('a logo that is a script is not put into a page', async () => {
  const { workspaceId } = service.workspace
  const { slug } = await newLink()
  const brand = { companyName: 'ACME', logo: 'javascript:alert(1)' }
  const [before] = await service.db
    .select({ brand: schema.workspaces.brand })
    .from(schema.workspaces)
    .where(eq(schema.workspaces.id, workspaceId))
  await service.db.update(schema.workspaces).set({ brand }).where(eq(schema.workspaces.id, workspaceId))
  await service.epochs.bump(workspaceId)
  const page = await openPage(`/book/${slug}`)
  await expect.poll(() => page.locator('.company').textContent()).toBe('ACME')
  await expect.poll(() => page.locator('.logo').count()).toBe(0)
  await service.db.update(schema.workspaces).set({ brand: before?.brand }).where(eq(schema.workspaces.id, workspaceId))
  await service.epochs.bump(workspaceId)
})

it('a wrong manage token is nowhere', async () => {
  const page = await (await browser.newContext()).newPage()
  const answer = await page.goto(`${origin}/book/manage/${'x'.repeat(43)}`)
  expect(answer?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})

it('the widget tells a lost connection from a link that is not there', async () => {
  const { slug } = await newLink()
  const site = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!doctype html><script type="module" src="${origin}/book/embed.js"></script><booking-widget slug="${slug}"></booking-widget>`,
      )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
    const page = await (await browser.newContext()).newPage()
    await page.route(`**/api/public/booking/${slug}`, (route) => route.abort())
    await page.goto(url)
    await page.getByText('There is no connection. Please try again.').waitFor()
    await page.route('**/book/assets/texts/**', (route) => route.abort())
    await page.goto(url)
    await page.getByText('There is no connection. Please try again.').waitFor()
    await page.unrouteAll()
    await service.db.update(schema.bookingLinks).set({ isActive: false }).where(eq(schema.bookingLinks.slug, slug))
    await page.goto(url)
    await page.getByText('Page not found').waitFor()
  } finally {
    site.close()
  }
})
