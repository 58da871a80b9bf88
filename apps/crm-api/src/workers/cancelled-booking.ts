import { withAsciiDomain } from '@crm/contract'
import { schema, type BookingRow } from '@crm/db'
import { refusalsInWords, writeGuestMail, writeOrganizerMail, type MailOutcome } from '@crm/mail'
import { fullName, readWorkspace } from '@crm/identity'
import { and, eq } from 'drizzle-orm'
import { tell } from '../records/notices.ts'
import { lockBookingOf } from './guest-record.ts'
import type { MailJob, MailKind } from '../domain/mail/post.ts'

const { bookingLinks, employees } = schema

/** The event that asks for the mail about a booking that the organizer's side has cancelled. */
export const cancelledMailEvent = 'booking.mail-cancelled'

/** Whom the mail is for; it removes the booking from their calendar. */
type CancelledFor = 'guest' | 'organizer'

/** The mail to guest or organizer after the organizer's side has cancelled a booking. */
export const cancelledMail: MailKind = {
  write: async ({ row, tx, deps, at }) => {
    const booking = await lockBookingOf(tx, row)
    const workspace = await readWorkspace(deps.pool, row.workspaceId)
    const link = booking && (await readLink(tx, booking))
    const organizer = booking && (await readOrganizer(tx, booking))
    if (!booking || !workspace || !link || !organizer) return undefined
    const { inviteeName, inviteeEmail, inviteeTimezone, inviteeLocale, inviteePhone } = booking
    const facts = {
      ...booking,
      sequence: booking.calendarSequence,
      linkName: link.name,
      organizer: { name: fullName(organizer), address: organizer.email, timezone: link.timezone },
      guest: {
        name: inviteeName,
        address: withAsciiDomain(inviteeEmail),
        timezone: inviteeTimezone,
        locale: inviteeLocale,
        phone: inviteePhone,
      },
      manageUrl: null,
      workspace,
      at,
    }
    const writeMail = whomOf(row) === 'guest' ? writeGuestMail : writeOrganizerMail
    return { message: writeMail('cancelled', facts, deps.mailer.from) }
  },
  settle: async ({ row, tx, at }, { outcome, isFinal }) => {
    const isReached = outcome.refused.length + outcome.unknown.length === 0
    const booking = isFinal && !isReached && whomOf(row) === 'guest' ? await lockBookingOf(tx, row) : undefined
    if (!booking) return
    const { organizerId: employeeId, id: bookingId, inviteeName: name } = booking
    const text = sayUnreached(booking, outcome)
    await tell(tx, { workspaceId: row.workspaceId, at }, [
      { employeeId, kind: 'booking.mail-failed', text, data: { bookingId, name } },
    ])
  },
}

function sayUnreached({ inviteeName, inviteeEmail }: BookingRow, { refused, unknown }: MailOutcome): string {
  const mail = `cancellation email of the booking of ${inviteeName}`
  return unknown.length > 0
    ? `It is not known whether the ${mail} was taken for ${inviteeEmail}`
    : `The ${mail} could not be sent to ${refusalsInWords(refused)}`
}

function whomOf({ payload }: MailJob['row']): CancelledFor {
  return payload['whom'] as CancelledFor
}

async function readLink(tx: MailJob['tx'], { workspaceId, linkId }: BookingRow) {
  const [link] = await tx
    .select()
    .from(bookingLinks)
    .where(and(eq(bookingLinks.workspaceId, workspaceId), eq(bookingLinks.id, linkId)))
  return link
}

async function readOrganizer(tx: MailJob['tx'], { workspaceId, organizerId }: BookingRow) {
  const [organizer] = await tx
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, organizerId)))
  return organizer
}
