import { inPlainSigns } from '@crm/model'
import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** How much of an address, of a long word and of a phone number is looked up in the index. */
const lettersAroundAt = 7
const lettersBeforeAt = 5
const lettersAtEnds = 3
const digitsAtEnd = 5

/** Words beyond this number are ignored. */
const wordsMax = 10

export interface SearchOptions {
  /**
   * Whether words of one or two letters must stand at the beginning of a word: the index has no shorter parts, and such
   * words are not selective.
   */
  readonly shortWordsBegin?: boolean
}

/** A text that a record must contain. Leading blanks mean that a word begins there. */
interface Term {
  readonly text: string
  /** The selective parts of the term, in their order. */
  readonly parts: readonly string[]
}

/** Returns the condition of a search text on a searched column: it contains every word, phone numbers in any format. */
export function searchCondition(
  search: string | undefined,
  column: SQLWrapper,
  options?: SearchOptions,
): SQL | undefined {
  return conditionOf(search, options, (term) => isLookedUp(column, term))
}

/** Returns the same condition for records that are read anyway. */
export function comparedCondition(search: string, column: SQLWrapper, options?: SearchOptions): SQL | undefined {
  return conditionOf(search, options, ({ text }) => holds(column, text))
}

function conditionOf(
  search: string | undefined,
  options: SearchOptions | undefined,
  toCondition: (term: Term) => SQL | undefined,
): SQL | undefined {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  return or(...alternativesOf(text, options).map((terms) => and(...terms.map(toCondition))))
}

function alternativesOf(text: string, options: SearchOptions = {}): readonly (readonly Term[])[] {
  const digits = phoneDigits(text)
  if (!digits) return [wordsOf(text, options)]
  const phone = { text: digits, parts: [digits.slice(-digitsAtEnd)] }
  // A text of digits only is compared by its significant digits; any other text may also be part of a name as it is written.
  return /^\+?\d+$/.test(inPlainSigns(text)) ? [[phone]] : [[phone], [{ text, parts: [text] }]]
}

/** Returns the words of a text. Records are compared word by word, and long words exclude most of them, so long words come first. */
function wordsOf(text: string, { shortWordsBegin = false }: SearchOptions): readonly Term[] {
  const all = text.split(/\s+/)
  const told = all.filter((word) => /[^'`´‘’]/.test(word))
  const words = (told.length > 0 ? told : all).slice(0, wordsMax).toSorted((a, b) => b.length - a.length)
  return words.map((word) =>
    shortWordsBegin && word.length < 3 ? beginning(word) : { text: word, parts: tellingParts(word) },
  )
}

/** Returns a word of one or two letters as the index knows it: padded with leading blanks to three characters. */
function beginning(word: string): Term {
  const text = word.padStart(word.length + 3 - Array.from(word).length)
  return { text, parts: [text] }
}

/** The characters that the index treats as letters: each blank and each ASCII sign is one, and no other sign is (`crm_searchable`). */
const letter = String.raw`[\p{L}\p{N}\x20-\x7e]`
const signsInFront = new RegExp(`^(?:(?!${letter}).)*(?=${letter}{3})`, 'u')

/**
 * Returns the selective parts of a word: the letters around the @ of an address, because most addresses end alike, and both
 * ends of a long word. A leading sign that is no letter only marks the beginning of a word, and the lists of beginnings are
 * the longest.
 */
function tellingParts(word: string): readonly string[] {
  const letters = Array.from(word.replace(signsInFront, ''))
  const from = Math.max(0, letters.indexOf('@') - lettersBeforeAt)
  if (letters.includes('@')) return [letters.slice(from, from + lettersAroundAt).join('')]
  return letters.length < 2 * lettersAtEnds
    ? [letters.join('')]
    : [letters.slice(0, lettersAtEnds).join(''), letters.slice(-lettersAtEnds).join('')]
}

/**
 * Returns the condition that a column contains a term, of which only parts are looked up in the index. For each three
 * letters in a row the index reads a list of records, and some of these lists are as long as the table. The whole term is
 * therefore compared in a form that no index has.
 */
function isLookedUp(column: SQLWrapper, { text, parts }: Term): SQL | undefined {
  if (!known.test(text)) return holds(outsideIndex(column), text)
  return parts.length === 1 && parts[0] === text
    ? holds(column, text)
    : and(holds(column, ...parts), holds(outsideIndex(column), text))
}

/** Returns a column in a form that no index has. */
function outsideIndex(column: SQLWrapper): SQL {
  return sql`(${column} || '')`
}

/** The trigrams of the index: three letters in a row, of which some may be the padding around a word. */
const known = new RegExp(`${letter}{3}|(?!${letter}).${letter}|${letter}{2}(?!${letter}).`, 'u')

/** Returns the condition that a searched column begins with a text, even where the text has a special meaning elsewhere. */
export function beginsWith(column: SQLWrapper, text: string): SQL {
  return isLike(column, sql`${searchable(text)} || '%'`)
}

/** Returns the condition that a searched column contains these parts in this order; what folds to nothing, as an apostrophe, is in no text. */
function holds(column: SQLWrapper, ...parts: readonly string[]): SQL {
  const between = '%'.repeat(parts.length - 1)
  const text = sql`nullif(${sql.join(parts.map(searchable), sql` || '%' || `)}, ${sql.raw(`'${between}'`)})`
  return isLike(column, sql`'%' || ${text} || '%'`)
}

/** Compares a column with a pattern. The subquery folds the pattern once; a generic plan would fold it again for every row. */
function isLike(column: SQLWrapper, pattern: SQL): SQL {
  return sql`${column} LIKE (SELECT ${pattern})`
}

/** Returns a text in the form of searched columns, without the special signs of patterns. Each leading blank stands for one letter. */
function searchable(text: string): SQL {
  const blanks = text.length - text.trimStart().length
  // Each blank is stored as two letters: before one letter of a word the index needs both of them, before two letters it needs the second.
  return blanks === 0
    ? sql`crm_searchable(${text})`
    : sql`substr(crm_searchable(${text}), ${sql.raw(String(blanks + 1))})`
}

/** Returns the significant digits of a text that looks like a phone number, in any notation. */
export function phoneDigits(text: string): string | null {
  const plain = inPlainSigns(text)
  if (!/^\+?[\d\s().\-/]+$/.test(plain)) return null
  // The zero of +49 (0) 151 is dialled only within the country.
  const digits = plain
    .replace(/^(\+|00)([\d\s]+)\(0\)/, '$1$2')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length >= 4 ? digits : null
}
