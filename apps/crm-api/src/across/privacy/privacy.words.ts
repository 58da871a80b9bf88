import type { schema } from '@crm/db'

/** What names a person and nobody else. */
export type PersonWords = schema.PersonWords

/** The text in the place of what was erased. */
export const erasedText = '(erased)'

const runs = /[\p{L}\p{N}]+/gu

/**
 * Returns a text in the one spelling in which people are looked for: without case, accents and the forms of a letter (İ, ı, ς, ß, ﬁ).
 */
export function folded(text: string): string {
  return placesOf(text).folded
}

/** Returns the folded text, and for each of its characters the place of the character of the text that it came from. */
function placesOf(text: string): { readonly folded: string; readonly places: readonly number[] } {
  let result = ''
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const letters = withoutMarks(withoutMarks(character).toLowerCase().toUpperCase().toLowerCase())
    for (let unit = 0; unit < letters.length; unit += 1) places.push(at)
    result += letters
    at += character.length
  }
  places.push(at)
  return { folded: result, places }
}

/** A change of case may compose a letter again. */
function withoutMarks(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

/** Whether anything is looked for. */
export function hasWords({ names, emails, phones }: PersonWords): boolean {
  return names.length + emails.length + phones.length > 0
}

/** Returns the pattern of the words in folded texts, each as a whole. */
function patternOf({ names, emails, phones }: PersonWords): RegExp {
  const forms = [
    ...emails.map((email) => RegExp.escape(folded(email))),
    ...phones.map((phone) => String.raw`\+?` + [...phone.matchAll(/\d/g)].join(String.raw`[\s()./\-]{0,3}`)),
    ...names.flatMap((parts) => ordersOf(parts.map((part) => spaced(folded(part))))),
  ]
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${forms.join('|')})(?![\p{L}\p{N}])`, 'gu')
}

function ordersOf(parts: readonly string[]): readonly string[] {
  return [parts.join(String.raw`\s+`), parts.toReversed().join(String.raw`(?:\s*,\s*|\s+)`)]
}

function spaced(text: string): string {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => RegExp.escape(word))
    .join(String.raw`\s+`)
}

/**
 * Returns a regular expression of PostgreSQL that finds every folded text with one of the words, as it is or in JSON, and some others.
 */
export function candidatePattern({ names, emails, phones }: PersonWords): string {
  const inOrder = (text: string): string => [...folded(text).matchAll(runs)].join('.{1,8}')
  return [
    ...emails.map(inOrder),
    ...phones.map((phone) => [...phone.matchAll(/\d/g)].join('.{0,3}')),
    ...names.flatMap((parts) => [inOrder(parts.join(' ')), inOrder(parts.toReversed().join(' '))]),
  ].join('|')
}

/** Returns a function that replaces the words in a value at any depth; it returns the same value where there are none. Names of members stay. */
export function withoutWords(words: PersonWords): (value: unknown) => unknown {
  const pattern = patternOf(words)
  const inText = (text: string): string => {
    const { folded: plain, places } = placesOf(text)
    let result = ''
    let from = 0
    for (const match of plain.matchAll(pattern)) {
      result += text.slice(from, places[match.index]) + erasedText
      from = places[match.index + match[0].length] ?? text.length
    }
    return from === 0 ? text : result + text.slice(from)
  }
  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value)
    if (value === null || typeof value !== 'object') return value
    const entries = Object.entries(value).map(([name, part]) => [name, inValue(part)] as const)
    if (entries.every(([name, part]) => part === (value as Record<string, unknown>)[name])) return value
    return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)
  }
  return inValue
}
