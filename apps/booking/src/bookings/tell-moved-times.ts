import { inTransaction, schema, type BookingRow } from '@crm/db'
import { doDueWork, isNotPutOff, type RoundDeps } from '@crm/jobs'
import { and, eq, gt, sql, type SQL } from 'drizzle-orm'
import { movedTimes, toldTimesOf, zoneRules, type MovedTime } from './told-times.ts'

const { bookingLinks, bookings, notifications } = schema

/** How often bookings ahead are looked for that were told by older rules. */
export const movedTimesRoundMs = 600_000
const work = 'tell-moved-times'
const foundAtOnce = 500
const toldAtOnce = 4

type BookingKey = Pick<BookingRow, 'workspaceId' | 'id'>

/**
 * Tells hosts, once for each booking ahead, that newer rules of time zones have moved it on a clock; its moment stays. Rules that are older than
 * those of the booking change nothing, so that processes with different rules do not contradict one another.
 */
export async function tellMovedTimes(deps: RoundDeps, rules: string | undefined = zoneRules): Promise<void> {
  if (rules === undefined) return
  const { db, clock } = deps
  await doDueWork<BookingKey>(deps, {
    name: work,
    everyMs: movedTimesRoundMs,
    batch: foundAtOnce,
    atOnce: toldAtOnce,
    find: (at, limit) => {
      const { workspaceId, id } = bookings
      return db
        .select({ workspaceId, id })
        .from(bookings)
        .where(and(isTold(rules, at), isNotPutOff(work, { workspaceId, row: id }, at)))
        .orderBy(bookings.startAt)
        .limit(limit)
    },
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: async (found) => {
      for (const key of found) await look(deps, key, rules, clock.now().toISOString())
    },
  })
}

/** A booking ahead that was told by older rules, or by a version that did not keep what it told. */
function isTold(rules: string, at: string): SQL | undefined {
  const told = sql`coalesce(${bookings.toldTimes}->>'rules', '') COLLATE "C"`
  return and(eq(bookings.status, 'CONFIRMED'), gt(bookings.startAt, at), sql`${told} < ${rules}`)
}

async function look({ db }: RoundDeps, { workspaceId, id }: BookingKey, rules: string, at: string): Promise<void> {
  await inTransaction(db, undefined, async (tx) => {
    const isBooking = and(eq(bookings.workspaceId, workspaceId), eq(bookings.id, id))
    const [found] = await tx
      .select({ booking: bookings, hostTimezone: bookingLinks.timezone })
      .from(bookings)
      .innerJoin(
        bookingLinks,
        and(eq(bookingLinks.workspaceId, bookings.workspaceId), eq(bookingLinks.id, bookings.linkId)),
      )
      .where(and(isBooking, isTold(rules, at)))
      .for('update', { of: bookings, skipLocked: true })
    if (!found) return
    const { booking, hostTimezone } = found
    await tx
      .update(bookings)
      .set({ toldTimes: toldTimesOf(booking, hostTimezone, rules) })
      .where(isBooking)
    const moved = movedOf(booking)
    if (moved.length > 0) await tx.insert(notifications).values(noticeOf(booking, moved, at))
  })
}

/** An earlier version may have moved the booking since, and told everybody. */
function movedOf({ startAt, toldTimes }: BookingRow): readonly MovedTime[] {
  const isOfThisTime = toldTimes !== null && Date.parse(toldTimes.startAt) === Date.parse(startAt)
  return isOfThisTime ? movedTimes(toldTimes) : []
}

function noticeOf(
  { workspaceId, organizerId, id, startAt, inviteeName }: BookingRow,
  moved: readonly MovedTime[],
  at: string,
): typeof notifications.$inferInsert {
  const times = moved.map(inWords).join('; ')
  return {
    workspaceId,
    employeeId: organizerId,
    kind: 'booking.time-moved',
    text: `New rules of time zones move your meeting with ${inviteeName} on the clock: ${times}. The moment stays the same`,
    data: { bookingId: id, startAt, moved, name: `${inviteeName}, ${times}` },
    createdAt: at,
  }
}

/** Returns a moved time as every language writes it, such as `2027-01-13 10:00 → 11:00 (America/Winnipeg)`. */
function inWords({ timezone, before, after }: MovedTime): string {
  const [day, time] = after.split('T')
  const isSameDay = before.startsWith(`${day}T`)
  return `${before.replace('T', ' ')} → ${isSameDay ? time : after.replace('T', ' ')} (${timezone})`
}
