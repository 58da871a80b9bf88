import { dateLocale, language, t } from './texts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The zone and the clock in which a person reads times. */
export interface Clock {
  /** An IANA zone. */
  readonly zone: string
  readonly timeFormat?: '12h' | '24h'
}

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone

let clock: Clock = { zone: browserZone }
let zoneOfAccount: string | undefined

/** Writes and reads all times by a clock from now on; before the first call it is that of the browser. */
export function setClock(of: Clock): void {
  zoneOfAccount = of.zone
  // A browser may not know a zone that the account has.
  clock = isZone(of.zone) ? of : { ...of, zone: browserZone }
}

/** Adds to the filters of a list that their days, such as `today`, are those of the person. */
export function inOwnDays<Query extends object>(query: Query): Query & { readonly timezone?: string } {
  return zoneOfAccount === undefined ? query : { ...query, timezone: zoneOfAccount }
}

/** The same for a summary, whose groups by day are those of the person, too. */
export function summedInOwnDays<Query extends object>(
  query: Query,
): Query & { readonly timezone?: string; readonly filterTimezone?: string } {
  return zoneOfAccount === undefined ? query : { ...query, timezone: zoneOfAccount, filterTimezone: zoneOfAccount }
}

/** Whether this browser knows a zone. */
export function isZone(zone: string): boolean {
  try {
    return Boolean(formatOf('en', { timeZone: zone }))
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a format, made once: making one takes longer than all else about a date. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format
}

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

/** Returns the distance of an instant in words; beyond a week, its date. */
export function describeAge(instant: string, now: number): string {
  const distanceMs = Date.parse(instant) - now
  const size = Math.abs(distanceMs)
  if (size < 45_000) return t('just now')
  if (size < hourMs) return relative.format(Math.round(distanceMs / minuteMs), 'minute')
  if (size < dayMs) return relative.format(Math.round(distanceMs / hourMs), 'hour')
  return size < 7 * dayMs ? relative.format(Math.round(distanceMs / dayMs), 'day') : describeDay(instant)
}

/** Formats an instant as a date, in the zone of the account or another one. A date without a time is in `UTC`. */
export function describeDay(instant: string, zone = clock.zone): string {
  const timeZone = zone === clock.zone || isZone(zone) ? zone : clock.zone
  return formatOf(dateLocale, { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(new Date(instant))
}

/** Formats an instant as date and time; names the zone where the browser's shows another time. */
export function describeInstant(instant: string): string {
  return withTime(instant, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** So far from now a day needs no year, and its time is still wanted. */
const nearMs = 180 * dayMs

/** Formats an instant for a narrow place: date and time without the year, which is the one that people think of; far from now, its date. */
export function describeMoment(instant: string, now: number): string {
  if (Math.abs(Date.parse(instant) - now) > nearMs) return describeDay(instant)
  return withTime(instant, { day: 'numeric', month: 'short' })
}

/** Formats an instant as a time of its day, such as 14:00, or 14:00 GMT+9. */
export function describeTime(instant: string): string {
  return withTime(instant, {})
}

function withTime(instant: string, date: Intl.DateTimeFormatOptions): string {
  const at = Date.parse(instant)
  const { zone, timeFormat } = clock
  return formatOf(dateLocale, {
    ...date,
    hour: timeFormat === '12h' ? 'numeric' : '2-digit',
    minute: '2-digit',
    timeZone: zone,
    ...(timeFormat && { hourCycle: timeFormat === '12h' ? 'h12' : 'h23' }),
    ...(isElsewhere(at) && { timeZoneName: 'shortOffset' }),
  }).format(at)
}

/** Whether the browser's clock shows another time at a moment than the account's. */
function isElsewhere(at: number): boolean {
  return offsetOf(at, clock.zone) !== offsetOf(at, browserZone)
}

/** Returns the name of the zone in which controls with a time are read, such as GMT+9; undefined where it is the browser's. */
export function foreignZone(at = Date.now()): string | undefined {
  if (!isElsewhere(at)) return undefined
  const parts = formatOf('en', { timeZone: clock.zone, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value
}

/** Returns the day of an instant as a heading: today, yesterday, a weekday of the last week, or a date. */
export function describeDayHeading(instant: string, now: number): string {
  const day = dayOf(instant)
  const days = daysBetween(day, dayOf(now))
  if (days === 0) return t('Today')
  if (days === 1) return t('Yesterday')
  const isNear = days > 1 && days < 7
  return formatOf(dateLocale, {
    ...(isNear ? { weekday: 'long' } : { day: 'numeric', month: 'long', year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(day))
}

/** Returns the day on which an instant is, as `YYYY-MM-DD`, in the zone of the account or another one. */
export function dayOf(at: number | string, zone = clock.zone): string {
  return wallTime(new Date(at).getTime(), isZone(zone) ? zone : clock.zone).slice(0, 10)
}

/** Returns the day of now, as `YYYY-MM-DD`. */
export function today(now = Date.now()): string {
  return dayOf(now)
}

/** Returns the day that is some days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

/** Returns how many days later the other day is. */
function daysBetween(day: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(day)) / dayMs)
}

/** Returns an instant in the form of a control for date and time, `YYYY-MM-DDTHH:mm`. */
export function localTimeOf(instant: string): string {
  return wallTime(Date.parse(instant), clock.zone).slice(0, 16)
}

/**
 * Returns the instant of a date and time as controls write it, or of the beginning of a day. A time that occurs twice is the
 * earlier one, and a time that the clocks skip is as much later as they skip. A text that is none stays as it is, so that it is refused
 * in words.
 */
export function instantOf(local: string): string {
  const plain = Date.parse(`${local.includes('T') ? local : `${local}T00:00`}Z`)
  if (Number.isNaN(plain)) return local
  const candidates = [plain - dayMs, plain + dayMs].map((near) => plain - offsetOf(near, clock.zone))
  const exact = candidates.find((at) => plain - at === offsetOf(at, clock.zone))
  return new Date(exact ?? candidates[0] ?? plain).toISOString()
}

/** Returns how far a zone's clock is ahead of UTC at a moment, in milliseconds. */
function offsetOf(at: number, timeZone: string): number {
  return Date.parse(`${wallTime(at, timeZone)}Z`) - Math.floor(at / 1000) * 1000
}

/** Returns the date and time that a zone's clock shows, as `YYYY-MM-DDTHH:mm:ss`. */
function wallTime(at: number, timeZone: string): string {
  const { year = '', month, day, hour, minute, second } = partsOf(at, timeZone)
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`
}

/** Returns the parts of a date and time; the form in which a language joins them is nothing to compute with, for it changes. */
function partsOf(at: number, timeZone: string): Readonly<Partial<Record<Intl.DateTimeFormatPartTypes, string>>> {
  const [day, time] = ['2-digit', '2-digit'] as const
  const format = formatOf('en', {
    timeZone,
    numberingSystem: 'latn',
    calendar: 'iso8601',
    year: 'numeric',
    month: day,
    day,
    hour: time,
    minute: time,
    second: time,
    hourCycle: 'h23',
  })
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}
