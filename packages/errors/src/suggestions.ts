import { closest, distance } from 'fastest-levenshtein'

/** The largest edit distance between similar words. */
const editsMax = 2

/** Returns the nearest known word for each wrong one, where one is similar; undefined when none is. */
export function suggestionsFor(
  wrong: readonly string[],
  known: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const found = wrong.flatMap((word) => {
    const near =
      known.length === 0
        ? undefined
        : closest(
            word.toLowerCase(),
            known.map((one) => one.toLowerCase()),
          )
    return near !== undefined && distance(word.toLowerCase(), near) <= editsMax
      ? [[word, known.find((one) => one.toLowerCase() === near) ?? near] as const]
      : []
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}
