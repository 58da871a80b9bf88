import { toStorable } from './storable.ts'

/** More digits than every number of JavaScript has. */
const manyDigits = /\d{16}/

/**
 * Returns JSON that somebody else wrote, in a form that the database can hold; undefined for a text that is none, or has more than 200
 * levels. An integer that a number would change (beyond 2^53) becomes the text of its digits, as all later readers can hold that.
 */
export function readJson(text: string): unknown {
  try {
    return toStorable(manyDigits.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text))
  } catch {
    return undefined
  }
}

// The third argument of ECMAScript's proposal "JSON.parse source text access" holds the digits as they came.
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source = '' } = context ?? {}
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value
}
