import type { SearchType } from '@crm/contract'
import type { Executor, Scope } from '@crm/db'
import { and, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { recordKinds } from '../../records/kinds.ts'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { findRecord } from '../../records/owned/repository.ts'
import { searchCondition } from '../../records/search-terms.ts'

/** Something that was found. */
export interface Hit {
  readonly id: string
  readonly title: string
  readonly snippet: string
}

/** One kind of record as search finds and reads it. */
export interface Searchable {
  /** The kind's name in permissions. */
  readonly entityType: string
  /** Where the console shows one, below the address of the workspace. */
  readonly path: string
  find(db: Executor, scope: Scope, text: string, limit: number): Promise<readonly Hit[]>
  read(db: Executor, scope: Scope, id: string): Promise<(Hit & { readonly record: object }) | null>
}

/** More matches than these are not looked at for the best ones. */
const candidatesMax = 1_000

/** The ids of what matches, those that begin with the text first, then the newest. */
export function bestMatches(table: SQLWrapper, columns: { readonly id: SQLWrapper; readonly createdAt: SQLWrapper; readonly searchText: SQLWrapper }, where: SQL, text: string, limit: number): SQL {
  const { id, createdAt, searchText } = columns
  // The candidates are cut off before they are sorted: the index finds them fast, and reading all of a frequent word does not end.
  return sql`
    SELECT id FROM (
      SELECT ${id} AS id, ${createdAt} AS created_at, ${searchText} LIKE crm_fold(${`${text.replaceAll(/[\\%_]/g, (c) => `\\${c}`)}%`}) AS leads
      FROM ${table} WHERE ${where} AND ${searchCondition(text, searchText, { shortWordsBegin: true })} LIMIT ${candidatesMax} OFFSET 0
    ) candidates ORDER BY leads DESC, created_at DESC, id DESC LIMIT ${limit}`
}

/** Search over a kind of owned record. */
export function searchOf<Row extends OwnedRow>(kind: RecordKind<Row>, path: string, snippetOf: (row: Row) => string): Searchable {
  const { table, rows } = kind
  const toHit = (row: Row): Hit => ({ id: row.id, title: kind.title(row), snippet: snippetOf(row) })
  return {
    entityType: kind.entityType,
    path,
    find: async (db, scope, text, limit) => {
      const best = bestMatches(table, table, existing(kind, scope), text, limit)
      const { rows: found } = await db.execute(sql`SELECT ${rows.selection} FROM ${table} WHERE ${and(sql`${table.workspaceId} = ${scope.workspaceId}`, sql`${table.id} IN (${best})`)} ORDER BY ${table.createdAt} DESC`)
      return found.map((raw) => toHit(rows.read(raw)))
    },
    read: async (db, scope, id) => {
      const row = await findRecord(db, kind, scope, id)
      return row ? { ...toHit(row), record: row } : null
    },
  }
}

const line = (...parts: readonly (string | number | null | undefined)[]): string => parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')

/** Everything that is searched, by the word before the colon of a result's id. */
export const searchables: Partial<Record<SearchType, Searchable>> = {
  lead: searchOf(recordKinds.LEAD, 'leads', ({ companyName, email, phone }) => line(companyName, email, phone)),
  contact: searchOf(recordKinds.CONTACT, 'contacts', ({ jobTitle, email, phone }) => line(jobTitle, email, phone)),
  company: searchOf(recordKinds.COMPANY, 'companies', ({ domain, email, phone }) => line(domain, email, phone)),
  deal: searchOf(recordKinds.DEAL, 'deals', ({ status, amount, currency }) => line(status, amount && `${amount} ${currency}`)),
  task: searchOf(recordKinds.TASK, 'tasks', ({ number, status, dueAt }) => line(`#${number}`, status, dueAt?.slice(0, 10))),
  project: searchOf(recordKinds.PROJECT, 'projects', ({ number, status }) => line(`#${number}`, status)),
  activity: searchOf(recordKinds.ACTIVITY, 'activities', ({ type, body }) => line(type, body?.slice(0, 120))),
}
