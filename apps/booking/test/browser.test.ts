import { fileURLToPath } from 'node:url'
import { schema } from '@crm/db'
import { systemClock } from '@crm/runtime'
import { launchBrowser, unique } from '@crm/testkit'
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
  const page = await (await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', ...options })).newPage()
  page.setDefaultTimeout(15_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Only Chromium reports an answer that is a refusal.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return page
}

/** Returns the barriers that axe finds once the page is no longer dimmed, as it is while it loads. */
async function barriers(page: Page): Promise<string[]> {
  await page.locator('[aria-busy]').waitFor({ state: 'detached' })
  await page.evaluate(axe)
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`)
}

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true })
const zone = (page: Page) => page.getByRole('combobox', { name: 'Time zone' })
const status = (page: Page) => page.getByRole('status').textContent()
const dayButtons = (page: Page) => page.locator('.day:not([aria-disabled])')
const timeButtons = (page: Page) => page.locator('.time')

/** Opens the next month, where every day is free. */
async function turnToFreeMonth(page: Page): Promise<void> {
  // Both months can have all of their days free, so the days do not tell when the next one is there.
  const month = page.locator('#month')
  const before = await month.textContent()
  await page.getByRole('button', { name: 'Next month' }).click()
  await expect.poll(() => month.textContent()).not.toBe(before)
  await expect.poll(() => dayButtons(page).count(), { timeout: 30_000 }).toBeGreaterThan(27)
}

/** Picks a time of the next month. */
async function pickTime(page: Page, { day, time }: { readonly day: number; readonly time: number }): Promise<void> {
  await dayButtons(page).first().waitFor()
  await turnToFreeMonth(page)
  await dayButtons(page).nth(day).click()
  await timeButtons(page).nth(time).click()
}

/** Returns the address of a link on the host of this test. */
async function hereOf(page: Page, name: string): Promise<string> {
  const { pathname, search } = new URL((await page.getByRole('link', { name }).getAttribute('href')) ?? '')
  return origin + pathname + search
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Zoë Guest')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
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
])('on %s', (_where, options) => {
  it('a guest books, moves and cancels; nothing on the way keeps anybody out', { timeout: 60_000 }, async () => {
    const page = await openPage(options)
    const zoneName = options.timezoneId === 'Asia/Tokyo' ? /GMT\+9/ : /GMT-[45]|E[SD]T/
    const email = `${unique()}@guest.test`
    await page.goto(`${origin}/book/${slug}`)
    await dayButtons(page).first().waitFor()
    await expect.poll(() => zone(page).inputValue()).toMatch(zoneName)
    expect(await barriers(page)).toEqual([])
    await pickTime(page, { day: 2, time: 3 })
    await next(page).click()
    await page
      .getByRole('region', { name: 'Meeting' })
      .getByText(/2\d{3}, \d/)
      .waitFor()
    expect(await barriers(page)).toEqual([])
    await fillIn(page, email)
    await page.getByRole('button', { name: 'Confirm booking' }).click()
    await page.getByRole('heading', { level: 1, name: 'You are booked' }).waitFor()
    expect(await status(page)).toBe(`A confirmation was sent to ${email}`)
    expect(await barriers(page)).toEqual([])
    await expect
      .poll(() => page.getByRole('link', { name: 'Google Calendar' }).getAttribute('href'))
      .toMatch(
        /^https:\/\/calendar\.google\.com\/calendar\/render\?action=TEMPLATE&text=Intro\+call&dates=\d{8}T\d{6}Z%2F\d{8}T\d{6}Z&/,
      )
    await expect
      .poll(() => page.getByRole('link', { name: 'Outlook' }).getAttribute('href'))
      .toMatch(/^https:\/\/outlook\.live\.com\/.*startdt=/)
    const file = await page.getByRole('link', { name: 'Download .ics' }).getAttribute('href')
    expect((await service.call({ path: new URL(file ?? '').pathname })).body).toContain('BEGIN:VCALENDAR')

    await page.goto(await hereOf(page, 'Reschedule'))
    await dayButtons(page).first().waitFor()
    expect(await barriers(page)).toEqual([])
    await pickTime(page, { day: 5, time: 1 })
    const meeting = page.getByRole('region', { name: 'Meeting' })
    await expect.poll(() => meeting.locator('s').textContent()).toMatch(zoneName)
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Confirm new time' }).click()
    await expect.poll(() => status(page)).toBe('Meeting rescheduled')
    await page.getByRole('button', { name: 'Cancel meeting' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel meeting' })
    expect(await barriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep meeting' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Cancel meeting' }).click()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('I am ill')
    await dialog.getByRole('button', { name: 'Cancel meeting' }).click()
    await page.getByRole('heading', { level: 1, name: 'Meeting cancelled' }).waitFor()
    expect(service.mails.at(-1)?.text).toContain('I am ill')
    expect(service.mails.filter(({ to }) => to.address === email).map(({ icalEvent }) => icalEvent?.method)).toEqual([
      'REQUEST',
      'REQUEST',
      'CANCEL',
    ])
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    expect(await page.context().cookies()).toEqual([])
  })
})

describe.each([
  ['1440 px', { viewport: { width: 1440, height: 900 } }],
  ['390 px', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
] as const)('at %s', (_width, options) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('a guest from Tokyo books in German, and learns in German what is missing', async () => {
    const page = await openPage({ ...options, timezoneId: 'Asia/Tokyo', locale: 'de-DE' })
    const employee = await service.workspace.employee()
    const link = await service.link({ timezone: 'UTC', weeklyHours: always, organizerId: employee.id })
    await page.goto(`${origin}/book/${link.slug}`)
    await page.getByRole('combobox', { name: 'Zeitzone' }).waitFor()
    await expect.poll(() => page.getByRole('combobox').inputValue()).toMatch(/^Tokyo · GMT\+9 · \d\d:\d\d$/)
    await page
      .getByRole('gridcell')
      .getByRole('button', { name: /: \d+ frei$/ })
      .last()
      .click()
    await page
      .getByRole('button', { name: /GMT\+9$/ })
      .last()
      .click()
    await button(page, 'Weiter').click()
    await button(page, 'Buchung bestätigen').click()
    const [name, email] = [page.getByRole('textbox', { name: 'Name' }), page.getByRole('textbox', { name: 'E-Mail' })]
    await page.getByText('Name ist erforderlich.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('name')
    await name.fill('Zoë')
    await email.fill('zoe')
    await button(page, 'Buchung bestätigen').click()
    await page.getByText('E-Mail muss wie name@example.com aussehen.').waitFor()
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
    await email.fill('zoe@tokyo.test')
    await button(page, 'Buchung bestätigen').click()
    await page.getByRole('heading', { level: 1, name: 'Ihr Termin ist gebucht' }).waitFor()
    for (const calendar of ['Google Calendar', 'Outlook', '.ics herunterladen'])
      await page.getByRole('link', { name: calendar }).waitFor()
    const mail = service.mails.find(({ to }) => to.address === 'zoe@tokyo.test')
    expect(mail?.subject).toMatch(/^Bestätigt: .*\(Asia\/Tokyo, UTC\+9\)$/)
  })

  it('a guest reschedules with three clicks, or four where days and times take turns, and cancels with two', async () => {
    const employee = await service.workspace.employee()
    const link = await service.link({ timezone: 'UTC', weeklyHours: always, organizerId: employee.id })
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    const body = guest(`${day}T10:00:00Z`, { timezone: 'UTC' })
    const { data } = (await service.call({ method: 'POST', path: link.slug, body })).body
    const page = await openPage({ ...options, timezoneId: 'UTC' })
    await page.goto(`${origin}/book/manage/${data.manageToken}`)
    await button(page, 'Reschedule').click()
    const meeting = page.getByRole('region', { name: 'Meeting' })
    await expect.poll(() => meeting.locator('s').textContent()).toMatch(/10:00–10:30/)
    if (options.viewport.width < 720) await page.locator(`[data-date="${day}"]`).click()
    await page.getByRole('button', { name: /11:30 UTC$/ }).click()
    await button(page, 'Confirm new time').click()
    await meeting.getByText(/11:30–12:00/).waitFor()
    await button(page, 'Cancel meeting').click()
    await page.getByRole('dialog', { name: 'Cancel meeting' }).getByRole('button', { name: 'Cancel meeting' }).click()
    await page.getByRole('heading', { level: 1, name: 'Meeting cancelled' }).waitFor()
  })
})

it('the page of a booking shows the end that was booked, whatever became of its link', async () => {
  const { id: organizerId } = await service.workspace.employee()
  const link = await service.link({ timezone: 'UTC', weeklyHours: always, durationMin: 60, organizerId })
  const { body } = await service.call({
    method: 'POST',
    path: link.slug,
    body: guest('2030-06-03T10:00:00Z', { timezone: 'UTC' }),
  })
  await service.db.update(schema.bookingLinks).set({ durationMin: 15 }).where(eq(schema.bookingLinks.id, link.id))
  const page = await openPage()
  await page.goto(`${origin}/book/manage/${body.data.manageToken}`)
  await page.getByText(/10:00–11:00/).waitFor()
})

async function cancelMeeting(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel meeting' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel meeting' }).click()
  await page.getByRole('heading', { level: 1, name: 'Meeting cancelled' }).waitFor()
}

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
      await page.getByRole('button', { name: 'Reschedule' }).click()
      await expect.poll(() => status(page)).toMatch(/^The organizer offers no other times/)
      expect(await barriers(page)).toEqual([])
      await cancelMeeting(page)
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
    await expect.poll(focused).toBe('Next')
    await press('Enter')
    await page.getByRole('heading', { name: 'Your details' }).waitFor()
    await press('Tab')
    await page.keyboard.type('Zoë Guest')
    await press('Tab')
    await page.keyboard.type('keyboard@guest.test')
    await press('Enter')
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  })

  it('shows the times of another zone, and its words in another language', async () => {
    const page = await openPage({ timezoneId: 'Asia/Kolkata' })
    await page.goto(`${origin}/book/${slug}?lang=de`)
    await dayButtons(page).first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Nächster Monat' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Nächster Monat' }).click()
    await expect.poll(() => dayButtons(page).count(), { timeout: 30_000 }).toBeGreaterThan(27)
    await dayButtons(page).nth(3).click()
    await expect.poll(() => timeButtons(page).first().textContent()).toBe('00:00')
    await expect.poll(() => timeButtons(page).first().getAttribute('aria-label')).toMatch(/GMT\+5:30/)
    const combobox = page.getByRole('combobox', { name: 'Zeitzone' })
    for (const [words, found] of [
      ['brook', /^New York · GMT-[45] · \d\d:\d\d$/],
      ['jst', /^Tokyo · GMT\+9 · /],
      ['österreich', /^Vienna · GMT\+[12] · /],
      ['new york', /^New York · /],
    ] as const) {
      await combobox.click()
      await combobox.fill(words)
      await expect.poll(() => page.getByRole('option').first().textContent()).toMatch(found)
    }
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => timeButtons(page).first().getAttribute('aria-label'), { timeout: 30_000 })
      .toMatch(/GMT-[45]/)
    await expect.poll(() => new URL(page.url()).searchParams.get('tz')).toBe('America/New_York')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  })

  it('tells the time as the guest’s region does, or the workspace without a region, and as the guest chooses', async () => {
    const { workspaces } = schema
    await service.db.update(workspaces).set({ timeFormat: '12h' })
    await service.epochs.bump(service.workspace.workspaceId)
    const last = async (locale: string) => {
      const page = await openPage({ timezoneId: 'UTC', locale })
      await page.goto(`${origin}/book/${slug}`)
      await dayButtons(page).first().waitFor()
      return page
    }
    await expect
      .poll(async () =>
        timeButtons(await last('de-DE'))
          .last()
          .textContent(),
      )
      .toBe('23:30')
    const page = await last('en')
    await expect.poll(() => timeButtons(page).last().textContent()).toMatch(/^11:30\sPM$/)
    const formats = page.getByRole('radiogroup', { name: 'Time format' })
    await formats.getByRole('radio', { name: '24h' }).check()
    await expect.poll(() => timeButtons(page).last().textContent()).toBe('23:30')
    await service.db.update(workspaces).set({ timeFormat: '24h' })
    await service.epochs.bump(service.workspace.workspaceId)
  })

  it('is shown by a browser whose system has no language', async () => {
    const page = await openPage({ timezoneId: 'UTC' })
    await page.addInitScript("Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] })")
    await page.goto(`${origin}/book/${slug}`)
    await dayButtons(page).first().waitFor()
  })

  it('keeps every step in its address, and Back undoes one', async () => {
    const page = await openPage({ timezoneId: 'UTC' })
    await page.goto(`${origin}/book/${slug}?lang=en`)
    await pickTime(page, { day: 4, time: 2 })
    const at = () => Object.fromEntries(new URL(page.url()).searchParams)
    const { month, date, slot: startAt } = at()
    expect(at()).toEqual({ lang: 'en', month, date: `${month}-05`, slot: `${date}T01:00:00.000Z` })
    await next(page).click()
    await fillIn(page, 'steps@guest.test')
    await page.reload()
    await page.getByRole('heading', { name: 'Your details' }).waitFor()
    await page.goBack()
    await next(page).waitFor()
    expect(at()).toMatchObject({ slot: startAt })
    await page.goBack()
    await next(page).waitFor({ state: 'detached' })
    expect(at()).toEqual({ lang: 'en', month, date })
    await page.goBack()
    await expect.poll(at).toEqual({ lang: 'en', month })
    await page.goForward()
    await expect.poll(at).toEqual({ lang: 'en', month, date })
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page
      .getByRole('heading', { name: /Januar|Februar|März|April|Mai|Juni|Juli|August|Ok|ember/ })
      .first()
      .waitFor()
    expect(at()).toEqual({ lang: 'de', month, date })
    await page.goBack()
    await expect.poll(at).toEqual({ lang: 'en', month, date })
    await page.goBack()
    await expect.poll(at).toEqual({ lang: 'en', month })
    await page.goBack()
    await expect.poll(at).toEqual({ lang: 'en' })
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
      await next(page).click()
      await fillIn(page, 'race@guest.test')
    }
    await one.getByRole('button', { name: 'Confirm booking' }).click()
    await one.getByRole('heading', { name: 'You are booked' }).waitFor()
    await other.getByRole('button', { name: 'Confirm booking' }).click()
    await expect.poll(() => status(other)).toBe('This time was just booked.')
    const offered = other.locator('.nearest button')
    await expect.poll(() => offered.allTextContents()).toHaveLength(3)
    expect(await barriers(other)).toEqual([])
    await offered.last().click()
    await expect.poll(() => offered.count()).toBe(0)
    await expect.poll(() => other.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('race@guest.test')
    await other.getByRole('button', { name: 'Confirm booking' }).click()
    await other.getByRole('heading', { name: 'You are booked' }).waitFor()
  })

  it('asks the questions of its link', async () => {
    const link = await service.link({
      timezone: 'UTC',
      weeklyHours: always,
      organizerId: (await service.workspace.employee()).id,
      questions: [
        { label: 'Company size', type: 'SELECT', required: true, options: ['1–10', '11–50'] },
        { label: 'You may record the call', type: 'CHECKBOX', required: false, options: [] },
      ],
    })
    const page = await openPage()
    await page.goto(`${origin}/book/${link.slug}`)
    await pickTime(page, { day: 7, time: 2 })
    await next(page).click()
    await fillIn(page, 'questions@guest.test')
    await page.getByRole('button', { name: 'Confirm booking' }).click()
    const size = page.getByRole('combobox', { name: 'Company size' })
    await expect.poll(() => size.getAttribute('aria-invalid')).toBe('true')
    expect(await page.evaluate('document.activeElement.id')).toBe('answer-0')
    await page.getByText('Company size is required.').waitFor()
    await size.selectOption('11–50')
    await page.getByRole('checkbox', { name: 'You may record the call' }).check()
    await page.getByRole('button', { name: 'Confirm booking' }).click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    const [booked] = await service.db.select().from(schema.bookings).where(eq(schema.bookings.linkId, link.id))
    expect(booked?.answers).toEqual([
      { label: 'Company size', value: '11–50' },
      { label: 'You may record the call', value: true },
    ])
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
    await page.locator('.calendar[aria-busy]').waitFor({ state: 'detached' })
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
    await turnToFreeMonth(page)
    await dayButtons(page).nth(4).click()
    await isOpenToAll(page, 'a chosen day')
    await timeButtons(page).nth(1).click()
    await isOpenToAll(page, 'a chosen time')
    await next(page).click()
    await isOpenToAll(page, 'form')
    await fillIn(page, 'states@guest.test')
    const submit = page.getByRole('button', { name: 'Confirm booking' })
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
      await page.locator(code === 'VALIDATION_ERROR' ? '#email[aria-invalid="true"]' : '.said.bad').waitFor()
      await isOpenToAll(page, code)
      await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('states@guest.test')
    }
    await submit.click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
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
  })

  it('while managing: see, move, ask to cancel, cancelled, and nothing there', { timeout: 60_000 }, async () => {
    const { token } = await booked('2030-06-05T10:00:00Z')
    const page = await openPage(options)
    await page.goto(`${origin}/book/manage/${token}`)
    await page.getByRole('button', { name: 'Reschedule' }).click()
    await dayButtons(page).first().waitFor()
    await isOpenToAll(page, 'reschedule')
    await page.getByRole('button', { name: 'Keep current time' }).click()
    await page.getByRole('button', { name: 'Cancel meeting' }).click()
    await isOpenToAll(page, 'the dialog')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel meeting' }).click()
    const cancelled = page.getByRole('heading', { level: 1, name: 'Meeting cancelled' })
    await cancelled.waitFor()
    await isOpenToAll(page, 'cancelled')
    await page.reload()
    await cancelled.waitFor()
    await isOpenToAll(page, 'cancelled, seen again')
    await expect.poll(() => page.getByRole('button').count()).toBe(0)
    for (const path of ['/book/manage/nobody', '/book/no-such-link']) {
      await page.goto(`${origin}${path}`)
      await expect.poll(() => page.locator('main').textContent()).toMatch(/page not found/i)
      await isOpenToAll(page, path)
    }
    const over = await booked('2030-06-07T10:00:00Z')
    await begin(over.bookingId, -26 * 60)
    await page.goto(`${origin}/book/manage/${over.token}`)
    await page.locator('.said.bad').waitFor()
    expect(await status(page)).toBe('This link has expired.')
    await isOpenToAll(page, 'expired')
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
    await page.getByText('Meeting cancelled').waitFor()
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
    // The file that the build makes: the process of this test runs from its sources.
    const path = fileURLToPath(new URL('../bundle/embed.js', import.meta.url))
    await page.route(`${origin}/book/embed.js`, (route) =>
      route.fulfill({ path, contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } }),
    )
    const scripts: string[] = []
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
    await page.goto(`http://localhost:${(host.address() as AddressInfo).port}/`)
    await dayButtons(page).first().waitFor()
    expect(await barriers(page)).toEqual([])
    const booked = page.evaluate(
      `new Promise((resolve) => document.addEventListener('booked', ({ detail }) => resolve(detail.bookingId)))`,
    )
    await pickTime(page, { day: 9, time: 4 })
    await next(page).click()
    await fillIn(page, 'widget@guest.test')
    await page.getByRole('button', { name: 'Confirm booking' }).click()
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    expect(await booked).toMatch(/^[0-9a-f-]{36}$/)
    expect(scripts).toEqual([`${origin}/book/embed.js`])
    expect(await page.context().cookies()).toEqual([])
  })

  it('says on another website that there is nothing to book', async () => {
    const page = await openPage()
    await page.goto(`http://localhost:${(host.address() as AddressInfo).port}/closed`)
    await expect.poll(() => page.locator('booking-widget').getByRole('status').textContent()).toMatch(/page not found/i)
    expect(await barriers(page)).toEqual([])
  })
})
