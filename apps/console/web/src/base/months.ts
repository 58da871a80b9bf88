import { dateLocale } from './texts.ts'

/** The day with which a week begins. */
export type WeekStart = 'MONDAY' | 'SUNDAY' | 'SATURDAY'

const dayOfWeek: Readonly<Record<WeekStart, number>> = { SUNDAY: 0, MONDAY: 1, SATURDAY: 6 }
/** A Sunday. */
const someSunday = Date.UTC(2026, 0, 4)
const dayMs = 86_400_000

/** Returns the names of the days of a week, in order. */
export function weekdayNames(start: WeekStart, weekday: 'short' | 'long' = 'short'): readonly string[] {
  const format = new Intl.DateTimeFormat(dateLocale, { weekday, timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, at) => format.format(someSunday + (dayOfWeek[start] + at) * dayMs))
}

/** Returns the days that a month such as `2026-11` shows: whole weeks. */
export function daysOfMonth(month: string, start: WeekStart): readonly string[] {
  const first = new Date(`${month}-01T00:00:00Z`)
  const before = (first.getUTCDay() - dayOfWeek[start] + 7) % 7
  const inMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const count = Math.ceil((before + inMonth) / 7) * 7
  return daysFrom(first.getTime() - before * dayMs, count)
}

/** Returns the days of the week around a day. */
export function daysOfWeek(day: string, start: WeekStart): readonly string[] {
  const date = new Date(`${day}T00:00:00Z`)
  const before = (date.getUTCDay() - dayOfWeek[start] + 7) % 7
  return daysFrom(date.getTime() - before * dayMs, 7)
}

function daysFrom(firstMs: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => new Date(firstMs + at * dayMs).toISOString().slice(0, 10))
}

/** Returns the month some months after another one. */
export function monthAfter(month: string, by: number): string {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, at - 1 + by, 1)).toISOString().slice(0, 7)
}
