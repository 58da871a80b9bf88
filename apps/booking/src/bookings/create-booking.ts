import type { booking as bookingResource, Input } from '@crm/contract'
import {
  announceBooking,
  inCalendar,
  isContention,
  newId,
  sqlState,
  type BookingRow,
  type CalendarOf,
  type CalendarTransaction,
} from '@crm/db'
import { ApiError } from '@crm/errors'
import { digest, newSecret } from '@crm/identity'
import type { BookingContext } from '../platform/context.ts'
import { withinDeadline } from '../platform/deadline.ts'
import type { Link } from '../links/links.repository.ts'
import { isSlotFree } from '../slots/slots.ts'
import {
  calendarOf,
  confirmPending,
  insertBooking,
  insertCalendarEvent,
  releasePending,
} from './bookings.repository.ts'
import { readAnswers } from './answers.ts'
import { queueMail, type QueuedMail } from './mail-queue.ts'
import { guestActor, mailParticipants } from './booking-mails.ts'
import { toldTimesOf } from './told-times.ts'

export type BookingInput = Input<(typeof bookingResource)['operations']['create']>['body']

/** A request whose answers fit the questions of its link. */
type AnsweredInput = Omit<BookingInput, 'answers'> & { readonly answers: BookingRow['answers'] }

interface Secrets {
  readonly manageToken: string
  readonly callToken: string
}

const callDeadlineMsUsual = 5_000
const minuteMs = 60_000

/** Books a slot and tells both sides; the answer is committed before anybody is told. */
export async function createBooking(context: BookingContext, link: Link, input: BookingInput) {
  const answers = readAnswers(link.questions, input.answers)
  const secrets = { manageToken: newSecret(), callToken: newSecret() }
  const { callProvider } = context.deps
  const roomId = callProvider.nameRoom?.()
  const { booking, mail } = await context.limits.withinShare(context.workspace, link.slug, () =>
    roomId === undefined
      ? bookWithCall(context, link, { ...input, answers }, secrets)
      : bookAtOnce(context, link, { ...input, answers }, secrets, roomId),
  )
  const confirmationEmailSent = await mailParticipants(context, { mail, booking, link })
  const { id: bookingId, joinUrl, startAt, endAt } = booking
  return { bookingId, manageToken: secrets.manageToken, joinUrl, startAt, endAt, confirmationEmailSent }
}

interface Booked {
  readonly booking: BookingRow
  readonly mail: QueuedMail
}

/** The room needs no request, so the slot is taken and everything about it is written in one transaction. */
async function bookAtOnce(
  context: BookingContext,
  link: Link,
  input: AnsweredInput,
  secrets: Secrets,
  roomId: string,
): Promise<Booked> {
  return refusingTakenSlots(() =>
    inCalendar(context.deps.db, undefined, calendarOfLink(context, link), async (tx) => {
      const booking = await takeSlot(tx, context, link, input, secrets, { status: 'CONFIRMED', roomId })
      return { booking, mail: await writeDown(tx, context, link, booking, secrets) }
    }),
  )
}

/**
 * Holds the slot, has the call created, then confirms. Each step is committed before the next begins, so no transaction
 * waits for another server, and nobody else gets the slot meanwhile.
 */
async function bookWithCall(
  context: BookingContext,
  link: Link,
  input: AnsweredInput,
  secrets: Secrets,
): Promise<Booked> {
  const held = await refusingTakenSlots(() =>
    inCalendar(context.deps.db, undefined, calendarOfLink(context, link), (tx) =>
      takeSlot(tx, context, link, input, secrets, { status: 'PENDING', roomId: null }),
    ),
  )
  return confirm(context, link, held, await createCall(context, held), secrets)
}

function calendarOfLink({ workspace }: BookingContext, { organizerId }: Link): CalendarOf {
  return { workspaceId: workspace.id, employeeId: organizerId }
}

async function takeSlot(
  tx: CalendarTransaction,
  { deps, workspace, at }: BookingContext,
  link: Link,
  input: AnsweredInput,
  secrets: Secrets,
  state: Pick<BookingRow, 'status' | 'roomId'>,
): Promise<BookingRow> {
  if (!(await isSlotFree(tx, { workspaceId: workspace.id, link, clock: deps.clock }, input.startAt)))
    throw new ApiError('SLOT_TAKEN')
  return insertBooking(tx, {
    ...state,
    workspaceId: workspace.id,
    id: newId(),
    linkId: link.id,
    organizerId: link.organizerId,
    startAt: input.startAt,
    endAt: endOf(input.startAt, link),
    inviteeName: input.name,
    inviteeEmail: input.email,
    inviteeTimezone: input.timezone,
    toldTimes: toldTimesOf({ startAt: input.startAt, inviteeTimezone: input.timezone }, link.timezone),
    inviteePhone: input.phone ?? null,
    inviteeLocale: input.locale ?? null,
    note: input.note ?? null,
    answers: input.answers,
    manageTokenHash: digest(secrets.manageToken),
    callTokenHash: digest(secrets.callToken),
    joinUrl: `${workspace.baseUrl}/call/${secrets.callToken}`,
    createdAt: at,
  })
}

/** Writes the consequences of a confirmed booking: the organizer's calendar, the events of the change, and the mail to send. */
async function writeDown(
  tx: CalendarTransaction,
  { at }: BookingContext,
  link: Link,
  booking: BookingRow,
  { manageToken }: Secrets,
): Promise<QueuedMail> {
  await insertCalendarEvent(tx, booking, `${link.name}: ${booking.inviteeName}`, at)
  await announceBooking(tx, {
    event: 'booking.created',
    booking,
    actor: guestActor(booking),
    at,
    linkGuest: link.linkGuest,
  })
  return queueMail(tx, { change: 'confirmed', booking, manageToken, at })
}

/** Returns the end of a meeting of this link. */
export function endOf(startAt: string, { durationMin }: Pick<Link, 'durationMin'>): string {
  return new Date(Date.parse(startAt) + durationMin * minuteMs).toISOString()
}

/** The database decides who was first. */
export async function refusingTakenSlots<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === '23P01' || isContention(error)) throw new ApiError('SLOT_TAKEN')
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
  context: BookingContext,
  link: Link,
  held: BookingRow,
  roomId: string,
  secrets: Secrets,
): Promise<Booked> {
  const { deps, at } = context
  const made = await inCalendar(deps.db, undefined, calendarOf(held), async (tx) => {
    const booking = await confirmPending(tx, held, roomId, at)
    return booking && { booking, mail: await writeDown(tx, context, link, booking, secrets) }
  })
  if (made) return made
  // The slot was held for so long that it was released.
  await deps.callProvider.cancel(roomId)
  throw new ApiError('CALL_CREATION_FAILED')
}
