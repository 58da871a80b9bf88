import { expect, it } from 'vitest'
import { barriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation({ withBooking: true })
const { signedIn } = await openPages(installation)

/** Opens a page without its policy, because the tests put axe into it. */
await installation.inSettings('PATCH', '/api/me', { timezone: 'Europe/Berlin' })

const opened = (path: string): Promise<Page> => signedIn(path, { timezoneId: 'Europe/Berlin' })

const note = 'About <img src=x onerror="document.title=1"> & <b>prices</b>'

async function book(slug: string, name: string, answers: Readonly<Record<string, string>> = {}): Promise<string> {
  const api = `${installation.address}/api/public/booking/${slug}`
  const [from, to] = [2, 12].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const { data } = (await (await fetch(`${api}/availability?from=${from}&to=${to}`)).json()) as {
    data: { slots: string[] }
  }
  const answer = await fetch(api, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, email: 'zoe@guest.test', startAt: data.slots[0], timezone: 'UTC', note, answers }),
  })
  expect(answer.status).toBe(201)
  return data.slots[0] as string
}

it(
  'an organizer makes a link with hours of its own, hands it out, and cancels what a guest has booked',
  { timeout: 60_000 },
  async () => {
    const page = await opened('/booking/links')
    await page.getByText('No booking links').waitFor()
    await page.getByRole('link', { name: 'New booking link' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Intro call')
    await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).toBe('intro-call')
    await page.getByText('/book/intro-call').waitFor()
    await page.getByLabel('Link', { exact: true }).fill('intro')
    await page.getByLabel('Duration').fill('45')
    const monday = page.getByRole('group', { name: 'Monday' })
    await monday.getByLabel('Monday from').fill('8:00')
    await monday.getByText('Write the time as 09:00').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Create booking link' }).isDisabled()).toBe(true)
    await monday.getByLabel('Monday from').fill('08:00')
    await monday.getByRole('button', { name: 'Copy to weekdays' }).click()
    await page.getByRole('group', { name: 'Saturday' }).getByRole('button', { name: 'Add hours on Saturday' }).click()
    await page.getByRole('button', { name: 'Add a date' }).click()
    await page.getByLabel('Date', { exact: true }).fill('2030-12-24')
    for (const label of ['What is it about?', 'Size of your team']) {
      await page.getByRole('button', { name: 'Add question' }).click()
      await page.getByRole('textbox', { name: 'Question', exact: true }).last().fill(label)
    }
    const size = page.getByRole('group', { name: 'Question 2' })
    await size.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Choice' })
    await page.getByRole('button', { name: 'Create booking link' }).click()
    await size.getByText('Add at least one choice.').waitFor()
    for (const choice of ['1–10', 'More']) {
      await size.getByRole('combobox', { name: 'Choices' }).fill(choice)
      await page.keyboard.press('Enter')
    }
    await size.getByRole('checkbox', { name: 'Required' }).check()
    await page.getByRole('button', { name: 'Move question 2 up' }).click()
    await page.getByRole('checkbox', { name: 'Required' }).first().and(page.locator(':checked')).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Create booking link' }).click()
    const table = page.getByRole('table', { name: 'Booking links' })
    await table.getByText('Mon–Fri 08:00–17:00; Sat 09:00–17:00').waitFor()
    await table.getByRole('button', { name: 'Embed Intro call' }).click()
    await expect
      .poll(() => page.getByLabel('Embed code').textContent())
      .toMatch(
        /^<script type="module" src="http:\/\/[^"]+\/book\/embed\.js"><\/script>\n<booking-widget slug="intro"><\/booking-widget>$/,
      )
    await page.keyboard.press('Escape')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await table.getByRole('button', { name: 'Copy link' }).click()
    await table.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^http:\/\/[^/]+\/book\/intro$/)

    const startAt = await book('intro', 'Zoë Guest', { 'Size of your team': 'More' })
    await page.getByRole('link', { name: 'Meetings' }).click()
    const meetings = page.getByRole('table', { name: 'Meetings' })
    await meetings.getByText('Zoë Guest').waitFor()
    await expect
      .poll(() => meetings.textContent())
      .toContain(
        new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(
          new Date(startAt),
        ),
      )
    expect(await barriers(page)).toEqual([])
    await expect
      .poll(
        async () => (
          await page.reload(),
          meetings.getByRole('link', { name: 'Zoë Guest', exact: true }).getAttribute('href')
        ),
      )
      .toMatch(/^\/leads\/[0-9a-f-]{36}$/)
    await page.setViewportSize({ width: 390, height: 844 })
    const cancelButton = meetings.getByRole('button', { name: 'Cancel the meeting with Zoë Guest' })
    const { x, width } = (await cancelButton.boundingBox()) ?? { x: 0, width: 0 }
    expect(x + width).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1280, height: 900 })
    await cancelButton.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel meeting' }).click()
    await page.getByText('No meetings').waitFor()
    await page.getByLabel('Include past and cancelled').check()
    await meetings.getByText('Cancelled').waitFor()

    await meetings.getByRole('link', { name: 'Zoë Guest', exact: true }).click()
    // A guest's text is shown as plain text here, too.
    await page.getByText(note).first().waitFor()
    await expect.poll(() => page.locator('main img[src="x"]').count()).toBe(0)

    await page.goBack()
    await page.getByRole('link', { name: 'Booking links' }).click()
    await table
      .getByText('Intro call accepts bookings')
      .or(table.getByLabel('Intro call accepts bookings'))
      .first()
      .click({ force: true })
    await expect.poll(async () => (await fetch(`${installation.address}/api/public/booking/intro`)).status).toBe(404)
  },
)

it(
  'a person keeps their calendar: an event, a calendar of elsewhere, an address for other programs',
  { timeout: 60_000 },
  async () => {
    const page = await opened('/calendar?view=month&date=2030-08-01')
    const agenda = page.getByRole('region', { name: 'Agenda' })
    await page.getByRole('heading', { level: 2, name: 'August 2030' }).waitFor()
    await page.getByRole('button', { name: 'New event' }).click()
    await page.getByLabel('Title').fill('Holiday')
    await page.getByLabel('All day').check()
    await page.getByLabel('First day').fill('2030-08-06')
    await page.getByLabel('Last day').fill('2030-08-08')
    await page.getByRole('button', { name: 'Create event' }).click()
    await agenda.getByText('Holiday').first().click()
    const details = page.getByRole('dialog', { name: 'Holiday' })
    await details.getByText('6 Aug 2030 – 8 Aug 2030').waitFor()
    await details.getByRole('button', { name: 'Edit' }).click()
    const editing = page.getByRole('dialog', { name: 'Edit event' })
    await editing.getByLabel('Title').fill('Long holiday')
    await editing.getByLabel('Last day').fill('2030-08-09')
    await editing.getByRole('button', { name: 'Save' }).click()
    await agenda.getByText('Long holiday').first().waitFor()
    await page.getByRole('radiogroup', { name: 'View' }).getByText('List').click()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await agenda.getByText('Long holiday').first().waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('date')).toBe('2030-08-08')
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await agenda.getByText('Nothing planned').waitFor()
    await page.goBack()
    await page.goBack()
    const deletion = async () => {
      await agenda.getByText('Long holiday').first().click()
      await page.getByRole('dialog', { name: 'Long holiday' }).getByRole('button', { name: 'Delete' }).click()
      await expect.poll(() => agenda.getByText('Long holiday').count()).toBe(0)
    }
    await deletion()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await deletion()

    await page.getByRole('link', { name: 'Connected calendars' }).click()
    await page.getByRole('heading', { level: 1, name: 'Calendars' }).waitFor()
    await page.getByLabel('Calendar name').fill('Private')
    await page.getByLabel('Calendar link (iCal)').fill('http://127.0.0.2/private.ics')
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect.poll(() => page.getByLabel('Calendar link (iCal)').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Calendar link (iCal)').fill('webcal://calendar.example/private.ics')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('table', { name: 'Connected calendars' }).getByText('calendar.example').waitFor()

    await page.getByRole('button', { name: 'Create link' }).click()
    const address = (await page.getByLabel('Calendar feed link').textContent()) ?? ''
    const feed = await fetch(installation.address + new URL(address).pathname)
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove link' }).click()
    await expect.poll(async () => (await fetch(installation.address + new URL(address).pathname)).status).toBe(404)
  },
)
