import { Temporal } from 'temporal-polyfill'

/**
 * Names that are known to be zones; the check of a zone takes longer than all other checks of a booking together. Bounded: so many, of
 * which there are fewer.
 */
const known = new Set<string>()
const KNOWN_MAX = 2000

/**
 * Whether a name is a time zone of the IANA database (`Europe/Berlin`, in any case); offsets such as `+02:00` are not. Both readers of
 * zones have to take it: `Intl` still knows old short names, such as `AET`, that `Temporal` refuses.
 */
export function isTimeZone(name: string): boolean {
  if (known.has(name)) return true
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0)
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
  } catch {
    return false
  }
  if (known.size < KNOWN_MAX) known.add(name)
  return true
}

/** Returns a name itself when it is a time zone, otherwise the zone that it stood for, such as `Australia/Sydney` for `AET`; undefined when there is none. */
export function timeZoneFor(name: string): string | undefined {
  if (isTimeZone(name)) return name
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return isTimeZone(timeZone) ? timeZone : undefined
  } catch {
    return undefined
  }
}
