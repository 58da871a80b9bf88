import { schema } from '@crm/db'
import { digest, type Workspace } from '@crm/identity'
import { writeCalendar, writeGuestEvent, type CalendarEntry } from '@crm/mail'
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { findByManageToken } from '../bookings/bookings.repository.ts'
import { factsOf } from '../bookings/booking-mails.ts'
import type { BookingDeps } from '../platform/deps.ts'
import { findLinkOf } from '../links/links.repository.ts'

const { bookings, calendarEvents, calendarFeeds } = schema
const dayMs = 86_400_000
const feedReachesBackMs = 90 * dayMs
const feedEventsMax = 5_000

interface Asked {
  readonly deps: BookingDeps
  readonly reply: FastifyReply
  readonly workspace: Workspace
}

/** Answers with the booking of a manage token as a calendar file; undefined when it is missing or its time is over. */
export async function sendBookingFile(
  { deps, reply, workspace }: Asked,
  token: string,
): Promise<FastifyReply | undefined> {
  const now = deps.clock.now()
  const booking = await findByManageToken(deps.db, workspace.id, token)
  const link = booking && (await findLinkOf(deps.db, booking))
  if (!link || now.getTime() > Date.parse(booking.endAt) + dayMs) return undefined
  const facts = factsOf({ workspace, at: now.toISOString() }, booking, link, token)
  return sendCalendar(reply, 'meeting.ics', writeGuestEvent(facts, booking.status === 'CONFIRMED', deps.mailer.from))
}

/**
 * Answers with the calendar of a feed's owner, without the events of external calendars; undefined when there is no
 * such feed.
 */
export async function sendFeed({ deps, reply, workspace }: Asked, token: string): Promise<FastifyReply | undefined> {
  const now = deps.clock.now()
  const rows = await deps.db
    .select({
      owner: calendarFeeds.employeeId,
      event: calendarEvents,
      booking: { joinUrl: bookings.joinUrl, sequence: bookings.calendarSequence },
    })
    .from(calendarFeeds)
    .leftJoin(
      calendarEvents,
      and(
        eq(calendarEvents.workspaceId, calendarFeeds.workspaceId),
        eq(calendarEvents.employeeId, calendarFeeds.employeeId),
        isNull(calendarEvents.subscriptionId),
        gt(calendarEvents.endAt, new Date(now.getTime() - feedReachesBackMs).toISOString()),
      ),
    )
    .leftJoin(
      bookings,
      and(eq(bookings.workspaceId, calendarEvents.workspaceId), eq(bookings.id, calendarEvents.bookingId)),
    )
    .where(and(eq(calendarFeeds.workspaceId, workspace.id), eq(calendarFeeds.tokenHash, digest(token))))
    .orderBy(asc(calendarEvents.startAt))
    .limit(feedEventsMax)
  if (rows.length === 0) return undefined
  const host = new URL(workspace.baseUrl).hostname
  const entries = rows.flatMap(({ event, booking }): CalendarEntry[] =>
    event
      ? [
          {
            // The organizer's invitation has this UID too, so that a calendar shows the meeting once.
            uid: `${event.bookingId ?? event.id}@${host}`,
            sequence: booking?.sequence ?? 0,
            title: event.title,
            startAt: event.startAt,
            endAt: event.endAt,
            days: event.startDate && event.endDate ? { first: event.startDate, last: event.endDate } : undefined,
            isBusy: event.busy,
            url: booking?.joinUrl,
            changedAt: event.updatedAt,
          },
        ]
      : [],
  )
  return sendCalendar(reply, 'calendar.ics', writeCalendar(workspace.brand.companyName ?? host, entries))
}

function sendCalendar(reply: FastifyReply, fileName: string, content: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send(content)
}
