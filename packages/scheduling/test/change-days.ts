import { DAY_MS } from '../src/instant.ts'

/** Every zone that the platform knows. */
export const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone')

/** Returns the instants at which a zone changes its offset between two times (milliseconds since 1970). */
export function changesOf(timezone: string, from: number, to: number): number[] {
  const changes: number[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone)
  while ((at = at.getTimeZoneTransition('next')) && at.epochMilliseconds < to) changes.push(at.epochMilliseconds)
  return changes
}

/** Returns a window of four days around a change. */
export function daysAround(change: number): { from: string; to: string } {
  return { from: new Date(change - 2 * DAY_MS).toISOString(), to: new Date(change + 2 * DAY_MS).toISOString() }
}
