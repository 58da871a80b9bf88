import { WINDOWS_TO_IANA_MAP } from 'windows-iana'

/** The zone that stands for a Windows name where no country is told. */
const worldwide = '001'

const zones: ReadonlyMap<string, string | undefined> = new Map([
  ...WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === worldwide).map(
    ({ windowsName, iana }) => [windowsName.toLowerCase(), iana[0]] as const,
  ),
  // What Outlook calls UTC in calendars that it publishes.
  ['tzone://microsoft/utc', 'Etc/UTC'],
])

/** The IANA time zone that a name of Windows stands for, which Outlook and Exchange write into calendars in any case of letters. */
export function windowsZone(name: string): string | undefined {
  return zones.get(name.toLowerCase())
}
