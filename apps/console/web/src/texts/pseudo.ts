import { texts as english, type Texts } from './en.ts'

/** The English texts in brackets. A text without them comes from no catalogue: it would stay English in every language. */
export const texts = inBrackets(english) as Texts

/** Returns texts in brackets; the build has compiled those with values to lists. */
export function inBrackets(branch: unknown): unknown {
  if (typeof branch === 'string') return `«${branch}»`
  if (Array.isArray(branch)) return ['«', ...(branch as readonly unknown[]), '»']
  return Object.fromEntries(Object.entries(branch as object).map(([key, text]) => [key, inBrackets(text)]))
}
