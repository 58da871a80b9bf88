import { alongside, given, run, schema, statement, type BookingRow, type Database, type Executor, type Transaction } from '@crm/db'
import type { BookingNews } from '@crm/mail'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'

const { bookingMails, bookings } = schema

export type QueuedMail = typeof bookingMails.$inferSelect

/** Longer than sending may take, so that nobody sends what somebody else is sending. */
const takenForMs = 60_000
const firstPauseMs = 60_000
const pauseMsMax = 3_600_000
const claimedAtOnce = 20

const leaveMail = statement(sql`
  INSERT INTO ${bookingMails} (workspace_id, booking_id, news, manage_token, sequence, next_at, created_at)
  VALUES (${given('workspaceId')}, ${given('bookingId')}, ${given('news')}, ${given('manageToken')}, ${given('sequence')}, ${given('nextAt')}, ${given('createdAt')})
  ON CONFLICT (workspace_id, booking_id) DO UPDATE SET news = excluded.news, manage_token = excluded.manage_token, sequence = excluded.sequence,
    next_at = excluded.next_at, created_at = excluded.created_at, to_guest = true, to_organizer = true, attempts = 0`)

/**
 * Leaves the mail about a change to be sent, in the change's own transaction; whoever makes the change sends it right
 * after the commit, and when that does not come to pass, the courier does. Older news of the booking are dropped.
 */
export async function queueMail(tx: Transaction, { news, booking, manageToken, at }: { news: BookingNews; booking: BookingRow; manageToken: string; at: string }): Promise<QueuedMail> {
  const { workspaceId, id: bookingId, calendarSequence: sequence } = booking
  const mail = { workspaceId, bookingId, news, manageToken, sequence, nextAt: after(at, takenForMs), createdAt: at }
  await alongside(tx, run(tx, leaveMail, mail))
  return { ...mail, toGuest: true, toOrganizer: true, attempts: 0 }
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

const tellBooking = sql`
  UPDATE ${bookings} SET confirmation_email_sent = ${given('guest')}
  WHERE workspace_id = ${given('workspaceId')} AND id = ${given('bookingId')} AND calendar_sequence = ${given('sequence')} AND confirmation_email_sent <> ${given('guest')}`
const ofMail = sql`workspace_id = ${given('workspaceId')} AND booking_id = ${given('bookingId')} AND sequence = ${given('sequence')}`

const mailWent = statement(sql`WITH told AS (${tellBooking}) DELETE FROM ${bookingMails} WHERE ${ofMail}`)
const mailWaits = statement(sql`
  WITH told AS (${tellBooking})
  UPDATE ${bookingMails} SET to_guest = NOT ${given('guest')}, to_organizer = NOT ${given('organizer')}, attempts = ${given('attempts')}, next_at = ${given('nextAt')} WHERE ${ofMail}`)

/** Stores what came of an attempt: what is still to go is tried again later, and the booking tells whether its guest was reached. */
export async function settleMail(db: Executor, { workspaceId, bookingId, sequence, attempts }: QueuedMail, { guest, organizer }: Reached, now: string): Promise<void> {
  const values = { workspaceId, bookingId, sequence, guest, organizer, attempts: attempts + 1, nextAt: after(now, pauseMs(attempts)) }
  await run(db, guest && organizer ? mailWent : mailWaits, values)
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
