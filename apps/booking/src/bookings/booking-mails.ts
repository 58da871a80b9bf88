import { schema, type Actor, type BookingRow } from '@crm/db'
import { writeGuestMail, writeOrganizerMail, type BookingFacts, type BookingChange, type MailMessage } from '@crm/mail'
import type { BookingContext } from '../context.ts'
import { withinDeadline } from '../deadline.ts'
import type { Link } from '../links/links.repository.ts'
import { settleUnsent, type QueuedMail } from './mail-queue.ts'

const mailDeadlineMsUsual = 10_000

/** The guest as the author of a change. */
export function guestActor({ inviteeName }: Pick<BookingRow, 'inviteeName'>): Actor {
  return { type: 'EXTERNAL', id: null, name: inviteeName, source: 'BOOKING' }
}

/** Mail about a booking, with the booking and its link. */
interface MailedBooking {
  readonly mail: QueuedMail
  readonly booking: BookingRow
  readonly link: Link
}

/** What the mails of a booking need, whether a guest's request or a later round sends them. */
type MailContext = Omit<BookingContext, 'limits'>

/**
 * Sends guest and organizer their pending mail after the change was committed; returns whether the guest's message was
 * sent. It never fails: unsent mail is tried again later, and the product tells the organizer about it.
 */
export async function mailParticipants(context: MailContext, { mail, booking, link }: MailedBooking): Promise<boolean> {
  const { mailer, logger, db, clock, mailOutcomes } = context.deps
  const facts = factsOf(context, booking, link, mail.manageToken)
  const reach = (isDue: boolean, write: typeof writeGuestMail, whom: string) =>
    isDue ? send(context, write(mail.change, facts, mailer.from), { whom, bookingId: booking.id }) : true
  const [guest, organizer] = await Promise.all([
    reach(mail.toGuest, writeGuestMail, 'guest'),
    reach(mail.toOrganizer, writeOrganizerMail, 'organizer'),
  ])
  if (guest && organizer) {
    await mailOutcomes.note(mail)
    return true
  }
  try {
    await settleUnsent(db, mail, { guest, organizer }, clock.now().toISOString())
    if (!guest && mail.attempts === 0) await notifyOrganizer(context, mail.change, booking)
  } catch (error) {
    logger.error({ err: error, bookingId: booking.id }, 'what became of a booking mail could not be stored')
  }
  return guest
}

async function send(
  { deps }: Pick<MailContext, 'deps'>,
  message: MailMessage,
  said: { readonly whom: string; readonly bookingId: string },
): Promise<boolean> {
  const { mailer, logger, mailDeadlineMs = mailDeadlineMsUsual } = deps
  try {
    await withinDeadline(mailDeadlineMs, () => mailer.send(message))
    return true
  } catch (error) {
    logger.warn({ err: error, ...said }, 'a booking mail could not be sent')
    return false
  }
}

const unsent: Readonly<Record<BookingChange, string>> = {
  confirmed: 'The confirmation email',
  rescheduled: 'The email with the new time',
  cancelled: 'The cancellation email',
}

async function notifyOrganizer(
  { deps, at }: Pick<MailContext, 'deps' | 'at'>,
  change: BookingChange,
  booking: BookingRow,
): Promise<void> {
  const { workspaceId, organizerId, id, inviteeName, inviteeEmail, startAt } = booking
  await deps.db.insert(schema.notifications).values({
    workspaceId,
    employeeId: organizerId,
    kind: 'booking.mail-failed',
    text: `${unsent[change]} of the booking of ${inviteeName} could not be sent to ${inviteeEmail}`,
    data: { bookingId: id, startAt, change, name: inviteeName },
    createdAt: at,
  })
}

/** Returns the facts that the mails and the calendar file of a booking contain. */
export function factsOf(
  { workspace, at }: Pick<BookingContext, 'workspace' | 'at'>,
  booking: BookingRow,
  link: Link,
  manageToken: string,
): BookingFacts {
  return {
    id: booking.id,
    sequence: booking.calendarSequence,
    startAt: booking.startAt,
    endAt: booking.endAt,
    linkName: link.name,
    organizer: { name: link.organizer.name, address: link.organizer.email, timezone: link.timezone },
    guest: {
      name: booking.inviteeName,
      address: booking.inviteeEmail,
      timezone: booking.inviteeTimezone,
      locale: booking.inviteeLocale,
      phone: booking.inviteePhone,
    },
    note: booking.note,
    answers: booking.answers,
    cancelReason: booking.cancelReason,
    joinUrl: booking.joinUrl,
    manageUrl: `${workspace.baseUrl}/book/manage/${manageToken}`,
    workspace,
    at,
  }
}
