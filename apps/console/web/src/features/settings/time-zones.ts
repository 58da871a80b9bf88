/** Every zone that the browser knows; the present one is among them even when the browser does not know it. */
export function timeZones(present: string): string[] {
  return [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
}
