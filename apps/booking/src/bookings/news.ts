import { schema, type Actor, type BookingRow } from '@crm/db'
import { writeGuestMail, writeOrganizerMail, type BookingFacts, type BookingNews } from '@crm/mail'
import type { BookingContext } from '../context.ts'
import { withinDeadline } from '../deadline.ts'
import type { Link } from '../links/links.repository.ts'
import { updateBooking } from './bookings.repository.ts'

const mailDeadlineMsUsual = 10_000

/** The guest as the one who makes a change. */
export function guestActor({ inviteeName }: Pick<BookingRow, 'inviteeName'>): Actor {
  return { type: 'EXTERNAL', id: null, name: inviteeName, source: 'BOOKING' }
}

/** What is told, about which booking. */
interface News {
  readonly news: BookingNews
  readonly booking: BookingRow
  readonly link: Link
  readonly manageToken: string
}

/**
 * Mails guest and organizer after a change was committed; gives whether the guest's message went out.
 * It never fails: a message that cannot go is told to the organizer in the product.
 */
export async function tellOfBooking(context: BookingContext, { news, booking, link, manageToken }: News): Promise<boolean> {
  const { mailer, logger, mailDeadlineMs = mailDeadlineMsUsual } = context.deps
  const facts = factsOf(context, booking, link, manageToken)
  const sendAll = [writeGuestMail(news, facts, mailer.from), writeOrganizerMail(news, facts, mailer.from)].map((message) =>
    withinDeadline(mailDeadlineMs, () => mailer.send(message)),
  )
  const [toGuest, toOrganizer] = await Promise.allSettled(sendAll)
  if (toOrganizer?.status === 'rejected') logger.warn({ err: toOrganizer.reason as unknown, bookingId: booking.id }, 'the organizer could not be mailed')
  const isSent = toGuest?.status === 'fulfilled'
  if (toGuest?.status === 'rejected') logger.warn({ err: toGuest.reason as unknown, bookingId: booking.id }, 'the guest could not be mailed')
  try {
    if (isSent !== booking.confirmationEmailSent) await updateBooking(context.deps.db, booking, { confirmationEmailSent: isSent })
    if (!isSent) await notifyOrganizer(context, news, booking)
  } catch (error) {
    logger.error({ err: error, bookingId: booking.id }, 'what became of a booking mail could not be stored')
  }
  return isSent
}

const unsent: Readonly<Record<BookingNews, string>> = {
  confirmed: 'The confirmation email',
  rescheduled: 'The email with the new time',
  cancelled: 'The cancellation email',
}

async function notifyOrganizer({ deps, at }: BookingContext, news: BookingNews, booking: BookingRow): Promise<void> {
  const { workspaceId, organizerId, id, inviteeName, inviteeEmail, startAt } = booking
  await deps.db.insert(schema.notifications).values({
    workspaceId,
    employeeId: organizerId,
    kind: 'booking.mail-failed',
    text: `${unsent[news]} of the booking of ${inviteeName} could not be sent to ${inviteeEmail}`,
    data: { bookingId: id, startAt, news },
    createdAt: at,
  })
}

function factsOf({ workspace, at }: BookingContext, booking: BookingRow, link: Link, manageToken: string): BookingFacts {
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
    joinUrl: booking.joinUrl,
    manageUrl: `${workspace.baseUrl}/book/manage/${manageToken}`,
    workspace,
    at,
  }
}
