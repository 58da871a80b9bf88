import { isSampled, type Executor } from '@crm/db'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { newestRecords, type WayFacts } from './search.way.ts'

/** What some records of a kind hold: it tells how frequent a text is, and where, but never what is found. */
export interface Sample {
  /** The newest records. */
  readonly newest: readonly string[]
  /** Records that stand for all others, the newest first. */
  readonly sampled: readonly SampledText[]
  /** The beginnings of all these: those of the records that stand for others come first. */
  readonly beginnings: readonly string[]
  /** From how many records on a workspace fills the table; null where that is not asked. */
  readonly fullFrom: number | null
}

interface SampledText {
  readonly text: string
  /** When the record before it was made; null for the first. */
  readonly since: string | null
}

/** What of a table is searched and ordered by. */
export interface SearchedColumns {
  readonly id: SQLWrapper
  readonly createdAt: SQLWrapper
  readonly searchText: SQLWrapper
}

/** The order in which walks and samples meet records. */
export const newestFirst = ({ createdAt, id }: SearchedColumns): SQL => sql`ORDER BY ${createdAt} DESC, ${id} DESC`

/** What a sample is taken of. */
export interface SampledRows {
  /** The workspace and the kind. */
  readonly key: string
  readonly table: SQLWrapper
  readonly columns: SearchedColumns
  /** The rows that there are in the workspace, in the words of the index of the newest. */
  readonly present: SQL
  /** How many records fill the table, where that is asked. */
  readonly full?: { readonly from: SQL<number> }
}

/** What must all stand in a record, in the form of searched columns; one of the alternatives is enough. */
export type Terms = readonly (readonly string[])[]

const sampledRecordsMax = 1_000
/** So much of each text is kept; what stands behind it is rarely looked for. */
const lettersMax = 500
/** So many letters of a text tell which ones are frequent. */
const beginningLetters = 300

/** A letter takes two bytes. */
const keptLettersMax = 2_000_000
const keptMs = 60_000

const samples = new LRUCache<string, Sample, { readonly db: Executor; readonly rows: SampledRows }>({
  maxSize: keptLettersMax,
  sizeCalculation: ({ newest, sampled }) => 1 + lettersIn(newest) + lettersIn(sampled.map(({ text }) => text)),
  ttl: keptMs,
  fetchMethod: (_key, _stale, { context: { db, rows } }) => readSample(db, rows),
})

function lettersIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}

/** The sample of a kind in a workspace as it was read within the last minute: people search while they type, and records change slowly. */
export function sampleOf(db: Executor, rows: SampledRows): Promise<Sample> {
  return samples.forceFetch(rows.key, { context: { db, rows } })
}

type ReadSample = Omit<Sample, 'beginnings'> & Record<string, unknown>

async function readSample(db: Executor, rows: SampledRows): Promise<Sample> {
  const { rows: [read] } = await db.execute<ReadSample>(sampleQuery(rows))
  const { newest = [], sampled = [], fullFrom = null } = read ?? {}
  const beginnings = [...sampled.map(({ text }) => text), ...newest].map((text) => text.slice(0, beginningLetters))
  return { newest, sampled, beginnings, fullFrom }
}

function sampleQuery({ table, columns, present, full }: SampledRows): SQL {
  const { createdAt, id, searchText } = columns
  const order = newestFirst(columns)
  const text = sql`left(${searchText}, ${sql.raw(String(lettersMax))}) AS text`
  const newest = sql`SELECT ${text} FROM ${table} WHERE ${present} ${order} LIMIT ${sql.raw(String(newestRecords))}`
  const sampled = sql`SELECT ${text}, lag(${createdAt}) OVER (${order}) AS since FROM ${table} WHERE ${present} AND ${isSampled(id)} ${order} LIMIT ${sql.raw(String(sampledRecordsMax))}`
  return sql`
    SELECT (SELECT coalesce(json_agg(text), '[]') FROM (${newest}) newest) AS newest,
      (SELECT coalesce(json_agg(sampled), '[]') FROM (${sampled}) sampled) AS sampled,
      ${full?.from ?? sql`NULL`} AS "fullFrom"`
}

/** Which records of a sample hold a text. */
export function matchesIn({ newest, sampled }: Sample, terms: Terms): Pick<WayFacts, 'newestMatches' | 'sampledMatches'> {
  const isMatch = (text: string): boolean => terms.some((all) => all.every((term) => text.includes(term)))
  return {
    newestMatches: newest.filter(isMatch).length,
    sampledMatches: sampled.flatMap(({ text, since }, at) => (isMatch(text) ? [{ place: at + 1, since }] : [])),
  }
}
