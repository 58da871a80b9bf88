/** Returns every zone that the browser knows, and the present one even if the browser does not know it. */
export function timeZones(present: string): string[] {
  return [...new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
}
