import { newId, schema } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { and, asc, eq } from 'drizzle-orm'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { readCalendars } from '../src/calendars/read-calendars.ts'
import { berlin, bookingUnderTest, guest } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { call, db, workspace, clock } = service
const deps = service.depsWith({})
const tuesday = '2026-06-02'
const dayMs = 86_400_000

const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', `UID:${newId()}`, ...lines, 'END:VEVENT']
const calendar = (...events: readonly (readonly string[])[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n')

async function newLink() {
  return service.link({ organizerId: (await workspace.employee()).id, durationMin: 60 })
}

/** Stores a calendar as the CRM API does after a fetch. */
async function subscribe(employeeId: string, content: string): Promise<string> {
  const id = newId()
  await db.insert(schema.calendarSubscriptions).values({
    workspaceId: workspace.workspaceId,
    id,
    employeeId,
    name: 'Elsewhere',
    url: 'https://x.test/a.ics',
    content,
    revision: 1,
  })
  return id
}

async function fetched(id: string, content: string, revision: number): Promise<void> {
  await db
    .update(schema.calendarSubscriptions)
    .set({ content, revision })
    .where(eq(schema.calendarSubscriptions.id, id))
}

const eventsOf = (id: string) =>
  db
    .select()
    .from(schema.calendarEvents)
    .where(eq(schema.calendarEvents.subscriptionId, id))
    .orderBy(asc(schema.calendarEvents.startAt))
const problemOf = async (id: string) =>
  (
    await db
      .select({ problem: schema.calendarSubscriptions.problem })
      .from(schema.calendarSubscriptions)
      .where(eq(schema.calendarSubscriptions.id, id))
  )[0]?.problem

async function freeHours(slug: string, date = tuesday): Promise<number[]> {
  const { body } = await call({ path: `${slug}/availability?from=${berlin(date, 0)}&to=${berlin(date, 24)}` })
  return (body.data.slots as string[]).map((start) => new Date(start).getUTCHours() + 2)
}

describe('a subscribed calendar', () => {
  it('keeps its owner busy, recurring events too, until it says otherwise', async () => {
    const { slug, organizerId } = await newLink()
    const weekly = event(
      'DTSTART;TZID=Europe/Berlin:20250107T100000',
      'DURATION:PT90M',
      'RRULE:FREQ=WEEKLY',
      'SUMMARY:Team',
    )
    const free = event('DTSTART;TZID=Europe/Berlin:20260602T140000', 'DURATION:PT1H', 'TRANSP:TRANSPARENT')
    const id = await subscribe(organizerId, calendar(weekly, free, event('DTSTART;VALUE=DATE:20260603')))
    expect(await readCalendars(deps)).toBe(1)
    expect(await freeHours(slug)).toEqual([9, 12, 13, 14, 15, 16])
    expect(await freeHours(slug, '2026-06-03')).toEqual([])
    expect(await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 10)) })).toMatchObject({
      status: 409,
      body: { error: { code: 'SLOT_TAKEN' } },
    })
    expect(await eventsOf(id)).toHaveLength(59)
    expect(await readCalendars(deps)).toBe(0)

    await fetched(id, calendar(event('DTSTART;TZID=Europe/Berlin:20260602T090000', 'DURATION:PT1H')), 2)
    expect(await readCalendars(deps)).toBe(1)
    expect(await freeHours(slug)).toEqual([10, 11, 12, 13, 14, 15, 16])
    await db.delete(schema.calendarSubscriptions).where(eq(schema.calendarSubscriptions.id, id))
    expect(await freeHours(slug)).toHaveLength(8)
  })

  it('does not count our own meetings a second time, so that a guest can move one', async () => {
    const { slug, organizerId } = await newLink()
    const { body } = await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
    const invitation = [
      'BEGIN:VEVENT',
      `UID:${body.data.bookingId}@${workspace.host}`,
      'DTSTART;TZID=Europe/Berlin:20260602T090000',
      'DURATION:PT1H',
      'END:VEVENT',
    ]
    const id = await subscribe(organizerId, calendar(invitation))
    await readCalendars(deps)
    expect(await eventsOf(id)).toEqual([])
    await call({ method: 'POST', path: `manage/${body.data.manageToken}/cancel` })
    expect(await freeHours(slug)).toContain(9)
  })

  it('knows as ours what its owner hosts at that time alone: the booking of a colleague keeps busy', async () => {
    const [mine, theirs] = [await newLink(), await newLink()]
    const book = async (slug: string, hour: number) =>
      (await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, hour)) })).body.data.bookingId as string
    const invitation = (id: string, hour: number) => [
      'BEGIN:VEVENT',
      `UID:${id}@${workspace.host}`,
      `DTSTART;TZID=Europe/Berlin:20260602T${String(hour).padStart(2, '0')}0000`,
      'DURATION:PT1H',
      'END:VEVENT',
    ]
    const [own, moved, colleagues] = [await book(mine.slug, 9), await book(mine.slug, 10), await book(theirs.slug, 12)]
    await subscribe(mine.organizerId, calendar(invitation(own, 9), invitation(moved, 14), invitation(colleagues, 12)))
    await readCalendars(deps)
    expect(await freeHours(mine.slug)).toEqual([11, 13, 15, 16])
    expect(await call({ method: 'POST', path: mine.slug, body: guest(berlin(tuesday, 12)) })).toMatchObject({
      status: 409,
    })
  })

  it('leaves out what its owner declined, under the address of a provider too', async () => {
    const { slug, organizerId } = await newLink()
    const own = { workspaceId: workspace.workspaceId, employeeId: organizerId }
    await db.insert(schema.identities).values({
      ...own,
      issuer: 'https://id.test',
      subject: organizerId,
      email: 'ada@elsewhere.test',
    })
    const at = (hour: number, answer: string, address: string) =>
      event(
        `DTSTART;TZID=Europe/Berlin:20260602T${hour}0000`,
        'DURATION:PT1H',
        `ATTENDEE;PARTSTAT=${answer}:mailto:${address}`,
      )
    await subscribe(
      organizerId,
      calendar(
        at(10, 'DECLINED', 'Ada@elsewhere.test'),
        at(11, 'ACCEPTED', 'ada@elsewhere.test'),
        at(12, 'DECLINED', 'bob@elsewhere.test'),
      ),
    )
    await readCalendars(deps)
    expect(await freeHours(slug)).toEqual([9, 10, 13, 14, 15, 16])
  })

  it('that cannot be read says so, keeps what it was, and holds up no other', async () => {
    const { slug, organizerId } = await newLink()
    const id = await subscribe(
      organizerId,
      calendar(event('DTSTART;TZID=Europe/Berlin:20260602T090000', 'DURATION:PT1H')),
    )
    await readCalendars(deps)
    await fetched(id, 'BEGIN:VCALENDAR\r\nnonsense', 2)
    const other = await subscribe(
      organizerId,
      calendar(event('DTSTART;TZID=Europe/Berlin:20260602T160000', 'DURATION:PT1H')),
    )
    expect(await readCalendars(deps)).toBe(2)
    expect(await problemOf(id)).toMatch(/cannot be read/)
    expect(await problemOf(other)).toBeNull()
    expect(await freeHours(slug)).toEqual([10, 11, 12, 13, 14, 15])
    expect(await readCalendars(deps)).toBe(0)
  })

  it('is written out further as time goes by', async () => {
    const { organizerId } = await newLink()
    const id = await subscribe(
      organizerId,
      calendar(event('DTSTART:20260101T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY')),
    )
    await readCalendars(deps)
    const last = (await eventsOf(id)).at(-1)?.startAt ?? ''
    clock.advance(8 * dayMs)
    await readCalendars(deps)
    clock.advance(-8 * dayMs)
    expect(Date.parse((await eventsOf(id)).at(-1)?.startAt ?? '') - Date.parse(last)).toBe(8 * dayMs)
  })

  it('is read by several processes at once without doubles', async () => {
    const { organizerId } = await newLink()
    const id = await subscribe(
      organizerId,
      calendar(event('DTSTART:20260602T090000Z', 'DURATION:PT1H'), event('DTSTART:20260603T090000Z', 'DURATION:PT1H')),
    )
    await Promise.all([readCalendars(deps), readCalendars(deps), readCalendars(deps)])
    expect(await eventsOf(id)).toHaveLength(2)
  })
})

/** Reads a file as a calendar program does. */
function parse(text: unknown) {
  const root = new ICAL.Component(ICAL.parse(String(text)) as never)
  const value = (of: ICAL.Component, name: string) => of.getFirstPropertyValue(name)?.toString()
  return {
    method: value(root, 'method'),
    events: root.getAllSubcomponents('vevent').map((one) => ({
      uid: value(one, 'uid'),
      summary: value(one, 'summary'),
      start: value(one, 'dtstart'),
      end: value(one, 'dtend'),
      status: value(one, 'status'),
      sequence: value(one, 'sequence'),
      transp: value(one, 'transp'),
      url: value(one, 'url'),
    })),
  }
}

describe('/book/calendar/<token>.ics', () => {
  it('shows a person’s calendar to whoever knows the address: own events and bookings, not those of elsewhere', async () => {
    const { slug, organizerId } = await newLink()
    const token = newSecret()
    await db
      .insert(schema.calendarFeeds)
      .values({ workspaceId: workspace.workspaceId, employeeId: organizerId, tokenHash: digest(token) })
    const look = () => call({ path: `/book/calendar/${token}.ics` })
    expect(parse((await look()).body).events).toEqual([])
    const { body } = await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
    const own = { workspaceId: workspace.workspaceId, employeeId: organizerId }
    await db.insert(schema.calendarEvents).values([
      {
        ...own,
        title: 'Away; far',
        allDay: true,
        startDate: '2026-06-04',
        endDate: '2026-06-05',
        startAt: '2026-06-04T00:00:00Z',
        endAt: '2026-06-06T00:00:00Z',
        busy: false,
      },
      { ...own, title: 'Long ago', startAt: '2026-01-04T00:00:00Z', endAt: '2026-01-04T01:00:00Z' },
    ])
    await subscribe(organizerId, calendar(event('DTSTART:20260602T120000Z', 'DURATION:PT1H', 'SUMMARY:Elsewhere')))
    await readCalendars(deps)
    const answer = await look()
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'no-store' },
    })
    expect(parse(answer.body)).toEqual({
      method: 'PUBLISH',
      events: [
        {
          uid: `${body.data.bookingId}@${workspace.host}`,
          summary: 'Intro call: Zoë Guest',
          start: '2026-06-02T07:00:00Z',
          end: '2026-06-02T08:00:00Z',
          status: 'CONFIRMED',
          sequence: '0',
          transp: 'OPAQUE',
          url: body.data.joinUrl,
        },
        expect.objectContaining({
          summary: 'Away; far',
          start: '2026-06-04',
          end: '2026-06-06',
          transp: 'TRANSPARENT',
        }),
      ],
    })
    await call({ method: 'POST', path: `manage/${body.data.manageToken}/cancel` })
    expect(parse((await look()).body).events.map(({ summary }) => summary)).toEqual(['Away; far'])
  })

  it('is 404 for a wrong token and in another workspace', async () => {
    const token = newSecret()
    await db
      .insert(schema.calendarFeeds)
      .values({ workspaceId: workspace.workspaceId, employeeId: workspace.adminUserId, tokenHash: digest(token) })
    expect((await call({ path: `/book/calendar/${newSecret()}.ics` })).status).toBe(404)
    expect((await call({ path: `/book/calendar/${token}.ics` }, await service.newWorkspace())).status).toBe(404)
    await db
      .delete(schema.calendarFeeds)
      .where(
        and(
          eq(schema.calendarFeeds.workspaceId, workspace.workspaceId),
          eq(schema.calendarFeeds.employeeId, workspace.adminUserId),
        ),
      )
    expect((await call({ path: `/book/calendar/${token}.ics` })).status).toBe(404)
  })
})

describe('/book/manage/<token>.ics', () => {
  it('is the meeting as its mails have it, also after a move and a cancellation', async () => {
    const { slug } = await newLink()
    const { body } = await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
    const { bookingId, manageToken, joinUrl } = body.data
    const look = async () => parse((await call({ path: `/book/manage/${manageToken}.ics` })).body)
    const uid = `${bookingId}@${workspace.host}`
    expect(await look()).toMatchObject({
      method: 'PUBLISH',
      events: [{ uid, start: '2026-06-02T07:00:00Z', status: 'CONFIRMED', sequence: '0', url: joinUrl }],
    })
    await call({ method: 'POST', path: `manage/${manageToken}/reschedule`, body: { newStartAt: berlin(tuesday, 11) } })
    expect(await look()).toMatchObject({ events: [{ uid, start: '2026-06-02T09:00:00Z', sequence: '1' }] })
    await call({ method: 'POST', path: `manage/${manageToken}/cancel` })
    expect(await look()).toMatchObject({ events: [{ uid, status: 'CANCELLED', sequence: '2' }] })
    expect((await call({ path: '/book/manage/wrong.ics' })).status).toBe(404)
  })
})
