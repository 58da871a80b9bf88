import { isSampled, recordsPerSampled, type Executor, type ReachedPart } from '@crm/db'
import { and, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { beginsWith, comparedCondition, isInIndex, pieceCondition, searchCondition, soughtTerms } from '../../records/search-terms.ts'
import type { Counts } from './search.counts.ts'
import { choosePieces, type PieceFacts } from './search.pieces.ts'
import { decideWays, indexedMax, newestRecords, wantedOf, type SampledMatch, type Walk, type Way, type WayFacts } from './search.way.ts'

/** So much of the sample is read, and so many matches in it say all that the others could. */
const sampledRecordsMax = 1_000
const sampledMatchesMax = 100
/** About so many texts of the sample, by their beginnings, tell which letters are frequent. */
const sampledTexts = 200
const sampledLetters = 300

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
  /** The same in parts that are walked each by itself; without them a walk meets what others see, too. */
  readonly parts?: readonly ReachedPart[]
  /** What the caller sees, as the index of texts is asked where the workspace fills its table, and how many records do. */
  readonly full?: { readonly seen: SQL; readonly from: SQL<number> }
  /** How many both are; infinite where there are too many to count them. */
  readonly counts: Counts
}

/** The ids of what matches, those that begin with the text first, then the newest; for tables that stay small. */
export function bestMatches(table: SQLWrapper, columns: SearchedColumns, where: SQL, text: string, limit: number): SQL {
  const found = and(where, searchCondition(text, columns.searchText, options))
  return sql`SELECT id FROM (${candidates({ table, columns, where: found, text, limit: indexedMax })}) candidates ${bestFirst(limit)}`
}

/** The ids of what the caller sees of what matches, those that begin with the text first, then the newest. */
export async function findBestMatches(db: Executor, rows: SearchedRows, text: string, limit: number): Promise<readonly string[]> {
  const found = new Map<string, Match>()
  const { isFull, pieceFacts, ...facts } = await readFacts(db, rows, text)
  const wanted = wantedOf(limit)
  const seen = (isFull && isInIndex(text, options) ? rows.full?.seen : undefined) ?? rows.seen
  for (const way of decideWays(facts, limit)) {
    // Two walks may meet the same records, so all that a walk meets are told apart.
    const matches = await findBy(way, db, way === 'INDEX' ? { ...rows, seen } : rows, { text, pieceFacts, wanted })
    for (const match of matches) found.set(match.id, match)
    if (found.size >= limit) break
  }
  return [...found.values()].toSorted((a, b) => Number(b.leads) - Number(a.leads) || b.createdAt - a.createdAt).slice(0, limit).map(({ id }) => id)
}

interface Facts extends Record<string, unknown> {
  readonly newestMatches: number
  readonly areAll: boolean
  readonly sampledMatches: readonly SampledMatch[]
  readonly fullFrom: number | null
  readonly terms: readonly string[]
  readonly texts: readonly string[] | null
}

/** What is looked for, and how. */
interface Sought {
  readonly text: string
  /** What tells what of it the index is given. */
  readonly pieceFacts: PieceFacts
  readonly wanted: number
}

async function readFacts(db: Executor, rows: SearchedRows, text: string): Promise<WayFacts & { readonly isFull: boolean; readonly pieceFacts: PieceFacts }> {
  const { rows: [facts] } = await db.execute<Facts>(factsQuery(rows, text))
  const { newestMatches = 0, areAll = false, sampledMatches = [], terms = [], texts, fullFrom } = facts ?? {}
  return {
    newestMatches,
    areAll,
    sampledMatches,
    ...rows.counts,
    walksSeen: rows.parts !== undefined,
    isFull: rows.counts.present >= (fullFrom ?? Infinity),
    pieceFacts: { terms, texts: texts ?? [], matches: sampledMatches.length * recordsPerSampled },
  }
}

function factsQuery({ table, columns, present, full }: SearchedRows, text: string): SQL {
  const { createdAt, id, searchText } = columns
  const newest = sql`SELECT ${searchText} AS search_text FROM ${table} WHERE ${present} ${newestFirst(columns)} LIMIT ${sql.raw(String(newestRecords))}`
  const sample = sql`SELECT ${createdAt} AS created_at, ${id} AS id, ${searchText} AS search_text FROM ${table} WHERE ${present} AND ${isSampled(id)} ${newestFirst(columns)} LIMIT ${sql.raw(String(sampledRecordsMax))}`
  const placed = sql`SELECT row_number() OVER newest_first AS place, lag(created_at) OVER newest_first AS since, search_text FROM (${sample}) sample WINDOW newest_first AS (ORDER BY created_at DESC, id DESC)`
  const sampled = sql`SELECT place, since FROM placed WHERE ${isCompared(text, sql`placed.search_text`)} ORDER BY place LIMIT ${sql.raw(String(sampledMatchesMax))}`
  const texts = sql`SELECT left(search_text, ${sql.raw(String(sampledLetters))}) AS beginning FROM placed WHERE place % (SELECT 1 + count(*) / ${sql.raw(String(sampledTexts))} FROM placed) = 0`
  return sql`
    WITH placed AS MATERIALIZED (${placed})
    SELECT newest.*, ${full?.from ?? sql`NULL`} AS "fullFrom",
      (SELECT coalesce(json_agg(sampled), '[]') FROM (${sampled}) sampled) AS "sampledMatches",
      ${soughtTerms(text, options)} AS terms,
      (SELECT json_agg(beginning) FROM (${texts}) texts) AS texts
    FROM (SELECT count(*) FILTER (WHERE ${isCompared(text, sql`newest.search_text`)})::int AS "newestMatches", count(*) < ${sql.raw(String(newestRecords))} AS "areAll" FROM (${newest}) newest) newest`
}

interface Match {
  readonly id: string
  /** Whether the record begins with the text. */
  readonly leads: boolean
  /** In seconds. */
  readonly createdAt: number
}

async function findBy(way: Way, db: Executor, rows: SearchedRows, sought: Sought): Promise<Match[]> {
  const { rows: found } = await db.execute<Match & Record<string, unknown>>(sql`
    SELECT id, leads, extract(epoch FROM created_at)::float8 AS "createdAt" FROM (${candidatesBy(way, rows, sought)}) candidates ${bestFirst(sought.wanted)}`)
  return found
}

function candidatesBy(way: Way, rows: SearchedRows, { text, pieceFacts, wanted }: Sought): SQL {
  const { table, columns, seen, reached = seen } = rows
  // The candidates are cut off before they are sorted: reading all of a frequent text does not end.
  if (way === 'INDEX') return candidates({ table, columns, where: and(seen, isIndexed(text, columns.searchText, pieceFacts)), text, limit: indexedMax })
  const isMatch = isCompared(text, columns.searchText)
  if (way === 'SEEN') return candidates({ table: sql`(SELECT * FROM ${table} WHERE ${reached} OFFSET 0) AS ${table}`, columns, where: isMatch, text, limit: indexedMax })
  return candidates({ table: sql`(${walk(way, rows)}) AS ${table}`, columns, where: and(isMatch, seen), text, limit: wanted })
}

function isIndexed(text: string, searchText: SQLWrapper, facts: PieceFacts): SQL | undefined {
  const pieces = choosePieces(facts)
  return pieces.length > 0 ? pieceCondition(text, searchText, pieces, options) : searchCondition(text, searchText, options)
}

/** The records of a walk, the newest first: each part has them in this order, and all are read only as far as the matches are. */
function walk({ since, records }: Walk, { table, columns, present, parts = [{ among: present }] }: SearchedRows): SQL {
  const begun = since === null ? undefined : sql`${columns.createdAt} <= ${since}`
  // A length that the planner knows may be more than it expects to be there, and then it reads and sorts everything.
  const order = sql`${newestFirst(columns)} LIMIT (SELECT ${records}::int)`
  const walks = parts.map(({ among, only }) => {
    const walked = sql`SELECT * FROM ${table} WHERE ${and(among, begun)} ${order}`
    return only ? sql`SELECT * FROM (${walked}) AS ${table} WHERE ${only} ${newestFirst(columns)}` : walked
  })
  if (walks.length === 1) return walks[0] as SQL
  // What is in several parts stands together in the merged order, and counts once.
  return sql`SELECT DISTINCT ON (${columns.createdAt}, ${columns.id}) * FROM (${sql.join(walks.map((each) => sql`(${each})`), sql` UNION ALL `)}) AS ${table} ${order}`
}

function candidates({ table, columns, where, text, limit }: { table: SQLWrapper; columns: SearchedColumns; where: SQL | undefined; text: string; limit: number }): SQL {
  const { id, createdAt, searchText } = columns
  return sql`
    SELECT ${id} AS id, ${createdAt} AS created_at, ${beginsWith(firstLetters(searchText), text)} AS leads
    FROM ${table} WHERE ${where} LIMIT ${sql.raw(String(limit))} OFFSET 0`
}

const newestFirst = ({ createdAt, id }: SearchedColumns): SQL => sql`ORDER BY ${createdAt} DESC, ${id} DESC`
const bestFirst = (limit: number): SQL => sql`ORDER BY leads DESC, created_at DESC, id DESC LIMIT ${limit}`
const options = { shortWordsBegin: true }
const isCompared = (text: string, searchText: SQLWrapper): SQL | undefined => comparedCondition(text, searchText, options)
/** All that is searched begins with a blank, and has another in the place of what is missing, such as a first name. */
const firstLetters = (searchText: SQLWrapper): SQL => sql`ltrim(${searchText}, crm_searchable(' '))`
