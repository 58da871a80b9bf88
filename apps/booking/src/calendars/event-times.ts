import ICAL from 'ical.js'
import type { Clock, Zone } from './calendar-zones.ts'
import type { ReadComponent } from './calendar-lines.ts'
import { clockMsOf } from './calendar-zones.ts'

export const dayMs = 86_400_000
const lengthMsMax = 36_525 * dayMs

/** The length of an event: days by the clock, whatever they last, and a time after them (RFC 5545, 3.3.6). */
export interface Length {
  readonly days: number
  readonly ms: number
}

export interface Occurrence {
  readonly startMs: number
  readonly endMs: number
  readonly allDay: boolean
}

/** The time of an event as the calendar states it. */
export interface Stated extends Occurrence {
  readonly property: ICAL.Property
  readonly zone: Zone
  readonly clockMs: number
  readonly length: Length
  /** Whether the length is a guess, because the end cannot be read. */
  readonly isGuess: boolean
}

/** Returns the time of an event without its recurrence, possibly of length zero; undefined when it cannot be read. */
export function statedTime(event: ReadComponent, clock: Clock): Stated | undefined {
  const property = event.component.getFirstProperty('dtstart')
  const time = property?.getFirstValue() as unknown
  if (!property || !(time instanceof ICAL.Time)) return undefined
  const length = lengthOf(event, { property, time }, clock)
  if (length === undefined || !isPossible(length)) return undefined
  const [zone, clockMs] = [clock.zoneOf(property, time), clockMsOf(time)]
  const { isGuess, ...told } = length
  return { property, zone, clockMs, length: told, isGuess, ...occurrenceAt(clockMs, told, zone, time.isDate) }
}

/** Returns the occurrence that begins at a time of the clock of a zone. */
export function occurrenceAt(clockMs: number, length: Length, zone: Zone, allDay: boolean): Occurrence {
  const startMs = zone.toMs(clockMs)
  return { startMs, endMs: endOf(startMs, clockMs, length, zone), allDay }
}

function endOf(startMs: number, clockMs: number, { days, ms }: Length, zone: Zone): number {
  return (days === 0 ? startMs : zone.toMs(clockMs + days * dayMs)) + ms
}

interface Start {
  readonly property: ICAL.Property
  readonly time: ICAL.Time
}

/** Returns undefined when the end cannot be read or comes before the beginning. Whole days last at least one day. */
function lengthOf(event: ReadComponent, start: Start, clock: Clock): (Length & { isGuess: boolean }) | undefined {
  const told = toldLength(event, start, clock)
  const isGood = told !== undefined && told.days * dayMs + told.ms >= 0
  if (!start.time.isDate) return isGood ? { ...told, isGuess: false } : undefined
  const days = isGood ? Math.max(1, told.days + Math.ceil(told.ms / dayMs)) : 1
  return { days, ms: 0, isGuess: !isGood }
}

function toldLength({ component, unread }: ReadComponent, start: Start, { toMs }: Clock): Length | undefined {
  const end = component.getFirstProperty('dtend')
  const endTime = end?.getFirstValue() as unknown
  if (end && endTime instanceof ICAL.Time) {
    if (start.time.isDate) return { days: 0, ms: dateMs(endTime) - dateMs(start.time) }
    const endMs = endTime.isDate ? toMs(start.property, midnightOf(endTime)) : toMs(end)
    return { days: 0, ms: endMs - toMs(start.property) }
  }
  const duration = component.getFirstPropertyValue('duration') as unknown
  if (duration instanceof ICAL.Duration) return lengthOfDuration(duration)
  return unread.has('dtend') || unread.has('duration') ? undefined : { days: 0, ms: 0 }
}

function lengthOfDuration({ weeks, days, hours, minutes, seconds, isNegative }: ICAL.Duration): Length {
  const sign = isNegative ? -1 : 1
  return { days: sign * (weeks * 7 + days), ms: sign * ((hours * 60 + minutes) * 60 + seconds) * 1_000 }
}

/**
 * Returns the time of a period, whose end is a moment or a length; undefined when it ends before it begins, or after more than a life. `zone`
 * is that of its beginning.
 */
export function timeOfPeriod({ start, end, duration }: ICAL.Period, zone: Zone): Occurrence | undefined {
  const length = duration ? lengthOfDuration(duration) : { days: 0, ms: 0 }
  if (!isPossible(length)) return undefined
  const occurrence = occurrenceAt(clockMsOf(start), length, zone, false)
  const endMs = end ? zone.toMs(clockMsOf(end)) : occurrence.endMs
  return isPossible({ days: 0, ms: endMs - occurrence.startMs }) ? { ...occurrence, endMs } : undefined
}

function isPossible({ days, ms }: Length): boolean {
  const lengthMs = days * dayMs + ms
  return lengthMs >= 0 && lengthMs <= lengthMsMax
}

export function dateMs({ year, month, day }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day)
}

function midnightOf({ year, month, day }: ICAL.Time): ICAL.Time {
  return new ICAL.Time({ year, month, day, hour: 0, minute: 0, second: 0, isDate: false }, ICAL.Timezone.localTimezone)
}
