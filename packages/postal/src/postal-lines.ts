import { formatAddress } from 'localized-address-format'
import { countryCodeOf, countryName } from './countries.ts'

/** The parts of an address; the country by its code, or in words. */
export interface PostalAddress {
  readonly line1?: string | null
  readonly line2?: string | null
  readonly city?: string | null
  readonly region?: string | null
  readonly postalCode?: string | null
  readonly country?: string | null
}

const isInLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u

/** Returns the lines of an address as its country writes letters, with the name of the country in the language of a locale. */
export function postalLines(address: PostalAddress | null | undefined, locale: string): string[] {
  if (!address) return []
  const { line1, line2, postalCode, city, country } = address
  const code = countryCodeOf(country ?? '')
  // A city that is its own region is written once.
  const region = address.region === city ? undefined : address.region
  const named = code ? countryName(code, locale) : country
  const usual = given(line1, line2, given(postalCode, city).join(' '))
  const local = code
    ? formatAddress(
        {
          postalCountry: code,
          addressLines: given(line1, line2),
          locality: city ?? undefined,
          administrativeArea: region ?? undefined,
          postalCode: postalCode ?? undefined,
        },
        isInLatin.test(Object.values(address).join('')) ? 'latin' : 'local',
      )
    : usual
  // The forms of some countries have no place for a part; nothing that is known is left out.
  const lines = given(line1, line2, postalCode, city).every((part) => isIn(local, part)) ? local : usual
  return given(...lines, region && !isIn(lines, region) ? region : undefined, named)
}

const isIn = (lines: readonly string[], part: string): boolean => lines.some((line) => line.includes(part))

function given(...parts: readonly (string | null | undefined)[]): string[] {
  return parts.filter((part): part is string => typeof part === 'string' && part !== '')
}
