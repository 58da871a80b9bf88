import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'
import { DAY_MS } from './instant.ts'

/** An offset from UTC and the instant from which it holds, until the next one starts (all in milliseconds). */
export type Offset = { since: number; offset: number }

const years = new LRUCache<string, Offset[]>({ max: 4096 })

/** Whether a name is a time zone of the IANA database (`Europe/Berlin`, in any case); offsets such as `+02:00` are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0)
    return true
  } catch {
    return false
  }
}

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
