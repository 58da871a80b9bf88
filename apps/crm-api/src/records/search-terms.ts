import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** What the index is given of an address, of a long word and of a phone. */
const lettersAroundAt = 7
const lettersBeforeAt = 5
const lettersAtEnds = 3
const digitsAtEnd = 5

/** More words than these are not looked for. */
const wordsMax = 10

export interface SearchOptions {
  /** Words of one or two letters must begin a word: the index knows nothing of shorter parts, and they say little. */
  readonly shortWordsBegin?: boolean
}

/** Something that must stand in a record. Blanks in front say that a word begins there. */
interface Term {
  readonly text: string
  /** What of it tells it from most others, one behind the other. */
  readonly parts: readonly string[]
}

/** The condition that a search text stands for on a searched column: every word is in it, phones in any format. */
export function searchCondition(
  search: string | undefined,
  column: SQLWrapper,
  options?: SearchOptions,
): SQL | undefined {
  return conditionOf(search, options, (term) => isLookedUp(column, term))
}

/** The same for records that are read anyway. */
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
  // What is digits alone holds its significant digits; anything else may stand in a name just as it is written.
  return /^\+?\d+$/.test(text) ? [[phone]] : [[phone], [{ text, parts: [text] }]]
}

/** The words of a text. Records are compared word by word, and long words rule out most of them, so they come first. */
function wordsOf(text: string, { shortWordsBegin = false }: SearchOptions): readonly Term[] {
  const words = text
    .split(/\s+/)
    .slice(0, wordsMax)
    .toSorted((a, b) => b.length - a.length)
  return words.map((word) =>
    shortWordsBegin && word.length < 3 ? beginning(word) : { text: word, parts: tellingParts(word) },
  )
}

/** A word of one or two letters as the index knows it: with so many blanks before it that there are three. */
function beginning(word: string): Term {
  const text = word.padStart(word.length + 3 - Array.from(word).length)
  return { text, parts: [text] }
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
  return letters.length < 2 * lettersAtEnds
    ? [letters.join('')]
    : [letters.slice(0, lettersAtEnds).join(''), letters.slice(-lettersAtEnds).join('')]
}

/**
 * The condition that a term stands anywhere, of which the index is given parts. It reads a list of records for all three letters in a
 * row of what it is given, and some of these lists are as long as the table; the whole term is in no form that it knows.
 */
function isLookedUp(column: SQLWrapper, { text, parts }: Term): SQL | undefined {
  if (!known.test(text)) return holds(outsideIndex(column), text)
  return parts.length === 1 && parts[0] === text
    ? holds(column, text)
    : and(holds(column, ...parts), holds(outsideIndex(column), text))
}

/** A column in a form that no index knows. */
function outsideIndex(column: SQLWrapper): SQL {
  return sql`(${column} || '')`
}

/** What the index knows of a word: three letters in a row, of which some may be the nothing around a word. */
const known = new RegExp(`${letter}{3}|(?!${letter}).${letter}|${letter}{2}(?!${letter}).`, 'u')

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

/** A text as it stands in searched columns: with no sign that means something in a pattern. Blanks in front stand for one letter each. */
function searchable(text: string): SQL {
  const blanks = text.length - text.trimStart().length
  // Each blank stands as two letters: before one letter of a word the index needs both of them, before two it needs the second.
  return blanks === 0
    ? sql`crm_searchable(${text})`
    : sql`substr(crm_searchable(${text}), ${sql.raw(String(blanks + 1))})`
}

/** The significant digits of something that looks like a phone number, however it is written. */
export function phoneDigits(text: string): string | null {
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return null
  // The zero of +49 (0) 151 is dialled within the country only.
  const digits = text
    .replace(/^(\+|00)([\d\s]+)\(0\)/, '$1$2')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length >= 4 ? digits : null
}
