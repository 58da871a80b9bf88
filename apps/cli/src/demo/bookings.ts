import { newId, schema } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { lead as leadKind } from '@crm/model'
import { eq } from 'drizzle-orm'
import type { DemoLead } from './sales.ts'
import { add, dayOf, later, soonest, type Story } from './story.ts'

/** The link that guests of the demo use to book. */
export const introSlug = 'intro-call'

/** The booking links; all future meetings are on that of a manager, so the times of the other one are all free. */
const intro = {
  slug: introSlug,
  name: 'Intro call',
  description: 'Half an hour to get to know each other.',
  durationMin: 30,
  bufferMin: 0,
}
const tour = {
  slug: 'product-tour',
  name: 'Product tour',
  description: 'An hour with somebody who knows every corner of it.',
  durationMin: 60,
  bufferMin: 15,
}

/** What guests booked: the link, the working days from now, their note, and what became of it. */
const meetings = [
  { with: intro, workdays: -9, note: 'We would like to see the stock count with scanners.' },
  { with: intro, workdays: -6, isCancelled: true },
  { with: intro, workdays: -4, note: 'There will be three of us.', isUnsent: true, isRead: true },
  { with: intro, workdays: -2, isUnsent: true },
  { with: tour, workdays: -7, note: 'Is there an interface to our accounting?' },
  { with: tour, workdays: -3, note: 'We would like to see the stock count with scanners.' },
  { with: tour, workdays: 2 },
  { with: tour, workdays: 4, note: 'There will be three of us.', isCancelled: true },
  { with: tour, workdays: 7 },
] as const

type Booking = ReturnType<typeof inventBooking>

/** Adds two booking links, meetings that guests booked with them, and other events of the calendars. */
export async function addBookings(story: Story, leads: readonly DemoLead[]): Promise<void> {
  const { tx, workspaceId, adminId, members, now } = story
  const managerId = members.find(({ department }) => department === 'Sales')?.id ?? adminId
  const weeklyHours = [1, 2, 3, 4, 5].map((day) => ({ day, start: '09:00', end: '17:00' }))
  const links = [
    { ...intro, id: newId(), organizerId: adminId },
    { ...tour, id: newId(), organizerId: managerId },
  ]
  await add(
    story,
    schema.bookingLinks,
    links.map((link) => ({ ...link, timezone: 'Europe/Berlin', weeklyHours })),
  )
  const { id, baseUrl } = schema.workspaces
  const [workspace] = await tx.select({ baseUrl }).from(schema.workspaces).where(eq(id, workspaceId))
  const guests = leads.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  const bookings = meetings.map((meeting, at) => {
    const link = links.find(({ slug }) => slug === meeting.with.slug) as (typeof links)[number]
    return inventBooking(now, meeting, link, guests[at] as DemoLead, `${workspace?.baseUrl ?? ''}/call/`)
  })
  await add(
    story,
    schema.bookings,
    bookings.map(({ row }) => row),
  )
  await fillCalendars(story, bookings)
  for (const booking of bookings) tellBooking(story, booking)
  await tellOrganizer(story, bookings)
}

/**
 * Returns a time `workdays` working days from now, or before now when negative, at an hour within the working hours of
 * summer and winter.
 */
function workday(now: string, workdays: number): string {
  const at = new Date(now)
  for (let left = Math.abs(workdays); left > 0;) {
    at.setUTCDate(at.getUTCDate() + Math.sign(workdays))
    if (at.getUTCDay() % 6 !== 0) left--
  }
  at.setUTCHours(8 + (Math.abs(workdays) % 6), 0, 0, 0)
  return at.toISOString()
}

function inventBooking(
  now: string,
  meeting: (typeof meetings)[number] & { readonly note?: string; readonly isCancelled?: true },
  link: { readonly id: string; readonly name: string; readonly organizerId: string; readonly durationMin: number },
  guest: DemoLead,
  joinRoot: string,
) {
  const { note = null, isCancelled = false } = meeting
  const startAt = workday(now, meeting.workdays)
  const createdAt = soonest(later(startAt, -3), later(now, -1))
  const cancelledAt = isCancelled ? later(createdAt, 0.5) : null
  const callToken = newSecret()
  const row = {
    id: newId(),
    linkId: link.id,
    organizerId: link.organizerId,
    status: isCancelled ? ('CANCELLED' as const) : ('CONFIRMED' as const),
    startAt,
    endAt: later(startAt, link.durationMin / (24 * 60)),
    inviteeName: `${guest.firstName} ${guest.lastName}`,
    inviteeEmail: guest.email,
    inviteePhone: guest.phone,
    inviteeTimezone: 'Europe/Berlin',
    inviteeLocale: 'en',
    note,
    manageTokenHash: digest(newSecret()),
    callTokenHash: digest(callToken),
    joinUrl: `${joinRoot}${callToken}`,
    roomId: newId(),
    confirmationEmailSent: !('isUnsent' in meeting),
    leadId: guest.id,
    cancelledAt,
    calendarSequence: isCancelled ? 1 : 0,
    createdAt,
    updatedAt: cancelledAt ?? createdAt,
  }
  return { row, link, meeting }
}

/** Bookings stand in the calendar of their organizer; the other events there keep nobody busy. */
async function fillCalendars(story: Story, bookings: readonly Booking[]): Promise<void> {
  const booked = bookings
    .filter(({ row }) => row.status === 'CONFIRMED')
    .map(({ link, row: { id: bookingId, organizerId: employeeId, startAt, endAt, inviteeName } }) => {
      return { employeeId, bookingId, title: `${link.name}: ${inviteeName}`, startAt, endAt }
    })
  const [startDate, endDate] = [dayOf(later(story.now, 9)), dayOf(later(story.now, 11))]
  const fair = {
    employeeId: story.adminId,
    title: 'Trade fair (the team is there)',
    startAt: `${startDate}T00:00:00.000Z`,
    endAt: `${endDate}T00:00:00.000Z`,
    allDay: true,
    startDate,
    endDate,
    busy: false,
  }
  await add(story, schema.calendarEvents, [...booked, fair])
}

function tellBooking({ history }: Story, { link, row }: Booking): void {
  const { id, leadId, inviteeName, startAt, endAt, createdAt, cancelledAt } = row
  const on = { entityType: leadKind.entity, entityId: leadId, by: { id: null, name: inviteeName } }
  const related = { relatedType: 'BOOKING', relatedId: id }
  for (const kind of ['BOOKING_CREATED', 'MEETING_SCHEDULED'])
    history.add({ ...on, kind, at: createdAt, data: { startAt, endAt, linkName: link.name }, ...related })
  if (cancelledAt)
    history.add({ ...on, kind: 'MEETING_CANCELLED', at: cancelledAt, data: { startAt, endAt }, ...related })
}

/** Some confirmations did not reach their guests, and the organizer was told so. */
async function tellOrganizer(story: Story, bookings: readonly Booking[]): Promise<void> {
  const unsent = bookings.filter(({ row }) => !row.confirmationEmailSent)
  const notices = unsent.map(({ row: { id: bookingId, inviteeName, inviteeEmail, startAt, createdAt }, meeting }) => ({
    employeeId: story.adminId,
    kind: 'booking.mail-failed' as const,
    text: `The confirmation email of the booking of ${inviteeName} could not be sent to ${inviteeEmail}`,
    data: { bookingId, startAt, change: 'confirmed' },
    createdAt,
    readAt: 'isRead' in meeting ? startAt : null,
  }))
  await add(story, schema.notifications, notices)
}
