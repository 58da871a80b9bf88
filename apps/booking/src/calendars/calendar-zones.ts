import { isTimeZone, offsetSteps } from '@crm/scheduling'
import ICAL from 'ical.js'
import type { ReadCalendar, ReadComponent } from './calendar-lines.ts'
import { clockTimes } from './recurrence.ts'
import { readRule } from './recurrence-rule.ts'
import { windowsZone } from './windows-zone.ts'

/** The clocks of a place; `clockMs` are the digits that they show, as if they were in UTC. */
export interface Zone {
  /** A time that the clocks skip is later by the length of the gap; of a time that they show twice the first counts (RFC 5545, 3.3.5). */
  readonly toMs: (clockMs: number) => number
  readonly toClock: (ms: number) => number
}

/** The zones of one calendar. */
export interface Clock {
  /** The zone in which a property states its times. Dates are in UTC, as are times that say so. */
  readonly zoneOf: (property: ICAL.Property, time?: ICAL.Time) => Zone
  /** The moment of a property's time, or of another time in its zone; dates are midnights in UTC. */
  readonly toMs: (property: ICAL.Property, time?: ICAL.Time) => number
  /** Whether the zone of a property's time is known, or not needed; the owner's zone replaces an unknown one. */
  readonly isKnown: (property: ICAL.Property | undefined) => boolean
}

const utc: Zone = { toMs: (clockMs) => clockMs, toClock: (ms) => ms }
const utcNames = /^(?:Z|UTC|GMT)$/i
const dayMs = 86_400_000
/** Clocks that change more often are no clocks. */
const changesMax = 20_000

/**
 * Returns the zones of a calendar. Its own description of a zone goes before what the name of the zone means elsewhere
 * (RFC 5545, 3.6.5); `floating` is for times that name none. Descriptions hold until `untilMs`.
 */
export function clockOf({ zones }: ReadCalendar, floating: string, untilMs: number, deadline: number): Clock {
  const described = new Map(zones.flatMap((zone) => describedZone(zone, untilMs, deadline)))
  // Bounded: the zones that exist, for one reading of a calendar.
  const named = new Map<string, Zone>()
  const byName = (name: string) => named.get(name) ?? (named.set(name, namedZone(name)), named.get(name))
  const find = (tzid: string): Zone | undefined => {
    const name = ianaName(tzid) ?? windowsZone(tzid)
    return described.get(tzid) ?? (name === undefined ? undefined : byName(name))
  }
  const zoneOfProperty = (property: ICAL.Property, time = firstTime(property)): Zone => {
    const tzid = tzidOf(property)
    if (time?.isDate) return utc
    // The library takes some names of zones for UTC, whatever the calendar says of them.
    const own = tzid !== undefined && utcNames.test(tzid) ? described.get(tzid) : undefined
    if (own) return own
    if (isUtc(time) || (!tzid && isUtc(firstTime(property)))) return utc
    return (tzid ? find(tzid) : undefined) ?? (byName(floating) as Zone)
  }
  return {
    zoneOf: zoneOfProperty,
    toMs: (property, time = firstTime(property)) =>
      time === undefined ? Number.NaN : zoneOfProperty(property, time).toMs(clockMsOf(time)),
    isKnown(property) {
      const [time, tzid] = [property && firstTime(property), property && tzidOf(property)]
      return !tzid || time?.isDate === true || isUtc(time) || find(tzid) !== undefined
    },
  }
}

/** The digits of a time, as if they were in UTC. */
export function clockMsOf({ year, month, day, hour, minute, second, isDate }: ICAL.Time): number {
  return isDate ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, hour, minute, second)
}

function firstTime(property: ICAL.Property): ICAL.Time | undefined {
  const value = property.getFirstValue() as unknown
  return value instanceof ICAL.Time ? value : value instanceof ICAL.Period ? value.start : undefined
}

function tzidOf(property: ICAL.Property): string | undefined {
  return property.getFirstParameter('tzid')?.trim()
}

function isUtc(time: ICAL.Time | undefined): boolean {
  return time?.zone?.tzid === 'UTC'
}

/** Returns the IANA name in a TZID, before which some programs write a path of their own; undefined when there is none. */
function ianaName(tzid: string): string | undefined {
  const words = tzid.split('/')
  const candidates = [tzid, words.slice(-2).join('/'), words.slice(-3).join('/')]
  return candidates.find(isTimeZone)
}

function namedZone(name: string): Zone {
  const { offsets, since } = offsetSteps(name)
  return zoneOf({ offsets: offsets.map((seconds) => seconds * 1_000), since: since.map((at) => Date.parse(at)) })
}

/** A change of the clocks; all in milliseconds. */
interface Change {
  readonly atMs: number
  readonly before: number
  readonly after: number
}

/** Returns a zone as the calendar itself describes it; none when a part of the description cannot be read. */
function describedZone(
  { component, unread }: ReadComponent,
  untilMs: number,
  deadline: number,
): (readonly [tzid: string, zone: Zone])[] {
  try {
    if (unread.size > 0) return []
    const parts = ['standard', 'daylight'].flatMap((name) => component.getAllSubcomponents(name))
    const changes = parts.flatMap((part) => changesOf(part, untilMs, deadline)).toSorted((a, b) => a.atMs - b.atMs)
    if (changes.length === 0 || changes.length > changesMax) return []
    const steps = {
      offsets: [changes[0]?.before ?? 0, ...changes.map(({ after }) => after)],
      since: changes.map(({ atMs }) => atMs),
    }
    return [[String(component.getFirstPropertyValue('tzid')).trim(), zoneOf(steps)]]
  } catch {
    return []
  }
}

/** Throws when the part does not say all that it has to. */
function changesOf(part: ICAL.Component, untilMs: number, deadline: number): Change[] {
  const [start, before, after] = ['dtstart', 'tzoffsetfrom', 'tzoffsetto'].map((name) =>
    part.getFirstPropertyValue(name),
  )
  if (!(start instanceof ICAL.Time) || !(before instanceof ICAL.UtcOffset) || !(after instanceof ICAL.UtcOffset))
    throw new RangeError('The clock has no beginning or no offset')
  const [beforeMs, afterMs] = [before.toSeconds() * 1_000, after.toSeconds() * 1_000]
  const span = { fromMs: clockMsOf(start), untilMs: untilMs + 2 * dayMs }
  const clocks = new Set([clockMsOf(start)])
  for (const property of part.getAllProperties('rdate'))
    for (const value of property.getValues() as unknown[]) if (value instanceof ICAL.Time) clocks.add(clockMsOf(value))
  for (const property of part.getAllProperties('rrule')) {
    const { rule } = readRule(String(property.getFirstValue()))
    const { until } = rule
    for (const clockMs of clockTimes(rule, { clockMs: span.fromMs, counts: true }, span, deadline)) {
      if (until && clockMs - (until.isUtc ? beforeMs : 0) > until.clockMs + (until.isDate ? dayMs - 1 : 0)) break
      clocks.add(clockMs)
    }
  }
  return [...clocks].map((clockMs) => ({ atMs: clockMs - beforeMs, before: beforeMs, after: afterMs }))
}

/** The offsets of a zone and the moments of all but the first; in order, all in milliseconds. */
interface Steps {
  readonly offsets: readonly number[]
  readonly since: readonly number[]
}

function zoneOf({ offsets, since }: Steps): Zone {
  const offsetAt = (ms: number): number => {
    let [from, until] = [0, since.length]
    while (from < until) {
      const middle = (from + until) >> 1
      if ((since[middle] ?? 0) <= ms) from = middle + 1
      else until = middle
    }
    return offsets[from] ?? 0
  }
  return {
    toClock: (ms) => ms + offsetAt(ms),
    toMs(clockMs) {
      // An offset is at most a day; the earlier one of two that fit counts, and before a gap the one before it.
      const [earlier, later] = [offsetAt(clockMs - dayMs), offsetAt(clockMs + dayMs)]
      const fits = [earlier, later].find((offset) => offsetAt(clockMs - offset) === offset)
      return clockMs - (fits ?? earlier)
    },
  }
}
