import { expect, it } from 'vitest'
import { countryCodeOf, countryCodes, countryName } from './countries.ts'

it.each([
  ['DE', 'DE'],
  [' us ', 'US'],
  ['Germany', 'DE'],
  ['deutschland', 'DE'],
  ['Allemagne', 'DE'],
  ['Alemania', 'DE'],
  ['Германия', 'DE'],
  ['Österreich', 'AT'],
  ['Osterreich', 'AT'],
  ['日本', 'JP'],
  ['Nederland', 'NL'],
  ['Türkiye', 'TR'],
  ['UK', 'GB'],
  ['U.S.A.', undefined],
  ['USA', 'US'],
  ['Czech Republic', 'CZ'],
  ['Cote d’Ivoire', 'CI'],
  ['Narnia', undefined],
  ['', undefined],
])('%s is %s', (text, code) => {
  expect(countryCodeOf(text)).toBe(code)
})

it.each(['en', 'de', 'fr', 'es', 'ru'])('knows each country by the name that is chosen in %s', (language) => {
  const wrong = countryCodes.filter((code) => countryCodeOf(countryName(code, language)) !== code)
  expect(wrong).toEqual([])
})
