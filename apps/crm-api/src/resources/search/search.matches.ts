import { ledgerTotal, type Scope } from '@crm/db'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { RecordKind } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { searchCondition } from '../../records/search-terms.ts'

/** More matches than these are not looked at for the best ones. */
const candidatesMax = 1_000

/** What of a table is searched and ordered by. */
export interface SearchedColumns {
  readonly id: SQLWrapper
  readonly createdAt: SQLWrapper
  readonly searchText: SQLWrapper
}

/** The ids of what matches, those that begin with the text first, then the newest. */
export function bestMatches(table: SQLWrapper, columns: SearchedColumns, where: SQL, text: string, limit: number): SQL {
  return sql`SELECT id FROM (${foundByIndex(table, columns, where, text)}) candidates ${bestFirst(limit)}`
}

/** The candidates are cut off before they are sorted: the index finds them fast, and reading all of a frequent word does not end. */
function foundByIndex(table: SQLWrapper, { id, createdAt, searchText }: SearchedColumns, where: SQL, text: string): SQL {
  return sql`
    SELECT ${id} AS id, ${createdAt} AS created_at, ${beginsWith(searchText, text)} AS leads
    FROM ${table} WHERE ${where} AND ${matches(text, searchText)} LIMIT ${candidatesMax} OFFSET 0`
}

const bestFirst = (limit: number): SQL => sql`ORDER BY leads DESC, created_at DESC, id DESC LIMIT ${limit}`
const matches = (text: string, searchText: SQLWrapper): SQL | undefined => searchCondition(text, searchText, { shortWordsBegin: true })
/** A person without a first name has a space in its place. */
const beginsWith = (searchText: SQLWrapper, text: string): SQL => sql`ltrim(${searchText}) LIKE crm_fold(${`${text.replaceAll(/[\\%_]/g, (c) => `\\${c}`)}%`})`

/** So many of the newest records tell whether a text is frequent. */
const sampled = 500
const frequentInSample = 15
/** As many matches are far beyond what is looked at for the best ones, however they are found. */
const frequentFrom = 4 * candidatesMax
const walkedMax = 10_000
const walkedCandidates = 300

/**
 * The same where every record is within reach. The index has to collect all matches of frequent words before the first is
 * read, and takes the longer the more records there are. Where the newest records hold the text often, and all of them far
 * more of it than are looked at anyway, the newest matches are found by walking the records from the newest.
 */
export function bestMatchesOfAll(kind: RecordKind, scope: Scope, text: string, limit: number): SQL {
  const { table } = kind
  const where = existing(kind, scope)
  const newest = (rows: number): SQL => sql`
    (SELECT ${table.id} AS id, ${table.createdAt} AS created_at, ${table.searchText} AS search_text FROM ${table} WHERE ${where}
     ORDER BY ${table.createdAt} DESC, ${table.id} DESC LIMIT ${sql.raw(String(rows))}) newest`
  const searchText = sql`newest.search_text`
  const total = ledgerTotal({ scope, entityType: kind.entityType, where: undefined })
  return sql`
    WITH sample AS MATERIALIZED (
      SELECT hits >= ${frequentInSample} AND hits * ${total}::bigint / ${sampled} >= ${frequentFrom} AS is_frequent
      FROM (SELECT count(*) FILTER (WHERE ${matches(text, searchText)}) AS hits FROM ${newest(sampled)}) counted
    )
    SELECT id FROM (
      SELECT * FROM (
        SELECT id, created_at, ${beginsWith(searchText, text)} AS leads FROM ${newest(walkedMax)} WHERE ${matches(text, searchText)} LIMIT ${walkedCandidates} OFFSET 0
      ) walked WHERE (SELECT is_frequent FROM sample)
      UNION ALL
      SELECT * FROM (${foundByIndex(table, table, where, text)}) found WHERE NOT (SELECT is_frequent FROM sample)
    ) candidates ${bestFirst(limit)}`
}
