import { recordsPerSampled, type Executor, type ReachedPart } from '@crm/db'
import { and, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { beginsWith, comparedCondition, isInIndex, pieceCondition, searchCondition, soughtTerms } from '../../records/search-terms.ts'
import type { Counts } from './search.counts.ts'
import { choosePieces, textsToTell } from './search.pieces.ts'
import { matchesIn, newestFirst, sampleOf, type Sample, type SampledRows, type SearchedColumns, type Terms } from './search.sample.ts'
import { decideWays, indexedMax, walkedRecordsMax, wantedOf, wayToFew, type Walk } from './search.way.ts'

/** Rows that are searched, and those of them that the caller sees. */
export interface SearchedRows extends SampledRows {
  /** The rows that the caller sees. */
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

/** What is looked for. */
export interface Sought {
  readonly text: string
  /** The same as it stands in searched columns. */
  readonly terms: Terms
}

/** What a text is looked for by; the database folds it. */
export async function readSought(db: Executor, text: string): Promise<Sought> {
  const { rows } = await db.execute<{ terms: Terms }>(sql`SELECT ${soughtTerms(text, options)} AS terms`)
  return { text, terms: rows[0]?.terms ?? [] }
}

/** The ids of what matches, those that begin with the text first, then the newest; for tables that stay small. */
export function bestMatches(table: SQLWrapper, columns: SearchedColumns, where: SQL, text: string, limit: number): SQL {
  const found = and(where, searchCondition(text, columns.searchText, options))
  return sql`SELECT id FROM (${candidates({ table, columns, where: found, text, limit: indexedMax })}) candidates ${bestFirst(limit)}`
}

/** The ids of what the caller sees of what matches, those that begin with the text first, then the newest. */
export async function findBestMatches(db: Executor, rows: SearchedRows, sought: Sought, limit: number): Promise<readonly string[]> {
  const found = new Map<string, Match>()
  for (const candidates of await candidatesOf(db, rows, sought, limit)) {
    // Two walks may meet the same records, so all that a walk meets are told apart.
    for (const match of await readBest(db, candidates(), wantedOf(limit))) found.set(match.id, match)
    if (found.size >= limit) break
  }
  return [...found.values()].toSorted((a, b) => Number(b.leads) - Number(a.leads) || b.createdAt - a.createdAt).slice(0, limit).map(({ id }) => id)
}

interface Match {
  readonly id: string
  /** Whether the record begins with the text. */
  readonly leads: boolean
  /** In seconds. */
  readonly createdAt: number
}

async function readBest(db: Executor, candidates: SQL, wanted: number): Promise<Match[]> {
  const { rows } = await db.execute<Match & Record<string, unknown>>(sql`
    SELECT id, leads, extract(epoch FROM created_at)::float8 AS "createdAt" FROM (${candidates}) candidates ${bestFirst(wanted)}`)
  return rows
}

/** The candidates by each way, the shortest way first; they are cut off before they are sorted, for reading all of a frequent text does not end. */
async function candidatesOf(db: Executor, rows: SearchedRows, sought: Sought, limit: number): Promise<readonly (() => SQL)[]> {
  const few = wayToFew(rows.counts)
  if (few) return [() => (few === 'SEEN' ? amongSeen(rows, sought) : amongPresent(rows, sought))]
  const sample = await sampleOf(db, rows)
  const matches = matchesIn(sample, sought.terms)
  const ways = decideWays({ ...matches, ...rows.counts, walksSeen: rows.parts !== undefined }, limit)
  return ways.map((way) => () => {
    if (way === 'INDEX') return inIndex(rows, sought, sample, matches.sampledMatches.length * recordsPerSampled)
    return way === 'SEEN' ? amongSeen(rows, sought) : onWalk(way, rows, sought, wantedOf(limit))
  })
}

function inIndex({ table, columns, counts, full, seen }: SearchedRows, { text, terms }: Sought, { beginnings, fullFrom }: Sample, matches: number): SQL {
  const fillsTable = counts.present >= (fullFrom ?? Infinity)
  // Pieces of what may stand in one form or another are none that all matches hold.
  const pieces = choosePieces({ terms: terms.length === 1 ? (terms[0] ?? []) : [], texts: beginnings.slice(0, textsToTell(counts.present)), matches })
  const isIndexed = pieces.length > 0 ? pieceCondition(text, columns.searchText, pieces, options) : searchCondition(text, columns.searchText, options)
  return candidates({ table, columns, where: and(full && fillsTable && isInIndex(text, options) ? full.seen : seen, isIndexed), text, limit: indexedMax })
}

function amongSeen({ table, columns, seen, reached = seen }: SearchedRows, { text }: Sought): SQL {
  return candidates({ table: sql`(SELECT * FROM ${table} WHERE ${reached} OFFSET 0) AS ${table}`, columns, where: isCompared(text, columns.searchText), text, limit: indexedMax })
}

function amongPresent(rows: SearchedRows, sought: Sought): SQL {
  return onWalk({ since: null, records: walkedRecordsMax }, rows, sought, indexedMax)
}

function onWalk(way: Walk, rows: SearchedRows, { text }: Sought, limit: number): SQL {
  const { table, columns, seen } = rows
  return candidates({ table: sql`(${walk(way, rows)}) AS ${table}`, columns, where: and(isCompared(text, columns.searchText), seen), text, limit })
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

const bestFirst = (limit: number): SQL => sql`ORDER BY leads DESC, created_at DESC, id DESC LIMIT ${limit}`
const options = { shortWordsBegin: true }
const isCompared = (text: string, searchText: SQLWrapper): SQL | undefined => comparedCondition(text, searchText, options)
/** All that is searched begins with a blank, and has another in the place of what is missing, such as a first name. */
const firstLetters = (searchText: SQLWrapper): SQL => sql`ltrim(${searchText}, crm_searchable(' '))`
