import { isTimeZone } from '@crm/scheduling'
import ICAL from 'ical.js'
import { readText, type ReadCalendar, type ReadEvent } from './calendar-lines.ts'
import { describeUnread } from './unread-events.ts'
import { windowsZone } from './windows-zone.ts'

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

export interface ExpandOptions {
  /** The zone for times that name none. */
  readonly timezone: string
  /** ISO 8601 UTC; events that overlap [from, to) are written out. */
  readonly from: string
  readonly to: string
  /** The host of our own invitations: they come back in the calendars of their recipients, and already count as bookings. */
  readonly ownHost: string
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

/** The number of occurrences that are examined before a recurrence is given up; hourly for thirty years. */
const occurrencesMax = 262_980
const recurWithinMsUsually = 8_000
const dayMs = 86_400_000
const lengthMsMax = 36_525 * dayMs
const titleCharactersMax = 200

/**
 * Writes out the readable events of an iCalendar text between two times. Throws when the text is no calendar, or
 * nothing in it can be read.
 */
export function expandCalendar(text: string, options: ExpandOptions): ExpandedCalendar {
  const { calendars, endsEarly } = readText(text)
  const total = calendars.reduce((sum, { events }) => sum + events.length, 0)
  const [leftOut, inPart] = [new Set<ICAL.Component>(), new Set<ICAL.Component>()]
  const [window, deadline] = [
    { fromMs: Date.parse(options.from), untilMs: Date.parse(options.to) },
    performance.now() + (options.recurWithinMs ?? recurWithinMsUsually),
  ]
  const found = shareOf(eventsMax)
  for (const calendar of calendars) {
    const reading: Reading = { clock: clockOf(calendar, options.timezone), window, deadline, leftOut, inPart }
    for (const series of seriesOf(calendar, options.ownHost)) found.add(expandOrLeaveOut(series, reading))
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

/** Groups the events of a calendar by their UID; events without one stand alone, and our own invitations are left out. */
function seriesOf({ events }: ReadCalendar, ownHost: string): ReadEvent[][] {
  const own = new RegExp(`^[0-9a-f-]{36}@${RegExp.escape(ownHost)}$`, 'i')
  const byUid = Map.groupBy(events, ({ component }, at) => String(component.getFirstPropertyValue('uid') ?? '') || at)
  return [...byUid].filter(([uid]) => !own.test(String(uid))).map(([, series]) => series)
}

/** The inputs for reading events, and the events that could not be read, or not in full. */
interface Reading {
  readonly clock: Clock
  readonly window: Window
  /** The deadline on the clock of `performance`. */
  readonly deadline: number
  readonly leftOut: Set<ICAL.Component>
  readonly inPart: Set<ICAL.Component>
}

/** Returns the events of one UID. If they fail, the events of other UIDs still count. */
function expandOrLeaveOut(series: readonly ReadEvent[], reading: Reading): ExternalEvent[] {
  try {
    return expandSeries(series, reading)
  } catch {
    for (const { component } of series) reading.leftOut.add(component)
    return []
  }
}

/** Returns the events of one UID: recurring and single events, and events that replace one occurrence. */
function expandSeries(series: readonly ReadEvent[], reading: Reading): ExternalEvent[] {
  const { clock, window, inPart } = reading
  const readable = series.filter((event) => isReadable(event, reading))
  const [exceptions, masters] = [readable.filter(isException), readable.filter((event) => !isException(event))]
  const replaced = exceptions.flatMap(({ component }) => component.getAllProperties('recurrence-id'))
  const found = new Map<string, ExternalEvent>()
  const addWithin = ({ component }: ReadEvent, { startMs, endMs, allDay }: Occurrence) => {
    if (isCancelled(component) || endMs <= startMs || startMs >= window.untilMs || endMs <= window.fromMs) return
    const event = toExternal(component, { startMs, endMs, allDay })
    found.set([event.startAt, event.endAt, event.busy, event.title].join(), event)
    if (!clock.isKnown(startOf(component)?.property)) inPart.add(component)
  }
  const changeAt = lastingChanges(exceptions, reading)
  for (const master of masters) {
    for (const occurrence of occurrencesOf(master, replaced, reading)) {
      const change = changeAt(occurrence.startMs)
      if (!change) addWithin(master, occurrence)
      else
        addWithin(change.event, {
          startMs: occurrence.startMs + change.byMs,
          endMs: occurrence.startMs + change.byMs + change.lengthMs,
          allDay: change.allDay,
        })
    }
  }
  for (const exception of exceptions) {
    const only = firstOccurrence(exception, reading)
    if (only) addWithin(exception, only)
  }
  return [...found.values()]
}

/**
 * Whether the time of an event can be determined. An unreadable event is left out, and noted unless it lies outside the
 * window.
 */
function isReadable(event: ReadEvent, reading: Reading): boolean {
  const { component } = event
  if (firstOccurrence(event, reading) || isCancelled(component)) return true
  const start = startOf(component)
  const startMs = start && reading.clock.toMs(start.property)
  const isElsewhen = startMs !== undefined && (startMs < reading.window.fromMs || startMs >= reading.window.untilMs)
  if (!isElsewhen || component.hasProperty('rrule')) reading.leftOut.add(component)
  return false
}

/** A change of one occurrence that also applies to all later ones. */
interface LastingChange {
  readonly event: ReadEvent
  readonly sinceMs: number
  readonly byMs: number
  readonly lengthMs: number
  readonly allDay: boolean
}

/** Returns a function that gives the change for an occurrence, if any: the latest one before it. */
function lastingChanges(
  exceptions: readonly ReadEvent[],
  reading: Reading,
): (startMs: number) => LastingChange | undefined {
  const changes = exceptions.flatMap((event): LastingChange[] => {
    const [of, first] = [event.component.getFirstProperty('recurrence-id'), firstOccurrence(event, reading)]
    if (!of || !first || of.getFirstParameter('range')?.toUpperCase() !== 'THISANDFUTURE') return []
    const sinceMs = reading.clock.toMs(of)
    return [
      { event, sinceMs, byMs: first.startMs - sinceMs, lengthMs: first.endMs - first.startMs, allDay: first.allDay },
    ]
  })
  const inOrder = changes.toSorted((a, b) => a.sinceMs - b.sinceMs)
  return (startMs) => inOrder.findLast(({ sinceMs }) => sinceMs <= startMs)
}

function isException({ component }: ReadEvent): boolean {
  return component.hasProperty('recurrence-id')
}

function isCancelled(event: ICAL.Component): boolean {
  return wordOf(event, 'status') === 'CANCELLED'
}

interface Occurrence {
  readonly startMs: number
  readonly endMs: number
  readonly allDay: boolean
}

/** The beginning of an event, as the calendar states it. */
interface Start {
  readonly property: ICAL.Property
  readonly time: ICAL.Time
}

function startOf(event: ICAL.Component): Start | undefined {
  const property = event.getFirstProperty('dtstart')
  const time = property?.getFirstValue()
  return property && time instanceof ICAL.Time ? { property, time } : undefined
}

/** Returns the time of an event without its recurrence, possibly of length zero; undefined when it cannot be read. */
function firstOccurrence(event: ReadEvent, reading: Reading): Occurrence | undefined {
  const start = startOf(event.component)
  if (!start) return undefined
  const lengthMs = lengthOf(event, start, reading)
  if (lengthMs === undefined || lengthMs > lengthMsMax) return undefined
  const startMs = reading.clock.toMs(start.property)
  return { startMs, endMs: startMs + lengthMs, allDay: start.time.isDate }
}

interface Window {
  readonly fromMs: number
  readonly untilMs: number
}

const recurrenceNames = ['rrule', 'rdate', 'exdate', 'recurrence-id'] as const

/**
 * Returns the occurrences of a recurring event: its beginning, the times of its rules, and single extra days; without
 * its exceptions.
 */
function occurrencesOf(event: ReadEvent, replaced: readonly ICAL.Property[], reading: Reading): Occurrence[] {
  const { component, unread } = event
  const {
    clock: { toMs },
    window,
    inPart,
  } = reading
  const [start, first] = [startOf(component), firstOccurrence(event, reading)]
  if (!start || !first) return []
  const { allDay } = first
  const lengthMs = first.endMs - first.startMs
  const isLeftOut = leavesOut([...component.getAllProperties('exdate'), ...replaced], allDay, toMs)
  const found = new Map<number, Occurrence>()
  const put = (startMs: number, date: string, endMs = startMs + lengthMs) => {
    if (!isLeftOut(startMs, date)) found.set(startMs, { startMs, endMs, allDay })
  }
  put(first.startMs, dateOf(start.time))
  if (recurrenceNames.some((name) => unread.has(name))) inPart.add(component)
  for (const property of component.getAllProperties('rdate')) {
    for (const value of property.getValues() as unknown[]) {
      if (value instanceof ICAL.Time) put(allDay ? dateMs(value) : toMs(property, value), dateOf(value))
      if (value instanceof ICAL.Period)
        put(toMs(property, value.start), dateOf(value.start), toMs(property, value.getEnd()))
    }
  }
  try {
    for (const rule of component.getAllProperties('rrule')) {
      for (const { startMs, date } of recur(start, rule.getFirstValue() as unknown as ICAL.Recur, reading)) {
        // One more event than can be stored shows that some are dropped.
        if (startMs >= window.untilMs || found.size > eventsMax) break
        if (startMs + lengthMs > window.fromMs) put(startMs, date)
      }
    }
  } catch {
    inPart.add(component)
  }
  return [...found.values()]
}

/**
 * Yields the times of a rule, earliest first. The rule's end is in UTC while the rule counts by the clock of the event,
 * so the end is checked here. Throws when the rule makes no sense, or takes too long.
 */
function* recur(
  { property, time }: Start,
  rule: ICAL.Recur,
  { clock: { toMs }, window, deadline }: Reading,
): Generator<{ readonly startMs: number; readonly date: string }> {
  const { until, count } = rule
  const { endless, holds } = withoutLimits(rule)
  // Time zones are at most 14 hours from UTC.
  endless.until = ICAL.Time.fromJSDate(new Date(window.untilMs + dayMs), true)
  const isOver = (startMs: number, date: string) =>
    until && (until.isDate || time.isDate ? date > dateOf(until) : startMs > toMs(property, until))
  const iterator = endless.iterator(time)
  let given = 0
  for (let looks = 0; looks <= occurrencesMax && performance.now() <= deadline; looks += 1) {
    const next = iterator.next() as ICAL.Time | null
    if (!next) return
    if (next.compare(time) !== 0 && !holds(next)) continue
    const [startMs, date] = [toMs(property, next), dateOf(next)]
    if (isOver(startMs, date) || given === count) return
    given += 1
    yield { startMs, date }
  }
  throw new Error('The rule takes too long')
}

const limitsByDay = ['byday', 'bymonthday', 'byweekno', 'bymonth'] as const

/** The parts of a rule that limit its times instead of adding some, by its frequency (RFC 5545, 3.3.10). */
const limitsOf: Readonly<Record<string, readonly (keyof typeof valuesOf)[]>> = {
  SECONDLY: ['bysecond', 'byminute', 'byhour', ...limitsByDay],
  MINUTELY: ['byminute', 'byhour', ...limitsByDay],
  HOURLY: ['byhour', ...limitsByDay],
  DAILY: limitsByDay,
  WEEKLY: ['byweekno', 'bymonth'],
  MONTHLY: ['bymonth'],
}

/** The component of a time that each part names. */
const valuesOf = {
  bysecond: ({ second }: ICAL.Time) => [second],
  byminute: ({ minute }: ICAL.Time) => [minute],
  byhour: ({ hour }: ICAL.Time) => [hour],
  byday: (time: ICAL.Time) => [ICAL.Recur.numericDayToIcalDay(time.dayOfWeek())],
  bymonthday: ({ year, month, day }: ICAL.Time) => [day, day - ICAL.Time.daysInMonth(month, year) - 1],
  byweekno: (time: ICAL.Time, weekStart: number) => [time.weekNumber(weekStart)],
  bymonth: ({ month }: ICAL.Time) => [month],
} satisfies Readonly<Record<string, (time: ICAL.Time, weekStart: number) => readonly (string | number)[]>>

/**
 * Returns a rule without its end and its limits, and a function that tells whether a time satisfies these. For a rule
 * such as "every other day that is a Tuesday after a Monday", the library would search for the next time forever.
 */
function withoutLimits(rule: ICAL.Recur): {
  readonly endless: ICAL.Recur
  readonly holds: (time: ICAL.Time) => boolean
} {
  const { until: _until, count: _count, ...parts } = rule.toJSON() as unknown as Record<string, unknown>
  const limits = (limitsOf[rule.freq] ?? []).flatMap((part) =>
    part in parts ? [{ part, named: new Set([parts[part]].flat().map(String)) }] : [],
  )
  const gives = Object.fromEntries(
    Object.entries(parts).filter(([part]) => limits.every((limit) => limit.part !== part)),
  )
  return {
    endless: ICAL.Recur.fromData(gives),
    holds: (time) =>
      limits.every(({ part, named }) => valuesOf[part](time, rule.wkst).some((value) => named.has(String(value)))),
  }
}

/** Whether an occurrence is among the exceptions: by its moment, or by its day when the exception is only a day. */
function leavesOut(
  named: readonly ICAL.Property[],
  byDay: boolean,
  toMs: Clock['toMs'],
): (startMs: number, date: string) => boolean {
  const [moments, days] = [new Set<number>(), new Set<string>()]
  for (const property of named) {
    for (const value of property.getValues() as unknown[]) {
      if (!(value instanceof ICAL.Time)) continue
      if (byDay || value.isDate) days.add(dateOf(value))
      else moments.add(toMs(property, value))
    }
  }
  return (startMs, date) => moments.has(startMs) || days.has(date)
}

function dateOf({ year, month, day }: ICAL.Time): string {
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

function dateMs({ year, month, day }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day)
}

/**
 * Returns the length of an event in milliseconds; undefined when its end cannot be read or comes before its beginning.
 * Whole days last at least one day.
 */
function lengthOf(event: ReadEvent, start: Start, reading: Reading): number | undefined {
  const { isDate } = start.time
  const toldMs = toldLengthOf(event, start, reading)
  if (toldMs !== undefined && toldMs >= 0) return isDate ? Math.max(dayMs, Math.ceil(toldMs / dayMs) * dayMs) : toldMs
  if (!isDate) return undefined
  reading.inPart.add(event.component)
  return dayMs
}

function toldLengthOf(
  { component, unread }: ReadEvent,
  start: Start,
  { clock: { toMs } }: Reading,
): number | undefined {
  const end = component.getFirstProperty('dtend')
  const endTime = end?.getFirstValue()
  if (end && endTime instanceof ICAL.Time) {
    if (start.time.isDate) return dateMs(endTime) - dateMs(start.time)
    return (endTime.isDate ? toMs(start.property, midnightOf(endTime)) : toMs(end)) - toMs(start.property)
  }
  const duration = component.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration) return duration.toSeconds() * 1_000
  return unread.has('dtend') || unread.has('duration') ? undefined : 0
}

function midnightOf({ year, month, day }: ICAL.Time): ICAL.Time {
  return new ICAL.Time({ year, month, day, hour: 0, minute: 0, second: 0, isDate: false }, ICAL.Timezone.localTimezone)
}

function toExternal(event: ICAL.Component, { startMs, endMs, allDay }: Occurrence): ExternalEvent {
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

interface Clock {
  /** Returns the moment of a property's time, or of another time in its zone; dates are midnights in UTC. */
  readonly toMs: (property: ICAL.Property, time?: ICAL.Time) => number
  /** Whether the zone of a property's time is known, or not needed; the owner's zone replaces an unknown one. */
  readonly isKnown: (property: ICAL.Property | undefined) => boolean
}

function clockOf({ zones }: ReadCalendar, floating: string): Clock {
  const described = new Map(zones.flatMap(describedZone))
  const zoneOf = (tzid: string) => ianaName(tzid) ?? described.get(tzid) ?? windowsZone(tzid)
  const isTold = (property: ICAL.Property, time: ICAL.Time) => time.isDate || isUtc(time)
  return {
    isKnown(property) {
      const [time, tzid] = [property?.getFirstValue(), property && tzidOf(property)]
      return !property || !tzid || (time instanceof ICAL.Time && isTold(property, time)) || zoneOf(tzid) !== undefined
    },
    toMs(property, time = property.getFirstValue() as unknown as ICAL.Time) {
      const { year, month, day, hour, minute, second } = time
      if (time.isDate) return dateMs(time)
      const tzid = tzidOf(property)
      const clockMs = Date.UTC(year, month - 1, day, hour, minute, second)
      if (isUtc(time) || (!tzid && isUtc(property.getFirstValue()))) return clockMs
      const zone = (tzid ? zoneOf(tzid) : undefined) ?? floating
      if (typeof zone !== 'string') return clockMs - zone.utcOffset(time) * 1_000
      return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second }).toZonedDateTime(zone)
        .epochMilliseconds
    },
  }
}

function tzidOf(property: ICAL.Property): string | undefined {
  return property.getFirstParameter('tzid')?.trim()
}

/** Returns a zone as the calendar itself describes it; none when no part of its clock can be read. */
function describedZone(component: ICAL.Component): (readonly [tzid: string, zone: ICAL.Timezone])[] {
  try {
    const zone = new ICAL.Timezone(component)
    zone.utcOffset(ICAL.Time.now())
    const hasClock = ['standard', 'daylight'].some((name) =>
      component
        .getAllSubcomponents(name)
        .some(
          (part) => part.hasProperty('dtstart') && part.hasProperty('tzoffsetto') && part.hasProperty('tzoffsetfrom'),
        ),
    )
    return hasClock ? [[String(component.getFirstPropertyValue('tzid')).trim(), zone]] : []
  } catch {
    return []
  }
}

function isUtc(value: unknown): boolean {
  return value instanceof ICAL.Time && value.zone?.tzid === 'UTC'
}

/** Returns the IANA name in a TZID, before which some programs write a path of their own; undefined when there is none. */
function ianaName(tzid: string): string | undefined {
  const words = tzid.split('/')
  const candidates = [tzid, words.slice(-2).join('/'), words.slice(-3).join('/')]
  return candidates.find(isTimeZone)
}
