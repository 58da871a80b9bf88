import type { Interval } from './interval.ts'
import { DAY_MS, MINUTE_MS } from './instant.ts'
import { union } from './interval.ts'
import { parseDate, weekdayOf } from './local-date.ts'
import { offsetsBetween, startOfDay, toInstant } from './zone.ts'

/** Local clock times `HH:MM`, up to `24:00`; an end before the start lies on the next day, an end equal to the start means closed. */
export type LocalHours = { start: string; end: string }

/** Working hours of one weekday, 0 = Sunday; a day may have several entries. */
export type WeeklyHours = LocalHours & { day: number }

/** Hours of one local date instead of its weekday's; no hours: closed. Entries for one date add up. */
export type DateOverride = { date: string; hours: LocalHours[] }

/** The working hours of the organizer, in the organizer's zone. */
export type WorkingHours = { timezone: string; weeklyHours: WeeklyHours[]; dateOverrides?: DateOverride[] }

const DAY_MIN = 1440

/** A window extends into the next day at most, zones differ from UTC by up to 16 hours, and a skipped date moves times by one day more. */
const DAYS_BEFORE = 4
const DAYS_AFTER = 1

/**
 * Returns the working windows that may reach into [from, to), as instants in order of their local start; windows of different dates may
 * overlap.
 */
export function workingWindows(hours: WorkingHours, from: number, to: number): Interval[] {
  const rulesOn = rulesByDay(hours)
  const firstDay = Math.floor(from / DAY_MS) - DAYS_BEFORE
  const lastDay = Math.floor(to / DAY_MS) + DAYS_AFTER
  const offsets = offsetsBetween(hours.timezone, (firstDay - 2) * DAY_MS, (lastDay + 4) * DAY_MS)
  const windows: Interval[] = []
  for (let day = firstDay; day <= lastDay; day++) {
    const rules = rulesOn(day)
    if (rules.length === 0 || startOfDay(day, offsets) >= startOfDay(day + 1, offsets)) continue
    for (const rule of rules) {
      const start = toInstant(day * DAY_MS + rule.start * MINUTE_MS, offsets)
      const end = toInstant(day * DAY_MS + rule.end * MINUTE_MS, offsets)
      if (start < end) windows.push({ start, end })
    }
  }
  return windows
}

function rulesByDay({ weeklyHours, dateOverrides = [] }: WorkingHours): (day: number) => Interval[] {
  const weekdays = [0, 1, 2, 3, 4, 5, 6].map((weekday) =>
    union(weeklyHours.filter(({ day }) => day === weekday).flatMap(openMinutes)),
  )
  const hoursByDate = new Map<number, LocalHours[]>()
  for (const { date, hours } of dateOverrides)
    hoursByDate.set(parseDate(date), [...(hoursByDate.get(parseDate(date)) ?? []), ...hours])
  const overrides = new Map([...hoursByDate].map(([day, hours]) => [day, union(hours.flatMap(openMinutes))]))
  return (day) => overrides.get(day) ?? weekdays[weekdayOf(day)]!
}

/** Returns a rule as minutes since its local midnight, or nothing when it is closed. */
function openMinutes(hours: LocalHours): Interval[] {
  const start = minuteOfDay(hours.start)
  const end = minuteOfDay(hours.end)
  if (start === end) return []
  return [{ start, end: end < start ? end + DAY_MIN : end }]
}

function minuteOfDay(text: string): number {
  const clock = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (clock) return Number(clock[1]) * 60 + Number(clock[2])
  if (text === '24:00') return DAY_MIN
  throw new RangeError(`not a clock time: ${text}`)
}
