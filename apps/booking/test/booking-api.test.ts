import { newId, schema } from '@crm/db'
import { digest } from '@crm/identity'
import { bookingRow, isOnCitus, lockWaiters } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createCallProvider } from '../src/rooms/call-provider.ts'
import { berlin, bookingUnderTest, guest, mondayMorning, send, type Answer } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { call, link, workspace, db, mails, clock } = service
const tuesday = '2026-06-02'

function refusal(status: number, code: string) {
  return { status, body: { success: false, error: { code, message: expect.any(String) } } }
}

async function organizer(): Promise<string> {
  return (await workspace.employee()).id
}

async function newLink(values: Parameters<typeof link>[0] = {}) {
  return link({ organizerId: await organizer(), ...values })
}

async function book(slug: string, startAt: string, extra: Record<string, unknown> = {}): Promise<Answer> {
  return call({ method: 'POST', path: slug, body: guest(startAt, extra) })
}

async function slots(slug: string, from = berlin(tuesday, 0), to = berlin(tuesday, 24)): Promise<string[]> {
  const answer = await call({ path: `${slug}/availability?from=${from}&to=${to}` })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data.slots as string[]
}

function shiftDay(date: string, by: number): string {
  return new Date(Date.parse(date) + by * 86_400_000).toISOString().slice(0, 10)
}

async function readBooking(id: string) {
  const [row] = await db.select().from(schema.bookings).where(eq(schema.bookings.id, id))
  return row
}

async function switchOffSales() {
  const off = await service.newWorkspace()
  const { slug } = await link({}, off)
  const made = await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) }, off)
  await db
    .insert(schema.workspaceModules)
    .values({ workspaceId: off.workspaceId, key: 'SALES', enabled: false, reason: 'self' })
  await service.epochs.bump(off.workspaceId)
  return { off, slug, token: made.body.data.manageToken as string }
}

describe('a booking link', () => {
  it('is shown as visitors may see it', async () => {
    const { slug } = await newLink({ description: 'Half an hour', showAvatar: false })
    const { status, body } = await call({ path: slug.toUpperCase() })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          name: 'Intro call',
          description: 'Half an hour',
          durationMin: 30,
          timezone: 'Europe/Berlin',
          showAvatar: false,
          organizer: { name: expect.stringMatching(/^Pat /), avatar: null },
          brand: { companyName: expect.any(String), logo: null, primaryColor: null },
          locale: 'en',
          timeFormat: '24h',
          questions: [],
        },
      },
    })
  })

  it.each(['nothing-here', 'manage', '%00', 'a%20b', '..%2f', 'x'.repeat(9_000)])(
    'is 404 LINK_NOT_FOUND for %s',
    async (slug) => {
      expect(await call({ path: slug })).toMatchObject(refusal(404, 'LINK_NOT_FOUND'))
    },
  )

  it('is 404 LINK_NOT_FOUND when it is off, its organizer is gone, or it is another workspace’s', async () => {
    const gone = (await workspace.employee({ status: 'TERMINATED' })).id
    const elsewhere = await link({}, await service.newWorkspace())
    for (const { slug } of [await newLink({ isActive: false }), await link({ organizerId: gone }), elsewhere]) {
      expect(await call({ path: slug })).toMatchObject(refusal(404, 'LINK_NOT_FOUND'))
      expect(await book(slug, berlin(tuesday, 9))).toMatchObject(refusal(404, 'LINK_NOT_FOUND'))
      expect(
        await call({ path: `${slug}/availability?from=${berlin(tuesday, 0)}&to=${berlin(tuesday, 24)}` }),
      ).toMatchObject(refusal(404, 'LINK_NOT_FOUND'))
    }
  })
})

describe('availability', () => {
  it('lists the starts of free slots in the window, exactly', async () => {
    const { slug } = await newLink({ durationMin: 60 })
    expect(await slots(slug)).toEqual([9, 10, 11, 12, 13, 14, 15, 16].map((hour) => berlin(tuesday, hour)))
    expect(await slots(slug, berlin(tuesday, 10), berlin(tuesday, 12))).toEqual([
      berlin(tuesday, 10),
      berlin(tuesday, 11),
    ])
  })

  it('begins an hour from now, that hour included', async () => {
    const { slug } = await newLink({ weeklyHours: [{ day: 1, start: '06:30', end: '08:00' }] })
    // It is 06:00 in Berlin.
    expect(await slots(slug, '2026-05-01T00:00:00Z', '2026-06-02T00:00:00Z')).toEqual([
      berlin('2026-06-01', 7),
      berlin('2026-06-01', 7, 30),
    ])
  })

  it('keeps the buffer of the link that is asked around bookings of every link of the host, and no other buffer', async () => {
    const buffered = await newLink({ durationMin: 60, bufferMin: 60 })
    const plain = await newLink({ durationMin: 60, organizerId: buffered.organizerId })
    const hours = async (slug: string) =>
      (
        (await call({ path: `${slug}/availability?from=${berlin(tuesday, 0)}&to=${berlin(tuesday, 24)}` })).body.data
          .slots as string[]
      ).map((start) => new Date(start).getUTCHours() + 2)
    await call({ method: 'POST', path: buffered.slug, body: guest(berlin(tuesday, 12)) })
    expect(await hours(buffered.slug)).toEqual([9, 10, 14, 15, 16])
    expect(await hours(plain.slug)).toEqual([9, 10, 11, 13, 14, 15, 16])
  })

  it('leaves out bookings of the organizer with the buffer, and busy events of the calendar', async () => {
    const { slug, organizerId } = await newLink({ durationMin: 60, bufferMin: 15 })
    const other = await link({ organizerId, durationMin: 30 })
    expect((await book(other.slug, berlin(tuesday, 10))).status).toBe(201)
    await addEvent(organizerId, { startAt: berlin(tuesday, 14), endAt: berlin(tuesday, 14, 30) })
    await addEvent(organizerId, { startAt: berlin(tuesday, 16), endAt: berlin(tuesday, 17), busy: false })
    expect(await slots(slug)).toEqual([11, 12, 15, 16].map((hour) => berlin(tuesday, hour)))
  })

  it('takes a whole day of the organizer’s zone for an all-day event', async () => {
    const { slug, organizerId } = await newLink({
      durationMin: 60,
      timezone: 'Pacific/Auckland',
      weeklyHours: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' })),
    })
    await addEvent(organizerId, {
      allDay: true,
      startDate: '2026-06-04',
      endDate: '2026-06-05',
      startAt: '2026-06-04T00:00:00Z',
      endAt: '2026-06-06T00:00:00Z',
    })
    const free = await slots(slug, '2026-06-02T12:00:00Z', '2026-06-06T12:00:00Z')
    expect(free).toContain('2026-06-03T11:00:00.000Z')
    expect(free.filter((start) => start >= '2026-06-03T12:00' && start < '2026-06-05T12:00')).toEqual([])
    expect(free).toContain('2026-06-05T12:00:00.000Z')
  })

  it('keeps the buffer over midnight, whatever window is asked for', async () => {
    const around = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
    const { slug } = await newLink({ timezone: 'UTC', durationMin: 30, bufferMin: 45, weeklyHours: around })
    expect((await book(slug, '2026-06-02T23:30:00Z')).status).toBe(201)
    const nextDay = await slots(slug, '2026-06-03T00:00:00Z', '2026-06-03T02:00:00Z')
    expect(nextDay).toEqual(['2026-06-03T01:00:00.000Z', '2026-06-03T01:30:00.000Z'])
    expect(await slots(slug, '2026-06-02T21:30:00Z', '2026-06-03T00:00:00Z')).toEqual([
      '2026-06-02T21:30:00.000Z',
      '2026-06-02T22:00:00.000Z',
    ])
    expect(await book(slug, '2026-06-03T00:30:00Z')).toMatchObject(refusal(409, 'SLOT_TAKEN'))
    expect((await book(slug, nextDay[0] as string)).status).toBe(201)
  })

  it.each([
    // Neither the hour that is skipped nor the one that comes twice moves the grid.
    [
      'loses an hour',
      '2026-03-29',
      ['2026-03-28T23:00', '2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00', '2026-03-29T03:00'],
    ],
    [
      'gains an hour',
      '2026-10-25',
      [
        '2026-10-24T22:00',
        '2026-10-24T23:00',
        '2026-10-25T00:00',
        '2026-10-25T01:00',
        '2026-10-25T02:00',
        '2026-10-25T03:00',
        '2026-10-25T04:00',
      ],
    ],
  ])('on a day that %s lists each hour that there is, and takes each', async (_what, date, expected) => {
    const { slug } = await newLink({ durationMin: 60, weeklyHours: [{ day: 0, start: '00:00', end: '06:00' }] })
    const byMs = Date.parse(`${date}T00:00:00Z`) - 7 * 86_400_000 - Date.parse(mondayMorning)
    clock.advance(byMs)
    try {
      const listed = await slots(slug, `${shiftDay(date, -1)}T00:00:00Z`, `${shiftDay(date, 1)}T00:00:00Z`)
      expect(listed).toEqual(expected.map((start) => `${start}:00.000Z`))
      for (const start of listed) expect((await book(slug, start)).status, start).toBe(201)
    } finally {
      clock.advance(-byMs)
    }
  })

  it('takes times with and without milliseconds', async () => {
    const { slug } = await newLink()
    expect((await slots(slug, '2026-06-02T00:00:00Z', '2026-06-03T00:00:00.000Z')).length).toBe(16)
  })

  it.each([
    ['from=2026-06-02T00:00:00Z', 'to'],
    ['from=2026-06-02T00:00:00%2B02:00&to=2026-06-03T00:00:00Z', 'from'],
    ['from=2026-06-02&to=2026-06-03T00:00:00Z', 'from'],
    ['from=2026-02-30T00:00:00Z&to=2026-06-03T00:00:00Z', 'from'],
    ['from=2026-06-02T00:00Z&to=2026-06-03T00:00:00Z', 'from'],
    ['from=2026-06-03T00:00:00Z&to=2026-06-03T00:00:00.000Z', 'from'],
    ['from=2026-06-04T00:00:00Z&to=2026-06-03T00:00:00Z', 'from'],
    ['from=2026-06-04T00:00:00Z&to=2026-06-03T00:00:00%2B00:00', 'to'],
    ['from=9999-06-03T00:00:00Z&to=9999-06-04T00:00:00Z', 'from'],
    ['from[]=1&to=2026-06-03T00:00:00Z', 'from'],
  ])('refuses %s with 400 VALIDATION_ERROR and says which', async (query, named) => {
    const { slug } = await newLink()
    const answer = await call({ path: `${slug}/availability?${query}` })
    expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(answer.body.error.message).toContain(named)
  })

  it('takes a window of 60 days and refuses a longer one with 400 WINDOW_TOO_LARGE', async () => {
    const { slug } = await newLink()
    const window = (to: string) => call({ path: `${slug}/availability?from=2026-06-02T00:00:00Z&to=${to}` })
    expect((await window('2026-08-01T00:00:00Z')).status).toBe(200)
    expect(await window('2026-08-01T00:00:00.001Z')).toMatchObject(refusal(400, 'WINDOW_TOO_LARGE'))
  })
})

async function addEvent(employeeId: string, values: Partial<typeof schema.calendarEvents.$inferInsert>): Promise<void> {
  await db
    .insert(schema.calendarEvents)
    .values({ workspaceId: workspace.workspaceId, employeeId, title: 'Away', startAt: '', endAt: '', ...values })
}

describe('creating a booking', () => {
  it('answers 201 and leaves a confirmed booking, a calendar event, events for others, and mail', async () => {
    const { slug, organizerId } = await newLink()
    const before = mails.length
    const { status, body } = await book(slug, '2026-06-02T07:00:00Z', {
      phone: ' 030 / 123 ',
      note: 'About <us>\nand you',
      locale: 'de',
    })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          bookingId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          manageToken: expect.stringMatching(/^[\w-]{43}$/),
          joinUrl: expect.stringMatching(new RegExp(`^http://${workspace.host}/call/[\\w-]{43}$`)),
          startAt: '2026-06-02T07:00:00.000Z',
          endAt: '2026-06-02T07:30:00.000Z',
          confirmationEmailSent: true,
        },
      },
    })
    const { bookingId, manageToken } = body.data
    expect(await readBooking(bookingId)).toMatchObject({
      status: 'CONFIRMED',
      organizerId,
      inviteeName: 'Zoë Guest',
      inviteePhone: '030 / 123',
      note: 'About <us>\nand you',
      inviteeLocale: 'de',
      manageTokenHash: digest(manageToken),
      roomId: expect.any(String),
      confirmationEmailSent: true,
      calendarSequence: 0,
    })
    const events = await db.select().from(schema.calendarEvents).where(eq(schema.calendarEvents.bookingId, bookingId))
    expect(events).toMatchObject([
      { employeeId: organizerId, title: 'Intro call: Zoë Guest', startAt: '2026-06-02T07:00:00.000Z', busy: true },
    ])
    const rows = await db
      .select()
      .from(schema.outbox)
      .where(eq(schema.outbox.entityId, bookingId))
      .orderBy(schema.outbox.topic)
    expect(rows).toMatchObject([
      {
        topic: 'change',
        event: 'booking.created',
        entityType: 'BOOKING',
        payload: { record: { id: bookingId, status: 'CONFIRMED' }, changes: [], actor: { source: 'BOOKING' } },
      },
      { topic: 'job', event: 'booking.link-guest', payload: { bookingId } },
    ])
    expect(JSON.stringify(rows)).not.toContain(manageToken)
    const sent = mails.slice(before)
    expect(sent.map(({ to }) => to.address)).toEqual(['zoe@guest.test', expect.stringContaining('@')])
    expect(sent[0]).toMatchObject({
      subject: expect.stringMatching(/^Bestätigt: Intro call, Dienstag, 2. Juni 2026/),
      text: expect.stringContaining(`http://${workspace.host}/book/manage/${manageToken}`),
    })
  })

  it('asks nobody to link the guest when the link says so', async () => {
    const { slug } = await newLink({ linkGuest: false })
    const { body } = await book(slug, berlin(tuesday, 9))
    const rows = await db.select().from(schema.outbox).where(eq(schema.outbox.entityId, body.data.bookingId))
    expect(rows.map(({ event }) => event)).toEqual(['booking.created'])
  })

  describe('with questions', () => {
    const questions = [
      { label: 'Company size', type: 'SELECT' as const, required: true, options: ['1–10', '11–50'] },
      { label: 'Anything else', type: 'LONG_TEXT' as const, required: false, options: [] },
      { label: 'Record the call', type: 'CHECKBOX' as const, required: false, options: [] },
    ]
    const answering = async (answers: unknown) => {
      const { slug, id } = await newLink({ questions })
      const body = guest(berlin(tuesday, 9), { answers })
      return { id, slug, answer: await call({ method: 'POST', path: slug, body }) }
    }

    it('keeps the answers in the order of the questions, and mails them', async () => {
      const { slug, answer } = await answering({
        'Record the call': false,
        'Anything else': ' ',
        'Company size': '11–50',
      })
      expect(answer.status).toBe(201)
      expect((await readBooking(answer.body.data.bookingId))?.answers).toEqual([
        { label: 'Company size', value: '11–50' },
        { label: 'Record the call', value: false },
      ])
      expect(mails.at(-1)?.text).toContain('Company size: 11–50\nRecord the call: No\n')
      expect((await call({ path: slug })).body.data.questions).toEqual(questions)
    })

    it.each([
      ['are missing', undefined],
      ['lack a required one', { 'Anything else': 'no' }],
      ['are no choice', { 'Company size': '12' }],
      ['are of another form', { 'Company size': true }],
      ['tick a text', { 'Company size': '1–10', 'Anything else': true }],
      ['answer no question', { 'Company size': '1–10', constructor: 'x' }],
      ['are too long', { 'Company size': '1–10', 'Anything else': 'x'.repeat(1001) }],
    ])('refuses answers that %s with 400 VALIDATION_ERROR', async (_what, answers) => {
      const { answer } = await answering(answers)
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^answers/) } },
      })
    })
  })

  it('counts characters, not code units, and trims', async () => {
    const { slug } = await newLink()
    const name = '😀'.repeat(200)
    const { status, body } = await book(slug, berlin(tuesday, 9), {
      name: `  ${name} `,
      note: '😀'.repeat(1000),
      email: ' zoe@guest.test ',
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect((await readBooking(body.data.bookingId))?.inviteeName).toBe(name)
  })

  it.each([
    'Zoe@München.example',
    'zoe@xn--mnchen-3ya.example',
    'zoe@ＧＵＥＳＴ.test',
    'ZOE@GUEST.TEST',
    'zoe@例え.example',
  ])('gives the address back as it was given, and mails where it leads: %s', async (email) => {
    const { slug } = await newLink()
    const { status, body } = await book(slug, berlin(tuesday, 9), { email })
    expect({ status, sent: body.data?.confirmationEmailSent }).toEqual({ status: 201, sent: true })
    expect((await call({ path: `manage/${body.data.manageToken}` })).body.data.inviteeEmail).toBe(email)
    const line = mails.at(-2)?.icalEvent?.content.replaceAll('\r\n ', '') ?? ''
    // oxlint-disable-next-line no-control-regex
    expect(/mailto:(\S*)/.exec(line.slice(line.indexOf('ATTENDEE')))?.[1]).toMatch(/^[\x00-\x7f]+$/)
  })

  it.each(['zoe@mün chen.example', 'zoë@guest.test', 'zoe@ü/x', '@münchen.example', 'zoe@-.example'])(
    'refuses what is no address: %s',
    async (email) => {
      const { slug } = await newLink()
      expect(await book(slug, berlin(tuesday, 9), { email })).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR' } },
      })
    },
  )

  it('takes every field at its full length, and mails to it', async () => {
    const { slug } = await newLink()
    const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(6)}.test`
    const full = { name: 'n'.repeat(200), email, phone: '1'.repeat(50), note: 'x'.repeat(1_000) }
    expect(email).toHaveLength(255)
    const { status, body } = await book(slug, berlin(tuesday, 9), full)
    expect({ status, sent: body.data?.confirmationEmailSent }).toEqual({ status: 201, sent: true })
    expect(await readBooking(body.data.bookingId)).toMatchObject({
      inviteeName: full.name,
      inviteeEmail: email,
      inviteePhone: full.phone,
      note: full.note,
    })
    const lines = mails.at(-2)?.icalEvent?.content.split('\r\n') ?? []
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    expect(lines.join('\r\n').replaceAll('\r\n ', '')).toContain(`mailto:${email}`)
  })

  it('keeps what no database could: lone surrogates become replacement characters', async () => {
    const { slug } = await newLink()
    const { status } = await call({
      method: 'POST',
      path: slug,
      body: JSON.stringify(guest(berlin(tuesday, 9), { name: 'Zoë X' })).replace('X', '\\ud800'),
    })
    expect(status).toBe(201)
  })

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: '😀'.repeat(201) }, 'name'],
    [{ name: 'Zoë\r\nBcc: x@y.test' }, 'name'],
    [{ name: 'Zo\u0000' }, 'name'],
    [{ email: undefined }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'zoe@guest.test\nBcc: x@y.test' }, 'email'],
    [{ email: `${'a'.repeat(250)}@x.test` }, 'email'],
    [{ startAt: undefined }, 'startAt'],
    [{ startAt: '2026-06-02T09:00:00+02:00' }, 'startAt'],
    [{ startAt: 1_780_000_000 }, 'startAt'],
    [{ startAt: '0000-01-01T00:00:00Z' }, 'startAt'],
    [{ timezone: undefined }, 'timezone'],
    [{ timezone: '+02:00' }, 'timezone'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ phone: '1'.repeat(51) }, 'phone'],
    [{ note: 'n'.repeat(1001) }, 'note'],
    [{ note: 'a\u0000b' }, 'note'],
    [{ locale: 'not a language' }, 'locale'],
    [{ surprise: 1 }, 'surprise'],
  ])('refuses %j with 400 VALIDATION_ERROR and names it', async (extra, named) => {
    const { slug } = await newLink()
    const answer = await book(slug, berlin(tuesday, 9), extra)
    expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(answer.body.error.message).toContain(named)
  })

  it('wraps what is not JSON, too', async () => {
    const { slug } = await newLink()
    expect(await call({ method: 'POST', path: slug, body: '{"name":' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(await call({ method: 'POST', path: slug, body: '[]' })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(
      await call({ method: 'POST', path: slug, body: JSON.stringify({ name: 'x'.repeat(70_000) }) }),
    ).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  })

  it.each([
    ['past', '2026-05-29T07:00:00Z'],
    ['too soon', '2026-06-01T04:30:00Z'],
    ['off the grid', '2026-06-02T07:10:00Z'],
    ['outside the hours', '2026-06-02T05:00:00Z'],
    ['longer than the hours', '2026-06-02T15:00:00Z'],
  ])('refuses a start that is %s with 409 SLOT_TAKEN', async (_what, startAt) => {
    const { slug } = await newLink()
    expect(await book(slug, startAt)).toMatchObject(refusal(409, 'SLOT_TAKEN'))
  })

  it('refuses a slot that somebody has with 409 SLOT_TAKEN', async () => {
    const { slug } = await newLink()
    expect((await book(slug, berlin(tuesday, 9))).status).toBe(201)
    expect(await book(slug, berlin(tuesday, 9))).toMatchObject(refusal(409, 'SLOT_TAKEN'))
    expect(await slots(slug)).not.toContain(berlin(tuesday, 9))
  })

  it('takes every slot that availability lists', async () => {
    const { slug } = await newLink({ durationMin: 45, bufferMin: 10 })
    for (let free = await slots(slug); free.length > 0; free = await slots(slug))
      expect((await book(slug, free[0] as string)).status).toBe(201)
  })
})

describe('a slot that a provider has to be asked for', () => {
  it('is held while the call is created: nobody else gets it, and nobody sees the booking before it has its room', async () => {
    const { slug } = await newLink()
    const [asked, room] = [Promise.withResolvers<string>(), Promise.withResolvers<{ roomId: string }>()]
    const create = ({ bookingId }: { readonly bookingId: string }) => (asked.resolve(bookingId), room.promise)
    const slow = service.instance({ callProvider: { create, cancel: async () => undefined, roomUrl: () => null } })
    const booking = send(slow, workspace, { method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
    expect(await readBooking(await asked.promise)).toMatchObject({ status: 'PENDING', roomId: null })
    expect(await slots(slug)).not.toContain(berlin(tuesday, 9))
    expect(await book(slug, berlin(tuesday, 9))).toMatchObject(refusal(409, 'SLOT_TAKEN'))
    const mailed = mails.length
    room.resolve({ roomId: 'their-room' })
    const { status, body } = await booking
    expect({ status, sent: body.data.confirmationEmailSent }).toEqual({ status: 201, sent: true })
    expect(await readBooking(body.data.bookingId)).toMatchObject({
      status: 'CONFIRMED',
      roomId: 'their-room',
      confirmationEmailSent: true,
    })
    expect(
      await db.select().from(schema.calendarEvents).where(eq(schema.calendarEvents.bookingId, body.data.bookingId)),
    ).toHaveLength(1)
    expect(mails.slice(mailed).map(({ to }) => to.address)).toContain('zoe@guest.test')
  })
})

// Of a distributed database only the machine with the rows shows who waits.
it.skipIf(isOnCitus)(
  'the database has the last word on who was first, should somebody not have waited for their turn',
  async () => {
    const { slug, id, organizerId } = await newLink()
    const written = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const startAt = berlin(tuesday, 9)
    const first = db.transaction(async (tx) => {
      await tx.insert(schema.bookings).values(
        bookingRow({
          workspaceId: workspace.workspaceId,
          linkId: id,
          organizerId,
          startAt: berlin(tuesday, 8, 45),
          endAt: berlin(tuesday, 9, 15),
          inviteeName: 'First',
          inviteeEmail: 'first@guest.test',
          joinUrl: '',
        }),
      )
      written.resolve()
      await done.promise
    })
    await written.promise
    // An uncommitted booking blocks nobody until the insert.
    const second = book(slug, startAt)
    await expect.poll(() => lockWaiters(db)).toMatchObject([{ application: 'test-booking' }])
    done.resolve()
    await first
    expect(await second).toMatchObject(refusal(409, 'SLOT_TAKEN'))
    expect(
      await db
        .select()
        .from(schema.calendarEvents)
        .where(and(eq(schema.calendarEvents.employeeId, organizerId), eq(schema.calendarEvents.startAt, startAt))),
    ).toEqual([])
  },
)

describe('when the video call cannot be created', () => {
  it.each([
    ['fails', { create: () => Promise.reject(new Error('down')) }],
    ['hangs', { create: () => new Promise<never>(() => undefined) }],
    ['is the one that fails', createCallProvider('fail', { rooms: service.rooms })],
  ])('because it %s: 502 CALL_CREATION_FAILED, and the slot is free again', async (_what, provider) => {
    const { slug } = await newLink()
    const before = mails.length
    const broken = service.instance({
      callProvider: { cancel: async () => undefined, roomUrl: () => null, ...provider },
      callDeadlineMs: 50,
    })
    const answer = await send(broken, workspace, { method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
    expect(answer).toMatchObject(refusal(502, 'CALL_CREATION_FAILED'))
    expect(await slots(slug)).toContain(berlin(tuesday, 9))
    expect(mails.length).toBe(before)
    const rows = await db
      .select()
      .from(schema.bookings)
      .innerJoin(
        schema.bookingLinks,
        and(
          eq(schema.bookingLinks.workspaceId, schema.bookings.workspaceId),
          eq(schema.bookingLinks.id, schema.bookings.linkId),
        ),
      )
      .where(eq(schema.bookingLinks.slug, slug))
    expect(rows).toMatchObject([{ bookings: { status: 'CANCELLED' } }])
    expect((await book(slug, berlin(tuesday, 9))).status).toBe(201)
  })

  it('closes the room of a call that came too late', async () => {
    const { slug } = await newLink()
    const closed = Promise.withResolvers<string>()
    const late = Promise.withResolvers<{ roomId: string }>()
    const slow = service.instance({
      callProvider: {
        create: () => late.promise,
        cancel: async (roomId) => closed.resolve(roomId),
        roomUrl: () => null,
      },
      callDeadlineMs: 20,
    })
    expect(await send(slow, workspace, { method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })).toMatchObject(
      refusal(502, 'CALL_CREATION_FAILED'),
    )
    late.resolve({ roomId: 'late-room' })
    expect(await closed.promise).toBe('late-room')
  })
})

describe('when mail cannot be sent', () => {
  it.each([
    ['fails', () => Promise.reject(new Error('no server'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])(
    'because it %s: the booking exists, says so, and the organizer is told in the product',
    async (_what, sendMail) => {
      const { slug, organizerId } = await newLink()
      const mute = service.instance({ mailer: { from: 'a@b.test', send: sendMail }, mailDeadlineMs: 50 })
      const { status, body } = await send(mute, workspace, {
        method: 'POST',
        path: slug,
        body: guest(berlin(tuesday, 9)),
      })
      expect({ status, sent: body.data.confirmationEmailSent }).toEqual({ status: 201, sent: false })
      expect(await readBooking(body.data.bookingId)).toMatchObject({
        status: 'CONFIRMED',
        confirmationEmailSent: false,
      })
      const told = await db.select().from(schema.notifications).where(eq(schema.notifications.employeeId, organizerId))
      expect(told).toMatchObject([
        {
          kind: 'booking.mail-failed',
          text: expect.stringContaining('zoe@guest.test'),
          data: { bookingId: body.data.bookingId },
          readAt: null,
        },
      ])
    },
  )
})

describe('a manage token', () => {
  async function booked(values: Parameters<typeof link>[0] = {}, extra: Record<string, unknown> = {}) {
    const made = await newLink(values)
    const { body } = await book(made.slug, berlin(tuesday, 9), extra)
    return {
      ...made,
      token: body.data.manageToken as string,
      bookingId: body.data.bookingId as string,
      joinUrl: body.data.joinUrl as string,
    }
  }
  const reschedule = (token: string, newStartAt: string, extra: Record<string, unknown> = {}) =>
    call({ method: 'POST', path: `manage/${token}/reschedule`, body: { newStartAt, ...extra } })
  const cancel = (token: string) => call({ method: 'POST', path: `manage/${token}/cancel` })

  it('shows its booking', async () => {
    const { token, bookingId, joinUrl, slug } = await booked()
    expect(await call({ path: `manage/${token}` })).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          bookingId,
          status: 'CONFIRMED',
          startAt: berlin(tuesday, 9),
          endAt: berlin(tuesday, 9, 30),
          inviteeName: 'Zoë Guest',
          inviteeEmail: 'zoe@guest.test',
          inviteeTimezone: 'America/New_York',
          joinUrl,
          link: { slug, name: 'Intro call', durationMin: 30, timezone: 'Europe/Berlin', organizer: { avatar: null } },
        },
      },
    })
  })

  it('moves its booking: id, token, UID and joinUrl stay, the sequence rises, the old slot is free', async () => {
    const { token, bookingId, joinUrl, slug } = await booked()
    const before = mails.length
    const answer = await reschedule(token, berlin(tuesday, 11), { timezone: 'Asia/Tokyo' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          booking: {
            bookingId,
            manageToken: token,
            joinUrl,
            status: 'CONFIRMED',
            startAt: berlin(tuesday, 11),
            endAt: berlin(tuesday, 11, 30),
            inviteeTimezone: 'Asia/Tokyo',
            confirmationEmailSent: true,
            link: { slug },
          },
        },
      },
    })
    const free = await slots(slug)
    expect(free).toContain(berlin(tuesday, 9))
    expect(free).not.toContain(berlin(tuesday, 11))
    const [event] = await db.select().from(schema.calendarEvents).where(eq(schema.calendarEvents.bookingId, bookingId))
    expect(event).toMatchObject({ startAt: berlin(tuesday, 11), endAt: berlin(tuesday, 11, 30) })
    expect(mails.slice(before)[0]?.icalEvent?.content).toContain('SEQUENCE:1')
    const rows = await db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.entityId, bookingId), eq(schema.outbox.event, 'booking.rescheduled')))
    expect(rows).toMatchObject([
      {
        topic: 'change',
        payload: {
          changes: [
            { field: 'startAt', from: berlin(tuesday, 9), to: berlin(tuesday, 11) },
            { field: 'endAt' },
            { field: 'inviteeTimezone' },
          ],
        },
      },
    ])
  })

  it('may overlap its own old time, and the same time again changes nothing', async () => {
    const { token, bookingId } = await booked({ durationMin: 60, bufferMin: 30 })
    expect((await reschedule(token, berlin(tuesday, 10))).status).toBe(200)
    const before = mails.length
    expect(await reschedule(token, berlin(tuesday, 10).replace('.000Z', 'Z'))).toMatchObject({
      status: 200,
      body: { data: { booking: { startAt: berlin(tuesday, 10) } } },
    })
    expect(mails.length).toBe(before)
    expect(await readBooking(bookingId)).toMatchObject({ calendarSequence: 1 })
  })

  it.each([
    ['{}', 'newStartAt'],
    ['{"newStartAt":"tomorrow"}', 'newStartAt'],
    [`{"newStartAt":"${berlin(tuesday, 11)}","timezone":"Nowhere"}`, 'timezone'],
    [`{"newStartAt":"${berlin(tuesday, 11)}","surprise":1}`, 'surprise'],
  ])('refuses the move %s with 400 VALIDATION_ERROR', async (body, named) => {
    const { token } = await booked()
    const answer = await call({ method: 'POST', path: `manage/${token}/reschedule`, body })
    expect(answer).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
    expect(answer.body.error.message).toContain(named)
  })

  it('refuses a slot that is not free with 409 SLOT_TAKEN and leaves the booking as it is', async () => {
    const { token, slug, bookingId } = await booked()
    await book(slug, berlin(tuesday, 11))
    for (const taken of [berlin(tuesday, 11), berlin(tuesday, 11, 10), '2026-06-01T04:30:00Z']) {
      expect(await reschedule(token, taken)).toMatchObject(refusal(409, 'SLOT_TAKEN'))
    }
    expect(await readBooking(bookingId)).toMatchObject({ startAt: berlin(tuesday, 9), calendarSequence: 0 })
  })

  it('cancels its booking once, also with an empty JSON body; the slot is free at once', async () => {
    const { token, bookingId, slug } = await booked()
    const before = mails.length
    const answer = await call({
      method: 'POST',
      path: `manage/${token}/cancel`,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { bookingId } } })
    expect(await slots(slug)).toContain(berlin(tuesday, 9))
    expect(await db.select().from(schema.calendarEvents).where(eq(schema.calendarEvents.bookingId, bookingId))).toEqual(
      [],
    )
    expect(mails.slice(before)[0]?.icalEvent).toMatchObject({
      method: 'CANCEL',
      content: expect.stringContaining('SEQUENCE:1'),
    })
    expect(await cancel(token)).toMatchObject(refusal(409, 'BOOKING_NOT_ACTIVE'))
    expect(await reschedule(token, berlin(tuesday, 11))).toMatchObject(refusal(409, 'BOOKING_NOT_ACTIVE'))
    expect(await call({ path: `manage/${token}` })).toMatchObject({
      status: 200,
      body: { data: { status: 'CANCELLED' } },
    })
  })

  it('tells the organizer the reason of a cancellation', async () => {
    const { token, bookingId } = await booked()
    await call({ method: 'POST', path: `manage/${token}/cancel`, body: { reason: ' I am ill ' } })
    expect(await readBooking(bookingId)).toMatchObject({ cancelReason: 'I am ill' })
    expect(mails.at(-1)?.text).toContain('Reason: I am ill')
    const other = await booked()
    expect(
      await call({ method: 'POST', path: `manage/${other.token}/cancel`, body: { reason: 'x'.repeat(1001) } }),
    ).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  })

  it.each([
    ['an object', '{"reason":"ill"}'],
    ['null', 'null'],
    ['nothing', ''],
  ])('cancels with a body of %s, which it does not need', async (_what, body) => {
    const { token, bookingId } = await booked()
    expect(await call({ method: 'POST', path: `manage/${token}/cancel`, body })).toMatchObject({
      status: 200,
      body: { success: true, data: { bookingId } },
    })
  })

  it('stays with the organizer it was booked with when the link becomes somebody else’s', async () => {
    const { token, id, organizerId, bookingId } = await booked()
    const next = await workspace.employee()
    await db.update(schema.bookingLinks).set({ organizerId: next.id }).where(eq(schema.bookingLinks.id, id))
    const [first] = await db.select().from(schema.employees).where(eq(schema.employees.id, organizerId))
    const name = `${first?.firstName} ${first?.lastName}`
    expect((await call({ path: `manage/${token}` })).body.data.link.organizer).toEqual({ name, avatar: null })
    const before = mails.length
    expect((await reschedule(token, berlin(tuesday, 11))).status).toBe(200)
    expect((await cancel(token)).status).toBe(200)
    expect(mails.slice(before).map(({ to }) => to.address)).toEqual([
      'zoe@guest.test',
      first?.email,
      'zoe@guest.test',
      first?.email,
    ])
    expect(await readBooking(bookingId)).toMatchObject({ organizerId })
  })

  it('works on a link that is off', async () => {
    const { token, id } = await booked()
    await db.update(schema.bookingLinks).set({ isActive: false }).where(eq(schema.bookingLinks.id, id))
    expect((await reschedule(token, berlin(tuesday, 11))).status).toBe(200)
    expect((await cancel(token)).status).toBe(200)
  })

  it('is 404 BOOKING_NOT_FOUND when there is no such booking, it is elsewhere, or it only holds a slot', async () => {
    const { token, bookingId, id, organizerId } = await booked()
    const elsewhere = await service.newWorkspace()
    expect(await call({ path: `manage/${token}` }, elsewhere)).toMatchObject(refusal(404, 'BOOKING_NOT_FOUND'))
    const pending = {
      ...(await readBooking(bookingId)),
      id: newId(),
      linkId: id,
      organizerId,
      status: 'PENDING',
      startAt: berlin(tuesday, 15),
      endAt: berlin(tuesday, 16),
      manageTokenHash: digest('pending'),
      callTokenHash: digest('call'),
    }
    await db.insert(schema.bookings).values(pending as typeof schema.bookings.$inferInsert)
    for (const wrong of ['wrong', 'pending', 'x'.repeat(400), 'x'.repeat(9_000), '%00', '%F0%9F%98%80']) {
      expect(await call({ path: `manage/${wrong}` })).toMatchObject(refusal(404, 'BOOKING_NOT_FOUND'))
      expect(await reschedule(wrong, berlin(tuesday, 11))).toMatchObject(refusal(404, 'BOOKING_NOT_FOUND'))
      expect(await cancel(wrong)).toMatchObject(refusal(404, 'BOOKING_NOT_FOUND'))
    }
  })

  it('is 403 MANAGE_LINK_EXPIRED from 24 hours after the end', async () => {
    const { token } = await booked()
    const untilEndMs = Date.parse(berlin(tuesday, 9, 30)) - Date.parse(mondayMorning)
    clock.advance(untilEndMs + 24 * 3_600_000)
    const atTheEnd = await call({ path: `manage/${token}` })
    clock.advance(1)
    const answers = [
      await call({ path: `manage/${token}` }),
      await reschedule(token, '2026-06-08T09:00:00Z'),
      await cancel(token),
    ]
    clock.advance(-(untilEndMs + 24 * 3_600_000 + 1))
    expect(atTheEnd.status).toBe(200)
    for (const answer of answers) expect(answer).toMatchObject(refusal(403, 'MANAGE_LINK_EXPIRED'))
  })
})

describe('while Sales is off', () => {
  it('there are no links and nothing to book; guests still see and cancel what they have', async () => {
    const { off, slug, token } = await switchOffSales()
    expect(await call({ path: slug }, off)).toMatchObject(refusal(404, 'LINK_NOT_FOUND'))
    expect(
      await call({ path: `${slug}/availability?from=${berlin(tuesday, 0)}&to=${berlin(tuesday, 24)}` }, off),
    ).toMatchObject(refusal(404, 'MODULE_DISABLED'))
    expect(await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 10)) }, off)).toMatchObject(
      refusal(404, 'MODULE_DISABLED'),
    )
    expect(
      await call(
        { method: 'POST', path: `manage/${token}/reschedule`, body: { newStartAt: berlin(tuesday, 11) } },
        off,
      ),
    ).toMatchObject(refusal(404, 'MODULE_DISABLED'))
    expect(await call({ path: `manage/${token}` }, off)).toMatchObject({ status: 200 })
    expect(await call({ method: 'POST', path: `manage/${token}/cancel` }, off)).toMatchObject({ status: 200 })
  })
})

describe('every answer', () => {
  it('may be read by any website and is not to be kept', async () => {
    const { slug } = await newLink()
    const origin = { origin: 'https://anywhere.example' }
    const answers = [
      await call({ path: slug, headers: origin }),
      await call({ path: 'nothing-here', headers: origin }),
      await call({ path: 'no/such/path/at/all', headers: origin }),
      await call({ path: '%E0%A4%A', headers: origin }),
      await call({ method: 'PUT', path: slug, headers: origin }),
      await call({ method: 'POST', path: slug, body: '{', headers: origin }),
    ]
    for (const { headers } of answers)
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
    for (const { body } of answers.slice(1))
      expect(body).toEqual({ success: false, error: { code: expect.any(String), message: expect.any(String) } })
  })

  it('to a preflight allows GET and POST', async () => {
    const { slug } = await newLink()
    const answer = await call({
      method: 'OPTIONS',
      path: slug,
      headers: { origin: 'https://anywhere.example', 'access-control-request-method': 'POST' },
    })
    expect(answer).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': expect.stringContaining('Content-Type'),
      },
    })
  })

  it('wraps a fault, too, and does not say its cause', async () => {
    const { slug } = await newLink({ timezone: 'Not/AZone' })
    const answer = await call({ path: `${slug}/availability?from=${berlin(tuesday, 0)}&to=${berlin(tuesday, 24)}` })
    expect(answer).toMatchObject(refusal(500, 'INTERNAL_ERROR'))
    expect(answer.body.error.message).not.toContain('AZone')
  })

  it('wraps an unknown host, too, when there are several workspaces', async () => {
    expect(await call({ path: 'any' }, { ...workspace, host: 'unknown.test' })).toMatchObject(refusal(404, 'NOT_FOUND'))
  })
})
