const ISO_DATE_OR_TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/

/**
 * Returns the moment, in milliseconds since 1970, of a date object, an ISO date (its UTC midnight) or an ISO time with a zone; null for
 * anything else, such as a day that does not exist.
 */
export function toMoment(value: unknown): number | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.getTime()
  const day = typeof value === 'string' ? ISO_DATE_OR_TIME.exec(value)?.[1] : undefined
  if (day === undefined || !isDay(day)) return null
  const ms = Date.parse(value as string)
  return Number.isNaN(ms) ? null : ms
}

/** Whether the calendar has a day; Date.parse takes 30 February for 2 March. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
