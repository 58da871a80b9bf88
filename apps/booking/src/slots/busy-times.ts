import { given, run, schema, statement, toInstant, type Executor } from '@crm/db'
import { allDayBusy, type BusyTime } from '@crm/scheduling'
import { sql } from 'drizzle-orm'

const { bookings, calendarEvents } = schema

/** The person and the span of time in question. */
export interface BusyQuery {
  readonly workspaceId: string
  readonly organizerId: string
  /** The organizer's zone, in which whole days begin. */
  readonly timezone: string
  /** ISO 8601 UTC; times that overlap [from, to) count. */
  readonly from: string
  readonly to: string
  /** The booking that is being moved, which does not block itself. */
  readonly exceptBookingId?: string | null
}

/** An all-day event is stored as whole days of UTC; in its own zone it is at most this far from there. */
const zoneReachMs = 26 * 3_600_000

const taken = statement(sql`
  SELECT start_at, end_at, NULL AS start_date, NULL AS end_date FROM ${bookings}
  WHERE workspace_id = ${given('workspaceId')} AND organizer_id = ${given('organizerId')} AND status IN ('PENDING', 'CONFIRMED')
    AND start_at < ${given('to')}::timestamptz AND end_at > ${given('from')}::timestamptz AND id IS DISTINCT FROM ${given('exceptBookingId')}::uuid
  UNION ALL
  SELECT start_at, end_at, CASE WHEN all_day THEN start_date::text END, CASE WHEN all_day THEN end_date::text END FROM ${calendarEvents}
  WHERE workspace_id = ${given('workspaceId')} AND employee_id = ${given('organizerId')} AND busy AND booking_id IS NULL
    AND start_at < ${given('latest')}::timestamptz AND end_at > ${given('earliest')}::timestamptz`)

/** Returns the busy times of an organizer: bookings that hold their time, and calendar events that are not marked as free. */
export async function readBusyTimes(
  db: Executor,
  { workspaceId, organizerId, timezone, from, to, exceptBookingId = null }: BusyQuery,
): Promise<BusyTime[]> {
  const [earliest, latest] = [shift(from, -zoneReachMs), shift(to, zoneReachMs)]
  const rows = await run<TakenRow>(db, taken, { workspaceId, organizerId, from, to, earliest, latest, exceptBookingId })
  return rows.map((row) =>
    row.start_date && row.end_date
      ? allDayBusy(timezone, row.start_date, row.end_date)
      : { start: toInstant(row.start_at), end: toInstant(row.end_at) },
  )
}

// This is a type, because an interface is not assignable to Record.
type TakenRow = {
  readonly start_at: string
  readonly end_at: string
  readonly start_date: string | null
  readonly end_date: string | null
}

function shift(instant: string, byMs: number): string {
  return new Date(Date.parse(instant) + byMs).toISOString()
}
