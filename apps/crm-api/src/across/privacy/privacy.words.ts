import type { schema } from '@crm/db'
import type { Folding } from '../../records/folding.ts'

/** What names a person and nobody else. */
export type PersonWords = schema.PersonWords

/** The text in the place of what was erased. */
export const erasedText = '(erased)'

const runs = /[\p{L}\p{N}]+/gu
const isLetter = /[\p{L}\p{N}]/u

/** Whether anything is looked for. */
export function hasWords({ names, emails, phones }: PersonWords): boolean {
  return names.length + emails.length + phones.length > 0
}

/** Returns the pattern of the names and numbers in folded texts; null without any. */
function patternOf({ names, phones }: PersonWords, folding: Folding): RegExp | null {
  const forms = [
    ...phones.map((phone) => String.raw`\+?` + [...phone.matchAll(/\d/g)].join(String.raw`[\s()./\-]{0,3}`)),
    ...names.flatMap((parts) => ordersOf(parts.map((part) => spaced(folding.fold(part).text)))),
  ]
  return forms.length === 0 ? null : new RegExp(`(?:${forms.join('|')})`, 'guy')
}

/** Addresses are not folded: two that differ in an apostrophe belong to two people. */
function addressesOf({ emails }: PersonWords): RegExp | null {
  const forms = emails.map((email) => RegExp.escape(email)).join('|')
  return forms === '' ? null : new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${forms})(?![\p{L}\p{N}])`, 'giu')
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
export function candidatePattern({ names, emails, phones }: PersonWords, folding: Folding): string {
  const inOrder = (text: string): string => [...folding.fold(text).text.matchAll(runs)].join('.{1,8}')
  return [
    ...emails.map(inOrder),
    ...phones.map((phone) => [...phone.matchAll(/\d/g)].join('.{0,3}')),
    ...names.flatMap((parts) => [inOrder(parts.join(' ')), inOrder(parts.toReversed().join(' '))]),
  ].join('|')
}

/**
 * Returns a function that replaces the words in a value at any depth; it returns the same value where there are none. Names of members stay.
 * @param folding has learned the words, and learns each value before it is given
 */
export function withoutWords(words: PersonWords, folding: Folding): (value: unknown) => unknown {
  const [pattern, addresses] = [patternOf(words, folding), addressesOf(words)]
  const inText = (text: string): string => {
    const named = pattern === null ? text : replaceFolded(text, pattern, folding)
    return addresses === null ? named : named.replaceAll(addresses, erasedText)
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

/** Replaces what a pattern finds in the folded text, where it is a whole word of the text itself: folding takes signs away that end a word. */
function replaceFolded(text: string, pattern: RegExp, folding: Folding): string {
  const folded = folding.fold(text)
  let result = ''
  let at = 0
  let done = 0
  while (at < folded.text.length) {
    pattern.lastIndex = at
    const length = pattern.exec(folded.text)?.[0].length ?? 0
    const [start, end] = [folded.from[at] ?? 0, folded.until[at + length - 1] ?? text.length]
    if (length > 0 && !isLetter.test(before(text, start)) && !isLetter.test(after(text, end))) {
      result += text.slice(done, start) + erasedText
      done = end
      at += length
    } else at += 1
  }
  return done === 0 ? text : result + text.slice(done)
}

/** Returns the character before a place, or after it: a pair of surrogates is one. */
function before(text: string, place: number): string {
  return /.$/su.exec(text.slice(Math.max(0, place - 2), place))?.[0] ?? ''
}

function after(text: string, place: number): string {
  return String.fromCodePoint(text.codePointAt(place) ?? 0x20)
}
