/** Returns the choices of a time zone: every one that the browser knows, and the present one even if it does not. */
export function timeZones(present: string): { readonly value: string; readonly label: string }[] {
  const zones = new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...zones].toSorted().map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}
