import type { BookingRow } from '@crm/db'

const opensBeforeMs = 15 * 60_000
const closesAfterMs = 2 * 3_600_000

/** Whether guests may enter the room of a booking now; a moved booking keeps its address, and a cancellation closes the room. */
export function decideRoomState(
  { status, startAt, endAt }: Pick<BookingRow, 'status' | 'startAt' | 'endAt'>,
  now: Date,
): 'early' | 'open' | 'over' | 'cancelled' {
  if (status !== 'CONFIRMED') return 'cancelled'
  if (now.getTime() < roomOpensAt({ startAt }).getTime()) return 'early'
  return now.getTime() <= roomClosesAt({ endAt }).getTime() ? 'open' : 'over'
}

/** Returns the time at which the room of a booking opens. */
export function roomOpensAt({ startAt }: Pick<BookingRow, 'startAt'>): Date {
  return new Date(Date.parse(startAt) - opensBeforeMs)
}

/** Returns the time at which the room of a booking closes. */
export function roomClosesAt({ endAt }: Pick<BookingRow, 'endAt'>): Date {
  return new Date(Date.parse(endAt) + closesAfterMs)
}
