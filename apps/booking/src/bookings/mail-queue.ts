import {
  fastCommit,
  given,
  inTransaction,
  run,
  schema,
  statement,
  type BookingRow,
  type Database,
  type Executor,
  type Transaction,
} from '@crm/db'
import { isNotPutOff } from '@crm/jobs'
import { sendingMsMax, type BookingChange } from '@crm/mail'
import { and, eq, lte, sql, type SQL } from 'drizzle-orm'

const { bookingMails, bookings } = schema

export type QueuedMail = typeof bookingMails.$inferSelect

/** For this long a mail belongs to the process that sends it; one whose server thinks longer is kept for `thoughtForMs`. */
const takenForMs = 60_000
const thoughtForMs = sendingMsMax + takenForMs
const firstPauseMs = 60_000
const pauseMsMax = 3_600_000

const leaveMail = statement(sql`
  INSERT INTO ${bookingMails} (workspace_id, booking_id, change, manage_token, sequence, next_at, created_at, under_way)
  VALUES (${given('workspaceId')}, ${given('bookingId')}, ${given('change')}, ${given('manageToken')}, ${given('sequence')}, ${given('nextAt')}, ${given('createdAt')}, true)
  ON CONFLICT (workspace_id, booking_id) DO UPDATE SET change = excluded.change, manage_token = excluded.manage_token, sequence = excluded.sequence,
    next_at = excluded.next_at, created_at = excluded.created_at, to_guest = true, to_organizer = true, attempts = 0, under_way = true, was_lost = false`)

/**
 * Queues the mail about a change in the change's own transaction. The process that makes the change sends it right
 * after the commit; if it does not, the next round of any process does. Mail about an earlier change is dropped.
 */
export async function queueMail(
  tx: Transaction,
  { change, booking, manageToken, at }: { change: BookingChange; booking: BookingRow; manageToken: string; at: string },
): Promise<QueuedMail> {
  const { workspaceId, id: bookingId, calendarSequence: sequence } = booking
  const mail = { workspaceId, bookingId, change, manageToken, sequence, nextAt: after(at, takenForMs), createdAt: at }
  await run(tx, leaveMail, mail)
  return { ...mail, toGuest: true, toOrganizer: true, attempts: 0, underWay: true, wasLost: false }
}

/** The key of a mail. */
export type MailKey = Pick<QueuedMail, 'workspaceId' | 'bookingId'>

/** Returns due mail, that first which has waited longest. */
export function selectDueMails(db: Database, work: string, at: string, limit: number): Promise<MailKey[]> {
  const { workspaceId, bookingId } = bookingMails
  return db
    .select({ workspaceId, bookingId })
    .from(bookingMails)
    .where(and(lte(bookingMails.nextAt, at), isNotPutOff(work, { workspaceId, row: bookingId }, at)))
    .orderBy(bookingMails.nextAt)
    .limit(limit)
}

/** A mail that a process has taken. */
export interface TakenMail {
  readonly mail: QueuedMail
  /** Whether two processes were lost while they sent it, so that nobody knows who has it. */
  readonly isUnknown: boolean
}

/**
 * Takes a mail that is still due, so that no other process sends it meanwhile. One whose process was lost is sent once more, with the
 * same Message-ID.
 */
export async function claimMail(db: Database, key: MailKey, now: string): Promise<TakenMail | undefined> {
  return inTransaction(db, undefined, async (tx) => {
    const { workspaceId, bookingId } = key
    const isTheMail = and(eq(bookingMails.workspaceId, workspaceId), eq(bookingMails.bookingId, bookingId))
    const [due] = await tx
      .select()
      .from(bookingMails)
      .where(and(isTheMail, lte(bookingMails.nextAt, now)))
      .for('update', { skipLocked: true })
    if (!due) return undefined
    const set = { nextAt: after(now, takenForMs), underWay: true, wasLost: due.wasLost || due.underWay }
    await tx.update(bookingMails).set(set).where(isTheMail)
    return { mail: { ...due, ...set }, isUnknown: due.wasLost && due.underWay }
  })
}

/** Keeps a mail that a server thinks about, so that no other process sends it meanwhile. */
export async function keepMail(db: Database, mail: QueuedMail, now: string): Promise<void> {
  await db
    .update(bookingMails)
    .set({ nextAt: after(now, thoughtForMs) })
    .where(isMail(mail))
}

/** What an attempt has settled for guest and organizer. */
export interface Settled {
  /** Who does not have the mail and may get it later. */
  readonly waits: { readonly guest: boolean; readonly organizer: boolean }
  /** Whether the guest has the mail for certain; null where this attempt was not for the guest. */
  readonly guestHasIt: boolean | null
}

// The booking is locked before its mail, in the same order as everywhere. A note that a crash loses makes the mail go
// out once more, just as a crash before the note does, so nothing waits for the disk here.
const mailsWent = statement(sql`
  WITH ${sql.raw(fastCommit)}, went AS (
    SELECT w.* FROM fast, unnest(${given('workspaceIds')}::uuid[], ${given('bookingIds')}::uuid[], ${given('sequences')}::int[]) AS w (workspace_id, booking_id, sequence)
  ), told AS (
    UPDATE ${bookings} b SET confirmation_email_sent = true FROM went w
    WHERE b.workspace_id = w.workspace_id AND b.id = w.booking_id AND b.calendar_sequence = w.sequence AND NOT b.confirmation_email_sent
    RETURNING b.id
  )
  DELETE FROM ${bookingMails} m USING went w
  WHERE m.workspace_id = w.workspace_id AND m.booking_id = w.booking_id AND m.sequence = w.sequence AND (SELECT count(*) FROM told) >= 0`)

/** Stores that mails reached all their recipients: no mail remains, and the bookings show it. */
export async function settleSent(db: Executor, mails: readonly QueuedMail[]): Promise<void> {
  const [workspaceIds, bookingIds, sequences] = [
    mails.map(({ workspaceId }) => workspaceId),
    mails.map(({ bookingId }) => bookingId),
    mails.map(({ sequence }) => sequence),
  ]
  await run(db, mailsWent, { workspaceIds, bookingIds, sequences })
}

const mailWaits = statement(sql`
  WITH told AS (
    UPDATE ${bookings} SET confirmation_email_sent = ${given('guestHasIt')}
    WHERE workspace_id = ${given('workspaceId')} AND id = ${given('bookingId')} AND calendar_sequence = ${given('sequence')} AND confirmation_email_sent <> ${given('guestHasIt')}
    RETURNING id
  )
  UPDATE ${bookingMails} SET to_guest = ${given('guest')}, to_organizer = ${given('organizer')}, attempts = ${given('attempts')}, next_at = ${given('nextAt')},
    under_way = false, was_lost = false
  WHERE workspace_id = ${given('workspaceId')} AND booking_id = ${given('bookingId')} AND sequence = ${given('sequence')} AND (SELECT count(*) FROM told) >= 0`)

/**
 * Stores an attempt that did not reach everybody: who waits is tried again later, and the booking shows whether its
 * guest was reached.
 */
export async function settleUnsent(
  db: Executor,
  mail: QueuedMail,
  { waits, guestHasIt }: Settled,
  now: string,
): Promise<void> {
  const { workspaceId, bookingId, sequence, attempts } = mail
  await run(db, mailWaits, {
    workspaceId,
    bookingId,
    sequence,
    guestHasIt,
    ...waits,
    attempts: attempts + 1,
    nextAt: after(now, pauseMs(attempts)),
  })
  if (!waits.guest && !waits.organizer) await dropMail(db, mail)
}

/** Gives up mail that is of no more use. */
export async function dropMail(db: Executor, mail: QueuedMail): Promise<void> {
  await db.delete(bookingMails).where(isMail(mail))
}

function isMail({ workspaceId, bookingId, sequence }: QueuedMail): SQL {
  return and(
    eq(bookingMails.workspaceId, workspaceId),
    eq(bookingMails.bookingId, bookingId),
    eq(bookingMails.sequence, sequence),
  ) as SQL
}

/** Returns a pause of one minute, two, four, up to an hour. */
function pauseMs(attempts: number): number {
  return Math.min(firstPauseMs * 2 ** attempts, pauseMsMax)
}

function after(instant: string, byMs: number): string {
  return new Date(Date.parse(instant) + byMs).toISOString()
}
