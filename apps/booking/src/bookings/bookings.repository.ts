import { schema, type BookingRow, type Executor, type Transaction } from '@crm/db'
import { digest } from '@crm/identity'
import { and, eq, lt, ne, sql, type SQL } from 'drizzle-orm'

const { bookings, calendarEvents } = schema

export type NewBooking = Omit<typeof bookings.$inferInsert, 'status' | 'confirmationEmailSent'>

/** The booking of a manage token; one that only holds its slot is not there yet. */
export async function findByManageToken(db: Executor, workspaceId: string, token: string): Promise<BookingRow | undefined> {
  return findShown(db, workspaceId, eq(bookings.manageTokenHash, digest(token)))
}

/** The booking of a call token. */
export async function findByCallToken(db: Executor, workspaceId: string, token: string): Promise<BookingRow | undefined> {
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
export async function lockBooking(tx: Transaction, { workspaceId, id }: Pick<BookingRow, 'workspaceId' | 'id'>): Promise<BookingRow | undefined> {
  const [row] = await tx.select().from(bookings).where(isBooking(workspaceId, id)).for('update')
  return row
}

/** Holds a slot: nobody else can take it, and nobody is shown it. */
export async function insertPending(tx: Transaction, values: NewBooking): Promise<BookingRow> {
  const [row] = await tx.insert(bookings).values({ ...values, status: 'PENDING' }).returning()
  return row as BookingRow
}

/** Makes a held slot a booking with its room; undefined when it is not held any more. */
export async function confirmPending(tx: Transaction, pending: BookingRow, roomId: string, at: string): Promise<BookingRow | undefined> {
  const [row] = await tx
    .update(bookings)
    .set({ status: 'CONFIRMED', roomId, updatedAt: at })
    .where(and(isBooking(pending.workspaceId, pending.id), eq(bookings.status, 'PENDING')))
    .returning()
  return row
}

/** Gives a held slot back. */
export async function releasePending(db: Executor, pending: BookingRow, at: string): Promise<void> {
  await db
    .update(bookings)
    .set({ status: 'CANCELLED', cancelledAt: at, updatedAt: at })
    .where(and(isBooking(pending.workspaceId, pending.id), eq(bookings.status, 'PENDING')))
}

/** Gives back what was held before a moment and neither confirmed nor released: whoever held it is gone. Gives the number. */
export async function releaseAbandoned(db: Executor, heldBefore: string, at: string): Promise<number> {
  const released = await db
    .update(bookings)
    .set({ status: 'CANCELLED', cancelledAt: at, updatedAt: at })
    .where(and(eq(bookings.status, 'PENDING'), lt(bookings.createdAt, heldBefore)))
    .returning({ id: bookings.id })
  return released.length
}

/** Moves a booking that was locked before, with its event in the organizer's calendar. */
export async function moveBooking(
  tx: Transaction,
  current: BookingRow,
  to: { readonly startAt: string; readonly endAt: string; readonly inviteeTimezone: string },
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

/** Puts a booking into the organizer's calendar. */
export async function insertCalendarEvent(tx: Transaction, booking: BookingRow, title: string, at: string): Promise<void> {
  const { workspaceId, organizerId, id, startAt, endAt } = booking
  await tx.insert(calendarEvents).values({ workspaceId, employeeId: organizerId, bookingId: id, title, startAt, endAt, createdAt: at, updatedAt: at })
}

/** Changes single columns of a booking. */
export async function updateBooking(db: Executor, { workspaceId, id }: BookingRow, set: Pick<BookingRow, 'inviteeTimezone'>): Promise<void> {
  await db.update(bookings).set(set).where(isBooking(workspaceId, id))
}

function isBooking(workspaceId: string, id: string): SQL {
  return and(eq(bookings.workspaceId, workspaceId), eq(bookings.id, id)) as SQL
}
