import { setLocally, type Executor } from '@crm/db'
import { sql } from 'drizzle-orm'
import { comparedCondition, phoneDigits } from '../../records/search-terms.ts'
import { before } from '../../records/before.ts'
import type { Asked, SearchedRows } from './search.matches.ts'

/** A text that may be misspelled. */
export interface Guess {
  /** The words of four letters and more, each of which must be near a word of the title. */
  readonly words: readonly string[]
  /** The other words, which must match exactly. */
  readonly others: string
}

const lettersMin = 4
const similarityMin = 0.3
/** The number of records of a kind that are examined, those with the most similar words first. */
const candidatesMax = 50

/** Returns the words of a text that may be misspelled; undefined when there are none. */
export function guessOf(text: string): Guess | undefined {
  if (phoneDigits(text.trim())) return undefined
  const { long: words = [], short = [] } = Object.groupBy(wordsOf(text), (word) =>
    word.replaceAll(/\P{L}/gu, '').length < lettersMin ? 'short' : 'long',
  )
  return words.length === 0 ? undefined : { words, others: short.join(' ') }
}

/** Returns the ids of the records with words similar to a guess; null when the search takes too long. */
export function findAlike(
  { table, columns: { id, searchText }, seen }: SearchedRows,
  { words, others }: Guess,
  { context, until }: Asked,
): Promise<readonly string[] | null> {
  const sought = words.map((word) => sql`(SELECT crm_searchable(${` ${word} `}))`)
  const isAlike = sql.join(
    sought.map((word) => sql`${searchText} %> ${word}`),
    sql` AND `,
  )
  const similarity = sql.join(
    sought.map((word) => sql`word_similarity(${word}, ${searchText})`),
    sql` + `,
  )
  return before(until, context, async (tx) => {
    await setLocally(tx, 'pg_trgm.word_similarity_threshold', String(similarityMin))
    const { rows } = await tx.execute<{ id: string }>(sql`
      SELECT ${id} AS id FROM ${table} WHERE ${seen} AND ${isAlike} AND ${comparedCondition(others, searchText, { shortWordsBegin: true }) ?? sql`true`}
      ORDER BY ${similarity} DESC LIMIT ${candidatesMax}`)
    return rows.map((row) => row.id)
  })
}

/** Returns how near the words of a guess are to the words of titles, from 0 to 1; null where one of them is near none. */
export async function nearnessOf(
  db: Executor,
  { words }: Guess,
  titles: readonly string[],
): Promise<readonly (number | null)[]> {
  const { rows } = await db.execute<{ folded: string[] }>(
    sql`SELECT array(SELECT crm_fold(text) FROM unnest(${sql.param([...words, ...titles])}::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place) AS folded`,
  )
  const folded = rows[0]?.folded ?? []
  const wanted = folded.slice(0, words.length)
  return folded.slice(words.length).map((title) => {
    const nearest = wanted.map((word) =>
      Math.max(
        0,
        ...wordsOf(title)
          .filter((other) => isNear(word, other))
          .map((other) => similarityOf(word, other)),
      ),
    )
    return nearest.includes(0) ? null : nearest.reduce((sum, one) => sum + one, 0) / nearest.length
  })
}

/** Whether a word may be a misspelling of another word, both without case and accents. */
export function isNear(word: string, other: string): boolean {
  const letters = Array.from(word).length
  const editsMax = letters <= 5 ? 1 : letters <= 9 ? 2 : 3
  return similarityOf(word, other) >= similarityMin && editsBetween(word, other) <= editsMax
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Returns the share of trigrams that two words have in common, as PostgreSQL counts them. */
function similarityOf(a: string, b: string): number {
  const [ofA, ofB] = [trigramsOf(a), trigramsOf(b)]
  return ofA.intersection(ofB).size / ofA.union(ofB).size
}

function trigramsOf(word: string): Set<string> {
  const letters = Array.from(`  ${word} `)
  return new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))
}

/**
 * Returns the number of letters that must be inserted, deleted, replaced or swapped with their neighbour to turn one word
 * into the other.
 */
function editsBetween(a: string, b: string): number {
  const [from, to] = [Array.from(a), Array.from(b)]
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= from.length; row += 1) {
    rows[row] = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const edits = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(row - 2, column - 2) + 1 : Infinity,
      )
      rows[row]?.push(edits)
    }
  }
  return at(from.length, to.length)
}
