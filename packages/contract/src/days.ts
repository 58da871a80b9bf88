import { Temporal } from 'temporal-polyfill'

export const weekStarts = ['MONDAY', 'SUNDAY', 'SATURDAY'] as const
export type WeekStart = (typeof weekStarts)[number]

/** The number of days by which the week begins before a Monday. */
export const daysBeforeMonday: Readonly<Record<WeekStart, number>> = { MONDAY: 0, SUNDAY: 1, SATURDAY: 2 }

/** The time zone in which days begin, and the first day of the week. */
export interface Calendar {
  /** IANA zone. */
  readonly timezone: string
  readonly weekStart: WeekStart
}

/** The default calendar: days in UTC and weeks from Monday. */
export const plainCalendar: Calendar = { timezone: 'UTC', weekStart: 'MONDAY' }

/** The end of a time range: its first or its last moment. */
export type Bound = 'from' | 'to'

const dateOnly = /^\d{4}-\d{2}-\d{2}$/
const relativeDay =
  /^(?:(?<edge>startOf|endOf)(?<period>Week|Month|Quarter|Year)|today)?(?:(?<sign>[+ -])?(?<count>\d{1,4})(?<unit>[hdwmqy]))?$/

const relativeWords = 'today, startOfMonth or endOfMonth (Week, Quarter, Year), or an offset such as -30d'

/** The formats of moments and days, as an error message names them. */
export const expectedDate = `Expected an ISO 8601 date-time or date, ${relativeWords}`
export const expectedDay = `Expected a date, ${relativeWords}`

const calendarUnits: Readonly<Record<string, (count: number) => Temporal.DurationLike>> = {
  d: (days) => ({ days }),
  w: (weeks) => ({ weeks }),
  m: (months) => ({ months }),
  q: (quarters) => ({ months: 3 * quarters }),
  y: (years) => ({ years }),
}

/** Returns the duration for a unit's letter, such as 2 and `w`; an unknown unit gives an empty duration. */
function durationOf(count: number, unit = 'd'): Temporal.DurationLike {
  return calendarUnits[unit]?.(count) ?? { days: 0 }
}

/** Whether a text is `today`, `startOfMonth`, `-30d` or the like. */
export function isRelativeDate(value: string): boolean {
  return value !== '' && partsOf(value) !== undefined
}

/**
 * Returns the day that a date or a relative date means in a calendar, as `YYYY-MM-DD`; undefined for all other texts.
 *
 * Months, quarters and years are added before the start or end of a period is computed. `endOfMonth-1m` is therefore the last day of
 * the previous month, and a month that is too short gives its last day.
 */
export function dayOf(value: string, calendar: Calendar, now: Date = new Date()): string | undefined {
  return plainDayOf(value, calendar, now)?.toString()
}

function plainDayOf(value: string, { timezone, weekStart }: Calendar, now: Date): Temporal.PlainDate | undefined {
  if (dateOnly.test(value)) return plainDate(value)
  const parts = partsOf(value)
  if (!parts) return undefined
  if (parts.unit === 'h') return dayAt(later(now, parts.count), timezone)
  const today = dayAt(now, timezone)
  const offset = durationOf(parts.count, parts.unit)
  const isAfterwards = parts.unit === 'd' || parts.unit === 'w'
  return isAfterwards ? edgeOf(today, parts, weekStart).add(offset) : edgeOf(today.add(offset), parts, weekStart)
}

/**
 * Returns the first or last moment of the time that a text means in a calendar, ISO 8601. A text that is neither a day nor an offset is
 * returned unchanged.
 * A bare offset in hours is a moment, counted from now.
 */
export function boundOfDay(value: string, bound: Bound, calendar: Calendar, now: Date = new Date()): string {
  const parts = partsOf(value)
  if (parts?.unit === 'h') return later(now, parts.count).toISOString()
  const day = plainDayOf(value, calendar, now)
  if (!day) return value
  const start = (of: Temporal.PlainDate): number => of.toZonedDateTime(calendar.timezone).epochMilliseconds
  return new Date(bound === 'from' ? start(day) : start(day.add({ days: 1 })) - 1).toISOString()
}

interface Parts {
  readonly edge: string | undefined
  readonly period: string | undefined
  /** Negative for the past. */
  readonly count: number
  readonly unit: string | undefined
}

function partsOf(value: string): Parts | undefined {
  const found = value === '' ? undefined : relativeDay.exec(value)?.groups
  if (!found) return undefined
  const { edge, period, sign, count = '0', unit } = found
  // Hours are counted from now, and now has no edge. A day of its own takes no offset without a sign.
  const isNamed = !/^[+ \d-]/.test(value)
  if (isNamed && (unit === 'h' || (unit !== undefined && sign === undefined))) return undefined
  return { edge, period, count: sign === '-' ? -Number(count) : Number(count), unit }
}

function edgeOf(day: Temporal.PlainDate, { edge, period }: Parts, weekStart: WeekStart): Temporal.PlainDate {
  if (edge === undefined) return day
  const start = startOf(day, period, weekStart)
  return edge === 'startOf'
    ? start
    : startOf(start.add(durationOf(1, period?.charAt(0).toLowerCase())), period, weekStart).subtract({ days: 1 })
}

function startOf(day: Temporal.PlainDate, period: string | undefined, weekStart: WeekStart): Temporal.PlainDate {
  if (period === 'Week') return day.subtract({ days: (day.dayOfWeek - 1 + daysBeforeMonday[weekStart]) % 7 })
  const first = day.with({ day: 1 })
  if (period === 'Month') return first
  return period === 'Quarter' ? first.subtract({ months: (first.month - 1) % 3 }) : first.with({ month: 1 })
}

function dayAt(moment: Date, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
}

function later(moment: Date, hours: number): Date {
  return new Date(moment.getTime() + hours * 3_600_000)
}

function plainDate(value: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(value)
  } catch {
    return undefined
  }
}
