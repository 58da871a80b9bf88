import { schema } from '@crm/db'
import { writeGuestMail, writeOrganizerMail } from '@crm/mail'
import { fullName, readWorkspace } from '@crm/identity'
import { and, eq } from 'drizzle-orm'
import { tell } from '../records/notices.ts'
import { lockBookingOf } from './guest-record.ts'
import type { JobHandler } from './job-handler.ts'

const { bookingLinks, employees } = schema

/** After so many failures the organizer gets a notification in the product instead. */
const attemptsMax = 8

/** Mails guest and organizer after the organizer's side has cancelled a booking; the mail removes it from their calendars. */
export const mailCancelledBooking: JobHandler = async ({ row, tx, deps, at }) => {
  const booking = await lockBookingOf(tx, row)
  const workspace = await readWorkspace(deps.pool, row.workspaceId)
  if (!booking || !workspace) return
  const [link] = await tx
    .select()
    .from(bookingLinks)
    .where(and(eq(bookingLinks.workspaceId, workspace.id), eq(bookingLinks.id, booking.linkId)))
  const [organizer] = await tx
    .select()
    .from(employees)
    .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, booking.organizerId)))
  if (!link || !organizer) return
  if (row.attempts >= attemptsMax) {
    const text = `The cancellation email of the booking of ${booking.inviteeName} could not be sent to ${booking.inviteeEmail}`
    await tell(tx, { workspaceId: workspace.id, at }, [
      {
        employeeId: organizer.id,
        kind: 'booking.mail-failed',
        text,
        data: { bookingId: booking.id, name: booking.inviteeName },
      },
    ])
    return
  }
  const { inviteeName, inviteeEmail, inviteeTimezone, inviteeLocale, inviteePhone } = booking
  const facts = {
    ...booking,
    sequence: booking.calendarSequence,
    linkName: link.name,
    organizer: { name: fullName(organizer), address: organizer.email, timezone: link.timezone },
    guest: {
      name: inviteeName,
      address: inviteeEmail,
      timezone: inviteeTimezone,
      locale: inviteeLocale,
      phone: inviteePhone,
    },
    manageUrl: null,
    workspace,
    at,
  }
  await deps.mailer.send(writeGuestMail('cancelled', facts, deps.mailer.from))
  // An error of the organizer's mail is only logged: a retry would send the guest a second mail.
  await deps.mailer
    .send(writeOrganizerMail('cancelled', facts, deps.mailer.from))
    .catch((error: unknown) => deps.logger.warn({ err: error }, 'the organizer could not be mailed'))
}
