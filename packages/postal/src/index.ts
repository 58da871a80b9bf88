export { countryCodeOf, countryCodes } from './countries.ts'
export { postalLines, type PostalAddress } from './postal-lines.ts'
