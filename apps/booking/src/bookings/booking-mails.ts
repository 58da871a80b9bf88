import { withAsciiDomain } from '@crm/contract'
import { schema, type Actor, type BookingRow } from '@crm/db'
import {
  writeGuestMail,
  writeOrganizerMail,
  type BookingChange,
  type BookingFacts,
  type MailMessage,
  type MailOutcome,
} from '@crm/mail'
import { within } from '@crm/runtime'
import type { BookingContext } from '../platform/context.ts'
import type { Link } from '../links/links.repository.ts'
import { keepMail, settleUnsent, type QueuedMail } from './mail-queue.ts'

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

/** What is known of one recipient's mail. */
type Known = 'HAS_IT' | 'WAITS' | 'REFUSED' | 'UNKNOWN'

interface Told {
  readonly known: Known
  /** The answer of the mail server, where it refused. */
  readonly said: string
}

/** One recipient's mail on its way. */
interface OnItsWay {
  /** What is known by the deadline; THOUGHT_ABOUT: the server has the whole message and has not answered. */
  readonly now: Known | 'THOUGHT_ABOUT'
  /** What is known at the end. */
  readonly end: Promise<Told>
}

const needsNone: OnItsWay = { now: 'HAS_IT', end: Promise.resolve({ known: 'HAS_IT', said: '' }) }

/** What the mails of a booking need, whether a guest's request or a later round sends them. */
type MailContext = Omit<BookingContext, 'limits'>

/**
 * Sends guest and organizer their pending mail after the change was committed; returns whether the guest's message was
 * handed over. It never fails: unsent mail is tried again later, and the product tells the organizer about it. A server that thinks
 * about a message is not waited for; what it says in the end is stored then.
 */
export async function mailParticipants(context: MailContext, mailed: MailedBooking): Promise<boolean> {
  const { mail, booking, link } = mailed
  const { mailer, db, clock } = context.deps
  const facts = factsOf(context, booking, link, mail.manageToken)
  const reach = (isDue: boolean, write: typeof writeGuestMail, whom: string): Promise<OnItsWay> => {
    if (!isDue) return Promise.resolve(needsNone)
    const id = `${booking.id}.${mail.sequence}.${whom}`
    return send(context, { ...write(mail.change, facts, mailer.from), id }, { whom, bookingId: booking.id })
  }
  const [guest, organizer] = await Promise.all([
    reach(mail.toGuest, writeGuestMail, 'guest'),
    reach(mail.toOrganizer, writeOrganizerMail, 'organizer'),
  ])
  const settled = settle(context, mailed, { guest, organizer })
  const isThoughtAbout = [guest, organizer].some(({ now }) => now === 'THOUGHT_ABOUT')
  if (isThoughtAbout) await keepMail(db, mail, clock.now().toISOString()).catch(notStored(context, booking))
  else await settled
  return guest.now === 'HAS_IT' || guest.now === 'THOUGHT_ABOUT'
}

/** Stores that nobody knows who has a mail, and tells the organizer. */
export function giveUpUnknown(context: MailContext, mailed: MailedBooking): Promise<void> {
  const end = Promise.resolve<Told>({ known: 'UNKNOWN', said: '' })
  const ofUnknown = (isDue: boolean): OnItsWay => (isDue ? { now: 'UNKNOWN', end } : needsNone)
  const { toGuest, toOrganizer } = mailed.mail
  return settle(context, mailed, { guest: ofUnknown(toGuest), organizer: ofUnknown(toOrganizer) })
}

interface Both {
  readonly guest: OnItsWay
  readonly organizer: OnItsWay
}

async function settle(context: MailContext, { mail, booking }: MailedBooking, both: Both): Promise<void> {
  const { db, clock, mailOutcomes } = context.deps
  const [guest, organizer] = await Promise.all([both.guest.end, both.organizer.end])
  if (guest.known === 'HAS_IT' && organizer.known === 'HAS_IT') return mailOutcomes.note(mail)
  const waits = { guest: guest.known === 'WAITS', organizer: organizer.known === 'WAITS' }
  const guestHasIt = mail.toGuest ? guest.known === 'HAS_IT' : null
  try {
    await settleUnsent(db, mail, { waits, guestHasIt }, clock.now().toISOString())
    const isNews = guest.known === 'WAITS' ? mail.attempts === 0 : guest.known !== 'HAS_IT'
    if (isNews) await notifyOrganizer(context, mail.change, booking, guest)
  } catch (error) {
    notStored(context, booking)(error)
  }
}

function notStored({ deps }: Pick<MailContext, 'deps'>, { id: bookingId }: BookingRow) {
  return (error: unknown): void =>
    deps.logger.error({ err: error, bookingId }, 'what became of a booking mail could not be stored')
}

async function send(
  { deps }: Pick<MailContext, 'deps'>,
  message: MailMessage,
  told: { readonly whom: string; readonly bookingId: string },
): Promise<OnItsWay> {
  const { mailer, logger, mailDeadlineMs = mailDeadlineMsUsual } = deps
  let isHandedOver = false
  const late = new AbortController()
  const end = mailer.send(message, { signal: late.signal, onHandedOver: () => (isHandedOver = true) }).then(
    (outcome) => {
      const known = knownOf(outcome)
      // What the server said may name the guest, so the log does not have it.
      if (known.known !== 'HAS_IT')
        logger.warn({ ...told, known: known.known }, 'a booking mail did not arrive for certain')
      return known
    },
    (error: unknown): Told => {
      logger.warn({ err: error, ...told }, 'a booking mail could not be sent')
      return { known: 'WAITS', said: '' }
    },
  )
  return within(
    mailDeadlineMs,
    end.then(({ known }): OnItsWay => ({ now: known, end })),
    (): OnItsWay => {
      if (isHandedOver) return { now: 'THOUGHT_ABOUT', end }
      late.abort()
      return { now: 'WAITS', end: Promise.resolve({ known: 'WAITS', said: '' }) }
    },
  )
}

function knownOf({ refused, unknown, waiting }: MailOutcome): Told {
  if (unknown.length > 0) return { known: 'UNKNOWN', said: '' }
  if (waiting.length > 0) return { known: 'WAITS', said: '' }
  return refused[0] ? { known: 'REFUSED', said: refused[0].said } : { known: 'HAS_IT', said: '' }
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
  { known, said }: Told,
): Promise<void> {
  const { workspaceId, organizerId, id, inviteeName, inviteeEmail, startAt } = booking
  const mail = `${unsent[change]} of the booking of ${inviteeName}`
  const text =
    known === 'UNKNOWN'
      ? `${mail} may not have reached ${inviteeEmail}: the mail server has not said whether it took it`
      : `${mail} could not be sent to ${inviteeEmail}${said === '' ? '' : ` (${said})`}`
  await deps.db.insert(schema.notifications).values({
    workspaceId,
    employeeId: organizerId,
    kind: 'booking.mail-failed',
    text,
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
      address: withAsciiDomain(booking.inviteeEmail),
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
