import { DAY_MS } from './instant.ts'

/** Parses `YYYY-MM-DD` into days since 1970-01-01; a date that does not exist is a RangeError. */
export function parseDate(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text)) throw new RangeError(`not a date: ${text}`)
  return ms / DAY_MS
}

/** Returns the weekday of a day number, 0 = Sunday; 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}
