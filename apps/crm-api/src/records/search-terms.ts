import { and, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** The condition that a search text stands for on a folded column: every word is in it, phones in any format. */
export function searchCondition(search: string | undefined, column: SQLWrapper): SQL | undefined {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  const digits = phoneDigits(text)
  if (digits) return sql`${column} LIKE ${`%${digits}%`}`
  return and(...text.split(/\s+/).slice(0, 10).map((word) => sql`${column} LIKE crm_fold(${`%${escaped(word)}%`})`))
}

/** The significant digits of something that looks like a phone number, however it is written. */
export function phoneDigits(text: string): string | null {
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return null
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 4 ? digits : null
}

function escaped(word: string): string {
  return word.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}
