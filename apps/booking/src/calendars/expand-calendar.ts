import { timeZoneFor } from '@crm/scheduling'
import type ICAL from 'ical.js'
import { readText, type ReadCalendar, type ReadComponent } from './calendar-lines.ts'
import { clockOf } from './calendar-zones.ts'
import { expandSeries, type Meeting, type Reading } from './event-series.ts'
import { dayMs } from './event-times.ts'
import { busyTimes } from './free-busy.ts'
import { describeUnread } from './unread-events.ts'

/** One event of an external calendar, as it is stored; a recurring event becomes one for each occurrence. */
export interface ExternalEvent {
  readonly title: string
  /** ISO 8601 UTC; a whole day begins at its midnight in UTC. */
  readonly startAt: string
  readonly endAt: string
  readonly allDay: boolean
  /** The dates of whole days, the last one included. */
  readonly startDate: string | null
  readonly endDate: string | null
  readonly busy: boolean
}

/** What is known about the owner of a calendar. */
export interface CalendarOwner {
  /** All email addresses, in any case. */
  readonly addresses: readonly string[]
  /** The bookings that the owner hosts: they count already, and come back by their id where they stand at their time. */
  readonly bookings: readonly { readonly id: string; readonly startAt: string; readonly endAt: string }[]
}

export interface ExpandOptions {
  /** The zone for times that name none. */
  readonly timezone: string
  /** ISO 8601 UTC; events that overlap [from, to) are written out. */
  readonly from: string
  readonly to: string
  readonly owner: CalendarOwner
  /**
   * The time for the recurrences of the calendar, 8 s by default; a recurrence that is not expanded by then counts only
   * at its beginning.
   */
  readonly recurWithinMs?: number
}

export interface ExpandedCalendar {
  readonly events: ExternalEvent[]
  /** The parts of the calendar that do not count, in words for its owner; null when everything counts. */
  readonly problem: string | null
}

/** The number of events that one calendar may have, the earliest first. */
export const eventsMax = 5_000

const recurWithinMsUsually = 8_000
const titleCharactersMax = 200

/**
 * Writes out the readable events of an iCalendar text between two times. Throws when the text is no calendar, or
 * nothing in it can be read.
 */
export function expandCalendar(text: string, options: ExpandOptions): ExpandedCalendar {
  const { calendars, isMixedUp, endsEarly } = readText(text)
  const total = calendars.reduce((sum, { events, freeBusy }) => sum + events.length + freeBusy.length, 0)
  const [leftOut, inPart] = [new Set<ICAL.Component>(), new Set<ICAL.Component>()]
  const deadline = performance.now() + (options.recurWithinMs ?? recurWithinMsUsually)
  const window = { fromMs: Date.parse(options.from), untilMs: Date.parse(options.to) }
  const isOff = offFor(options.owner)
  const isOwn = ownMeetings(options.owner)
  const found = shareOf(eventsMax)
  for (const calendar of calendars) {
    const clock = clockOf(calendar, timeZoneFor(options.timezone) ?? 'UTC', window.untilMs, deadline)
    const reading: Reading = { clock, window, deadline, leftOut, inPart, eventsMax, isOff }
    for (const meetings of meetingsOf(calendar, reading))
      found.add(distinct(meetings.filter((meeting) => !isOwn(meeting)).map(toExternal)))
  }
  if (calendars.length === 0 || (total === 0 && endsEarly)) throw new Error('There is no calendar in it')
  if (total > 0 && leftOut.size === total) throw new Error('None of the events of the calendar can be read')
  const { events, isFull } = found.taken()
  const titles = (of: ReadonlySet<ICAL.Component>) => [...of].map(titleOf)
  return {
    events,
    problem: describeUnread({
      total,
      leftOut: titles(leftOut),
      inPart: titles(inPart),
      others: [...new Set(calendars.flatMap(({ others }) => [...others]))].map((name) => name.toUpperCase()),
      isMixedUp,
      endsEarly,
      eventsMax: isFull ? eventsMax : null,
    }),
  }
}

/** Collects events and drops the latest as soon as there are too many, which limits their memory. */
function shareOf(max: number) {
  let [events, isFull]: [ExternalEvent[], boolean] = [[], false]
  const cut = () => {
    isFull ||= events.length > max
    events = events.toSorted((a, b) => (a.startAt < b.startAt ? -1 : 1)).slice(0, max)
  }
  return {
    add: (more: readonly ExternalEvent[]) => {
      for (const event of more) events.push(event)
      if (events.length > 2 * max) cut()
    },
    taken: () => (cut(), { events, isFull }),
  }
}

/** Yields the meetings of each series and free-busy answer. If one of them fails, the others still count. */
function* meetingsOf(calendar: ReadCalendar, reading: Reading): Generator<Meeting[]> {
  for (const series of seriesOf(calendar)) yield orLeaveOut(series, reading, () => expandSeries(series, reading))
  for (const answer of calendar.freeBusy) yield orLeaveOut([answer], reading, () => busyTimes(answer, reading))
}

function orLeaveOut(parts: readonly ReadComponent[], { leftOut }: Reading, read: () => Meeting[]): Meeting[] {
  try {
    return read()
  } catch {
    for (const { component } of parts) leftOut.add(component)
    return []
  }
}

/** Groups the events of a calendar by their UID; events without one stand alone. */
function seriesOf({ events }: ReadCalendar): ReadComponent[][] {
  return [...Map.groupBy(events, ({ component }, at) => uidOf(component) || at).values()]
}

function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue('uid') ?? '')
}

/**
 * Returns whether a meeting is a booking of the owner, known by its id and its time. What was moved in the other
 * calendar keeps the owner busy there, and so does the booking of a colleague.
 */
function ownMeetings({ bookings }: CalendarOwner): (meeting: Meeting) => boolean {
  const times = new Map(bookings.map(({ id, startAt, endAt }) => [id.toLowerCase(), [startAt, endAt].map(Date.parse)]))
  return ({ event, startMs, endMs }) => {
    const [start, end] = times.get(uidOf(event).split('@', 1)[0]?.toLowerCase() ?? '') ?? []
    return start === startMs && end === endMs
  }
}

/** Returns whether an event takes no time: it is cancelled, or the owner declined it under every address that it names. */
function offFor({ addresses }: CalendarOwner): (event: ICAL.Component) => boolean {
  const own = new Set(addresses.map((address) => address.toLowerCase()))
  const isOwner = (attendee: ICAL.Property) =>
    [String(attendee.getFirstValue() ?? ''), attendee.getFirstParameter('email') ?? '']
      .map((value) =>
        value
          .trim()
          .replace(/^mailto:/i, '')
          .toLowerCase(),
      )
      .some((address) => own.has(address))
  return (event) => {
    if (wordOf(event, 'status') === 'CANCELLED') return true
    const answers = event.getAllProperties('attendee').filter(isOwner)
    const declined = answers.filter((attendee) => attendee.getFirstParameter('partstat')?.toUpperCase() === 'DECLINED')
    return answers.length > 0 && declined.length === answers.length
  }
}

function distinct(events: readonly ExternalEvent[]): ExternalEvent[] {
  return [
    ...new Map(events.map((event) => [[event.startAt, event.endAt, event.busy, event.title].join(), event])).values(),
  ]
}

function toExternal({ event, startMs, endMs, allDay }: Meeting): ExternalEvent {
  const [startAt, endAt] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()]
  return {
    title: titleOf(event),
    startAt,
    endAt,
    allDay,
    startDate: allDay ? startAt.slice(0, 10) : null,
    endDate: allDay ? new Date(endMs - dayMs).toISOString().slice(0, 10) : null,
    busy: wordOf(event, 'transp') !== 'TRANSPARENT' && wordOf(event, 'x-microsoft-cdo-busystatus') !== 'FREE',
  }
}

function wordOf(event: ICAL.Component, name: string): string {
  return String(event.getFirstPropertyValue(name) ?? '')
    .trim()
    .toUpperCase()
}

function titleOf(event: ICAL.Component): string {
  const summary = String(event.getFirstPropertyValue('summary') ?? '')
    .toWellFormed()
    .replaceAll('\0', '')
    .trim()
  return Array.from(summary).slice(0, titleCharactersMax).join('') || '–'
}
