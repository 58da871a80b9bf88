import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** What the index is given of an address, of a long word and of a phone. */
const lettersAroundAt = 6
const lettersAtEnds = 4
const digitsAtEnd = 5

export interface SearchOptions {
  /** Words of one or two letters must begin a word: the index knows nothing of shorter parts, and they say little. */
  readonly shortWordsBegin?: boolean
}

/** The condition that a search text stands for on a folded column: every word is in it, phones in any format. */
export function searchCondition(search: string | undefined, column: SQLWrapper, { shortWordsBegin = false }: SearchOptions = {}): SQL | undefined {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  const digits = phoneDigits(text)
  const isPhone = digits ? isLikeInPart(column, digits, [digits.slice(-digitsAtEnd)]) : undefined
  if (!isPhone) return hasWords(text, column, shortWordsBegin)
  // What is digits alone holds its significant digits; anything else may stand in a name just as it is written.
  return /^\+?\d+$/.test(text) ? isPhone : or(isPhone, isLike(column, holding(text)))
}

function hasWords(text: string, column: SQLWrapper, shortWordsBegin: boolean): SQL | undefined {
  // The rows of a walk are compared word by word: long words rule out most of them, and sooner than short ones do.
  const words = text.split(/\s+/).slice(0, 10).toSorted((a, b) => b.length - a.length)
  return and(...words.map((word) => (shortWordsBegin && word.length < 3 ? beginsWord(word, column) : holds(word, column))))
}

/** The condition that a word stands anywhere. */
function holds(word: string, column: SQLWrapper): SQL | undefined {
  return isLikeInPart(column, word, tellingParts(word))
}

/**
 * What of a word tells it from most others: what stands around the @ of an address, of which everybody's ends alike, and both ends of a
 * long word. A sign in front tells no more than how a word begins, and the lists of beginnings are the longest.
 */
function tellingParts(word: string): readonly string[] {
  const signs = /^[^\p{L}\p{N}]*(?=[\p{L}\p{N}]{3})/u
  const letters = Array.from(word.replace(signs, ''))
  const at = letters.indexOf('@')
  if (at >= 0) return [letters.slice(Math.max(0, at - lettersAroundAt), at + 1 + lettersAroundAt).join('')]
  return letters.length < 2 * lettersAtEnds ? [letters.join('')] : [letters.slice(0, lettersAtEnds).join(''), letters.slice(-lettersAtEnds).join('')]
}

/**
 * The condition that a text stands anywhere, of which the index is given parts. It reads a list of records for all three letters in a
 * row of what it is given, and some of these lists are as long as the table; the whole text is in no form that it knows.
 */
function isLikeInPart(column: SQLWrapper, text: string, parts: readonly string[]): SQL | undefined {
  const whole = holding(text)
  if (!isInIndex(text)) return isLike(outsideIndex(column), whole)
  const indexed = holding(...parts)
  return indexed === whole ? isLike(column, whole) : and(isLike(column, indexed), isLike(outsideIndex(column), whole))
}

/** A column in a form that no index knows. */
function outsideIndex(column: SQLWrapper): SQL {
  return sql`(${column} || '')`
}

/** What the index knows of a word: three letters in a row, of which some may be the nothing around a word. */
const known = /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u

/** Whether the index can tell what holds a text. It is read as a whole for what it knows nothing of. */
export function isInIndex(text: string): boolean {
  return text.trim().split(/\s+/).some((word) => known.test(word))
}

/** The condition that a folded column begins with a text, whatever it is taken for elsewhere. */
export function beginsWith(column: SQLWrapper, text: string): SQL {
  return isLike(column, `${escaped(text)}%`)
}

/** The condition that a word begins with these letters: one expression, for the index cannot combine an "or" with the other words. */
function beginsWord(word: string, column: SQLWrapper): SQL {
  return sql`${column} ~ (SELECT '(^| )' || regexp_replace(crm_fold(${word}), '([^[:alnum:]])', '\\\\\\1', 'g'))`
}

/** The subquery folds the pattern once; a plan that knows no values would fold it again for every row. */
function isLike(column: SQLWrapper, pattern: string): SQL {
  return sql`${column} LIKE (SELECT crm_fold(${pattern}))`
}

/** The pattern of what holds these parts, one behind the other. */
function holding(...parts: readonly string[]): string {
  return `%${parts.map(escaped).join('%')}%`
}

/** The significant digits of something that looks like a phone number, however it is written. */
export function phoneDigits(text: string): string | null {
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return null
  // The zero of +49 (0) 151 is dialled within the country only.
  const digits = text.replace(/^(\+|00)([\d\s]+)\(0\)/, '$1$2').replaceAll(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 4 ? digits : null
}

/** Also what is folded into a sign of patterns. */
function escaped(word: string): string {
  return word.replaceAll(/[\\%_∖﹨﹪％＼＿]/g, (character) => `\\${character}`)
}
