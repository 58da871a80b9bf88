import type { booking as bookingResource, Input } from '@crm/contract'
import { announceBooking, cancelBooking, inCalendar, type BookingRow, type CalendarTransaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { Workspace } from '@crm/identity'
import type { BookingContext } from '../platform/context.ts'
import { findLinkOf, type Link } from '../links/links.repository.ts'
import { toLinkOfBooking } from '../links/links.view.ts'
import { isSlotFree } from '../slots/slots.ts'
import { calendarOf, findByManageToken, lockBooking, moveBooking, updateBooking } from './bookings.repository.ts'
import { endOf, refusingTakenSlots } from './create-booking.ts'
import { queueMail, type QueuedMail } from './mail-queue.ts'
import { guestActor, mailParticipants } from './booking-mails.ts'
import { toldTimesOf } from './told-times.ts'

export type RescheduleInput = Input<(typeof bookingResource)['operations']['reschedule']>['body']

/** A manage token is valid for this time after the end of the meeting (docs/guide/limits.md). */
const validAfterEndMs = 24 * 3_600_000

/** A booking with its link, as its manage token opens it. */
export interface ManagedBooking {
  readonly booking: BookingRow
  readonly link: Link
}

/** Opens a booking by its token, or refuses when the booking is missing or its time is over. */
export async function openManaged({ deps, workspace, at }: BookingContext, token: string): Promise<ManagedBooking> {
  const booking = await findByManageToken(deps.db, workspace.id, token)
  const link = booking && (await findLinkOf(deps.db, booking))
  if (!link) throw new ApiError('BOOKING_NOT_FOUND')
  if (Date.parse(at) > Date.parse(booking.endAt) + validAfterEndMs) throw new ApiError('MANAGE_LINK_EXPIRED')
  return { booking, link }
}

/** Returns a booking as its guest sees it. */
export function toManagedView({ booking, link }: ManagedBooking, workspace: Workspace) {
  const { id: bookingId, startAt, endAt, inviteeName, inviteeEmail, inviteeTimezone, joinUrl } = booking
  const status = booking.status === 'CONFIRMED' ? ('CONFIRMED' as const) : ('CANCELLED' as const)
  return {
    bookingId,
    status,
    startAt,
    endAt,
    inviteeName,
    inviteeEmail,
    inviteeTimezone,
    joinUrl,
    link: toLinkOfBooking(link, workspace),
  }
}

/** Moves a booking to another free slot; an unchanged time changes nothing but the guest's zone. */
export async function rescheduleBooking(
  context: BookingContext,
  manageToken: string,
  { newStartAt, timezone }: RescheduleInput,
) {
  const { booking: found, link } = await openManaged(context, manageToken)
  const inviteeTimezone = timezone ?? found.inviteeTimezone
  const { booking, mail } = await refusingTakenSlots(() =>
    inCalendar(context.deps.db, undefined, calendarOf(found), (tx) =>
      moveUnderLock(tx, context, { booking: found, link }, { startAt: newStartAt, inviteeTimezone, manageToken }),
    ),
  )
  const confirmationEmailSent = mail
    ? await mailParticipants(context, { mail, booking, link })
    : booking.confirmationEmailSent
  return { ...toManagedView({ booking, link }, context.workspace), manageToken, confirmationEmailSent }
}

async function moveUnderLock(
  tx: CalendarTransaction,
  { deps, workspace, at }: BookingContext,
  { booking: found, link }: ManagedBooking,
  {
    startAt,
    inviteeTimezone,
    manageToken,
  }: { readonly startAt: string; readonly inviteeTimezone: string; readonly manageToken: string },
): Promise<{ booking: BookingRow; mail?: QueuedMail }> {
  const current = await lockBooking(tx, found)
  if (current?.status !== 'CONFIRMED') throw new ApiError('BOOKING_NOT_ACTIVE')
  const toldTimes = toldTimesOf({ startAt, inviteeTimezone }, link.timezone)
  if (startAt === current.startAt) {
    if (inviteeTimezone !== current.inviteeTimezone) await updateBooking(tx, current, { inviteeTimezone, toldTimes })
    return { booking: { ...current, inviteeTimezone } }
  }
  const question = { workspaceId: workspace.id, link, clock: deps.clock, exceptBookingId: current.id }
  if (!(await isSlotFree(tx, question, startAt))) throw new ApiError('SLOT_TAKEN')
  const booking = await moveBooking(
    tx,
    current,
    { startAt, endAt: endOf(startAt, link), inviteeTimezone, toldTimes },
    at,
  )
  const changes = (['startAt', 'endAt', 'inviteeTimezone'] as const)
    .map((field) => ({ field, from: current[field], to: booking[field] }))
    .filter(({ from, to }) => from !== to)
  await announceBooking(tx, { event: 'booking.rescheduled', booking, changes, actor: guestActor(booking), at })
  return { booking, mail: await queueMail(tx, { change: 'rescheduled', booking, manageToken, at }) }
}

/** Cancels a booking; its slot is free at once, and its room is closed. */
export async function cancelManaged(
  context: BookingContext,
  manageToken: string,
  reason?: string,
): Promise<{ bookingId: string }> {
  const { deps, workspace, at } = context
  const { booking: found, link } = await openManaged(context, manageToken)
  const { booking, mail } = await inCalendar(deps.db, undefined, calendarOf(found), async (tx) => {
    const cancelled = await cancelBooking(tx, {
      workspaceId: workspace.id,
      id: found.id,
      actor: guestActor(found),
      at,
      reason: reason ?? null,
    })
    if (!cancelled) throw new ApiError('BOOKING_NOT_ACTIVE')
    return {
      booking: cancelled,
      mail: await queueMail(tx, { change: 'cancelled', booking: cancelled, manageToken, at }),
    }
  })
  if (booking.roomId) await closeRoom(context, booking.roomId)
  await mailParticipants(context, { mail, booking, link })
  return { bookingId: booking.id }
}

/** The page lets nobody into the room of a cancelled booking, so a provider that fails here does no harm. */
async function closeRoom({ deps }: BookingContext, roomId: string): Promise<void> {
  await deps.callProvider
    .cancel(roomId)
    .catch((error: unknown) => deps.logger.warn({ err: error }, 'a room could not be closed'))
}
