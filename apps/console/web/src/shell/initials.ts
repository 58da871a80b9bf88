/** The number of colours of initials; `avatar.module.css` has a rule for each. */
const huesMax = 12

/** Returns one or two letters for a name: of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const [first = '?', ...others] = words
  const letterOf = (word: string) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? ''
  return (letterOf(first) + letterOf(others.at(-1) ?? '')).toUpperCase() || '?'
}

/** Returns the number of a colour from 0 to 11, always the same one for a name. */
export function hueOf(name: string): number {
  let sum = 7
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return sum % huesMax
}
