import type { Executor } from '@crm/db'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { before } from '../../records/before.ts'
import { beginsWith, comparedCondition, searchCondition } from '../../records/search-terms.ts'

/** The searched rows of one kind of record. */
export interface SearchedRows {
  readonly table: SQLWrapper
  readonly columns: { readonly id: SQLWrapper; readonly createdAt: SQLWrapper; readonly searchText: SQLWrapper }
  /** The order in which an index has the rows, the newest first. */
  readonly newestFirst: SQL
  /** The condition for existing rows. */
  readonly present: SQL
  /** The condition for the existing rows that the caller sees. */
  readonly seen: SQL
  /** The visible rows in parts, each of which an index has in that order; without parts a walk also passes rows that others see. */
  readonly parts?: readonly SQL[]
}

/** A search request. */
export interface Asked {
  readonly context: CrmContext
  readonly text: string
  readonly limit: number
  /** The time at which the search ends, on the clock of `performance`; the results found by then are answered. */
  readonly until: number
}

/** The ids of the results, best first. */
export interface Matches {
  readonly ids: readonly string[]
  /** Whether there may be more results: the search ended before all rows were examined. */
  readonly isPartial: boolean
}

/** The number of newest records that are examined. */
const newestRecords = 1_000
/** The number of records from the index that are examined. */
const candidatesMax = 1_000

/**
 * Finds the records that contain a text: records that begin with it first, then the newest.
 *
 * Frequent texts are found among the newest records. Other texts are rare, so the index is asked for all their matches.
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

/** Returns the newest records, each part by the index that has it in the order of time. */
function newest({ table, newestFirst, present, parts = [present] }: SearchedRows): SQL {
  // The subquery hides the limit from the planner, which otherwise expects fewer records than the limit, and sorts them all.
  const inOrder = sql`ORDER BY ${newestFirst} LIMIT (SELECT ${newestRecords}::int)`
  const each = parts.map((part) => sql`(SELECT * FROM ${table} WHERE ${part} AND ${present} ${inOrder})`)
  return each.length === 1
    ? sql.join(each)
    : sql`SELECT * FROM (${sql.join(each, sql` UNION ALL `)}) AS ${table} ${inOrder}`
}

/** Returns all matches of the index up to the limit; the limit applies before the sort. */
async function askIndex(db: Executor, rows: SearchedRows, text: string): Promise<readonly Match[]> {
  const { table, columns, seen } = rows
  const { rows: found } = await db.execute<{ match: Match }>(sql`
    SELECT json_build_object(${facts(rows, text)}) AS match FROM ${table}
    WHERE ${seen} AND ${searchCondition(text, columns.searchText, options)} LIMIT ${candidatesMax}`)
  return found.map(({ match }) => match)
}

const options = { shortWordsBegin: true }

function facts({ columns: { id, createdAt, searchText } }: SearchedRows, text: string): SQL {
  // Every searched text begins with a blank, and has another blank in the place of a missing part, such as a first name.
  const firstLetters = sql`ltrim(${searchText}, crm_searchable(' '))`
  return sql`'id', ${id}, 'leads', ${beginsWith(firstLetters, text)}, 'createdAt', extract(epoch FROM ${createdAt})`
}
