import { losesDigits, LongNumber } from './long-number.ts'
import { composed } from './composed.ts'
/** Matches half of a surrogate pair, after the escapes that only resemble one: a whole pair, and any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g
const halfOfPair = /^\\u[dD].{3}$/

/** Matches JSON with texts that may not be composed: no letter before U+0300 joins another one. */
const mayBeApart = /[\u0300-\uffff]|\\u/

/** Matches JSON that may hold a number with more digits than JavaScript keeps, or a greater one. */
const mayBeLong = /\d[\d.]{15}|\d[eE]/

/** Puts a mark in the place of each number whose digits would be lost. */
function keepDigits(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && source !== undefined && losesDigits(source) ? new LongNumber(source) : value
}

/** Parses JSON into well-formed, composed texts: half of a surrogate pair, which the database cannot store, becomes U+FFFD. */
export function parseJson(json: string): unknown {
  const value: unknown = JSON.parse(
    /\\u[dD]/.test(json)
      ? json.replaceAll(escapes, (escape) => (halfOfPair.test(escape) ? String.raw`\ufffd` : escape))
      : json,
    mayBeLong.test(json) ? keepDigits : undefined,
  )
  return mayBeApart.test(json) ? composed(value) : value
}
