export { countryCodeOf, countryCodes, countryName } from './countries.ts'
export { postalLines, type PostalAddress } from './postal-lines.ts'
