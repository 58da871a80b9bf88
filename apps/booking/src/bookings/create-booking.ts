import type { booking as bookingResource, Input } from '@crm/contract'
import { announceBooking, inTransaction, lockCalendar, newId, sqlState, type BookingRow } from '@crm/db'
import { ApiError } from '@crm/errors'
import { digest, newSecret } from '@crm/identity'
import type { BookingContext } from '../context.ts'
import { withinDeadline } from '../deadline.ts'
import type { Link } from '../links/links.repository.ts'
import { isSlotFree } from '../slots/slots.ts'
import { confirmPending, insertCalendarEvent, insertPending, releasePending } from './bookings.repository.ts'
import { queueMail, type QueuedMail } from './mail-queue.ts'
import { guestActor, tellOfBooking } from './news.ts'

export type BookingInput = Input<(typeof bookingResource)['operations']['create']>['body']

interface Secrets {
  readonly manageToken: string
  readonly callToken: string
}

const callDeadlineMsUsual = 5_000
const minuteMs = 60_000

/**
 * Books a slot: hold it, create the call, confirm, tell. Each step is committed before the next begins, so that no
 * transaction waits for another server and the slot is nobody else's meanwhile.
 */
export async function createBooking(context: BookingContext, link: Link, input: BookingInput) {
  const secrets = { manageToken: newSecret(), callToken: newSecret() }
  const held = await holdSlot(context, link, input, secrets)
  const roomId = await createCall(context, held)
  const { booking, mail } = await confirm(context, link, held, { roomId, manageToken: secrets.manageToken })
  const confirmationEmailSent = await tellOfBooking(context, { mail, booking, link })
  const { id: bookingId, joinUrl, startAt, endAt } = booking
  return { bookingId, manageToken: secrets.manageToken, joinUrl, startAt, endAt, confirmationEmailSent }
}

async function holdSlot({ deps, workspace, at }: BookingContext, link: Link, input: BookingInput, secrets: Secrets): Promise<BookingRow> {
  const { organizerId } = link
  return refusingTakenSlots(() =>
    inTransaction(deps.db, undefined, async (tx) => {
      await lockCalendar(tx, workspace.id, organizerId)
      const now = deps.clock.now().toISOString()
      if (!(await isSlotFree(tx, { workspaceId: workspace.id, link, now }, input.startAt))) throw new ApiError('SLOT_TAKEN')
      return insertPending(tx, {
        workspaceId: workspace.id,
        id: newId(),
        linkId: link.id,
        organizerId,
        startAt: input.startAt,
        endAt: endOf(input.startAt, link),
        inviteeName: input.name,
        inviteeEmail: input.email,
        inviteeTimezone: input.timezone,
        inviteePhone: input.phone,
        inviteeLocale: input.locale,
        note: input.note,
        manageTokenHash: digest(secrets.manageToken),
        callTokenHash: digest(secrets.callToken),
        joinUrl: `${workspace.baseUrl}/call/${secrets.callToken}`,
        createdAt: at,
        updatedAt: at,
      })
    }),
  )
}

/** When a meeting of this link ends. */
export function endOf(startAt: string, { durationMin }: Pick<Link, 'durationMin'>): string {
  return new Date(Date.parse(startAt) + durationMin * minuteMs).toISOString()
}

/** The database has the last word on who was first. */
export async function refusingTakenSlots<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === '23P01') throw new ApiError('SLOT_TAKEN')
    throw error
  }
}

async function createCall({ deps, at }: BookingContext, held: BookingRow): Promise<string> {
  const { callProvider, callDeadlineMs = callDeadlineMsUsual, logger } = deps
  const { id: bookingId, startAt, endAt } = held
  try {
    const { roomId } = await withinDeadline(callDeadlineMs, async (signal) => {
      const room = await callProvider.create({ bookingId, startAt, endAt }, signal)
      if (signal.aborted) await callProvider.cancel(room.roomId)
      return room
    })
    return roomId
  } catch (error) {
    logger.warn({ err: error, bookingId }, 'the video call could not be created')
    await releasePending(deps.db, held, at)
    throw new ApiError('CALL_CREATION_FAILED')
  }
}

async function confirm(
  { deps, at }: BookingContext,
  link: Link,
  held: BookingRow,
  { roomId, manageToken }: { readonly roomId: string; readonly manageToken: string },
): Promise<{ booking: BookingRow; mail: QueuedMail }> {
  const made = await inTransaction(deps.db, undefined, async (tx) => {
    const confirmed = await confirmPending(tx, held, roomId, at)
    if (!confirmed) return undefined
    await insertCalendarEvent(tx, confirmed, `${link.name}: ${confirmed.inviteeName}`, at)
    await announceBooking(tx, { event: 'booking.created', booking: confirmed, actor: guestActor(confirmed), at, linkGuest: link.linkGuest })
    return { booking: confirmed, mail: await queueMail(tx, { news: 'confirmed', booking: confirmed, manageToken, at }) }
  })
  if (made) return made
  // Held for so long that it was given back.
  await deps.callProvider.cancel(roomId)
  throw new ApiError('CALL_CREATION_FAILED')
}
