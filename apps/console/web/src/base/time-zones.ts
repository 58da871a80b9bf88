import { isZone } from './moments.ts'

/** Returns the choices of a time zone: every one in which the browser can show times, and the present one even if it cannot. */
export function timeZones(present: string): { readonly value: string; readonly label: string }[] {
  const zones = new Set([present, 'UTC', ...Intl.supportedValuesOf('timeZone').filter(isZone)])
  return [...zones].toSorted().map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}
