import { schema } from '@crm/db'
import { oldShortZones } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { berlin, bookingUnderTest, guest, mondayMorning, type Answer, type Call } from './booking-under-test.ts'

// Strangers send bad input to the public calls: each call is refused by its code, in the one shape, and leaves no trace.

const service = await bookingUnderTest()
const { call, db, workspace, clock, mails } = service
const tuesday = '2026-06-02'
const startAt = berlin(tuesday, 9)

const { slug } = await service.link()
const elsewhere = await service.newWorkspace()
const [off, inactive] = [await service.newWorkspace(), await service.link({ isActive: false })]
const offSlug = (await service.link({}, off)).slug
await db
  .insert(schema.workspaceModules)
  .values({ workspaceId: off.workspaceId, key: 'SALES', enabled: false, reason: 'self' })
await service.epochs.bump(off.workspaceId)

const tables: readonly (PgTable & { readonly workspaceId: PgColumn })[] = [
  schema.bookings,
  schema.calendarEvents,
  schema.bookingMails,
  schema.outbox,
  schema.leads,
  schema.contacts,
  schema.comments,
  schema.timeline,
  schema.notifications,
]

/** Returns everything that a booking writes, in both workspaces of this test. */
async function left(): Promise<unknown[]> {
  const rows = await Promise.all(
    [workspace, off].flatMap(({ workspaceId }) =>
      tables.map((table) => db.select().from(table).where(eq(table.workspaceId, workspaceId))),
    ),
  )
  return [...rows, mails.length]
}

let before: unknown[] = []
beforeEach(async () => {
  before = await left()
})

/** Asserts the whole answer, and that nothing has changed. */
async function refused(answer: Answer, status: number, code: string, named = ''): Promise<void> {
  expect(answer).toMatchObject({
    status,
    headers: {
      'content-type': expect.stringMatching(/^application\/json/),
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    },
  })
  expect(answer.body).toEqual({ success: false, error: { code, message: expect.stringContaining(named) } })
  expect(await left()).toEqual(before)
}

const create = (body: unknown, path = slug, headers?: Call['headers']): Promise<Answer> =>
  call({ method: 'POST', path, body, headers })
const list = (from: string, to: string, path = slug): Promise<Answer> =>
  call({ path: `${path}/availability?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}` })

/** Makes a booking before the test begins. */
async function booked(): Promise<{ readonly token: string; readonly bookingId: string }> {
  const link = await service.link({ organizerId: (await workspace.employee()).id })
  const { body } = await create(guest(startAt), link.slug)
  before = await left()
  return { token: body.data.manageToken as string, bookingId: body.data.bookingId as string }
}

const reschedule = (token: string, body: unknown, at = workspace) =>
  call({ method: 'POST', path: `manage/${token}/reschedule`, body }, at)
const cancel = (token: string, at = workspace) => call({ method: 'POST', path: `manage/${token}/cancel` }, at)

describe('a new booking', () => {
  it.each([
    ['a name with a new line', { name: 'Zoë\nBcc: all@evil.test' }, 'name'],
    ['a name with a return', { name: 'Zoë\rBcc: all@evil.test' }, 'name'],
    ['a name that ends in a new line', { name: 'Zoë\n' }, 'name'],
    ['an email address that ends in a new line', { email: 'zoe@guest.test\r\n' }, 'email'],
    ['an email address that begins with a new line', { email: '\nzoe@guest.test' }, 'email'],
    ['a name with a line separator', { name: 'Zoë\u2028Bcc' }, 'name'],
    ['a name of 201 characters', { name: 'n'.repeat(201) }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name that is no text', { name: { first: 'Zoë' } }, 'name'],
    ['no name', { name: undefined }, 'name'],
    ['an email address with a new line', { email: 'zoe@guest.test\nBcc: all@evil.test' }, 'email'],
    ['an email address with a return and a new line', { email: 'zoe\r\n@guest.test' }, 'email'],
    [
      'an email address of 256 characters',
      { email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(7)}.test` },
      'email',
    ],
    ['an email address without a domain', { email: 'zoe@' }, 'email'],
    ['an email address without an at', { email: 'zoe.guest.test' }, 'email'],
    ['two email addresses', { email: 'zoe@guest.test,all@evil.test' }, 'email'],
    ['an empty email address', { email: '' }, 'email'],
    ['no email address', { email: undefined }, 'email'],
    ['a start with an offset', { startAt: '2026-06-02T09:00:00.000+02:00' }, 'startAt'],
    ['a start with a zero offset', { startAt: '2026-06-02T07:00:00.000+00:00' }, 'startAt'],
    ['a start without a zone', { startAt: '2026-06-02T07:00:00.000' }, 'startAt'],
    ['a start on a day that is not there', { startAt: '2026-06-31T07:00:00.000Z' }, 'startAt'],
    ['no start', { startAt: undefined }, 'startAt'],
    ['no zone', { timezone: undefined }, 'timezone'],
    ['an empty zone', { timezone: '' }, 'timezone'],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an offset for a zone', { timezone: '+02:00' }, 'timezone'],
    ...oldShortZones.map((timezone): [string, Record<string, unknown>, string] => [
      `the old name ${timezone}`,
      { timezone },
      'timezone',
    ]),
    ['a phone of 51 characters', { phone: '+'.padEnd(51, '4') }, 'phone'],
    ['a phone with a new line', { phone: '+49\n30' }, 'phone'],
    ['a note of 1,001 characters', { note: 'n'.repeat(1_001) }, 'note'],
    ['a note that is no text', { note: ['n'] }, 'note'],
    ['an unknown field', { organizerId: workspace.adminUserId }, 'organizerId'],
  ])('with %s is 400 VALIDATION_ERROR', async (_what, extra, named) => {
    await refused(await create(guest(startAt, extra)), 400, 'VALIDATION_ERROR', named)
  })

  it('counts 256 characters of an email address as one too many, and no fewer', () => {
    const { email } = guest(startAt, {
      email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(7)}.test`,
    })
    expect(email).toHaveLength(256)
  })

  it.each([
    ['nothing', ''],
    ['blanks', '  '],
    ['half of it', '{"name":"Zoë"'],
    ['a form', 'name=Zo%C3%AB&email=zoe%40guest.test'],
    ['text', '"Zoë"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['more than 64 KB', JSON.stringify(guest(startAt, { note: 'n'.repeat(70_000) }))],
  ])('with a body of %s is 400 VALIDATION_ERROR', async (_what, body) => {
    await refused(await create(body), 400, 'VALIDATION_ERROR')
    await refused(
      await create(body, slug, { 'content-type': 'application/json; charset=utf-8' }),
      400,
      'VALIDATION_ERROR',
    )
  })

  it('without any body, and no content type, is 400 VALIDATION_ERROR', async () => {
    await refused(await call({ method: 'POST', path: slug }), 400, 'VALIDATION_ERROR')
  })

  it.each([
    ['off the grid', berlin(tuesday, 9, 1)],
    ['between two slots', berlin(tuesday, 9, 15)],
    ['in the past', '2026-05-29T07:00:00.000Z'],
    ['years ago', '1999-06-01T07:00:00.000Z'],
    ['outside the hours', berlin(tuesday, 8, 30)],
    ['on a day off', berlin('2026-06-06', 9)],
  ])('at a start %s is 409 SLOT_TAKEN', async (_what, start) => {
    await refused(await create(guest(start)), 409, 'SLOT_TAKEN')
  })

  it('at a start in less than 60 minutes is 409 SLOT_TAKEN, a moment before the notice ends', async () => {
    // 09:00 in Berlin on that Tuesday, 60 minutes ahead and a millisecond less.
    const byMs = Date.parse(startAt) - 3_600_000 - Date.parse(mondayMorning) + 1
    clock.advance(byMs)
    try {
      await refused(await create(guest(startAt)), 409, 'SLOT_TAKEN')
    } finally {
      clock.advance(-byMs)
    }
  })

  it('over a slug that nobody has, that is switched off or of another workspace is 404 LINK_NOT_FOUND', async () => {
    const { slug: foreign } = await service.link({}, elsewhere)
    for (const path of ['no-such-link', inactive.slug, foreign]) {
      await refused(await create(guest(startAt), path), 404, 'LINK_NOT_FOUND')
      await refused(await list(berlin(tuesday, 0), berlin(tuesday, 24), path), 404, 'LINK_NOT_FOUND')
      await refused(await call({ path }), 404, 'LINK_NOT_FOUND')
    }
  })

  it('while Sales is off is 404 MODULE_DISABLED, and the link is not there', async () => {
    await refused(await call({ method: 'POST', path: offSlug, body: guest(startAt) }, off), 404, 'MODULE_DISABLED')
    await refused(
      await call({ path: `${offSlug}/availability?from=${berlin(tuesday, 0)}&to=${berlin(tuesday, 24)}` }, off),
      404,
      'MODULE_DISABLED',
    )
    await refused(await call({ path: offSlug }, off), 404, 'LINK_NOT_FOUND')
  })
})

describe('availability', () => {
  const [monday, day] = ['2026-06-01T00:00:00.000Z', 86_400_000]
  const after = (ms: number) => new Date(Date.parse(monday) + ms).toISOString()

  it.each([
    ['offsets instead of Z', '2026-06-01T02:00:00+02:00', after(day), 'from'],
    ['an offset at its end', monday, '2026-06-02T02:00:00+02:00', 'to'],
    ['no zone', '2026-06-01T00:00:00', after(day), 'from'],
    ['dates', '2026-06-01', '2026-06-02', 'from'],
    ['its end before its begin', after(day), monday, 'from'],
    ['no length', monday, monday, 'from'],
  ])('of a window with %s is 400 VALIDATION_ERROR', async (_what, from, to, named) => {
    await refused(await list(from, to), 400, 'VALIDATION_ERROR', named)
  })

  it('of 61 days, and of a millisecond over 60, is 400 WINDOW_TOO_LARGE', async () => {
    await refused(await list(monday, after(61 * day)), 400, 'WINDOW_TOO_LARGE')
    await refused(await list(monday, after(60 * day + 1)), 400, 'WINDOW_TOO_LARGE')
    expect((await list(monday, after(60 * day))).status).toBe(200)
  })
})

describe('a manage token', () => {
  it('of another workspace is 404 BOOKING_NOT_FOUND, as a wrong one is', async () => {
    const { token } = await booked()
    for (const [wrong, at] of [
      [token, elsewhere],
      ['a'.repeat(43), workspace],
    ] as const) {
      await refused(await call({ path: `manage/${wrong}` }, at), 404, 'BOOKING_NOT_FOUND')
      await refused(await reschedule(wrong, { newStartAt: berlin(tuesday, 11) }, at), 404, 'BOOKING_NOT_FOUND')
      await refused(await cancel(wrong, at), 404, 'BOOKING_NOT_FOUND')
    }
  })

  it('is 403 MANAGE_LINK_EXPIRED from a millisecond after 24 hours after the end, also for a cancelled meeting', async () => {
    const [{ token }, cancelled] = [await booked(), await booked()]
    await cancel(cancelled.token)
    before = await left()
    const byMs = Date.parse(startAt) + 1_800_000 + 86_400_000 - Date.parse(mondayMorning) + 1
    clock.advance(byMs)
    try {
      for (const late of [token, cancelled.token]) {
        await refused(await call({ path: `manage/${late}` }), 403, 'MANAGE_LINK_EXPIRED')
        await refused(await reschedule(late, { newStartAt: '2026-06-08T07:00:00.000Z' }), 403, 'MANAGE_LINK_EXPIRED')
        await refused(await cancel(late), 403, 'MANAGE_LINK_EXPIRED')
      }
    } finally {
      clock.advance(-byMs)
    }
  })

  it('cancels once: a second cancellation, a move and a move to the same time are 409 BOOKING_NOT_ACTIVE', async () => {
    const { token } = await booked()
    expect((await cancel(token)).status).toBe(200)
    before = await left()
    await refused(await cancel(token), 409, 'BOOKING_NOT_ACTIVE')
    await refused(await reschedule(token, { newStartAt: berlin(tuesday, 11) }), 409, 'BOOKING_NOT_ACTIVE')
    await refused(await reschedule(token, { newStartAt: startAt }), 409, 'BOOKING_NOT_ACTIVE')
  })

  it.each([
    ['nothing', ''],
    ['half of it', '{"newStartAt":'],
    ['a list', '[]'],
    ['no time', '{}'],
    ['an offset', '{"newStartAt":"2026-06-02T11:00:00.000+02:00"}'],
    ['a time without a zone', '{"newStartAt":"2026-06-02T09:00:00.000"}'],
    ['an unknown zone', JSON.stringify({ newStartAt: berlin(tuesday, 11), timezone: 'Mars/Olympus' })],
    ['an empty zone', JSON.stringify({ newStartAt: berlin(tuesday, 11), timezone: '' })],
  ])('does not move with a body of %s: 400 VALIDATION_ERROR', async (_what, body) => {
    const { token } = await booked()
    await refused(await reschedule(token, body), 400, 'VALIDATION_ERROR')
  })

  it.each([
    ['off the grid', berlin(tuesday, 11, 1)],
    ['in the past', '2026-05-29T07:00:00.000Z'],
    ['too soon', '2026-06-01T04:59:59.999Z'],
    ['outside the hours', berlin(tuesday, 18)],
  ])('does not move to a time %s: 409 SLOT_TAKEN', async (_what, newStartAt) => {
    const { token, bookingId } = await booked()
    await refused(await reschedule(token, { newStartAt }), 409, 'SLOT_TAKEN')
    const [row] = await db
      .select()
      .from(schema.bookings)
      .where(and(eq(schema.bookings.workspaceId, workspace.workspaceId), eq(schema.bookings.id, bookingId)))
    expect(row).toMatchObject({ startAt, status: 'CONFIRMED', calendarSequence: 0 })
  })
})

describe('HTML and strange names are text', () => {
  const note = '<script>alert(1)</script> & <img src=x onerror="alert(2)">\n{{name}} 🙂'
  const name = 'ليلى <b>O’Neil</b> 𠮷 👩‍👩‍👧'

  it('in mail, in the calendar part, and on the pages', async () => {
    const link = await service.link({ organizerId: (await workspace.employee()).id })
    const sent = mails.length
    const { status, body } = await create(guest(startAt, { note, name }), link.slug)
    expect(status, JSON.stringify(body)).toBe(201)
    const [toGuest, toOrganizer] = mails.slice(sent)
    for (const mail of [toGuest, toOrganizer]) {
      expect(mail?.html).toContain(
        '&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;img src=x onerror=&quot;alert(2)&quot;&gt;',
      )
      expect(mail?.html).not.toMatch(/<script|<img|<b>/)
      expect(mail?.text).toContain(note)
    }
    expect(toOrganizer?.html).toContain('ليلى &lt;b&gt;O’Neil&lt;/b&gt; 𠮷 👩‍👩‍👧')
    const calendar = toGuest?.icalEvent?.content.replaceAll('\r\n ', '') ?? ''
    expect(calendar).toContain(String.raw`\n{{name}} 🙂`)
    expect(calendar).toContain(`CN="${name}"`)
    for (const path of [`/book/manage/${body.data.manageToken}`, new URL(body.data.joinUrl as string).pathname]) {
      const page = await call({ path })
      expect(page.body).not.toMatch(/<script>alert|<img src=x|<b>O/)
    }
    expect((await call({ path: `manage/${body.data.manageToken}` })).body.data.inviteeName).toBe(name)
  })
})
