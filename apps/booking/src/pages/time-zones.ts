import { rawTimeZones } from '@vvo/tzdb'

/** A time zone with the words by which people look for it: cities, abbreviations, and its other names. */
export interface FoundZone {
  readonly name: string
  /** The code of its country, such as JP; the browser names it in the language of the page. */
  readonly country: string
  readonly words: readonly string[]
}

/** Returns all time zones; zones with the same clock and country are one. */
export function timeZones(): FoundZone[] {
  return [
    ...rawTimeZones.map(({ name, countryCode, mainCities, group, abbreviation, dstAbbreviation, alternativeName }) => ({
      name,
      country: countryCode,
      words: [...mainCities, ...group, abbreviation, dstAbbreviation, alternativeName].filter(
        (word) => word !== undefined,
      ),
    })),
    { name: 'UTC', country: '', words: ['GMT'] },
  ]
}
