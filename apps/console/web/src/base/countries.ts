import { countryCodes } from '@crm/postal'
import { language } from './texts.ts'

/** The choices of a country by its code, in the order of their names. */
export function countryChoices(): { readonly value: string; readonly label: string }[] {
  const format = new Intl.DisplayNames(language, { type: 'region' })
  return countryCodes
    .map((value) => ({ value, label: format.of(value) ?? value }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language))
}

let names: readonly string[] | undefined

/** Returns the names of all countries in the language of the page, in order. */
export function countryNames(): readonly string[] {
  names ??= countryChoices().map(({ label }) => label)
  return names
}
