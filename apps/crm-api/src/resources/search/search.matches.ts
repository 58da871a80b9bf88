import type { Executor } from '@crm/db'
import { and, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { beginsWith, searchCondition } from '../../records/search-terms.ts'
import { decideWay, sampledRows, type Way } from './search.way.ts'

/** More matches than these are not looked at for the best ones. */
const candidatesMax = 2_000
/** As many matches are looked at where a text is frequent; they are the newest ones, and looked for so far back. */
const newestMatches = 100
export const walkedRowsMax = 10_000

/** What of a table is searched and ordered by. */
export interface SearchedColumns {
  readonly id: SQLWrapper
  readonly createdAt: SQLWrapper
  readonly searchText: SQLWrapper
}

/** Rows that are searched, and those of them that the caller sees. */
export interface SearchedRows {
  readonly table: SQLWrapper
  readonly columns: SearchedColumns
  /** The rows that there are in the workspace, in the words of the index of the newest. */
  readonly present: SQL
  /** Those of them that the caller sees. */
  readonly seen: SQL
  /** The same as the fewest records tell it, where `seen` asks of each row whether it is seen. */
  readonly reached?: SQL
  /** How many both are; null where there are too many to count them now. */
  readonly counts: { readonly present: SQL<number | null>; readonly seen: SQL<number | null> }
}

/** The ids of what matches, those that begin with the text first, then the newest; for tables that stay small. */
export function bestMatches(table: SQLWrapper, columns: SearchedColumns, where: SQL, text: string, limit: number): SQL {
  return sql`SELECT id FROM (${candidates({ table, columns, where, text, limit: candidatesMax })}) candidates ${bestFirst(limit)}`
}

/** The ids of what the caller sees of what matches, those that begin with the text first, then the newest. */
export async function findBestMatches(db: Executor, rows: SearchedRows, text: string, limit: number): Promise<readonly string[]> {
  const facts = await readFacts(db, rows, text)
  const way = decideWay(facts)
  const found = await findBy(way, db, rows, text, limit)
  const isEnough = way !== 'NEWEST' || facts.present <= walkedRowsMax || (found[0]?.candidates ?? 0) >= Math.min(2 * limit, newestMatches)
  if (isEnough) return found.map(({ id }) => id)
  // The very newest hold the text more often than those before them: not enough of it was met on the way.
  const others = await findBy('INDEX', db, rows, text, limit)
  const matches = new Map([...found, ...others].map((match) => [match.id, match]))
  return [...matches.values()].toSorted((a, b) => Number(b.leads) - Number(a.leads) || b.createdAt - a.createdAt).slice(0, limit).map(({ id }) => id)
}

async function readFacts(db: Executor, { table, columns, present, counts }: SearchedRows, text: string) {
  const newest = sql`(SELECT ${columns.searchText} AS search_text FROM ${table} WHERE ${present} ${newestFirst(columns)} LIMIT ${sql.raw(String(sampledRows))}) newest`
  const { rows } = await db.execute<{ present: number | null; seen: number | null; hits: number }>(
    sql`SELECT ${counts.present} AS present, ${counts.seen} AS seen, count(*) FILTER (WHERE ${matches(text, sql`newest.search_text`)})::int AS hits FROM ${newest}`,
  )
  const [facts] = rows
  return { sampledHits: facts?.hits ?? 0, present: facts?.present ?? Infinity, seen: facts?.seen ?? Infinity }
}

interface Match {
  readonly id: string
  /** Whether the record begins with the text. */
  readonly leads: boolean
  /** In seconds. */
  readonly createdAt: number
  /** Among how many of the newest this is one of the best. */
  readonly candidates: number
}

async function findBy(way: Way, db: Executor, rows: SearchedRows, text: string, limit: number): Promise<Match[]> {
  const { rows: found } = await db.execute<Match & Record<string, unknown>>(sql`
    SELECT id, leads, extract(epoch FROM created_at)::float8 AS "createdAt", candidates
    FROM (SELECT * FROM (${ways[way](rows, text)}) candidates ${bestFirst(limit)}) best`)
  return found
}

const ways: Readonly<Record<Way, (rows: SearchedRows, text: string) => SQL>> = {
  // The candidates are cut off before they are sorted: reading all of a frequent text does not end.
  INDEX: ({ table, columns, seen }, text) => sql`SELECT *, 0 AS candidates FROM (${candidates({ table, columns, where: seen, text, limit: candidatesMax })}) found`,
  NEWEST: ({ table, columns, present, seen }, text) => {
    const newest = sql`(SELECT * FROM ${table} WHERE ${present} ${newestFirst(columns)} LIMIT ${sql.raw(String(walkedRowsMax))})`
    return sql`SELECT *, count(*) OVER ()::int AS candidates FROM (${candidates({ table: sql`${newest} AS ${table}`, columns, where: seen, text, limit: newestMatches })}) found`
  },
  SEEN: ({ table, columns, seen, reached = seen }, text) => {
    const few = sql`(SELECT * FROM ${table} WHERE ${reached} OFFSET 0)`
    return sql`SELECT *, 0 AS candidates FROM (${candidates({ table: sql`${few} AS ${table}`, columns, where: undefined, text, limit: candidatesMax })}) found`
  },
}

function candidates({ table, columns, where, text, limit }: { table: SQLWrapper; columns: SearchedColumns; where: SQL | undefined; text: string; limit: number }): SQL {
  const { id, createdAt, searchText } = columns
  return sql`
    SELECT ${id} AS id, ${createdAt} AS created_at, ${beginsWith(firstLetters(searchText), text)} AS leads
    FROM ${table} WHERE ${and(where, matches(text, searchText))} LIMIT ${sql.raw(String(limit))} OFFSET 0`
}

const newestFirst = ({ createdAt, id }: SearchedColumns): SQL => sql`ORDER BY ${createdAt} DESC, ${id} DESC`
const bestFirst = (limit: number): SQL => sql`ORDER BY leads DESC, created_at DESC, id DESC LIMIT ${limit}`
const matches = (text: string, searchText: SQLWrapper): SQL | undefined => searchCondition(text, searchText, { shortWordsBegin: true })
/** A person without a first name has a space in its place. */
const firstLetters = (searchText: SQLWrapper): SQL => sql`ltrim(${searchText})`
