import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** What the index is given of an address, of a long word and of a phone. */
const lettersAroundAt = 7
const lettersBeforeAt = 5
const lettersAtEnds = 3
const digitsAtEnd = 5

export interface SearchOptions {
  /** Words of one or two letters must begin a word: the index knows nothing of shorter parts, and they say little. */
  readonly shortWordsBegin?: boolean
}

/** The condition that a search text stands for on a searched column: every word is in it, phones in any format. */
export function searchCondition(search: string | undefined, column: SQLWrapper, options: SearchOptions = {}): SQL | undefined {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  const digits = phoneDigits(text)
  const isPhone = digits ? isLikeInPart(column, digits, [digits.slice(-digitsAtEnd)]) : undefined
  if (!isPhone) return hasWords(text, column, options)
  // What is digits alone holds its significant digits; anything else may stand in a name just as it is written.
  return /^\+?\d+$/.test(text) ? isPhone : or(isPhone, holds(column, text))
}

function hasWords(text: string, column: SQLWrapper, options: SearchOptions): SQL | undefined {
  // The rows of a walk are compared word by word: long words rule out most of them, and sooner than short ones do.
  const words = wordsOf(text).slice(0, 10).toSorted((a, b) => b.length - a.length)
  return and(...words.map((word) => (mustBegin(word, options) ? beginsWord(column, word) : isLikeInPart(column, word, tellingParts(word)))))
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/)
}

function mustBegin(word: string, { shortWordsBegin = false }: SearchOptions): boolean {
  return shortWordsBegin && word.length < 3
}

/** What the index takes for letters: each blank and each ASCII sign stands as one, and no other sign does (`crm_searchable`). */
const letter = String.raw`[\p{L}\p{N}\x20-\x7e]`
const signsInFront = new RegExp(`^(?:(?!${letter}).)*(?=${letter}{3})`, 'u')

/**
 * What of a word tells it from most others: what stands around the @ of an address, of which everybody's ends alike, and both ends of a
 * long word. A sign in front that is no letter tells no more than how a word begins, and the lists of beginnings are the longest.
 */
function tellingParts(word: string): readonly string[] {
  const letters = Array.from(word.replace(signsInFront, ''))
  const from = Math.max(0, letters.indexOf('@') - lettersBeforeAt)
  if (letters.includes('@')) return [letters.slice(from, from + lettersAroundAt).join('')]
  return letters.length < 2 * lettersAtEnds ? [letters.join('')] : [letters.slice(0, lettersAtEnds).join(''), letters.slice(-lettersAtEnds).join('')]
}

/**
 * The condition that a text stands anywhere, of which the index is given parts. It reads a list of records for all three letters in a
 * row of what it is given, and some of these lists are as long as the table; the whole text is in no form that it knows.
 */
function isLikeInPart(column: SQLWrapper, text: string, parts: readonly string[]): SQL | undefined {
  if (!known.test(text)) return holds(outsideIndex(column), text)
  return parts.length === 1 && parts[0] === text ? holds(column, text) : and(holds(column, ...parts), holds(outsideIndex(column), text))
}

/** The condition that a word begins with one or two letters. */
function beginsWord(column: SQLWrapper, word: string): SQL {
  const indexed = known.test(beginning(word)) ? column : outsideIndex(column)
  // Of the two blanks in front, one is enough before two letters: the index would read all words that begin with the first of them.
  return isLike(indexed, sql`'%' || substr(${searchable(` ${word}`)}, ${sql.raw(String(lettersOf(word)))}) || '%'`)
}

/** A word of one or two letters with as many blanks before it as make three letters of it. */
function beginning(word: string): string {
  return word.padStart(word.length + 3 - lettersOf(word))
}

function lettersOf(word: string): number {
  return Array.from(word).length
}

/** A column in a form that no index knows. */
function outsideIndex(column: SQLWrapper): SQL {
  return sql`(${column} || '')`
}

/** What the index knows of a word: three letters in a row, of which some may be the nothing around a word. */
const known = new RegExp(`${letter}{3}|(?!${letter}).${letter}|${letter}{2}(?!${letter}).`, 'u')

/** Whether the index can tell what holds a text. It is read as a whole for what it knows nothing of. */
export function isInIndex(text: string, options: SearchOptions = {}): boolean {
  return wordsOf(text).some((word) => known.test(mustBegin(word, options) ? beginning(word) : word))
}

/** The condition that a searched column begins with a text, whatever it is taken for elsewhere. */
export function beginsWith(column: SQLWrapper, text: string): SQL {
  return isLike(column, sql`${searchable(text)} || '%'`)
}

/** The condition that a searched column holds these parts, one behind the other. */
function holds(column: SQLWrapper, ...parts: readonly string[]): SQL {
  return isLike(column, sql`'%' || ${sql.join(parts.map(searchable), sql` || '%' || `)} || '%'`)
}

/** The subquery folds the pattern once; a plan that knows no values would fold it again for every row. */
function isLike(column: SQLWrapper, pattern: SQL): SQL {
  return sql`${column} LIKE (SELECT ${pattern})`
}

/** A text as it stands in searched columns: it holds no sign that patterns and expressions give a meaning. */
function searchable(text: string): SQL {
  return sql`crm_searchable(${text})`
}

/** The significant digits of something that looks like a phone number, however it is written. */
export function phoneDigits(text: string): string | null {
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return null
  // The zero of +49 (0) 151 is dialled within the country only.
  const digits = text.replace(/^(\+|00)([\d\s]+)\(0\)/, '$1$2').replaceAll(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 4 ? digits : null
}
