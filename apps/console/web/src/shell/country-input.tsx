import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { countryNames } from '../base/countries.ts'

const shownMax = 8

/** A text field for a country that offers the names of all countries; other texts are taken as well. */
export function CountryInput(props: Omit<AutocompleteProps, 'data'>) {
  return <Autocomplete {...props} data={[...countryNames()]} limit={shownMax} autoComplete="off" maxLength={200} />
}
