/** A person who can be mentioned. */
export interface Mentionable {
  readonly id: string
  readonly name: string
}

/** The beginning of a mention before the caret. */
export interface OpenMention {
  /** The place of the `@`. */
  readonly at: number
  /** The letters after it. */
  readonly typed: string
}

const typedMax = 40

/** Returns the mention that is being typed; null if the caret is in no mention. */
export function openMention(text: string, caret: number): OpenMention | null {
  const at = text.lastIndexOf('@', caret - 1)
  if (at < 0 || caret - at > typedMax) return null
  // An email address holds an @ as well.
  if (at > 0 && !/[\s([{“"']/u.test(text.charAt(at - 1))) return null
  const typed = text.slice(at + 1, caret)
  return /[\n\r]|\s{2}|^\s/.test(typed) ? null : { at, typed }
}

/** Returns the people whose name has a word that begins like the typed letters. */
export function matching<Person extends Mentionable>(people: readonly Person[], typed: string): readonly Person[] {
  const wanted = typed.toLowerCase()
  return people.filter(({ name }) => {
    const known = name.toLowerCase()
    return known.startsWith(wanted) || known.includes(` ${wanted}`)
  })
}

/** Returns the text with a person's name in place of the typed letters, and the caret after it. */
export function withMention(text: string, { at, typed }: OpenMention, name: string) {
  const before = `${text.slice(0, at)}@${name} `
  return { text: before + text.slice(at + 1 + typed.length).replace(/^ /, ''), caret: before.length }
}

/** Returns the chosen people whom the text still names. */
export function mentionedIn(text: string, chosen: readonly Mentionable[]): string[] {
  return [...new Set(chosen.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id))]
}
