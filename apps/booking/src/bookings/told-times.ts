import type { BookingRow, ToldTimes } from '@crm/db'
import { Temporal } from 'temporal-polyfill'

/** The release of the rules of time zones that this process has; undefined where the runtime does not say. */
export const zoneRules = process.versions['tz']

/** Returns when a meeting begins on the clocks of host and guest; null where the runtime does not say which rules it has. */
export function toldTimesOf(
  { startAt, inviteeTimezone }: Pick<BookingRow, 'startAt' | 'inviteeTimezone'>,
  hostTimezone: string,
  rules: string | undefined = zoneRules,
): ToldTimes | null {
  if (rules === undefined) return null
  const told = (timezone: string) => ({ timezone, local: localTime(startAt, timezone) })
  return {
    rules,
    startAt: new Date(startAt).toISOString(),
    host: told(hostTimezone),
    guest: told(inviteeTimezone),
  }
}

/** The beginning of a meeting that another rule has moved on the clocks of a zone; both times like `2027-01-13T10:00`. */
export interface MovedTime {
  readonly timezone: string
  readonly before: string
  readonly after: string
}

/** Returns the local times that are no longer as they were told, that of the host first. */
export function movedTimes({ startAt, host, guest }: ToldTimes): readonly MovedTime[] {
  const told = host.timezone === guest.timezone ? [host] : [host, guest]
  return told
    .map(({ timezone, local }) => ({ timezone, before: local, after: localTime(startAt, timezone) }))
    .filter(({ before, after }) => before !== after)
}

function localTime(at: string, timezone: string): string {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDateTime()
  return local.toString({ smallestUnit: 'minute' })
}
