import { lead } from '@crm/model'
import { newId, schema, type Executor } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { eq } from 'drizzle-orm'
import type { History } from './history.ts'
import type { DemoLead } from './leads.ts'
import { dayMs, type Place } from './place.ts'

type Booking = typeof schema.bookings.$inferInsert & { readonly id: string }

interface Link {
  readonly id: string
  readonly name: string
  readonly organizerId: string
  readonly durationMin: number
}

const notes = [
  'We would like to see the stock count with scanners.',
  null,
  'There will be three of us.',
  null,
  'Is there an interface to our accounting?',
]

/** The link that guests of the demo use to book. */
export const introSlug = 'intro-call'

/**
 * Adds two booking links, meetings that guests booked with them, and other events of the calendars.
 *
 * All future meetings are on the link of a manager, so the times of `intro-call` are all free.
 */
export async function addBookings(
  tx: Executor,
  place: Place,
  leads: readonly DemoLead[],
  history: History,
): Promise<void> {
  const { workspaceId, adminId, members } = place
  const guests = leads.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  const managerId = members.find(({ department }) => department === 'Sales')?.id ?? adminId
  const intro = await addLink(tx, workspaceId, {
    slug: introSlug,
    name: 'Intro call',
    description: 'Half an hour to get to know each other.',
    organizerId: adminId,
    durationMin: 30,
    bufferMin: 0,
  })
  const tour = await addLink(tx, workspaceId, {
    slug: 'product-tour',
    name: 'Product tour',
    description: 'An hour with somebody who knows every corner of it.',
    organizerId: managerId,
    durationMin: 60,
    bufferMin: 15,
  })
  const baseUrl = await readBaseUrl(tx, workspaceId)
  const plans = [
    [intro, -9],
    [intro, -6],
    [intro, -4],
    [intro, -2],
    [tour, -7],
    [tour, -3],
    [tour, 2],
    [tour, 4],
    [tour, 7],
  ] as const
  const made = plans.map(([link, workdays], at) => {
    const guest = guests[at] as DemoLead
    return {
      link,
      guest,
      booking: inventBooking(place, {
        link,
        guest,
        startAt: workday(place, workdays),
        note: notes[at % notes.length] ?? null,
        isCancelled: at === 1 || at === 7,
        joinRoot: `${baseUrl}/call/`,
      }),
    }
  })
  await tx.insert(schema.bookings).values(made.map(({ booking }) => booking))
  await fillCalendars(tx, place, made)
  for (const { link, guest, booking } of made) tellBooking(history, link, guest, booking)
  await tellOrganizer(
    tx,
    place,
    made.map(({ booking }) => booking),
  )
}

async function addLink(
  tx: Executor,
  workspaceId: string,
  about: Omit<Link, 'id'> & Pick<typeof schema.bookingLinks.$inferInsert, 'slug' | 'description' | 'bufferMin'>,
): Promise<Link> {
  const id = newId()
  const weeklyHours = [1, 2, 3, 4, 5].map((day) => ({ day, start: '09:00', end: '17:00' }))
  await tx.insert(schema.bookingLinks).values({ workspaceId, id, timezone: 'Europe/Berlin', weeklyHours, ...about })
  return { id, ...about }
}

async function readBaseUrl(tx: Executor, workspaceId: string): Promise<string> {
  const [workspace] = await tx
    .select({ baseUrl: schema.workspaces.baseUrl })
    .from(schema.workspaces)
    .where(eq(schema.workspaces.id, workspaceId))
  return workspace?.baseUrl ?? ''
}

/**
 * Returns a time `workdays` working days from now, or before now when negative, at an hour within the working hours of
 * summer and winter.
 */
function workday({ now }: Place, workdays: number): string {
  const at = new Date(now)
  for (let left = Math.abs(workdays); left > 0;) {
    at.setUTCDate(at.getUTCDate() + Math.sign(workdays))
    if (at.getUTCDay() % 6 !== 0) left--
  }
  at.setUTCHours(8 + (Math.abs(workdays) % 6), 0, 0, 0)
  return at.toISOString()
}

function nameOf({ firstName, lastName }: DemoLead): string {
  return `${firstName} ${lastName}`
}

interface Plan {
  readonly link: Link
  readonly guest: DemoLead
  readonly startAt: string
  readonly note: string | null
  readonly isCancelled: boolean
  readonly joinRoot: string
}

function inventBooking(
  { workspaceId, now }: Place,
  { link, guest, startAt, note, isCancelled, joinRoot }: Plan,
): Booking {
  const bookedMs = Math.min(Date.parse(startAt) - 3 * dayMs, now.getTime() - dayMs)
  const createdAt = new Date(bookedMs).toISOString()
  const cancelledAt = isCancelled ? new Date(bookedMs + dayMs / 2).toISOString() : null
  const callToken = newSecret()
  return {
    workspaceId,
    id: newId(),
    linkId: link.id,
    organizerId: link.organizerId,
    status: isCancelled ? 'CANCELLED' : 'CONFIRMED',
    startAt,
    endAt: new Date(Date.parse(startAt) + link.durationMin * 60_000).toISOString(),
    inviteeName: nameOf(guest),
    inviteeEmail: guest.email,
    inviteePhone: guest.phone,
    inviteeTimezone: 'Europe/Berlin',
    inviteeLocale: 'en',
    note,
    manageTokenHash: digest(newSecret()),
    callTokenHash: digest(callToken),
    joinUrl: `${joinRoot}${callToken}`,
    roomId: newId(),
    confirmationEmailSent: true,
    leadId: guest.id,
    cancelledAt,
    calendarSequence: isCancelled ? 1 : 0,
    createdAt,
    updatedAt: cancelledAt ?? createdAt,
  }
}

/** Bookings stand in the calendar of their organizer; the other events there keep nobody busy. */
async function fillCalendars(
  tx: Executor,
  { workspaceId, adminId, now }: Place,
  made: readonly { readonly link: Link; readonly booking: Booking }[],
): Promise<void> {
  const booked = made
    .filter(({ booking: { status } }) => status === 'CONFIRMED')
    .map(({ link, booking: { id: bookingId, organizerId: employeeId, startAt, endAt, inviteeName } }) => ({
      workspaceId,
      employeeId,
      bookingId,
      title: `${link.name}: ${inviteeName}`,
      startAt,
      endAt,
    }))
  const [from, to] = [9, 11].map((days) => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10)) as [
    string,
    string,
  ]
  await tx.insert(schema.calendarEvents).values(booked)
  await tx.insert(schema.calendarEvents).values({
    workspaceId,
    employeeId: adminId,
    title: 'Trade fair (the team is there)',
    startAt: `${from}T00:00:00.000Z`,
    endAt: `${to}T00:00:00.000Z`,
    allDay: true,
    startDate: from,
    endDate: to,
    busy: false,
  })
}

function tellBooking(
  history: History,
  { name: linkName }: Link,
  guest: DemoLead,
  { id: relatedId, startAt, endAt, createdAt, cancelledAt }: Booking,
): void {
  const on = {
    entityType: lead.entity,
    entityId: guest.id,
    by: { id: null, name: nameOf(guest) },
    relatedType: 'BOOKING',
    relatedId,
  }
  for (const kind of ['BOOKING_CREATED', 'MEETING_SCHEDULED'])
    history.add({ ...on, kind, at: createdAt as string, data: { startAt, endAt, linkName } })
  if (cancelledAt) history.add({ ...on, kind: 'MEETING_CANCELLED', at: cancelledAt, data: { startAt, endAt } })
}

/** Two confirmations did not reach their guests, and the organizer was told so. */
async function tellOrganizer(
  tx: Executor,
  { workspaceId, adminId }: Place,
  bookings: readonly Booking[],
): Promise<void> {
  const unsent = bookings
    .filter(({ organizerId, status }) => organizerId === adminId && status === 'CONFIRMED')
    .slice(-2)
  for (const [at, { id: bookingId, inviteeName, inviteeEmail, startAt, createdAt = startAt }] of unsent.entries()) {
    await tx.update(schema.bookings).set({ confirmationEmailSent: false }).where(eq(schema.bookings.id, bookingId))
    const text = `The confirmation email of the booking of ${inviteeName} could not be sent to ${inviteeEmail}`
    await tx.insert(schema.notifications).values({
      workspaceId,
      id: newId(),
      employeeId: adminId,
      kind: 'booking.mail-failed',
      text,
      data: { bookingId, startAt, change: 'confirmed' },
      createdAt,
      readAt: at === 0 ? startAt : null,
    })
  }
}
