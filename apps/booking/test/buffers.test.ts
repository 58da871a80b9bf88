import { createDatabase, createPool, inCalendar, newId, schema } from '@crm/db'
import { recordWire, asDeployable } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { bookingUnderTest, guest, type Answer, type TestLink } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { workspace, db, database } = service
const { workspaceId } = workspace

const observer = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-observer' })
const calendarPool = createPool({
  databaseUrl: database.urlFor('crm_api'),
  max: 2,
  applicationName: 'test-calendar',
  ...asDeployable,
})
const calendars = createDatabase(calendarPool)
afterAll(() => Promise.all([observer.end(), calendarPool.end()]))

const rounds = Array.from({ length: 30 }, (_, round) => round)
const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
const at = (time: string): string => `2026-06-02T${time}:00.000Z`
const minuteMs = 60_000

async function linksOf(
  ...ofEach: readonly { readonly durationMin: number; readonly bufferMin: number }[]
): Promise<TestLink[]> {
  const organizerId = (await workspace.employee()).id
  return Promise.all(
    ofEach.map((values) => service.link({ organizerId, timezone: 'UTC', weeklyHours: always, ...values })),
  )
}

const book = ({ slug }: TestLink, time: string) => service.call({ method: 'POST', path: slug, body: guest(at(time)) })
const move = (made: Answer, time: string) =>
  service.call({
    method: 'POST',
    path: `manage/${made.body.data.manageToken}/reschedule`,
    body: { newStartAt: at(time) },
  })

/** Locks a calendar, starts the contestants one after the other, and unlocks it when all of them wait. */
async function linedUp<T>(employeeId: string, contestants: readonly (() => Promise<T>)[]): Promise<T[]> {
  const [isHeld, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inCalendar(db, undefined, { workspaceId, employeeId }, async () => {
    isHeld.resolve()
    await letGo.promise
  })
  await isHeld.promise
  const running: Promise<T>[] = []
  for (const start of contestants) {
    running.push(start())
    await expect.poll(waiting).toBe(running.length)
  }
  letGo.resolve()
  await holding
  return Promise.all(running)
}

async function waiting(): Promise<number> {
  const { rows } = await observer.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
  )
  return rows[0]?.n ?? 0
}

/** Counts the pairs of an organizer's confirmed bookings with less than a buffer between them. */
async function tooClose(organizerId: string, bufferMin: number): Promise<number> {
  const rows = await db.select().from(schema.bookings).where(eq(schema.bookings.organizerId, organizerId))
  const held = rows
    .filter(({ status }) => status === 'CONFIRMED')
    .toSorted((a, b) => a.startAt.localeCompare(b.startAt))
  return held.filter(
    (one, n) => n > 0 && Date.parse(one.startAt) < Date.parse(held[n - 1]?.endAt ?? '') + bufferMin * minuteMs,
  ).length
}

const turned = <T>(round: number, all: readonly T[]): T[] => (round % 2 ? [...all].toReversed() : [...all])

describe('a buffer holds in 30 rounds', () => {
  it('of two guests who book beside each other', async () => {
    for (const round of rounds) {
      const [link] = (await linksOf({ durationMin: 30, bufferMin: 15 })) as [TestLink]
      const answers = await linedUp(
        link.organizerId,
        turned(round, [() => book(link, '10:00'), () => book(link, '10:30')]),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 409])
      expect(answers[1]?.body.error.code).toBe('SLOT_TAKEN')
      expect(await tooClose(link.organizerId, 15)).toBe(0)
    }
  })

  it('across two links of one organizer', async () => {
    for (const round of rounds) {
      const [short, long] = (await linksOf({ durationMin: 30, bufferMin: 15 }, { durationMin: 45, bufferMin: 15 })) as [
        TestLink,
        TestLink,
      ]
      const answers = await linedUp(
        short.organizerId,
        turned(round, [() => book(short, '10:00'), () => book(long, '10:30')]),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 409])
      expect(await tooClose(short.organizerId, 15)).toBe(0)
    }
  })

  it('of a guest who books while another one moves', async () => {
    for (const round of rounds) {
      const [link] = (await linksOf({ durationMin: 30, bufferMin: 15 })) as [TestLink]
      const made = await book(link, '15:00')
      const answers = await linedUp(
        link.organizerId,
        turned(round, [() => book(link, '10:00'), () => move(made, '10:30')]),
      )
      expect(answers.map(({ status }) => status)).toEqual([round % 2 ? 200 : 201, 409])
      expect(await tooClose(link.organizerId, 15)).toBe(0)
    }
  })

  it('around an event that is saved in the calendar just before', async () => {
    for (const round of rounds) {
      const [link] = (await linksOf({ durationMin: 30, bufferMin: 15 })) as [TestLink]
      const employeeId = link.organizerId
      const save = async () => {
        await inCalendar(calendars, undefined, { workspaceId, employeeId }, (tx) =>
          tx.insert(schema.calendarEvents).values({
            workspaceId,
            id: newId(),
            employeeId,
            title: 'Dentist',
            startAt: at(round % 2 ? '10:30' : '09:30'),
            endAt: at(round % 2 ? '11:00' : '10:00'),
          }),
        )
        return undefined
      }
      const [, answer] = await linedUp<Answer | undefined>(employeeId, [save, () => book(link, '10:00')])
      expect(answer?.status).toBe(409)
    }
  })

  it('of guests who come as they like', async () => {
    for (const _ of rounds) {
      const [short, long] = (await linksOf({ durationMin: 30, bufferMin: 15 }, { durationMin: 45, bufferMin: 15 })) as [
        TestLink,
        TestLink,
      ]
      const made = await book(short, '20:00')
      const answers = await Promise.all([
        book(short, '10:00'),
        book(long, '10:30'),
        book(short, '11:00'),
        move(made, '10:30'),
        book(long, '09:45'),
      ])
      expect(answers.filter(({ status }) => ![200, 201, 409].includes(status)).map(({ body }) => body)).toEqual([])
      expect(await tooClose(short.organizerId, 15)).toBe(0)
    }
  })
})

describe('the calendar of an organizer', () => {
  it('is locked before anything is looked at, and each statement waits for the one before it', async () => {
    const wire = await recordWire(database.urlFor('crm_booking'))
    const pool = createPool({ ...asDeployable, databaseUrl: wire.url, max: 1, applicationName: 'test-wire' })
    const app = service.instance({ pool, db: createDatabase(pool) })
    const [link] = (await linksOf({ durationMin: 30, bufferMin: 15 })) as [TestLink]
    const post = (path: string, payload: object) =>
      app.inject({ method: 'POST', url: `/api/public/booking/${path}`, headers: { host: workspace.host }, payload })
    const made = await post(link.slug, guest(at('10:00')))
    expect(made.statusCode).toBe(201)
    const { manageToken } = made.json<{ data: { manageToken: string } }>().data
    expect((await post(`manage/${manageToken}/reschedule`, { newStartAt: at('12:00') })).statusCode).toBe(200)
    expect((await post(`manage/${manageToken}/cancel`, {})).statusCode).toBe(200)
    await app.close()
    await pool.end()

    const [went = []] = wire.connections
    // The server reports that it is ready once before the first statement.
    expect(went.map((one) => 'sent' in one)).toEqual(went.map((_, n) => n % 2 === 1))
    const statements = went.flatMap((one) => ('sent' in one ? [one.sent.trim()] : []))
    const begins = statements.flatMap((text, n) => (text === 'begin' ? [n] : []))
    expect(begins).toHaveLength(3)
    for (const begin of begins) expect(statements[begin + 1]).toMatch(/^SELECT pg_advisory_xact_lock/)
    const looks = statements.flatMap((text, n) =>
      text.startsWith('SELECT start_at, end_at, NULL AS start_date') ? [n] : [],
    )
    expect(looks).toHaveLength(2)
  })

  it('takes nothing from a writer that passes the lock by', async () => {
    const [link] = (await linksOf({ durationMin: 30, bufferMin: 15 })) as [TestLink]
    const event = {
      workspaceId,
      id: newId(),
      employeeId: link.organizerId,
      title: 'Dentist',
      startAt: at('10:00'),
      endAt: at('11:00'),
    }
    await expect(calendars.insert(schema.calendarEvents).values(event)).rejects.toMatchObject({
      cause: { code: '55000' },
    })
    await inCalendar(calendars, undefined, { workspaceId, employeeId: link.organizerId }, (tx) =>
      tx.insert(schema.calendarEvents).values(event),
    )
    const later = calendars
      .update(schema.calendarEvents)
      .set({ startAt: at('10:30') })
      .where(eq(schema.calendarEvents.id, event.id))
    await expect(later).rejects.toMatchObject({ cause: { code: '55000' } })
    const made = await book(link, '15:00')
    const moved = calendars
      .update(schema.bookings)
      .set({ status: 'CANCELLED' })
      .where(eq(schema.bookings.id, made.body.data.bookingId))
    await expect(moved).rejects.toMatchObject({ cause: { code: '55000' } })
  })
})
