export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

/** `T00:00:00.000Z` to `T23:59:00.000Z`. */
const MINUTES_OF_DAY = Array.from({ length: DAY_MS / MINUTE_MS }, (_, minute) => new Date(minute * MINUTE_MS).toISOString().slice(10))

const MS_OF_CLOCK = new Map(MINUTES_OF_DAY.map((clock, minute) => [clock, minute * MINUTE_MS]))

const UTC_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

/** Reads an ISO 8601 UTC time as milliseconds since 1970; anything without `Z` is a RangeError, because it would depend on the server's own zone. */
export function parseInstant(text: string): number {
  const ms = UTC_INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new RangeError(`not a UTC time: ${text}`)
  return ms
}

/** Gives a `parseInstant` for many instants of a few days: a known day plus a known minute costs a fraction of `Date.parse`. */
export function instantParser(): (text: string) => number {
  const days = new Map<string, number>()
  return (text) => {
    const clockMs = MS_OF_CLOCK.get(text.slice(10))
    if (clockMs === undefined) return parseInstant(text)
    const date = text.slice(0, 10)
    let dayMs = days.get(date)
    if (dayMs === undefined) days.set(date, (dayMs = parseInstant(`${date}T00:00:00Z`)))
    return dayMs + clockMs
  }
}

/** Writes milliseconds since 1970 as ISO 8601 UTC with milliseconds and `Z`. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString()
}

/** Writes many instants of a few days: a known day plus a known minute costs a tenth of `toISOString`. */
export function formatInstants(instants: number[]): string[] {
  const dates = new Map<number, string>()
  return instants.map((ms) => {
    const day = Math.floor(ms / DAY_MS)
    const clock = MINUTES_OF_DAY[(ms - day * DAY_MS) / MINUTE_MS]
    if (!clock) return formatInstant(ms)
    let date = dates.get(day)
    if (!date) dates.set(day, (date = formatInstant(day * DAY_MS).split('T')[0]!))
    return date + clock
  })
}
