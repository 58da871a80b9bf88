import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

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
  // What is digits alone holds its significant digits; anything else may stand in a name just as it is written.
  return isPhone && /^\+?\d+$/.test(text) ? isPhone : or(isPhone, hasWords(text, column, shortWordsBegin))
}

function hasWords(text: string, column: SQLWrapper, shortWordsBegin: boolean): SQL | undefined {
  return and(...text.split(/\s+/).slice(0, 10).map((word) => (shortWordsBegin && word.length < 3 ? beginsWord(word, column) : isLike(column, `%${escaped(word)}%`))))
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
