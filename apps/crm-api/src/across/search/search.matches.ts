import type { Executor } from '@crm/db'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { before } from '../../records/before.ts'
import { beginsWith, comparedCondition, searchCondition } from '../../records/search-terms.ts'

/** What is searched of one kind of record. */
export interface SearchedRows {
  readonly table: SQLWrapper
  readonly columns: { readonly id: SQLWrapper; readonly createdAt: SQLWrapper; readonly searchText: SQLWrapper }
  /** The order in which an index has the rows, the newest first. */
  readonly newestFirst: SQL
  /** The rows that are there. */
  readonly present: SQL
  /** Those of them that the caller sees. */
  readonly seen: SQL
  /** What the caller sees in parts, each of which an index has in that order; without them a walk passes what others see, too. */
  readonly parts?: readonly SQL[]
}

/** What is looked for. */
export interface Asked {
  readonly context: CrmContext
  readonly text: string
  readonly limit: number
  /** When the search ends, on the clock of `performance`; what was found by then is answered. */
  readonly until: number
}

/** The ids of what was found, best first. */
export interface Matches {
  readonly ids: readonly string[]
  /** There may be more: the search was over before all was looked through. */
  readonly isPartial: boolean
}

/** So many of the newest records are looked through. */
const newestRecords = 1_000
/** Of what the index finds, so many records are looked at. */
const candidatesMax = 1_000

/**
 * Finds the records that hold a text: those that begin with it first, then the newest.
 *
 * What is frequent is found among the newest records. What is not is rare, so the index is asked for all of it.
 */
export async function findMatches(rows: SearchedRows, { context, text, limit, until }: Asked): Promise<Matches> {
  const { walked, matches } = await lookThroughNewest(context.db, rows, text)
  if (walked < newestRecords || matches.length >= 2 * limit) return { ids: best(matches, limit), isPartial: false }
  const rare = await before(until, context, (tx) => askIndex(tx, rows, text))
  return { ids: best([...matches, ...(rare ?? [])], limit), isPartial: rare === null }
}

interface Match {
  readonly id: string
  /** Whether the record begins with the text. */
  readonly leads: boolean
  /** In seconds. */
  readonly createdAt: number
}

function best(matches: readonly Match[], limit: number): string[] {
  const inOrder = matches.toSorted((a, b) => Number(b.leads) - Number(a.leads) || b.createdAt - a.createdAt)
  return [...new Set(inOrder.map(({ id }) => id))].slice(0, limit)
}

interface Walk extends Record<string, unknown> {
  readonly walked: number
  readonly matches: readonly Match[]
}

async function lookThroughNewest(db: Executor, rows: SearchedRows, text: string): Promise<Walk> {
  const { table, columns, seen } = rows
  const isMatch = sql`${seen} AND ${comparedCondition(text, columns.searchText, options)}`
  const {
    rows: [walk],
  } = await db.execute<Walk>(sql`
    SELECT count(*)::int AS walked, coalesce(json_agg(json_build_object(${facts(rows, text)})) FILTER (WHERE ${isMatch}), '[]') AS matches
    FROM (${newest(rows)}) AS ${table}`)
  return walk ?? { walked: 0, matches: [] }
}

/** The newest records, each part by the index that has it in the order of time. */
function newest({ table, newestFirst, present, parts = [present] }: SearchedRows): SQL {
  // A planner that knows the length expects fewer records than that, and sorts them all.
  const inOrder = sql`ORDER BY ${newestFirst} LIMIT (SELECT ${newestRecords}::int)`
  const each = parts.map((part) => sql`(SELECT * FROM ${table} WHERE ${part} AND ${present} ${inOrder})`)
  return each.length === 1
    ? sql.join(each)
    : sql`SELECT * FROM (${sql.join(each, sql` UNION ALL `)}) AS ${table} ${inOrder}`
}

/** All that the index knows of, as far as it is looked at; it is cut off before anything is sorted. */
async function askIndex(db: Executor, rows: SearchedRows, text: string): Promise<readonly Match[]> {
  const { table, columns, seen } = rows
  const { rows: found } = await db.execute<{ match: Match }>(sql`
    SELECT json_build_object(${facts(rows, text)}) AS match FROM ${table}
    WHERE ${seen} AND ${searchCondition(text, columns.searchText, options)} LIMIT ${candidatesMax}`)
  return found.map(({ match }) => match)
}

const options = { shortWordsBegin: true }

function facts({ columns: { id, createdAt, searchText } }: SearchedRows, text: string): SQL {
  // All that is searched begins with a blank, and has another in the place of what is missing, such as a first name.
  const firstLetters = sql`ltrim(${searchText}, crm_searchable(' '))`
  return sql`'id', ${id}, 'leads', ${beginsWith(firstLetters, text)}, 'createdAt', extract(epoch FROM ${createdAt})`
}
