const ISO_DATE_OR_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/

/**
 * Returns the moment, in milliseconds since 1970, of a date object, an ISO date (its UTC midnight) or an ISO time with a zone; else
 * null.
 */
export function toMoment(value: unknown): number | null {
  const ms =
    value instanceof Date
      ? value.getTime()
      : typeof value === 'string' && ISO_DATE_OR_TIME.test(value)
        ? Date.parse(value)
        : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
