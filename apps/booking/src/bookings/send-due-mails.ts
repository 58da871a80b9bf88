import { schema, type BookingRow } from '@crm/db'
import { readWorkspace } from '@crm/identity'
import { doDueWork, type RoundDeps } from '@crm/jobs'
import { and, eq } from 'drizzle-orm'
import type { BookingDeps } from '../platform/deps.ts'
import { findLinkOf } from '../links/links.repository.ts'
import { claimMail, dropMail, selectDueMails, type MailKey, type QueuedMail, type TakenMail } from './mail-queue.ts'
import { giveUpUnknown, mailParticipants } from './booking-mails.ts'

/** A mail is dropped a day after its due time. */
const usefulForMs = 24 * 3_600_000

/** How often due mails are looked for. */
export const dueMailsRoundMs = 15_000
const work = 'mail-bookings'
const foundAtOnce = 100
const sentAtOnce = 10

/** Sends the mails that were not sent with their change. Returns how many were tried. */
export async function sendDueMails(deps: BookingDeps & RoundDeps): Promise<number> {
  let tried = 0
  await doDueWork<MailKey>(deps, {
    name: work,
    everyMs: dueMailsRoundMs,
    batch: foundAtOnce,
    atOnce: sentAtOnce,
    find: (at, limit) => selectDueMails(deps.db, work, at, limit),
    keyOf: ({ workspaceId, bookingId }) => ({ workspaceId, row: bookingId }),
    perform: async (keys) => {
      for (const key of keys) {
        const taken = await claimMail(deps.db, key, deps.clock.now().toISOString())
        if (!taken) continue
        tried += 1
        await sendDue(deps, taken)
      }
    },
  })
  return tried
}

async function sendDue(deps: BookingDeps, { mail, isUnknown }: TakenMail): Promise<void> {
  const now = deps.clock.now()
  const booking = await readBooking(deps, mail)
  const [workspace, link] = await Promise.all([
    readWorkspace(deps.pool, mail.workspaceId),
    booking && findLinkOf(deps.db, booking),
  ])
  if (!booking || !workspace || !link || !isOfUse(mail, booking, now)) return dropMail(deps.db, mail)
  const context = { deps, workspace, at: now.toISOString() }
  if (isUnknown) await giveUpUnknown(context, { mail, booking, link })
  else await mailParticipants(context, { mail, booking, link })
}

/** Whether a mail is still of use: it is about the latest change, and the meeting is not over. */
function isOfUse(mail: QueuedMail, booking: BookingRow, now: Date): boolean {
  const isLatest = mail.sequence === booking.calendarSequence
  return (
    isLatest && now.getTime() < Date.parse(booking.endAt) && now.getTime() < Date.parse(mail.createdAt) + usefulForMs
  )
}

async function readBooking(
  { db }: BookingDeps,
  { workspaceId, bookingId }: QueuedMail,
): Promise<BookingRow | undefined> {
  const { bookings } = schema
  const [booking] = await db
    .select()
    .from(bookings)
    .where(and(eq(bookings.workspaceId, workspaceId), eq(bookings.id, bookingId)))
  return booking
}
