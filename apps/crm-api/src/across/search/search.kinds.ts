import type { SearchType } from '@crm/contract'
import { isAnyOf, reachedParts, schema, opaque, type Executor, type Scope } from '@crm/db'
import { tableOfPlainKinds, type PlainEntity } from '@crm/model'
import { customEntityOf } from '@crm/permissions'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { customKind } from '../../records/custom-kinds.ts'
import { showFollowedUp, showStaged } from '../../kinds/follow-ups.ts'
import { recordKinds } from '../../kinds/kinds.ts'
import { plainRecordKind } from '../../kinds/plain-kinds.ts'
import { presentOne, type Present } from '../../records/owned/handlers.ts'
import { isShared, type OwnedRow, type RecordKind } from '../../records/owned/kind.ts'
import { allExisting, existing } from '../../records/owned/list.ts'
import { findRecord } from '../../records/owned/repository.ts'
import { isSwitchedOff } from '../../records/rights.ts'
import { findDepartment, listDepartments } from '../../resources/identity/departments/departments.repository.ts'
import { findEmployee, listEmployees } from '../../resources/identity/employees/employees.repository.ts'
import { findFile, listFiles, type FileRow } from '../../domain/files/files.repository.ts'
import { visibleFiles } from '../../domain/files/files.visibility.ts'
import { channelsSearch, conversationsSearch } from './search.conversations.ts'
import type { SearchedRows } from './search.matches.ts'
import { searchTable, type Hit, type HitContext, type Searchable } from './searchable.ts'

/** A context of a hit in which a value may be missing. */
type Loose = { readonly [Name in keyof HitContext]: HitContext[Name] | null }

function presentIn(context: Loose): HitContext {
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== null && value !== ''))
}

/** Returns the search over a kind of owned record. */
function searchOf<Row extends OwnedRow>(
  kind: RecordKind<Row>,
  path: string,
  snippetOf: (row: Row) => string,
  contextOf?: (row: Row) => Loose,
  present: Present<Row, object> = async (_db, _context, found) => [...found],
): Searchable {
  const { table, rows, entityType } = kind
  const toHit = (row: Row): Hit => ({
    id: row.id,
    title: kind.title(row),
    snippet: snippetOf(row),
    ...(contextOf ? { context: presentIn(contextOf(row)) } : {}),
  })
  return searchTable({
    path,
    rows: ({ scopeIfAllowed }) => {
      const scope = scopeIfAllowed(entityType)
      return (
        scope && {
          table,
          columns: table,
          newestFirst: newestFirst(table),
          present: allExisting(kind, scope.workspaceId),
          seen: existing(kind, scope),
          parts: partsOf(kind, scope),
        }
      )
    },
    hits: async ({ db, scope }, ids) => {
      const reach = scope(entityType)
      const isFound = and(existing(kind, reach), isAnyOf(table.id, ids))
      const { rows: found } = await db.execute(
        sql`SELECT ${rows.selection(reach.workspaceId)} FROM ${table} WHERE ${isFound} ORDER BY ${table.createdAt} DESC`,
      )
      return found.map((raw) => toHit(rows.read(raw)))
    },
    read: async (context, id) => {
      const { db, scopeIfAllowed } = context
      const scope = scopeIfAllowed(entityType)
      const row = scope && (await findRecord(db, kind, scope, id))
      return row ? { ...toHit(row), record: await presentOne(present, db, context, row) } : null
    },
  })
}

function newestFirst({ createdAt, id }: Pick<SearchedRows['columns'], 'createdAt' | 'id'>): SQL {
  return sql`${createdAt} DESC, ${id} DESC`
}

/** More parts than these cost more time than they save. */
const partsMax = 12

/** Returns the parts of a scope: records that belong only to their owners are walked through by owner and department. */
function partsOf(kind: RecordKind, scope: Scope): readonly SQL[] | undefined {
  if (scope.level === 'ALL' || isShared(kind)) return undefined
  const parts = reachedParts(scope, kind.table)
  return parts.length > partsMax ? undefined : parts
}

interface Page {
  readonly limit: number
  readonly offset: number
  /** The language of the order. */
  readonly locale: string
}

/** The number of rows of a small table that are examined for possible misspellings. */
const listedMax = 500

/** Returns the search over a small table, which uses the search of its list. */
function searchOfList<Row extends { readonly id: string }>(
  entityType: string,
  path: string,
  find: (db: Executor, scope: Scope, id: string) => Promise<Row | undefined>,
  list: (
    db: Executor,
    scope: Scope,
    filter: { readonly search?: string },
    page: Page,
  ) => Promise<{ readonly items: readonly Row[] }>,
  describe: (row: Row) => Omit<Hit, 'id'>,
): Searchable {
  const toHit = (row: Row): Hit => ({ id: row.id, ...describe(row) })
  const listed = async (context: CrmContext, filter: { readonly search?: string }, limit: number) => {
    const scope = context.scopeIfAllowed(entityType)
    const { locale } = context.workspace
    return scope ? (await list(context.db, scope, filter, { limit, offset: 0, locale })).items.map(toHit) : []
  }
  return {
    path,
    find: async ({ context, text: search, limit }) => ({
      hits: await listed(context, { search }, limit),
      isPartial: false,
    }),
    guess: ({ context }) => listed(context, {}, listedMax),
    read: async ({ db, scopeIfAllowed }, id) => {
      const scope = scopeIfAllowed(entityType)
      const row = scope && (await find(db, scope, id))
      return row ? { ...toHit(row), record: row } : null
    },
  }
}

const { files } = schema

const filesSearch = searchTable({
  path: 'files',
  rows: (context) => {
    const present = and(eq(files.workspaceId, opaque(context.workspace.id)), isNull(files.deletedAt)) as SQL
    return seesFiles(context)
      ? { table: files, columns: files, newestFirst: newestFirst(files), present, seen: visibleFiles(context) }
      : null
  },
  hits: async (context, ids) => {
    const { items } = await listFiles(context.db, and(visibleFiles(context), isAnyOf(files.id, ids)) as SQL, {
      limit: ids.length,
      offset: 0,
      sortOrder: 'desc',
      locale: context.workspace.locale,
    })
    return items.map(fileHit)
  },
  read: async (context, id) => {
    const file = seesFiles(context) ? await findFile(context.db, visibleFiles(context), id) : undefined
    return file ? { ...fileHit(file), record: file } : null
  },
})

function seesFiles({ scopeIfAllowed }: CrmContext): boolean {
  return scopeIfAllowed('FILE') !== null || scopeIfAllowed('DOCUMENT') !== null
}

function fileHit({ id, name, contentType, size }: FileRow): Hit {
  return { id, title: name, snippet: line(contentType, `${Math.ceil(size / 1024)} KB`) }
}

const line = (...parts: readonly (string | number | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')

const plainSearchables = tableOfPlainKinds<{ readonly [Entity in PlainEntity as Lowercase<Entity>]: Searchable }>(
  (kind) => [kind.entity.toLowerCase(), searchOf(plainRecordKind(kind), kind.stem, () => '')],
)

/** All kinds of search, by the word before the colon of a result's id. */
const searchables: Readonly<Record<SearchType, Searchable>> = {
  lead: searchOf(
    recordKinds.LEAD,
    'leads',
    ({ companyName, email, phone }) => line(companyName, email, phone),
    ({ companyName, email, phone, status, stageId }) => ({ company: companyName, email, phone, status, stageId }),
    showStaged,
  ),
  contact: searchOf(
    recordKinds.CONTACT,
    'contacts',
    ({ jobTitle, email, phone }) => line(jobTitle, email, phone),
    ({ companyId, jobTitle, email, phone }) => ({ companyId, jobTitle, email, phone }),
    showFollowedUp,
  ),
  company: searchOf(
    recordKinds.COMPANY,
    'companies',
    ({ domain, email, phone }) => line(domain, email, phone),
    ({ domain, email, phone }) => ({ domain, email, phone }),
    showFollowedUp,
  ),
  deal: searchOf(
    recordKinds.DEAL,
    'deals',
    ({ status, amount, currency }) => line(status, amount && `${amount} ${currency}`),
    ({ companyId, status, stageId, amount, currency }) => ({ companyId, status, stageId, amount, currency }),
    showStaged,
  ),
  task: searchOf(
    recordKinds.TASK,
    'tasks',
    ({ number, status, dueAt }) => line(`#${number}`, status, dueAt?.slice(0, 10)),
    ({ status, dueAt }) => ({ status, dueAt }),
  ),
  project: searchOf(
    recordKinds.PROJECT,
    'projects',
    ({ number, status }) => line(`#${number}`, status),
    ({ companyId, status }) => ({ companyId, status }),
  ),
  product: searchOf(
    recordKinds.PRODUCT,
    'products',
    ({ sku, status, basePrice, currency }) => line(sku, status, basePrice && `${basePrice} ${currency}`),
    ({ status, basePrice, currency }) => ({ status, amount: basePrice, currency }),
  ),
  invoice: searchOf(
    recordKinds.INVOICE,
    'invoices',
    ({ status, total, currency, dueDate }) => line(status, `${total} ${currency}`, dueDate),
    ({ companyId, status, total, currency, dueDate }) => ({
      companyId,
      status,
      amount: total,
      currency,
      dueAt: dueDate,
    }),
  ),
  quote: searchOf(
    recordKinds.QUOTE,
    'quotes',
    ({ status, total, currency }) => line(status, `${total} ${currency}`),
    ({ companyId, status, total, currency }) => ({ companyId, status, amount: total, currency }),
  ),
  document: searchOf(recordKinds.DOCUMENT, 'document-templates', ({ kind }) => kind),
  ...plainSearchables,
  activity: searchOf(recordKinds.ACTIVITY, 'activities', ({ type, body }) => line(type, body?.slice(0, 120))),
  file: filesSearch,
  channel: channelsSearch,
  conversation: conversationsSearch,
  employee: searchOfList('EMPLOYEE', 'people', findEmployee, listEmployees, ({ name, email }) => ({
    title: name,
    snippet: email,
  })),
  department: searchOfList('DEPARTMENT', 'departments', findDepartment, listDepartments, ({ name }) => ({
    title: name,
    snippet: '',
  })),
}

/**
 * Returns every search that can find something for a caller: the kinds above whose module is on, and the custom entities,
 * whose word is their key.
 */
export function searchablesFor(
  context: Pick<CrmContext, 'caller' | 'workspace'>,
): Readonly<Record<string, Searchable>> {
  const builtIn = Object.entries(searchables).filter(([type]) => !isSwitchedOff(context, `VIEW_${type.toUpperCase()}`))
  const own = [...context.caller.effective].flatMap((name) => {
    const permission = customEntityOf(name)
    if (permission?.action !== 'VIEW') return []
    const key = permission.entityType.toLowerCase()
    return [[key, searchOf(customKind(permission.entityType), `records/${key}`, () => '')] as const]
  })
  return { ...Object.fromEntries(own), ...Object.fromEntries(builtIn) }
}
