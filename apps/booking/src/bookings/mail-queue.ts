import { schema, type BookingRow, type Database, type Executor, type Transaction } from '@crm/db'
import type { BookingNews } from '@crm/mail'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'

const { bookingMails, bookings } = schema

export type QueuedMail = typeof bookingMails.$inferSelect

/** Longer than sending may take, so that nobody sends what somebody else is sending. */
const takenForMs = 60_000
const firstPauseMs = 60_000
const pauseMsMax = 3_600_000
const claimedAtOnce = 20

/**
 * Leaves the mail about a change to be sent, in the change's own transaction; whoever makes the change sends it right
 * after the commit, and when that does not come to pass, the courier does. Older news of the booking are dropped.
 */
export async function queueMail(tx: Transaction, { news, booking, manageToken, at }: { news: BookingNews; booking: BookingRow; manageToken: string; at: string }): Promise<QueuedMail> {
  const values = {
    news, manageToken, sequence: booking.calendarSequence, toGuest: true, toOrganizer: true, attempts: 0,
    nextAt: after(at, takenForMs), createdAt: at,
  }
  const [row] = await tx
    .insert(bookingMails)
    .values({ ...values, workspaceId: booking.workspaceId, bookingId: booking.id })
    .onConflictDoUpdate({ target: [bookingMails.workspaceId, bookingMails.bookingId], set: values })
    .returning()
  return row as QueuedMail
}

/** Takes mail whose time has come, so that no other process sends it meanwhile. */
export async function claimDueMails(db: Database, now: string): Promise<QueuedMail[]> {
  const due = db
    .select({ bookingId: bookingMails.bookingId })
    .from(bookingMails)
    .where(lte(bookingMails.nextAt, now))
    .orderBy(bookingMails.nextAt)
    .limit(claimedAtOnce)
    .for('update', { skipLocked: true })
  // The ids of bookings are unique over all workspaces.
  return db.update(bookingMails).set({ nextAt: after(now, takenForMs) }).where(inArray(bookingMails.bookingId, due)).returning()
}

/** Who has been reached by an attempt. */
export interface Reached {
  readonly guest: boolean
  readonly organizer: boolean
}

/** Stores what came of an attempt: what is still to go is tried again later, and the booking tells whether its guest was reached. */
export async function settleMail(db: Executor, mail: QueuedMail, { guest, organizer }: Reached, now: string): Promise<void> {
  const { workspaceId, bookingId, sequence, attempts } = mail
  const toBooking = sql`
    UPDATE ${bookings} SET confirmation_email_sent = ${guest}
    WHERE workspace_id = ${workspaceId} AND id = ${bookingId} AND calendar_sequence = ${sequence} AND confirmation_email_sent <> ${guest}`
  const ofMail = sql`workspace_id = ${workspaceId} AND booking_id = ${bookingId} AND sequence = ${sequence}`
  const toMail = guest && organizer
    ? sql`DELETE FROM ${bookingMails} WHERE ${ofMail}`
    : sql`UPDATE ${bookingMails} SET to_guest = ${!guest}, to_organizer = ${!organizer}, attempts = ${attempts + 1}, next_at = ${after(now, pauseMs(attempts))} WHERE ${ofMail}`
  await db.execute(sql`WITH told AS (${toBooking}) ${toMail}`)
}

/** Gives up on mail that is of no use any more. */
export async function dropMail(db: Executor, { workspaceId, bookingId, sequence }: QueuedMail): Promise<void> {
  await db.delete(bookingMails).where(and(eq(bookingMails.workspaceId, workspaceId), eq(bookingMails.bookingId, bookingId), eq(bookingMails.sequence, sequence)))
}

/** A minute, two, four, up to an hour. */
function pauseMs(attempts: number): number {
  return Math.min(firstPauseMs * 2 ** attempts, pauseMsMax)
}

function after(instant: string, byMs: number): string {
  return new Date(Date.parse(instant) + byMs).toISOString()
}
