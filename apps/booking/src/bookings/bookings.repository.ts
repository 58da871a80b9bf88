import {
  given,
  inCalendar,
  newId,
  run,
  schema,
  statement,
  type BookingRow,
  type CalendarOf,
  type CalendarTransaction,
  type Database,
  type Executor,
} from '@crm/db'
import { digest } from '@crm/identity'
import { isNotPutOff } from '@crm/jobs'
import { and, eq, lt, ne, sql, type SQL } from 'drizzle-orm'

const { bookings, calendarEvents } = schema

/** The known facts of a booking when its slot is taken. */
export type NewBooking = Pick<
  BookingRow,
  | 'status'
  | 'roomId'
  | 'workspaceId'
  | 'id'
  | 'linkId'
  | 'organizerId'
  | 'startAt'
  | 'endAt'
  | 'inviteeName'
  | 'inviteeEmail'
  | 'inviteeTimezone'
  | 'toldTimes'
  | 'inviteePhone'
  | 'inviteeLocale'
  | 'note'
  | 'answers'
  | 'manageTokenHash'
  | 'callTokenHash'
  | 'joinUrl'
  | 'createdAt'
>

/** Returns the booking of a manage token; a booking that only holds its slot does not count yet. */
export async function findByManageToken(
  db: Executor,
  workspaceId: string,
  token: string,
): Promise<BookingRow | undefined> {
  return findShown(db, workspaceId, eq(bookings.manageTokenHash, digest(token)))
}

/** Returns the booking of a call token. */
export async function findByCallToken(
  db: Executor,
  workspaceId: string,
  token: string,
): Promise<BookingRow | undefined> {
  return findShown(db, workspaceId, eq(bookings.callTokenHash, digest(token)))
}

async function findShown(db: Executor, workspaceId: string, where: SQL): Promise<BookingRow | undefined> {
  const [row] = await db
    .select()
    .from(bookings)
    .where(and(eq(bookings.workspaceId, workspaceId), where, ne(bookings.status, 'PENDING')))
  return row
}

/** Reads a booking and keeps others from changing it until the transaction ends. */
export async function lockBooking(
  tx: CalendarTransaction,
  { workspaceId, id }: Pick<BookingRow, 'workspaceId' | 'id'>,
): Promise<BookingRow | undefined> {
  const [row] = await tx.select().from(bookings).where(isBooking(workspaceId, id)).for('update')
  return row
}

const insert = statement(sql`
  INSERT INTO ${bookings} (workspace_id, id, link_id, organizer_id, status, start_at, end_at, invitee_name, invitee_email, invitee_timezone, told_times, invitee_phone,
    invitee_locale, note, answers, manage_token_hash, call_token_hash, join_url, room_id, created_at, updated_at)
  VALUES (${given('workspaceId')}, ${given('id')}, ${given('linkId')}, ${given('organizerId')}, ${given('status')}, ${given('startAt')}, ${given('endAt')}, ${given('inviteeName')},
    ${given('inviteeEmail')}, ${given('inviteeTimezone')}, ${given('toldTimes')}::jsonb, ${given('inviteePhone')}, ${given('inviteeLocale')}, ${given('note')}, ${given('answers')}::jsonb, ${given('manageTokenHash')},
    ${given('callTokenHash')}, ${given('joinUrl')}, ${given('roomId')}, ${given('createdAt')}, ${given('createdAt')})`)

/** Takes a slot, either for good or (PENDING) while the call is created. */
export async function insertBooking(tx: CalendarTransaction, booking: NewBooking): Promise<BookingRow> {
  const { answers, toldTimes } = booking
  await run(tx, insert, {
    ...booking,
    answers: JSON.stringify(answers),
    toldTimes: toldTimes && JSON.stringify(toldTimes),
  })
  return {
    ...booking,
    calendarSequence: 0,
    confirmationEmailSent: false,
    leadId: null,
    contactId: null,
    cancelledAt: null,
    cancelReason: null,
    updatedAt: booking.createdAt,
    createdById: null,
  }
}

const confirmHeld = statement(sql`
  UPDATE ${bookings} SET status = 'CONFIRMED', room_id = ${given('roomId')}, updated_at = ${given('at')}
  WHERE workspace_id = ${given('workspaceId')} AND id = ${given('id')} AND status = 'PENDING' RETURNING id`)

/** Turns a held slot into a booking with its room; undefined when the slot is no longer held. */
export async function confirmPending(
  tx: CalendarTransaction,
  pending: BookingRow,
  roomId: string,
  at: string,
): Promise<BookingRow | undefined> {
  const { workspaceId, id } = pending
  const [confirmed] = await run(tx, confirmHeld, { workspaceId, id, roomId, at })
  return confirmed && { ...pending, status: 'CONFIRMED', roomId, updatedAt: at }
}

/** Gives a held slot back. */
export async function releasePending(db: Database, pending: HeldSlot, at: string): Promise<boolean> {
  return inCalendar(db, undefined, calendarOf(pending), async (tx) => {
    const released = await tx
      .update(bookings)
      .set({ status: 'CANCELLED', cancelledAt: at, updatedAt: at })
      .where(and(isBooking(pending.workspaceId, pending.id), eq(bookings.status, 'PENDING')))
      .returning({ id: bookings.id })
    return released.length > 0
  })
}

/** A slot that is held. */
export type HeldSlot = Pick<BookingRow, 'workspaceId' | 'id' | 'organizerId'>

/** Returns slots that were held before a moment and neither confirmed nor released, because their process is gone; the longest held first. */
export function selectAbandoned(
  db: Database,
  { heldBefore, work, at }: { readonly heldBefore: string; readonly work: string; readonly at: string },
  limit: number,
): Promise<HeldSlot[]> {
  const { workspaceId, id, organizerId } = bookings
  return db
    .select({ workspaceId, id, organizerId })
    .from(bookings)
    .where(
      and(
        eq(bookings.status, 'PENDING'),
        lt(bookings.createdAt, heldBefore),
        isNotPutOff(work, { workspaceId, row: id }, at),
      ),
    )
    .orderBy(bookings.createdAt)
    .limit(limit)
}

/** Moves a booking that was locked before, with its event in the organizer's calendar. */
export async function moveBooking(
  tx: CalendarTransaction,
  current: BookingRow,
  to: Pick<BookingRow, 'startAt' | 'endAt' | 'inviteeTimezone' | 'toldTimes'>,
  at: string,
): Promise<BookingRow> {
  const [row] = await tx
    .update(bookings)
    .set({ ...to, calendarSequence: sql`${bookings.calendarSequence} + 1`, updatedAt: at })
    .where(isBooking(current.workspaceId, current.id))
    .returning()
  await tx
    .update(calendarEvents)
    .set({ startAt: to.startAt, endAt: to.endAt, updatedAt: at })
    .where(and(eq(calendarEvents.workspaceId, current.workspaceId), eq(calendarEvents.bookingId, current.id)))
  return row as BookingRow
}

const insertEvent = statement(sql`
  INSERT INTO ${calendarEvents} (workspace_id, id, employee_id, booking_id, title, start_at, end_at, created_at, updated_at)
  VALUES (${given('workspaceId')}, ${given('eventId')}, ${given('organizerId')}, ${given('id')}, ${given('title')}, ${given('startAt')}, ${given('endAt')}, ${given('at')}, ${given('at')})`)

/** Puts a booking into the organizer's calendar. */
export async function insertCalendarEvent(
  tx: CalendarTransaction,
  { workspaceId, organizerId, id, startAt, endAt }: BookingRow,
  title: string,
  at: string,
): Promise<void> {
  await run(tx, insertEvent, { workspaceId, eventId: newId(), organizerId, id, title, startAt, endAt, at })
}

/** Changes single columns of a booking. */
export async function updateBooking(
  db: Executor,
  { workspaceId, id }: BookingRow,
  set: Pick<BookingRow, 'inviteeTimezone' | 'toldTimes'>,
): Promise<void> {
  await db.update(bookings).set(set).where(isBooking(workspaceId, id))
}

/** Returns the calendar of a booking. */
export function calendarOf({ workspaceId, organizerId }: Pick<BookingRow, 'workspaceId' | 'organizerId'>): CalendarOf {
  return { workspaceId, employeeId: organizerId }
}

function isBooking(workspaceId: string, id: string): SQL {
  return and(eq(bookings.workspaceId, workspaceId), eq(bookings.id, id)) as SQL
}
