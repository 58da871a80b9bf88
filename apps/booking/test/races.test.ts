import { schema } from '@crm/db'
import { bundleOf, startProcess } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sweep } from '../src/bookings/sweeper.ts'
import { createLogger } from '@crm/runtime'
import { callProcess } from './requests.ts'
import { berlin, bookingUnderTest, guest, mondayMorning, send } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { workspace, link, db, database, redisUrl } = service
const tuesday = '2026-06-02'
const secondApp = service.instance({})

function tally(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Whether any two bookings that hold their time overlap, for one organizer. */
async function overlaps(organizerId: string): Promise<boolean> {
  const rows = await db.select().from(schema.bookings).where(eq(schema.bookings.organizerId, organizerId))
  const held = rows.filter(({ status }) => status !== 'CANCELLED').toSorted((a, b) => (a.startAt < b.startAt ? -1 : 1))
  return held.some((one, at) => at > 0 && one.startAt < (held[at - 1]?.endAt ?? ''))
}

describe('two processes', () => {
  const main = bundleOf('booking')
  const dataDir = mkdtempSync(join(tmpdir(), 'crm-booking-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  it('give one slot to one of 50 guests who ask at once: one 201, 49 × 409', async () => {
    const env = { DATABASE_URL: database.urlFor('crm_booking'), REDIS_URL: redisUrl, DATA_DIR: dataDir }
    const processes = await Promise.all([startProcess(main, env), startProcess(main, env)])
    const organizerId = (await workspace.employee()).id
    // Ten a minute is the limit of a link, so the fifty come over five links of one organizer.
    const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
    const links = await Promise.all(
      [1, 2, 3, 4, 5].map(() => link({ organizerId, timezone: 'UTC', weeklyHours: always })),
    )
    const startAt = `${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T10:00:00.000Z`
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        callProcess(processes[n % 2]?.url ?? '', {
          host: workspace.host,
          path: `/api/public/booking/${links[n % 5]?.slug}`,
          address: `198.51.100.${n}`,
          body: guest(startAt, { email: `guest${n}@guest.test` }),
        }),
      ),
    )
    expect(tally(answers.map(({ status }) => status)), JSON.stringify(answers)).toEqual({ 201: 1, 409: 49 })
    expect(answers.filter(({ status }) => status === 409).every(({ body }) => body.error.code === 'SLOT_TAKEN')).toBe(
      true,
    )
    expect(await overlaps(organizerId)).toBe(false)
    expect(readdirSync(join(dataDir, 'mail')).filter((name) => name.endsWith('.eml'))).toHaveLength(2)
    expect(await Promise.all(processes.map((one) => one.stop()))).toEqual([0, 0])
  })

  it('keep overlapping but unequal slots apart, and let one of two moves onto one slot through', async () => {
    const env = { DATABASE_URL: database.urlFor('crm_booking'), REDIS_URL: redisUrl, DATA_DIR: dataDir }
    const processes = await Promise.all([startProcess(main, env), startProcess(main, env)])
    const organizerId = (await workspace.employee()).id
    const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
    const [short, long] = [
      await link({ organizerId, durationMin: 30, timezone: 'UTC', weeklyHours: always }),
      await link({ organizerId, durationMin: 45, timezone: 'UTC', weeklyHours: always }),
    ]
    const dayMs = Math.floor(Date.now() / 86_400_000 + 2) * 86_400_000
    const at = (minute: number) => new Date(dayMs + minute * 60_000).toISOString()
    const ask = (n: number, path: string, body: object) =>
      callProcess(processes[n % 2]?.url ?? '', {
        host: workspace.host,
        path: `/api/public/booking/${path}`,
        address: `198.51.100.${100 + n}`,
        body,
      })
    const wishes = [0, 30, 60, 90]
      .map((minute) => [short, minute] as const)
      .concat([0, 45, 90].map((minute) => [long, minute] as const))
    const answers = await Promise.all(wishes.map(([{ slug }, minute], n) => ask(n, slug, guest(at(minute)))))
    const { 201: booked = 0, 409: refused = 0 } = tally(answers.map(({ status }) => status))
    expect(booked + refused).toBe(7)
    expect(Math.min(booked, refused)).toBeGreaterThanOrEqual(2)
    expect(await overlaps(organizerId)).toBe(false)

    const made = await Promise.all([300, 360].map((minute, n) => ask(n, short.slug, guest(at(minute)))))
    const moves = await Promise.all(
      made.map(({ body }, n) => ask(n, `manage/${body.data.manageToken}/reschedule`, { newStartAt: at(600) })),
    )
    expect(tally(moves.map(({ status }) => status))).toEqual({ 200: 1, 409: 1 })
    const cancels = await Promise.all(
      [0, 1, 2, 3].map((n) => ask(n, `manage/${made[0]?.body.data.manageToken}/cancel`, {})),
    )
    expect(tally(cancels.map(({ status }) => status))).toEqual({ 200: 1, 409: 3 })
    expect(await overlaps(organizerId)).toBe(false)
  })

  it('refuse CALL_PROVIDER=fail in production', async () => {
    const env = {
      DATABASE_URL: database.urlFor('crm_booking'),
      CALL_PROVIDER: 'fail',
      NODE_ENV: 'production',
      REDIS_URL: 'redis://127.0.0.1:1',
      MAIL_TO_FILES: 'true',
    }
    await expect(startProcess(main, env)).rejects.toThrow(/CALL_PROVIDER: fail is for tests only/)
  })
})

describe('two instances', () => {
  it('keep overlapping but unequal slots of two links apart', async () => {
    const organizerId = (await workspace.employee()).id
    const [short, long] = [await link({ organizerId, durationMin: 30 }), await link({ organizerId, durationMin: 45 })]
    const wishes = [0, 30, 60, 90]
      .map((minute) => [short, minute] as const)
      .concat([0, 45, 90].map((minute) => [long, minute] as const))
    const answers = await Promise.all(
      wishes.map(([{ slug }, minute], n) =>
        send(n % 2 ? service.app : secondApp, workspace, {
          method: 'POST',
          path: slug,
          body: guest(berlin(tuesday, 9, minute)),
        }),
      ),
    )
    const { 201: booked = 0, 409: refused = 0 } = tally(answers.map(({ status }) => status))
    expect(booked + refused).toBe(7)
    expect(booked).toBeGreaterThanOrEqual(2)
    expect(refused).toBeGreaterThanOrEqual(2)
    expect(await overlaps(organizerId)).toBe(false)
  })

  it('let one of two moves onto the same slot through; the other booking stays where it was', async () => {
    const { slug, organizerId } = await link({ organizerId: (await workspace.employee()).id })
    const made = await Promise.all(
      [9, 10].map((hour) => service.call({ method: 'POST', path: slug, body: guest(berlin(tuesday, hour)) })),
    )
    const moves = await Promise.all(
      made.map(({ body }, n) =>
        send(n ? service.app : secondApp, workspace, {
          method: 'POST',
          path: `manage/${body.data.manageToken}/reschedule`,
          body: { newStartAt: berlin(tuesday, 14) },
        }),
      ),
    )
    expect(tally(moves.map(({ status }) => status))).toEqual({ 200: 1, 409: 1 })
    const loser = made[moves.findIndex(({ status }) => status === 409)]
    const kept = await service.call({ path: `manage/${loser?.body.data.manageToken}` })
    expect(kept.body.data).toMatchObject({ status: 'CONFIRMED', startAt: loser?.body.data.startAt })
    expect(await overlaps(organizerId)).toBe(false)
  })

  it('cancel a booking that is moved at the same time: it ends cancelled, and its time is free', async () => {
    const { slug, organizerId } = await link({ organizerId: (await workspace.employee()).id })
    for (let round = 0; round < 8; round += 1) {
      const { body } = await service.call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
      const { bookingId, manageToken } = body.data
      const [cancelled, moved] = await Promise.all([
        send(round % 2 ? service.app : secondApp, workspace, { method: 'POST', path: `manage/${manageToken}/cancel` }),
        send(round % 2 ? secondApp : service.app, workspace, {
          method: 'POST',
          path: `manage/${manageToken}/reschedule`,
          body: { newStartAt: berlin(tuesday, 14) },
        }),
      ])
      expect(cancelled.status).toBe(200)
      expect([200, 409]).toContain(moved.status)
      if (moved.status === 409) expect(moved.body.error.code).toBe('BOOKING_NOT_ACTIVE')
      const [row] = await db.select().from(schema.bookings).where(eq(schema.bookings.id, bookingId))
      expect(row).toMatchObject({ status: 'CANCELLED', calendarSequence: moved.status === 200 ? 2 : 1 })
      expect(
        await db.select().from(schema.calendarEvents).where(eq(schema.calendarEvents.employeeId, organizerId)),
      ).toEqual([])
    }
  })

  it('cancel a booking once', async () => {
    const { slug } = await link({ organizerId: (await workspace.employee()).id })
    const { body } = await service.call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
    const answers = await Promise.all(
      [service.app, secondApp, service.app, secondApp].map((app) =>
        send(app, workspace, { method: 'POST', path: `manage/${body.data.manageToken}/cancel` }),
      ),
    )
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 3 })
  })
})

it('a slot held by a process that died is given back after a minute, and its late confirmation is refused', async () => {
  const { slug } = await link({ organizerId: (await workspace.employee()).id })
  const room = Promise.withResolvers<{ roomId: string }>()
  const asked = Promise.withResolvers<void>()
  const closed: string[] = []
  const stuck = service.instance({
    callProvider: {
      create: () => (asked.resolve(), room.promise),
      cancel: async (roomId) => void closed.push(roomId),
      roomUrl: () => null,
    },
  })
  const creating = send(stuck, workspace, { method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
  await asked.promise
  const logger = createLogger({ name: 'booking', level: 'silent' })
  const nowMs = Date.parse(mondayMorning)
  await sweep({ db, logger, clock: { now: () => new Date(nowMs + 60_000) } })
  expect((await service.call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })).status).toBe(409)
  await sweep({ db, logger, clock: { now: () => new Date(nowMs + 60_001) } })
  expect((await service.call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })).status).toBe(201)
  room.resolve({ roomId: 'late' })
  expect(await creating).toMatchObject({ status: 502, body: { error: { code: 'CALL_CREATION_FAILED' } } })
  expect(closed).toEqual(['late'])
})
