import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'
import { DAY_MS } from './instant.ts'
import { isTimeZone } from './time-zone.ts'

/** An offset from UTC and the instant from which it holds, until the next one starts (all in milliseconds). */
export type Offset = { since: number; offset: number }

const years = new LRUCache<string, Offset[]>({ max: 4096 })

/** Returns the offsets of a zone between two instants, the one already in force first. */
export function offsetsBetween(timezone: string, from: number, to: number): Offset[] {
  const firstYear = new Date(from).getUTCFullYear()
  const lastYear = new Date(to).getUTCFullYear()
  const offsets = [...offsetsOfYear(timezone, firstYear)]
  for (let year = firstYear + 1; year <= lastYear; year++) offsets.push(...offsetsOfYear(timezone, year))
  return offsets
}

/**
 * Converts a local time (milliseconds since 1970 as its clock shows them) into an instant, like Temporal's `compatible`:
 * a time that the clock skips moves forward by the length of the gap, a time that it shows twice is the first.
 */
export function toInstant(local: number, offsets: Offset[]): number {
  for (let i = 0; i < offsets.length; i++) {
    const { since, offset } = offsets[i]!
    const until = offsets[i + 1]?.since ?? Number.POSITIVE_INFINITY
    const instant = local - offset
    if (instant >= until) continue
    const inGapBefore = instant < since && i > 0
    return inGapBefore ? local - offsets[i - 1]!.offset : instant
  }
  throw new RangeError('a zone without offsets')
}

const MINUTE_MS = 60_000

/**
 * Returns the first instant (milliseconds) after another one at which the clocks of a zone show a time of day, such as `09:00`. A time that
 * the clocks skip is later by the length of the gap on that day; of a time that they show twice the first counts.
 */
export function nextTimeOfDay(time: string, timezone: string, after: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const atLocal = (hours * 60 + minutes) * MINUTE_MS
  const today = Math.floor(after / DAY_MS)
  const offsets = offsetsBetween(timezone, after - 2 * DAY_MS, after + 3 * DAY_MS)
  for (const day of [today - 1, today, today + 1, today + 2]) {
    const instant = toInstant(day * DAY_MS + atLocal, offsets)
    if (instant > after) return instant
  }
  throw new RangeError(`no ${time} in ${timezone}`)
}

/** The offsets of a zone from UTC, in seconds: each holds from its instant (ISO 8601) until the next one; the first one also before. */
export interface OffsetSteps {
  readonly offsets: readonly number[]
  /** The instants of all offsets but the first. */
  readonly since: readonly string[]
}

const steps = new LRUCache<string, OffsetSteps>({ max: 512 })
const FIRST_STEP = Date.UTC(1970, 0, 1)
const LAST_STEP = Date.UTC(2100, 0, 1) - 1

/**
 * Returns all offsets of a zone from 1970 to 2099, so that a database can compute local times without rules of its own. Moments before and
 * after get the first and the last one.
 */
export function offsetSteps(timezone: string): OffsetSteps {
  const found = steps.get(timezone)
  if (found) return found
  const all = offsetsBetween(timezone, FIRST_STEP, LAST_STEP)
  const changes = all.filter(({ offset }, at) => at === 0 || offset !== all[at - 1]!.offset)
  const made = {
    offsets: changes.map(({ offset }) => Math.round(offset / 1000)),
    since: changes.slice(1).map(({ since }) => new Date(since).toISOString()),
  }
  steps.set(timezone, made)
  return made
}

/** Returns local midnight of a date, given as days since 1970-01-01. */
export function startOfDay(day: number, offsets: Offset[]): number {
  return toInstant(day * DAY_MS, offsets)
}

/** Temporal answers one question in microseconds and a query needs hundreds, so each year's offsets of a zone are looked up only once. */
function offsetsOfYear(timezone: string, year: number): Offset[] {
  const key = `${timezone} ${year}`
  const known = years.get(key)
  if (known) return known
  const found = lookUpYear(timezone, year)
  years.set(key, found)
  return found
}

function lookUpYear(timezone: string, year: number): Offset[] {
  if (!isTimeZone(timezone)) throw new RangeError(`not an IANA time zone: ${timezone}`)
  const start = Date.UTC(year, 0, 1)
  const end = Date.UTC(year + 1, 0, 1)
  const offsets: Offset[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timezone)
  while (at && at.epochMilliseconds < end) {
    offsets.push({ since: at.epochMilliseconds, offset: at.offsetNanoseconds / 1e6 })
    at = at.getTimeZoneTransition('next')
  }
  return offsets
}
