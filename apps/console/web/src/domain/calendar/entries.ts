import { dayAfter, localTimeOf } from '../../base/moments.ts'
import { terms } from '../../base/texts.ts'
import { pathOf } from '../../records/record-place.ts'
import type { Agenda, CalendarEvent, Meeting } from './agenda-queries.ts'

/** The kinds of entry of a calendar, which have a colour each. */
export type EntryKind = 'event' | 'free' | 'connected' | 'meeting' | 'activity' | 'task'

/** An entry of the calendar. */
export interface Entry {
  readonly id: string
  readonly kind: EntryKind
  readonly title: string
  readonly allDay: boolean
  /** Local times, or days; the end of days is the day after the last one. */
  readonly start: string
  readonly end: string | undefined
  /** The page of the record behind it. */
  readonly path: string | undefined
  readonly event: CalendarEvent | undefined
  readonly meeting: Meeting | undefined
  /** Whether the person can move it. */
  readonly isOwn: boolean
}

/** Returns everything in an agenda as entries of a calendar, in the zone of the account. */
export function entriesOf({ events, meetings, activities, tasks }: Agenda): readonly Entry[] {
  return [
    ...events.map((event) => entryOf(event, event.bookingId === null ? undefined : meetings.get(event.bookingId))),
    ...activities.flatMap(({ id, subject, startAt, endAt }) =>
      startAt === null
        ? []
        : [
            {
              ...plain,
              id,
              kind: 'activity' as const,
              title: subject ?? terms.kinds.ACTIVITY.one,
              start: localTimeOf(startAt),
              end: endAt === null ? undefined : localTimeOf(endAt),
              path: pathOf({ entityType: 'ACTIVITY', entityId: id }),
            },
          ],
    ),
    ...tasks.flatMap(({ id, title, dueAt }) =>
      dueAt === null
        ? []
        : [
            {
              ...plain,
              id,
              kind: 'task' as const,
              title,
              start: localTimeOf(dueAt),
              end: undefined,
              path: pathOf({ entityType: 'TASK', entityId: id }),
            },
          ],
    ),
  ]
}

const plain = { allDay: false, event: undefined, meeting: undefined, isOwn: false } as const

function entryOf(event: CalendarEvent, meeting: Meeting | undefined): Entry {
  const { id, title, allDay, startDate, endDate, startAt, endAt, bookingId, subscriptionId, busy } = event
  const isDays = allDay && startDate !== null && endDate !== null
  return {
    id,
    kind: bookingId !== null ? 'meeting' : subscriptionId !== null ? 'connected' : busy ? 'event' : 'free',
    title: meeting ? meeting.inviteeName : title,
    allDay: isDays,
    start: isDays ? startDate : localTimeOf(startAt),
    end: isDays ? dayAfter(endDate, 1) : localTimeOf(endAt),
    path: undefined,
    event,
    meeting,
    isOwn: bookingId === null && subscriptionId === null,
  }
}
