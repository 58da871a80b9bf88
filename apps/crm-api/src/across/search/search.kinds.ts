import type { SearchType } from '@crm/contract'
import { isAnyOf, reachedParts, schema, untold, type Executor, type Scope } from '@crm/db'
import { customEntityOf } from '@crm/permissions'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { customKind } from '../../records/custom-kinds.ts'
import { kindsInSight, recordKinds } from '../../kinds/kinds.ts'
import { isShared, type OwnedRow, type RecordKind } from '../../records/owned/kind.ts'
import { allExisting, existing } from '../../records/owned/list.ts'
import { apartFromWorkspace, mostOf } from '../../records/owned/text-index.ts'
import { findRecord } from '../../records/owned/repository.ts'
import { isSwitchedOff } from '../../records/rights.ts'
import { findDepartment, listDepartments } from '../../resources/departments/departments.repository.ts'
import { findEmployee, listEmployees } from '../../resources/employees/employees.repository.ts'
import { findFile, listFiles, type FileRow } from '../../domain/files/files.repository.ts'
import { filesInReach, visibleFiles } from '../../domain/files/files.visibility.ts'
import { channelsSearch, conversationsSearch } from './search.conversations.ts'
import type { Counts, CountsByType } from './search.counts.ts'
import type { Hit, ScopedType, Searchable } from './searchable.ts'
import { findBestMatches, type SearchedRows } from './search.matches.ts'
import { walkedRecordsMax } from './search.way.ts'

/** Search over a kind of owned record. */
export function searchOf<Row extends OwnedRow>(kind: RecordKind<Row>, path: string, snippetOf: (row: Row) => string): Searchable {
  const { table, rows, entityType } = kind
  const toHit = (row: Row): Hit => ({ id: row.id, title: kind.title(row), snippet: snippetOf(row) })
  return {
    path,
    counted: (context) => scopedTypes(context, [kind]),
    find: async ({ db, scopeIfAllowed }, sought, limit, counts) => {
      const scope = scopeIfAllowed(entityType)
      const ofKind = counts.get(entityType)
      if (!scope || !ofKind?.present) return []
      const ids = await findBestMatches(db, searchedRecords(kind, scope, ofKind), sought, limit)
      if (ids.length === 0) return []
      const { rows: found } = await db.execute(sql`SELECT ${rows.selection} FROM ${table} WHERE ${and(existing(kind, scope), isAnyOf(table.id, ids))} ORDER BY ${table.createdAt} DESC`)
      return found.map((raw) => toHit(rows.read(raw)))
    },
    read: async ({ db, scopeIfAllowed }, id) => {
      const scope = scopeIfAllowed(entityType)
      const row = scope && (await findRecord(db, kind, scope, id))
      return row ? { ...toHit(row), record: row } : null
    },
  }
}

function scopedTypes({ scopeIfAllowed }: CrmContext, kinds: readonly RecordKind[]): readonly ScopedType[] {
  return kinds.flatMap(({ entityType }) => {
    const scope = scopeIfAllowed(entityType)
    return scope ? [[entityType, scope] as const] : []
  })
}

/** With more parts than these a walk through all of them costs more than it saves. */
const walkedPartsMax = 12

function searchedRecords(kind: RecordKind, scope: Scope, counts: Counts): SearchedRows {
  const { table } = kind
  const present = allExisting(kind, scope.workspaceId)
  const full = { seen: existing(apartFromWorkspace(kind), scope), from: mostOf(table) }
  const rows = { key: `${scope.workspaceId} ${kind.entityType}`, table, columns: table, present, seen: existing(kind, scope), full, counts }
  if (scope.level === 'ALL' || isShared(kind)) return rows
  const parts = reachedParts(scope, table)
  if (parts.length > walkedPartsMax) return rows
  return { ...rows, parts: parts.map(({ among, ...part }) => ({ ...part, among: and(among, present) as SQL })) }
}

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Search over what has few rows: it is listed with the search of its list. */
function searchOfList<Row extends { readonly id: string }>(
  entityType: string,
  path: string,
  find: (db: Executor, scope: Scope, id: string) => Promise<Row | undefined>,
  list: (db: Executor, scope: Scope, filter: { readonly search: string }, page: Page) => Promise<{ readonly items: readonly Row[] }>,
  toHit: (row: Row) => Omit<Hit, 'id'>,
): Searchable {
  return {
    path,
    find: async ({ db, scopeIfAllowed }, { text: search }, limit) => {
      const scope = scopeIfAllowed(entityType)
      const { items } = scope ? await list(db, scope, { search }, { limit, offset: 0 }) : { items: [] }
      return items.map((row) => ({ id: row.id, ...toHit(row) }))
    },
    read: async ({ db, scopeIfAllowed }, id) => {
      const scope = scopeIfAllowed(entityType)
      const row = scope && (await find(db, scope, id))
      return row ? { id, ...toHit(row), record: row } : null
    },
  }
}

const filesSearch: Searchable = {
  path: 'files',
  counted: (context) => scopedTypes(context, kindsInSight(context)),
  find: async (context, sought, limit, countsOfRecords) => {
    if (!seesFiles(context)) return []
    const { files } = schema
    const present = and(eq(files.workspaceId, untold(context.workspace.id)), isNull(files.deletedAt)) as SQL
    const counts = { present: await countFiles(context, present), seen: countOfSeen(countsOfRecords) }
    if (counts.present === 0) return []
    const seen = visibleFiles(context)
    const rows = { key: `${context.workspace.id} FILE`, table: files, columns: files, present, seen, reached: filesInReach(context), counts }
    const ids = await findBestMatches(context.db, rows, sought, limit)
    const { items } = ids.length === 0 ? { items: [] } : await listFiles(context.db, and(seen, isAnyOf(files.id, ids)) as SQL, { limit, offset: 0, sortOrder: 'desc' })
    return items.map(fileHit)
  },
  read: async (context, id) => {
    const file = seesFiles(context) ? await findFile(context.db, visibleFiles(context), id) : undefined
    return file ? { ...fileHit(file), record: file } : null
  },
}

/** There is no ledger of files: they are counted as far as they would be walked. */
async function countFiles({ db }: CrmContext, present: SQL): Promise<number> {
  const walked = sql`(SELECT FROM ${schema.files} WHERE ${present} LIMIT ${sql.raw(String(walkedRecordsMax + 1))}) walked`
  const { rows } = await db.execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${walked}`)
  const n = rows[0]?.n ?? 0
  return n > walkedRecordsMax ? Infinity : n
}

/** The files seen go by the records seen. */
function countOfSeen(counts: CountsByType): number {
  return [...counts.values()].reduce((sum, { seen }) => sum + seen, 0)
}

function seesFiles({ scopeIfAllowed }: CrmContext): boolean {
  return scopeIfAllowed('FILE') !== null || scopeIfAllowed('DOCUMENT') !== null
}

function fileHit({ id, name, contentType, size }: FileRow): Hit {
  return { id, title: name, snippet: line(contentType, `${Math.ceil(size / 1024)} KB`) }
}

const line = (...parts: readonly (string | number | null | undefined)[]): string => parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')

/** Everything that is searched, by the word before the colon of a result's id. */
const searchables: Readonly<Record<SearchType, Searchable>> = {
  lead: searchOf(recordKinds.LEAD, 'leads', ({ companyName, email, phone }) => line(companyName, email, phone)),
  contact: searchOf(recordKinds.CONTACT, 'contacts', ({ jobTitle, email, phone }) => line(jobTitle, email, phone)),
  company: searchOf(recordKinds.COMPANY, 'companies', ({ domain, email, phone }) => line(domain, email, phone)),
  deal: searchOf(recordKinds.DEAL, 'deals', ({ status, amount, currency }) => line(status, amount && `${amount} ${currency}`)),
  task: searchOf(recordKinds.TASK, 'tasks', ({ number, status, dueAt }) => line(`#${number}`, status, dueAt?.slice(0, 10))),
  project: searchOf(recordKinds.PROJECT, 'projects', ({ number, status }) => line(`#${number}`, status)),
  product: searchOf(recordKinds.PRODUCT, 'products', ({ sku, status, basePrice, currency }) => line(sku, status, basePrice && `${basePrice} ${currency}`)),
  invoice: searchOf(recordKinds.INVOICE, 'invoices', ({ status, total, currency, dueDate }) => line(status, `${total} ${currency}`, dueDate)),
  quote: searchOf(recordKinds.QUOTE, 'quotes', ({ status, total, currency }) => line(status, `${total} ${currency}`)),
  document: searchOf(recordKinds.DOCUMENT, 'document-templates', ({ kind }) => kind),
  activity: searchOf(recordKinds.ACTIVITY, 'activities', ({ type, body }) => line(type, body?.slice(0, 120))),
  file: filesSearch,
  channel: channelsSearch,
  conversation: conversationsSearch,
  employee: searchOfList('EMPLOYEE', 'people', findEmployee, listEmployees, ({ name, email }) => ({ title: name, snippet: email })),
  department: searchOfList('DEPARTMENT', 'departments', findDepartment, listDepartments, ({ name }) => ({ title: name, snippet: '' })),
}

/** Everything that a caller might find: the kinds above whose module is not switched off, and the workspace's own, whose word is their key. */
export function searchablesFor(context: Pick<CrmContext, 'caller' | 'workspace'>): Readonly<Record<string, Searchable>> {
  const builtIn = Object.entries(searchables).filter(([type]) => !isSwitchedOff(context, `VIEW_${type.toUpperCase()}`))
  const own = [...context.caller.effective].flatMap((name) => {
    const permission = customEntityOf(name)
    if (permission?.action !== 'VIEW') return []
    const key = permission.entityType.toLowerCase()
    return [[key, searchOf(customKind(permission.entityType), `records/${key}`, () => '')] as const]
  })
  return { ...Object.fromEntries(own), ...Object.fromEntries(builtIn) }
}
