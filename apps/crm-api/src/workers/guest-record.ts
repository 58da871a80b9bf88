import { contact, lead, type PersonEntity } from '@crm/model'
import { recordChange, schema, type Actor, type BookingRow, type FieldChange, type Transaction } from '@crm/db'
import type { OutboxRow } from '@crm/jobs'
import { and, eq } from 'drizzle-orm'
import { tell } from '../records/notices.ts'
import type { JobHandler } from './job-handler.ts'

const { bookings } = schema

/** The record of a guest. */
export interface GuestEntity {
  readonly entityType: PersonEntity
  readonly entityId: string
}

/** Returns the record to which the guest of a booking is linked. */
export function guestEntity({ leadId, contactId }: Pick<BookingRow, 'leadId' | 'contactId'>): GuestEntity | undefined {
  if (contactId) return { entityType: contact.entity, entityId: contactId }
  return leadId ? { entityType: lead.entity, entityId: leadId } : undefined
}

/** Returns the booking of a row of the outbox, locked until its work is done. */
export async function lockBookingOf(
  tx: Transaction,
  { workspaceId, payload }: Pick<OutboxRow, 'workspaceId' | 'payload'>,
): Promise<BookingRow | undefined> {
  const [booking] = await tx
    .select()
    .from(bookings)
    .where(and(eq(bookings.workspaceId, workspaceId), eq(bookings.id, payload['bookingId'] as string)))
    .for('update')
  return booking
}

interface Note {
  readonly kinds: readonly string[]
  readonly actor: Actor
  readonly at: string
  /** The operation that the event is a part of; without it, the event is one of its own. */
  readonly groupId?: string
  readonly changes?: readonly FieldChange[]
  readonly data?: Readonly<Record<string, unknown>>
}

const told: Readonly<Record<string, string>> = {
  BOOKING_CREATED: 'booked a meeting with you',
  MEETING_RESCHEDULED: 'moved a meeting with you',
  MEETING_CANCELLED: 'cancelled a meeting with you',
}

/** Writes an event of a booking into the history of its guest's record, and notifies the organizer. */
export async function noteOnRecord(
  tx: Transaction,
  booking: BookingRow,
  entity: GuestEntity,
  { kinds, actor, at, groupId, changes, data }: Note,
): Promise<void> {
  const { id: relatedId, startAt, endAt } = booking
  const entry = { ...entity, changes, data: { startAt, endAt, ...data }, relatedType: 'BOOKING', relatedId }
  await recordChange(tx, {
    workspaceId: booking.workspaceId,
    actor,
    at,
    groupId,
    timeline: kinds.map((kind) => ({ ...entry, kind })),
  })
  const events = kinds.flatMap((kind) => told[kind] ?? [])
  if (actor.id === booking.organizerId) return
  await tell(
    tx,
    { workspaceId: booking.workspaceId, at },
    events.map((event) => ({
      ...entity,
      employeeId: booking.organizerId,
      kind: 'booking.created',
      text: `${actor.name} ${event}`,
      data: { bookingId: booking.id, startAt, actor: { id: null, name: actor.name } },
    })),
  )
}

const kinds: Readonly<Record<string, string>> = {
  'booking.rescheduled': 'MEETING_RESCHEDULED',
  'booking.cancelled': 'MEETING_CANCELLED',
}

/** Writes into the history of the guest's record that a booking was moved or cancelled. */
export const noteOnGuestRecord: JobHandler = async ({ row, tx, at }) => {
  const booking = await lockBookingOf(tx, row)
  const entity = booking && guestEntity(booking)
  const kind = kinds[String(row.payload['event'])]
  if (!entity || !kind) return
  const { actor, changes } = row.payload as { actor: Actor; changes?: readonly FieldChange[] }
  await noteOnRecord(tx, booking, entity, { kinds: [kind], actor, at, changes })
}
