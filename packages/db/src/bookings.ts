import { and, eq, sql } from 'drizzle-orm'
import { recordChange, type Actor } from './changes.ts'
import { bookings, calendarEvents } from './schema/booking.ts'
import type { CalendarTransaction } from './calendar.ts'
import type { Executor } from './transaction.ts'
import type { FieldChange } from './schema/field-change.ts'

export type BookingRow = typeof bookings.$inferSelect

/** Returns a booking as people in the workspace and their automation see it: without the digests of its secrets. */
export function toBookingRecord(row: BookingRow) {
  const {
    workspaceId: _workspace,
    manageTokenHash: _manage,
    callTokenHash: _call,
    roomId: _room,
    calendarSequence: _sequence,
    inviteeLocale: _locale,
    toldTimes: _told,
    status,
    ...record
  } = row
  // A pending booking holds its slot for a moment and is never shown.
  return { ...record, status: status === 'CONFIRMED' ? ('CONFIRMED' as const) : ('CANCELLED' as const) }
}

/** A change of a booking, for rules, workflows and workers. */
export interface BookingChange {
  readonly event: 'booking.created' | 'booking.rescheduled' | 'booking.cancelled'
  readonly booking: BookingRow
  readonly changes?: readonly FieldChange[]
  readonly actor: Actor
  readonly at: string
  /** Whether the guest is to be linked to a lead. */
  readonly linkGuest?: boolean
}

/** Announces a booking's change to rules and workflows, and to the CRM for the guest's record, in the transaction of the change. */
export async function announceBooking(
  tx: Executor,
  { event, booking, changes = [], actor, at, linkGuest = false }: BookingChange,
): Promise<void> {
  const of = { entityType: 'BOOKING', entityId: booking.id }
  const isNew = event === 'booking.created'
  const concernsGuest = isNew ? linkGuest : Boolean(booking.leadId ?? booking.contactId)
  const job = isNew ? 'booking.link-guest' : 'booking.tell-guest-record'
  await recordChange(tx, {
    workspaceId: booking.workspaceId,
    actor,
    at,
    events: [
      { topic: 'change', event, ...of, payload: { record: toBookingRecord(booking), changes } },
      ...(concernsGuest
        ? [{ topic: 'job' as const, event: job, ...of, payload: { bookingId: booking.id, event, changes } }]
        : []),
    ],
  })
}

/** Cancels a confirmed booking: its slot is free at once and its event leaves the calendar. Undefined when it is not confirmed. */
export async function cancelBooking(
  tx: CalendarTransaction,
  {
    workspaceId,
    id,
    actor,
    at,
    reason = null,
  }: {
    readonly workspaceId: string
    readonly id: string
    readonly actor: Actor
    readonly at: string
    /** The guest's words. */
    readonly reason?: string | null
  },
): Promise<BookingRow | undefined> {
  const [booking] = await tx
    .update(bookings)
    .set({
      status: 'CANCELLED',
      cancelledAt: at,
      cancelReason: reason,
      updatedAt: at,
      calendarSequence: sql`${bookings.calendarSequence} + 1`,
    })
    .where(and(eq(bookings.workspaceId, workspaceId), eq(bookings.id, id), eq(bookings.status, 'CONFIRMED')))
    .returning()
  if (!booking) return undefined
  await tx
    .delete(calendarEvents)
    .where(and(eq(calendarEvents.workspaceId, workspaceId), eq(calendarEvents.bookingId, id)))
  const changes = [{ field: 'status', from: 'CONFIRMED', to: 'CANCELLED' }]
  await announceBooking(tx, { event: 'booking.cancelled', booking, changes, actor, at })
  return booking
}
