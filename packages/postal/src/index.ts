export { postalLines, type PostalAddress } from './postal-lines.ts'
