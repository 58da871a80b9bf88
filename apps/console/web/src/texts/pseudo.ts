/** Returns texts in brackets; the build has compiled those with values to lists. A text without brackets would stay English everywhere. */
export function inBrackets<Texts>(texts: Texts): Texts {
  if (typeof texts === 'string') return `«${texts}»` as Texts
  if (Array.isArray(texts)) return ['«', ...(texts as readonly unknown[]), '»'] as Texts
  return Object.fromEntries(Object.entries(texts as object).map(([key, text]) => [key, inBrackets(text)])) as Texts
}
