import { schema, type ToldTimes } from '@crm/db'
import { unique } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { tellMovedTimes } from '../src/bookings/tell-moved-times.ts'
import { zoneRules } from '../src/bookings/told-times.ts'
import { bookingUnderTest, type Answer } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { db, call, clock } = service
const { bookings, notifications } = schema

/** A week after `mondayMorning`, 10:00 in Winnipeg, 17:00 in Berlin. */
const startAt = '2026-06-08T15:00:00.000Z'
const winnipeg = 'America/Winnipeg'

interface Made {
  readonly id: string
  readonly organizerId: string
  /** Asks something of the booking by its manage token. */
  manage(verb: string, body: unknown): Promise<Answer>
}

async function book({ timezone = winnipeg, at = startAt } = {}): Promise<Made> {
  const workspace = await service.newWorkspace()
  const { slug, organizerId } = await service.link({ timezone: winnipeg }, workspace)
  const body = { startAt: at, name: 'Ada Guest', email: `ada-${unique()}@guest.test`, timezone }
  const { body: answer } = await call({ method: 'POST', path: slug, body }, workspace)
  const { bookingId: id, manageToken } = answer.data
  const manage: Made['manage'] = (verb, given) =>
    call({ method: 'POST', path: `manage/${manageToken}/${verb}`, body: given }, workspace)
  return { id, organizerId, manage }
}

async function toldOf(id: string): Promise<ToldTimes | null | undefined> {
  const [row] = await db.select({ told: bookings.toldTimes }).from(bookings).where(eq(bookings.id, id))
  return row?.told
}

/** Writes down what rules of long ago would have said. */
async function tellByOldRules(id: string, told: Partial<ToldTimes>): Promise<void> {
  const now = await toldOf(id)
  await db
    .update(bookings)
    .set({ toldTimes: { ...(now as ToldTimes), rules: '2020a', ...told } })
    .where(eq(bookings.id, id))
}

const noticesTo = (organizerId: string) =>
  db
    .select({ text: notifications.text, data: notifications.data })
    .from(notifications)
    .where(and(eq(notifications.employeeId, organizerId), eq(notifications.kind, 'booking.time-moved')))

const look = (rules?: string) => tellMovedTimes(service.depsWith({}), rules)

describe('what was told of a booking', () => {
  it('is kept with the rules that were known: the beginning on both clocks', async () => {
    const { id } = await book({ timezone: 'Europe/Berlin' })
    expect(await toldOf(id)).toEqual({
      rules: zoneRules,
      startAt,
      host: { timezone: winnipeg, local: '2026-06-08T10:00' },
      guest: { timezone: 'Europe/Berlin', local: '2026-06-08T17:00' },
    })
  })

  it('follows a new time and a new zone of the guest', async () => {
    const { id, manage } = await book()
    const move = (newStartAt: string, timezone?: string) => manage('reschedule', { newStartAt, timezone })
    expect(await move('2026-06-08T16:00:00.000Z')).toMatchObject({ status: 200 })
    expect(await toldOf(id)).toMatchObject({ startAt: '2026-06-08T16:00:00.000Z', host: { local: '2026-06-08T11:00' } })
    expect(await move('2026-06-08T16:00:00.000Z', 'Asia/Tokyo')).toMatchObject({ status: 200 })
    expect(await toldOf(id)).toMatchObject({ guest: { timezone: 'Asia/Tokyo', local: '2026-06-09T01:00' } })
  })
})

describe('newer rules of time zones', () => {
  it('tell the host once that a meeting has moved on the clock, with both times, and leave its moment', async () => {
    const { id, organizerId } = await book()
    const told = { timezone: winnipeg, local: '2026-06-08T09:00' }
    await tellByOldRules(id, { host: told, guest: told })
    await look()
    await look()
    const times = '2026-06-08 09:00 → 10:00 (America/Winnipeg)'
    expect(await noticesTo(organizerId)).toEqual([
      {
        text: `New rules of time zones move your meeting with Ada Guest on the clock: ${times}. The moment stays the same`,
        data: {
          bookingId: id,
          startAt,
          moved: [{ timezone: winnipeg, before: '2026-06-08T09:00', after: '2026-06-08T10:00' }],
          name: `Ada Guest, ${times}`,
        },
      },
    ])
    expect(await toldOf(id)).toMatchObject({ rules: zoneRules, host: { local: '2026-06-08T10:00' } })
    const [row] = await db.select({ at: bookings.startAt }).from(bookings).where(eq(bookings.id, id))
    expect(row?.at).toBe(startAt)
  })

  it('tell the host of the clock of the guest too, and of a day that has become another', async () => {
    const { id, organizerId } = await book({ timezone: 'Asia/Tokyo' })
    await tellByOldRules(id, { guest: { timezone: 'Asia/Tokyo', local: '2026-06-08T23:00' } })
    await look()
    expect(await noticesTo(organizerId)).toMatchObject([
      { data: { name: 'Ada Guest, 2026-06-08 23:00 → 2026-06-09 00:00 (Asia/Tokyo)' } },
    ])
  })

  it('say nothing where both clocks are as they were told', async () => {
    const { id, organizerId } = await book()
    await tellByOldRules(id, {})
    await look()
    expect(await toldOf(id)).toMatchObject({ rules: zoneRules })
    expect(await noticesTo(organizerId)).toEqual([])
  })

  it('fill in what an earlier version did not keep, and say nothing', async () => {
    const { id, organizerId } = await book()
    await db.update(bookings).set({ toldTimes: null }).where(eq(bookings.id, id))
    await look()
    expect(await toldOf(id)).toMatchObject({ rules: zoneRules, host: { local: '2026-06-08T10:00' } })
    expect(await noticesTo(organizerId)).toEqual([])
  })

  it('believe nothing that was told of another beginning: an earlier version moves a booking and keeps it', async () => {
    const { id, organizerId } = await book()
    const told = { timezone: winnipeg, local: '2026-06-05T09:00' }
    await tellByOldRules(id, { startAt: '2026-06-05T15:00:00.000Z', host: told, guest: told })
    await look()
    expect(await toldOf(id)).toMatchObject({ startAt, host: { local: '2026-06-08T10:00' } })
    expect(await noticesTo(organizerId)).toEqual([])
  })

  it('leave alone what is over or cancelled', async () => {
    const told = { timezone: winnipeg, local: '2026-06-08T09:00' }
    const [cancelled, over] = [await book(), await book()]
    expect(await cancelled.manage('cancel', {})).toMatchObject({ status: 200 })
    for (const { id } of [cancelled, over]) await tellByOldRules(id, { host: told, guest: told })
    const week = Date.parse(startAt) + 1_000 - clock.now().getTime()
    clock.advance(week)
    await look()
    clock.advance(-week)
    for (const { id, organizerId } of [cancelled, over]) {
      expect(await toldOf(id)).toMatchObject({ rules: '2020a' })
      expect(await noticesTo(organizerId)).toEqual([])
    }
    await look()
    expect([await noticesTo(cancelled.organizerId), await noticesTo(over.organizerId)]).toEqual([
      [],
      [expect.anything()],
    ])
  })

  it('are heard and not those of a process with older ones', async () => {
    const { id, organizerId } = await book()
    const told = { timezone: winnipeg, local: '2026-06-08T09:00' }
    await tellByOldRules(id, { rules: '2026z', host: told, guest: told })
    await look('2026a')
    await look('2026z')
    expect(await noticesTo(organizerId)).toEqual([])
    await look('2027a')
    expect(await noticesTo(organizerId)).toHaveLength(1)
  })
})
