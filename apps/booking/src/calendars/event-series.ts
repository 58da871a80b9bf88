import ICAL from 'ical.js'
import type { ReadComponent } from './calendar-lines.ts'
import { clockMsOf, type Clock } from './calendar-zones.ts'
import { dateMs, dayMs, occurrenceAt, statedTime, timeOfPeriod, type Occurrence, type Stated } from './event-times.ts'
import { clockTimes, type Span } from './recurrence.ts'
import { readRule } from './recurrence-rule.ts'

/** The inputs for reading the parts of a calendar, and the parts that could not be read, or not in full. */
export interface Reading {
  readonly clock: Clock
  readonly window: Span
  /** The deadline on the clock of `performance`. */
  readonly deadline: number
  readonly leftOut: Set<ICAL.Component>
  readonly inPart: Set<ICAL.Component>
  /** The number of occurrences after which a series is cut. */
  readonly eventsMax: number
  /** Whether an event takes no time: it is cancelled, or its owner declined it. */
  readonly isOff: (event: ICAL.Component) => boolean
}

/** One time of an event that takes place. */
export interface Meeting extends Occurrence {
  readonly event: ICAL.Component
}

/** Returns the times of the events of one UID within the window: recurring and single events, and events that replace one occurrence. */
export function expandSeries(series: readonly ReadComponent[], reading: Reading): Meeting[] {
  const { clock, window, inPart, isOff } = reading
  const readable = latest(
    series.flatMap((event) => readableEvent(event, reading)),
    clock,
  )
  const [changes, masters] = [readable.filter(isException), readable.filter((event) => !isException(event))]
  const replaced = changes.flatMap(({ component }) => component.getAllProperties('recurrence-id'))
  const found: Meeting[] = []
  const add = ({ component, stated }: Readable, { startMs, endMs, allDay }: Occurrence) => {
    if (isOff(component) || endMs <= startMs || startMs >= window.untilMs || endMs <= window.fromMs) return
    found.push({ event: component, startMs, endMs, allDay })
    if (!clock.isKnown(stated?.property)) inPart.add(component)
  }
  for (const master of masters) {
    const { stated } = master
    if (!stated) continue
    const lasting = lastingChanges(changes, stated, clock)
    for (const occurrence of occurrencesOf({ ...master, stated }, replaced, lasting, reading)) {
      const change = lasting.findLast(({ sinceClockMs }) => sinceClockMs <= occurrence.clockMs)
      if (change) add(change.event, change.changed(occurrence.clockMs))
      else add(master, occurrence)
    }
  }
  for (const change of changes) if (change.stated) add(change, change.stated)
  return found
}

/** An event whose time is known, unless it is off. */
interface Readable extends ReadComponent {
  readonly stated: Stated | undefined
}

/** An unreadable event is left out, and noted unless it lies outside the window. */
function readableEvent(event: ReadComponent, { clock, window, leftOut, inPart, isOff }: Reading): Readable[] {
  const { component } = event
  const stated = statedTime(event, clock)
  if (stated?.isGuess) inPart.add(component)
  if (stated || isOff(component)) return [{ ...event, stated }]
  const start = component.getFirstProperty('dtstart')
  const startMs = start ? clock.toMs(start) : Number.NaN
  const isElsewhen = startMs < window.fromMs || startMs >= window.untilMs
  if (!isElsewhen || component.hasProperty('rrule')) leftOut.add(component)
  return []
}

/** Of several events that say something about the same occurrences, those of the highest SEQUENCE count (RFC 5545, 3.8.7.4). */
function latest(events: readonly Readable[], clock: Clock): Readable[] {
  const byWhat = Map.groupBy(events, ({ component }) => {
    const of = component.getFirstProperty('recurrence-id')
    return of ? `${clock.toMs(of)} ${of.getFirstParameter('range') ?? ''}` : ''
  })
  return [...byWhat.values()].flatMap((same) => {
    const highest = Math.max(...same.map(sequenceOf))
    return same.filter((event) => sequenceOf(event) === highest)
  })
}

function sequenceOf({ component }: ReadComponent): number {
  return Number(component.getFirstPropertyValue('sequence') ?? 0) || 0
}

function isException({ component }: ReadComponent): boolean {
  return component.hasProperty('recurrence-id')
}

/** A change of one occurrence that also applies to all later ones. */
interface LastingChange {
  readonly event: Readable
  /** The first changed occurrence, by the clock of the series. */
  readonly sinceClockMs: number
  /** The time to which an occurrence at this time of the clock of the series is changed. */
  readonly changed: (clockMs: number) => Occurrence
  /** About how far it moves occurrences. */
  readonly byMs: number
}

/** Returns the changes in order. They go by the clock: what is moved from 9 to 15 o'clock is at 15 o'clock after a change of clocks too. */
function lastingChanges(changes: readonly Readable[], master: Stated, clock: Clock): LastingChange[] {
  const found = changes.flatMap((event): LastingChange[] => {
    const [of, to] = [event.component.getFirstProperty('recurrence-id'), event.stated]
    if (!of || !to || of.getFirstParameter('range')?.toUpperCase() !== 'THISANDFUTURE') return []
    const time = of.getFirstValue() as unknown
    if (!(time instanceof ICAL.Time)) return []
    const sinceClockMs = time.isDate ? dateMs(time) : master.zone.toClock(clock.toMs(of))
    const base = (clockMs: number) => (time.isDate ? Math.floor(clockMs / dayMs) * dayMs : clockMs)
    const changed = (clockMs: number) =>
      occurrenceAt(to.clockMs + base(clockMs) - sinceClockMs, to.length, to.zone, to.allDay)
    return [{ event, sinceClockMs, changed, byMs: Math.abs(to.clockMs - sinceClockMs) + (to.endMs - to.startMs) }]
  })
  return found.toSorted((a, b) => a.sinceClockMs - b.sinceClockMs)
}

const recurrenceNames = ['rrule', 'rdate', 'exdate', 'exrule', 'recurrence-id'] as const

interface Clocked extends Occurrence {
  readonly clockMs: number
}

/**
 * Returns the occurrences of a recurring event that may lie in the window: its beginning, the times of its rules, and
 * single extra days; without its exceptions.
 */
function occurrencesOf(
  { component, unread, stated }: Readable & { readonly stated: Stated },
  replaced: readonly ICAL.Property[],
  lasting: readonly LastingChange[],
  { clock, window, deadline, inPart, eventsMax }: Reading,
): Clocked[] {
  const { zone, length, allDay } = stated
  const isLeftOut = leavesOut([...component.getAllProperties('exdate'), ...replaced], allDay, clock)
  const excluded = new Set<number>()
  const found = new Map<number, Clocked>()
  const put = (clockMs: number, occurrence: Occurrence) => {
    const { startMs, endMs } = occurrence
    // What lies outside of the window counts only where a change may move it there.
    const mayCount = lasting.length > 0 || (endMs > window.fromMs && startMs < window.untilMs)
    if (mayCount && !excluded.has(startMs) && !isLeftOut(startMs, clockMs))
      found.set(startMs, { ...occurrence, clockMs })
  }
  if (recurrenceNames.some((name) => unread.has(name))) inPart.add(component)
  // Whatever of the series may reach into the window; zones are at most 14 hours from UTC.
  const byMs = Math.max(0, ...lasting.map((change) => change.byMs)) + dayMs
  const span = { fromMs: window.fromMs - (stated.endMs - stated.startMs) - byMs, untilMs: window.untilMs + byMs }
  const timesOf = (name: string, counts: boolean, take: (clockMs: number, occurrence: Occurrence) => boolean) => {
    for (const property of component.getAllProperties(name)) {
      const { rule } = readRule(String(property.getFirstValue()))
      for (const clockMs of clockTimes(rule, { clockMs: stated.clockMs, counts }, span, deadline)) {
        const occurrence = occurrenceAt(clockMs, length, zone, allDay)
        if (isOver(rule.until, clockMs, occurrence) || !take(clockMs, occurrence)) break
      }
    }
  }
  try {
    timesOf('exrule', false, (_clockMs, { startMs }) => excluded.add(startMs).size <= excludedMax)
    if (excluded.size > excludedMax) inPart.add(component)
  } catch {
    inPart.add(component)
  }
  put(stated.clockMs, stated)
  for (const property of component.getAllProperties('rdate')) {
    for (const value of property.getValues() as unknown[]) {
      if (value instanceof ICAL.Time) {
        const clockMs = allDay ? dateMs(value) : clockMsOf(value)
        put(clockMs, occurrenceAt(clockMs, length, clock.zoneOf(property, value), allDay))
      }
      if (value instanceof ICAL.Period) {
        const time = timeOfPeriod(value, clock.zoneOf(property, value.start))
        if (time) put(clockMsOf(value.start), time)
        else inPart.add(component)
      }
    }
  }
  try {
    timesOf('rrule', true, (clockMs, occurrence) => {
      put(clockMs, occurrence)
      // One more event than can be stored shows that some are dropped.
      const isFull = found.size > eventsMax
      if (isFull && lasting.length > 0) inPart.add(component)
      return !isFull
    })
  } catch {
    inPart.add(component)
  }
  return [...found.values()]
}

const excludedMax = 20_000

/** Whether an occurrence comes after the end of its rule, which is in UTC or by the clock of the event. */
function isOver(
  until: ReturnType<typeof readRule>['rule']['until'],
  clockMs: number,
  { startMs, allDay }: Occurrence,
): boolean {
  if (!until) return false
  if (until.isDate || allDay) return Math.floor(clockMs / dayMs) > Math.floor(until.clockMs / dayMs)
  return (until.isUtc ? startMs : clockMs) > until.clockMs
}

/** Whether an occurrence is among the exceptions: by its moment, or by its day when the exception is only a day. */
function leavesOut(
  named: readonly ICAL.Property[],
  byDay: boolean,
  { toMs }: Clock,
): (startMs: number, clockMs: number) => boolean {
  const [moments, days] = [new Set<number>(), new Set<number>()]
  for (const property of named) {
    for (const value of property.getValues() as unknown[]) {
      if (!(value instanceof ICAL.Time)) continue
      if (byDay || value.isDate) days.add(dateMs(value))
      else moments.add(toMs(property, value))
    }
  }
  return (startMs, clockMs) => moments.has(startMs) || days.has(Math.floor(clockMs / dayMs) * dayMs)
}
