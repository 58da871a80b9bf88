import { schema } from '@crm/db'
import { systemClock } from '@crm/runtime'
import { launchBrowser } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bookingUnderTest, guest } from './booking-under-test.ts'

// The only workspace of an installation owns every host, including the loopback address of the browser.
const service = await bookingUnderTest({ clock: systemClock })
const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
const { slug } = await service.link({ timezone: 'UTC', weeklyHours: always })
await service.app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
const browser = await launchBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Page = Awaited<ReturnType<typeof browser.newPage>>

const complaints: string[] = []
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  const found = complaints.splice(0)
  if (found.length > 0) throw new Error(`A page complained: ${found.join('; ')}`)
})

async function openPage(options: Parameters<typeof browser.newContext>[0] = {}): Promise<Page> {
  // Motion is off: in a transition a colour has neither of its values, and the page cannot see the widget's animations.
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return page
}

/** Returns the barriers that axe finds once the page is no longer dimmed, as it is while it loads. */
async function barriers(page: Page): Promise<string[]> {
  await page.locator('[aria-busy]').waitFor({ state: 'detached' })
  await page.evaluate(axe)
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

const status = (page: Page) => page.getByRole('status').textContent()
const dayButtons = (page: Page) => page.locator('.day:not([aria-disabled])')
const timeButtons = (page: Page) => page.locator('.times button')

/** Opens the next month, where every day is free, and picks a time there. */
async function pickTime(page: Page, { day, time }: { readonly day: number; readonly time: number }): Promise<void> {
  await dayButtons(page).first().waitFor()
  await page.getByRole('button', { name: 'Next month' }).click()
  await expect.poll(() => dayButtons(page).count(), { timeout: 10_000 }).toBeGreaterThan(27)
  await dayButtons(page).nth(day).click()
  await timeButtons(page).nth(time).click()
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name').fill('Zoë Guest')
  await page.getByLabel('Email').fill(email)
}

describe.each([
  [
    'a phone in Tokyo',
    {
      viewport: { width: 360, height: 740 },
      isMobile: true,
      hasTouch: true,
      timezoneId: 'Asia/Tokyo',
      colorScheme: 'dark',
    } as const,
  ],
  [
    'a desktop in New York',
    { viewport: { width: 1280, height: 900 }, timezoneId: 'America/New_York', colorScheme: 'light' } as const,
  ],
])('on %s', (where, options) => {
  it('a guest books, moves and cancels; nothing on the way keeps anybody out', { timeout: 60_000 }, async () => {
    const page = await openPage(options)
    const email = `${where.replaceAll(' ', '-')}@guest.test`
    await page.goto(`${origin}/book/${slug}`)
    await dayButtons(page).first().waitFor()
    await expect.poll(() => page.locator('select').inputValue()).toBe(options.timezoneId)
    expect(await barriers(page)).toEqual([])
    await pickTime(page, { day: 2, time: 3 })
    expect(await barriers(page)).toEqual([])
    await fillIn(page, email)
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByRole('heading', { name: 'Your meeting is booked' }).waitFor()
    expect(await status(page)).toBe(`We have sent a confirmation to ${email}`)
    expect(await barriers(page)).toEqual([])
    const manage = new URL(
      (await page.getByRole('link', { name: 'Move or cancel the meeting' }).getAttribute('href')) ?? '',
      origin,
    ).pathname

    await page.goto(`${origin}${manage}`)
    await page.getByRole('button', { name: 'Move the meeting' }).waitFor()
    expect(await barriers(page)).toEqual([])
    const zoneName = options.timezoneId === 'Asia/Tokyo' ? 'GMT+9' : /E[SD]T/
    await expect.poll(() => page.locator('dl').textContent()).toMatch(zoneName)
    await page.getByRole('button', { name: 'Move the meeting' }).click()
    await pickTime(page, { day: 5, time: 1 })
    await page.getByRole('button', { name: 'Yes, move it' }).click()
    await expect.poll(() => status(page)).toBe('The meeting has a new time.')
    await page.getByRole('button', { name: 'Cancel the meeting' }).click()
    await page.getByRole('button', { name: 'Yes, cancel it' }).click()
    await expect.poll(() => status(page)).toBe('The meeting is cancelled.')
    expect(service.mails.filter(({ to }) => to.address === email).map(({ icalEvent }) => icalEvent?.method)).toEqual([
      'REQUEST',
      'REQUEST',
      'CANCEL',
    ])
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    expect(await page.context().cookies()).toEqual([])
  })
})

it('the page of a booking shows the end that was booked, whatever became of its link', async () => {
  const link = await service.link({ timezone: 'UTC', weeklyHours: always, durationMin: 60 })
  const { body } = await service.call({
    method: 'POST',
    path: link.slug,
    body: guest('2030-06-03T10:00:00Z', { timezone: 'UTC' }),
  })
  await service.db.update(schema.bookingLinks).set({ durationMin: 15 }).where(eq(schema.bookingLinks.id, link.id))
  const page = await openPage()
  await page.goto(`${origin}/book/manage/${body.data.manageToken}`)
  await page.getByText(/10:00 – 11:00/).waitFor()
})

/** Ways to close a link for bookings, each with its undoing. */
const closings: readonly (readonly [string, (linkId: string) => Promise<() => Promise<unknown>>])[] = [
  [
    'its link is off',
    async (linkId) => {
      await service.db.update(schema.bookingLinks).set({ isActive: false }).where(eq(schema.bookingLinks.id, linkId))
      return async () => undefined
    },
  ],
  [
    'Sales is off',
    async () => {
      const { workspaceId } = service.workspace
      await service.db
        .insert(schema.workspaceModules)
        .values({ workspaceId, key: 'SALES', enabled: false, reason: 'self' })
      await service.epochs.bump(workspaceId)
      return async () => {
        await service.db.delete(schema.workspaceModules).where(eq(schema.workspaceModules.workspaceId, workspaceId))
        await service.epochs.bump(workspaceId)
      }
    },
  ],
]

it.each(closings)(
  'the page of a booking says when there are no other times, because %s, and still cancels',
  async (_why, close) => {
    const link = await service.link({
      timezone: 'UTC',
      weeklyHours: always,
      organizerId: (await service.workspace.employee()).id,
    })
    const { body } = await service.call({
      method: 'POST',
      path: link.slug,
      body: guest('2030-06-04T10:00:00Z', { timezone: 'UTC' }),
    })
    const reopen = await close(link.id)
    try {
      const page = await openPage()
      await page.goto(`${origin}/book/manage/${body.data.manageToken}`)
      await page.getByRole('button', { name: 'Move the meeting' }).click()
      await expect.poll(() => status(page)).toMatch(/^The organizer offers no other times any more/)
      // The browser reports the 404 itself.
      expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
      expect(await barriers(page)).toEqual([])
      await page.getByRole('button', { name: 'Cancel the meeting' }).click()
      await page.getByRole('button', { name: 'Yes, cancel it' }).click()
      await expect.poll(() => status(page)).toBe('The meeting is cancelled.')
    } finally {
      await reopen()
    }
  },
)

describe('the page of a link', () => {
  it('is worked by keyboard alone', async () => {
    const page = await openPage({ timezoneId: 'Europe/Berlin' })
    await page.goto(`${origin}/book/${slug}`)
    await dayButtons(page).first().waitFor()
    const press = (key: string) => page.keyboard.press(key)
    const focused = () => page.evaluate(`document.activeElement.dataset.date ?? document.activeElement.textContent`)
    await page.locator('.day[tabindex="0"]').focus()
    const monthBefore = String(await focused()).slice(0, 7)
    await press('PageDown')
    await expect
      .poll(async () => String(await focused()))
      .toMatch(new RegExp(`^(?!${monthBefore})\\d{4}-\\d\\d-\\d\\d$`))
    await press('ArrowRight')
    await press('ArrowDown')
    const day = await focused()
    await press('Enter')
    await expect.poll(() => page.locator('.day[aria-pressed="true"]').getAttribute('data-date')).toBe(day)
    await press('Tab')
    await press('Enter')
    await page.getByRole('heading', { name: 'Your details' }).waitFor()
    await press('Tab')
    await page.keyboard.type('Zoë Guest')
    await press('Tab')
    await page.keyboard.type('keyboard@guest.test')
    await press('Enter')
    await page.getByRole('heading', { name: 'Your meeting is booked' }).waitFor()
  })

  it('shows the times of another zone, and its words in another language', async () => {
    const page = await openPage({ timezoneId: 'Asia/Kolkata' })
    await page.goto(`${origin}/book/${slug}?lang=de`)
    await dayButtons(page).first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Nächster Monat' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Nächster Monat' }).click()
    await expect.poll(() => dayButtons(page).count(), { timeout: 10_000 }).toBeGreaterThan(27)
    await dayButtons(page).nth(3).click()
    await expect.poll(() => timeButtons(page).first().textContent()).toBe('00:00')
    await expect.poll(() => timeButtons(page).first().getAttribute('aria-label')).toMatch(/GMT\+5:30/)
    await page.getByLabel('Zeitzone').selectOption('America/New_York')
    await expect
      .poll(async () => timeButtons(page).first().getAttribute('aria-label'), { timeout: 10_000 })
      .toMatch(/GMT-[45]/)
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  })

  it('tells the time by twelve hours where the workspace does', async () => {
    const { workspaces } = schema
    await service.db.update(workspaces).set({ timeFormat: '12h' })
    await service.epochs.bump(service.workspace.workspaceId)
    const page = await openPage({ timezoneId: 'UTC' })
    await page.goto(`${origin}/book/${slug}`)
    await dayButtons(page).first().waitFor()
    await expect.poll(() => timeButtons(page).last().textContent()).toMatch(/^11:30\sPM$/)
    await service.db.update(workspaces).set({ timeFormat: '24h' })
    await service.epochs.bump(service.workspace.workspaceId)
  })

  it('says that somebody was faster and shows what is still free', async () => {
    const link = await service.link({
      timezone: 'UTC',
      weeklyHours: always,
      organizerId: (await service.workspace.employee()).id,
    })
    const [one, other] = [await openPage(), await openPage()]
    for (const page of [one, other]) {
      await page.goto(`${origin}/book/${link.slug}`)
      await pickTime(page, { day: 7, time: 2 })
      await fillIn(page, 'race@guest.test')
    }
    await one.getByRole('button', { name: 'Book', exact: true }).click()
    await one.getByRole('heading', { name: 'Your meeting is booked' }).waitFor()
    await other.getByRole('button', { name: 'Book', exact: true }).click()
    await expect.poll(() => complaints.splice(0)).toEqual([expect.stringContaining('409')])
    await other.locator('.picker:not([aria-busy])').waitFor()
    expect(await status(other)).toBe('Somebody was faster: this time is no longer free. Please pick another.')
    // The day is the same, and the form is still filled in.
    await expect.poll(() => other.locator('.day[aria-pressed="true"]').getAttribute('data-date')).toMatch(/-08$/)
    await timeButtons(other).first().click()
    await expect.poll(() => other.getByLabel('Email').inputValue()).toBe('race@guest.test')
  })

  it('wears the colour of the brand with words that can be read on it, in both schemes', async () => {
    const { workspaceId } = service.workspace
    const { workspaces } = schema
    for (const [primaryColor, onAccent] of [
      ['#ffe14d', '#000'],
      ['#102a43', '#fff'],
    ] as const) {
      await service.db.update(workspaces).set({ brand: { companyName: 'Acme', logo: null, primaryColor } })
      await service.epochs.bump(workspaceId)
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await openPage({ colorScheme })
        await page.goto(`${origin}/book/${slug}`)
        await dayButtons(page).first().waitFor()
        expect(await page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--on-accent')`)).toBe(
          onAccent,
        )
        expect(await barriers(page)).toEqual([])
      }
    }
  })
})

describe.each([
  ['light on a desktop', { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const],
  [
    'dark on a phone',
    { colorScheme: 'dark', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const,
  ],
])('no state of a page keeps anybody out, %s', (_how, options) => {
  const newLink = async () =>
    service.link({ timezone: 'UTC', weeklyHours: always, organizerId: (await service.workspace.employee()).id })

  /** Opens a page, waits for its content, and asserts that it is accessible and fits. */
  async function isOpenToAll(page: Page, state: string): Promise<void> {
    await page.locator('.picker[aria-busy]').waitFor({ state: 'detached' })
    expect(await barriers(page), state).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), state).toBe(true)
  }

  async function booked(
    startAt: string,
  ): Promise<{ readonly token: string; readonly bookingId: string; readonly call: string; readonly slug: string }> {
    const link = await newLink()
    const { body } = await service.call({ method: 'POST', path: link.slug, body: guest(startAt, { timezone: 'UTC' }) })
    return {
      slug: link.slug,
      token: body.data.manageToken as string,
      bookingId: body.data.bookingId as string,
      call: new URL(body.data.joinUrl as string).pathname,
    }
  }

  /** Moves a meeting so that it begins `inMin` minutes from now. */
  async function begin(bookingId: string, inMin: number): Promise<void> {
    const startMs = Date.now() + inMin * 60_000
    const times = { startAt: new Date(startMs).toISOString(), endAt: new Date(startMs + 1_800_000).toISOString() }
    await service.db.update(schema.bookings).set(times).where(eq(schema.bookings.id, bookingId))
  }

  it('while booking: days, times, form, refusals, done', { timeout: 60_000 }, async () => {
    const link = await newLink()
    const page = await openPage(options)
    await page.goto(`${origin}/book/${link.slug}`)
    await dayButtons(page).first().waitFor()
    await isOpenToAll(page, 'days and times')
    await page.getByRole('button', { name: 'Next month' }).click()
    await expect.poll(() => dayButtons(page).count(), { timeout: 10_000 }).toBeGreaterThan(27)
    await dayButtons(page).nth(4).click()
    await isOpenToAll(page, 'a chosen day')
    await timeButtons(page).nth(1).click()
    await isOpenToAll(page, 'form')
    await fillIn(page, 'states@guest.test')
    const submit = page.getByRole('button', { name: 'Book', exact: true })
    for (const [code, answered] of [
      ['CALL_CREATION_FAILED', 502],
      ['RATE_LIMITED', 429],
      ['VALIDATION_ERROR', 400],
    ] as const) {
      await page.route(
        '**/api/public/booking/*',
        (route) =>
          route.fulfill({ status: answered, json: { success: false, error: { code, message: 'email: Invalid' } } }),
        { times: 1 },
      )
      await submit.click()
      await page.locator('.said.bad').waitFor()
      await isOpenToAll(page, code)
      expect(complaints.splice(0)).toEqual([expect.stringContaining(String(answered))])
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('states@guest.test')
    }
    await submit.click()
    await page.getByRole('heading', { name: 'Your meeting is booked' }).waitFor()
    await isOpenToAll(page, 'done')
  })

  it('without free times, and without the service', async () => {
    const link = await newLink()
    await service.db.update(schema.bookingLinks).set({ weeklyHours: [] }).where(eq(schema.bookingLinks.id, link.id))
    const page = await openPage(options)
    await page.goto(`${origin}/book/${link.slug}`)
    await page.locator('.day').first().waitFor()
    await isOpenToAll(page, 'no times')
    expect(await status(page)).not.toBe('')
    await page.route('**/availability*', (route) => route.abort())
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.locator('.said.bad').waitFor()
    await isOpenToAll(page, 'no service')
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
  })

  it('while managing: see, move, ask to cancel, cancelled, and nothing there', { timeout: 60_000 }, async () => {
    const { token } = await booked('2030-06-05T10:00:00Z')
    const page = await openPage(options)
    await page.goto(`${origin}/book/manage/${token}`)
    await page.getByRole('button', { name: 'Move the meeting' }).click()
    await dayButtons(page).first().waitFor()
    await isOpenToAll(page, 'move')
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByRole('button', { name: 'Cancel the meeting' }).click()
    await isOpenToAll(page, 'ask to cancel')
    await page.getByRole('button', { name: 'Yes, cancel it' }).click()
    await expect.poll(() => status(page)).toBe('The meeting is cancelled.')
    await isOpenToAll(page, 'cancelled')
    await page.reload()
    await expect.poll(() => status(page)).toBe('The meeting is cancelled.')
    await isOpenToAll(page, 'cancelled, seen again')
    await expect.poll(() => page.getByRole('button').count()).toBe(0)
    for (const path of ['/book/manage/nobody', '/book/no-such-link']) {
      await page.goto(`${origin}${path}`)
      await expect.poll(() => page.locator('main').textContent()).toMatch(/nothing at this address/i)
      await isOpenToAll(page, path)
    }
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404'), expect.stringContaining('404')])
    const over = await booked('2030-06-07T10:00:00Z')
    await begin(over.bookingId, -26 * 60)
    await page.goto(`${origin}/book/manage/${over.token}`)
    await page.locator('.said.bad').waitFor()
    expect(await status(page)).toBe('This link has expired.')
    await isOpenToAll(page, 'expired')
    expect(complaints.splice(0)).toEqual([expect.stringContaining('403')])
  })

  it('around the call: too early, the lobby, waiting, over, cancelled', { timeout: 60_000 }, async () => {
    const { token, bookingId, call } = await booked('2030-06-06T10:00:00Z')
    const page = await openPage(options)
    await page.goto(origin + call)
    await page.getByText(/The room opens/).waitFor()
    await isOpenToAll(page, 'early')
    await begin(bookingId, 5)
    await page.goto(origin + call)
    const join = page.getByRole('button', { name: 'Join the call' })
    await join.waitFor()
    await isOpenToAll(page, 'lobby')
    await join.click()
    await expect.poll(() => status(page)).toBe('Waiting for the other person …')
    await isOpenToAll(page, 'waiting')
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect.poll(() => status(page)).toBe('You have left the call.')
    await isOpenToAll(page, 'left')
    await begin(bookingId, -200)
    await page.goto(origin + call)
    await page.getByText('This meeting is over.').waitFor()
    await isOpenToAll(page, 'over')
    await service.call({ method: 'POST', path: `manage/${token}/cancel` })
    await page.goto(origin + call)
    await page.getByText('The meeting is cancelled.').waitFor()
    await isOpenToAll(page, 'cancelled')
  })
})

describe('the widget', () => {
  const host = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(
      `<!doctype html><html lang="en"><title>A website</title><main><h1>A website</h1><booking-widget slug="${request.url === '/closed' ? 'no-such-link' : slug}"></booking-widget></main><script type="module" src="${origin}/book/embed.js"></script>`,
    )
  })
  afterAll(() => void host.close())

  beforeAll(() => new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve)))

  it('books on another website, without a frame and without cookies', async () => {
    const page = await openPage({ viewport: { width: 420, height: 800 } })
    await page.goto(`http://localhost:${(host.address() as AddressInfo).port}/`)
    await dayButtons(page).first().waitFor()
    expect(await barriers(page)).toEqual([])
    const booked = page.evaluate(
      `new Promise((resolve) => document.addEventListener('booked', ({ detail }) => resolve(detail.bookingId)))`,
    )
    await pickTime(page, { day: 9, time: 4 })
    await fillIn(page, 'widget@guest.test')
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByRole('heading', { name: 'Your meeting is booked' }).waitFor()
    expect(await booked).toMatch(/^[0-9a-f-]{36}$/)
    expect(await page.context().cookies()).toEqual([])
  })

  it('says on another website that there is nothing to book', async () => {
    const page = await openPage()
    await page.goto(`http://localhost:${(host.address() as AddressInfo).port}/closed`)
    await expect
      .poll(() => page.locator('booking-widget').getByRole('status').textContent())
      .toMatch(/nothing at this address/i)
    expect(await barriers(page)).toEqual([])
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
  })
})
