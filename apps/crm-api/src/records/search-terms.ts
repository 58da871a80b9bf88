import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

const lettersAroundAt = 6

export interface SearchOptions {
  /** Words of one or two letters must begin a word: the index knows nothing of shorter parts, and they say little. */
  readonly shortWordsBegin?: boolean
}

/** The condition that a search text stands for on a folded column: every word is in it, phones in any format. */
export function searchCondition(search: string | undefined, column: SQLWrapper, { shortWordsBegin = false }: SearchOptions = {}): SQL | undefined {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  const digits = phoneDigits(text)
  const isPhone = digits ? sql`${column} LIKE ${`%${digits}%`}` : undefined
  if (!isPhone) return hasWords(text, column, shortWordsBegin)
  // What is digits alone holds its significant digits; anything else may stand in a name just as it is written.
  return /^\+?\d+$/.test(text) ? isPhone : or(isPhone, isLike(column, `%${escaped(text)}%`))
}

function hasWords(text: string, column: SQLWrapper, shortWordsBegin: boolean): SQL | undefined {
  return and(...text.split(/\s+/).slice(0, 10).map((word) => (shortWordsBegin && word.length < 3 ? beginsWord(word, column) : holds(word, column))))
}

/**
 * The condition that a word stands anywhere. The index looks for all three letters in a row of what it is given, and an e-mail address
 * has many that everybody's has, so it is given only what stands around the @; the whole address is in no form that it knows.
 */
function holds(word: string, column: SQLWrapper): SQL | undefined {
  const at = word.indexOf('@')
  const around = at < 0 ? word : word.slice(Math.max(0, at - lettersAroundAt), at + 1 + lettersAroundAt)
  const isThere = isLike(column, `%${escaped(around)}%`)
  return around === word ? isThere : and(isThere, isLike(sql`(${column} || '')`, `%${escaped(word)}%`))
}

/** The condition that a folded column begins with a text, whatever it is taken for elsewhere. */
export function beginsWith(column: SQLWrapper, text: string): SQL {
  return isLike(column, `${escaped(text)}%`)
}

function beginsWord(word: string, column: SQLWrapper): SQL | undefined {
  return or(beginsWith(column, word), isLike(column, `% ${escaped(word)}%`))
}

/** The subquery folds the pattern once; a plan that knows no values would fold it again for every row. */
function isLike(column: SQLWrapper, pattern: string): SQL {
  return sql`${column} LIKE (SELECT crm_fold(${pattern}))`
}

/** The significant digits of something that looks like a phone number, however it is written. */
export function phoneDigits(text: string): string | null {
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return null
  // The zero of +49 (0) 151 is dialled within the country only.
  const digits = text.replace(/^(\+|00)([\d\s]+)\(0\)/, '$1$2').replaceAll(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 4 ? digits : null
}

function escaped(word: string): string {
  return word.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}
