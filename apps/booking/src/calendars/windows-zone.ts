import { WINDOWS_TO_IANA_MAP } from 'windows-iana'

/** The territory code for the worldwide default of a Windows zone. */
const worldwide = '001'

const zones: ReadonlyMap<string, string | undefined> = new Map([
  ...WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === worldwide).map(
    ({ windowsName, iana }) => [windowsName.toLowerCase(), iana[0]] as const,
  ),
  // Outlook's name for UTC in the calendars that it publishes.
  ['tzone://microsoft/utc', 'Etc/UTC'],
])

/** Returns the IANA time zone of a Windows name; Outlook and Exchange write such names into calendars, in any case of letters. */
export function windowsZone(name: string): string | undefined {
  return zones.get(name.toLowerCase())
}
