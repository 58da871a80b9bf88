/** Matches half of a surrogate pair, after the escapes that only resemble one: a whole pair, and any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g
const halfOfPair = /^\\u[dD].{3}$/

/** Parses JSON into well-formed texts: half of a surrogate pair, which the database cannot store, becomes U+FFFD. */
export function parseJson(json: string): unknown {
  return JSON.parse(
    /\\u[dD]/.test(json)
      ? json.replaceAll(escapes, (escape) => (halfOfPair.test(escape) ? String.raw`\ufffd` : escape))
      : json,
  )
}
