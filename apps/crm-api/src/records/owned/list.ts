import { own, type ConditionGroup, type SortedBy } from '@crm/contract'
import {
  given,
  ledgerFingerprint,
  ledgerRows,
  ledgerTotal,
  scopedStatement,
  someRows,
  opaque,
  valuesOf,
  visible,
  type Executor,
  type Page,
  type Scope,
  type SomeRows,
  nameCollation,
} from '@crm/db'
import { ApiError } from '@crm/errors'
import type { Module } from '@crm/permissions'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { customFieldConditions, type CustomFieldKind } from '../custom-field-filters.ts'
import { inZone, type Moment } from '../moment.ts'
import { offsetOf } from '../pages.ts'
import { searchCondition } from '../search-terms.ts'
import { sliceSizeMax } from '../slices.ts'
import { createTotals, type Totals } from '../totals.ts'
import { commonFilters } from './common-filters.ts'
import { isAmong, isShared, type Filter, type OwnedRow, type RecordKind } from './kind.ts'
import { inOrder, inOrderOfIndex, orderOf, partsInOrder, type Level } from './order.ts'
import { modulesNamedBy, structuredCondition } from './structured-filter.ts'

/** The query parameters that every list of owned records takes; each kind adds its filters. */
export interface ListQuery {
  readonly page: number
  readonly pageSize: number
  readonly sortBy?: string
  readonly sortOrder: 'asc' | 'desc'
  /** The fields that sort records whose first field is the same. */
  readonly thenBy?: readonly SortedBy<string>[]
  readonly search?: string
  readonly filter?: ConditionGroup
  /** The zone whose days the filters name; that of the workspace by default. */
  readonly timezone?: string
}

/** A list request with its filters and scope. */
export interface ListRequest {
  readonly scope: Scope
  readonly query: ListQuery
  readonly customFieldFilters: ReadonlyMap<string, string>
  readonly customFields: readonly CustomFieldKind[]
  readonly moment: Moment
}

/** The custom fields of records, and the filters by them. */
export interface CustomFilters {
  readonly customFields: readonly CustomFieldKind[]
  readonly customFieldFilters: ReadonlyMap<string, string>
}

/** The parts of a list request that the ledger needs. */
export interface LedgerRequest extends Pick<ListRequest, 'scope' | 'customFieldFilters'> {
  readonly query: Pick<ListQuery, 'search' | 'filter'>
}

/** Below this many matches, a search by the index followed by a sort is faster than a walk from the newest record on. */
const sortedSearchMax = 2_000

const totals: Totals = createTotals()

/** Returns one page of records with the exact total, read in one snapshot. */
export async function listRecords<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  inWorkspace: ListRequest,
): Promise<Page<Row>> {
  const { scope, query } = inWorkspace
  const request = { ...inWorkspace, moment: inZone(inWorkspace.moment, query.timezone) }
  const asked = filtersOf(kind, query)
  const inLedger = isInLedger(kind, request, asked)
  if (inLedger && isPlain(query, asked)) return listPlainly(db, kind, request)
  const where = conditionsOf(kind, scope, query, asked, request.moment, request)
  if (inLedger) return listByLedger(db, kind, request, where, asked)
  // The matches of such a filter change as time passes, and with the caller, so an earlier total is not used.
  const key = query.filter || asked.some(({ filter }) => filter.passes) ? null : totalKey(kind, request)
  const known = key === null ? undefined : totals.guess(key)
  if (query.search && (known === undefined || known <= sortedSearchMax))
    return listBySearch(db, kind, key, request, where)
  return listByCount(db, kind, key, request, { where, parts: partsOf(kind, request, asked, where) })
}

/** Returns the rows of the ledger that count the records of a list, when the ledger has every requested dimension. */
export function ledgerRowsOf(kind: RecordKind, request: LedgerRequest): SQL | undefined {
  const asked = filtersOf(kind, request.query)
  return isInLedger(kind, request, asked)
    ? ledgerRows({ scope: request.scope, entityType: kind.entityType, where: ledgerWhere(asked) })
    : undefined
}

function ledgerWhere(asked: readonly Asked[]): SQL | undefined {
  return and(...asked.flatMap(({ filter: { ledger }, value }) => (ledger ? [isAmong(ledger, value)] : [])))
}

/**
 * Returns all conditions of a filter on records of a kind, within the scope.
 * @throws ApiError MODULE_DISABLED for a filter whose module is off
 */
export function recordConditions(
  kind: RecordKind,
  scope: Scope,
  filter: object,
  moment: Moment,
  custom: CustomFilters = withoutCustomFields,
): SQL {
  return conditionsOf(kind, scope, filter, filtersOf(kind, filter), moment, custom)
}

function conditionsOf(
  kind: RecordKind,
  scope: Scope,
  filter: { readonly search?: unknown; readonly filter?: ConditionGroup; readonly timezone?: string },
  asked: readonly Asked[],
  inWorkspace: Moment,
  { customFields, customFieldFilters }: CustomFilters,
): SQL {
  const { filter: group, timezone } = filter
  const moment = inZone(inWorkspace, timezone)
  const modules = [...asked.map((one) => one.filter.module), ...(group ? modulesNamedBy(group, kind) : [])]
  for (const module of modules) requireModule(module, moment)
  return and(
    existing(kind, scope),
    ...asked.map(({ filter: known, value }) => known.condition(value, moment)),
    searchOf(kind, filter),
    customFieldConditions(customFields, customFieldFilters, kind.table.customFields, moment.calendar),
    group && structuredCondition(group, { kind, customFields, moment, employeeId: scope.employeeId }),
  ) as SQL
}

const withoutCustomFields: CustomFilters = { customFields: [], customFieldFilters: new Map() }

/** Refuses a filter whose matches are unknown while its module is off. */
function requireModule(module: Module | undefined, { modulesOff }: Pick<Moment, 'modulesOff'>): void {
  const reason = module && modulesOff.get(module)
  if (reason)
    throw new ApiError('MODULE_DISABLED', { message: `The module ${module} is switched off`, key: module, reason })
}

/** Returns the condition for existing records of a kind within the scope. */
export function existing(kind: Pick<RecordKind, 'table' | 'base'>, scope: Scope): SQL {
  return and(visible(scope, kind.table), isNull(kind.table.deletedAt), kind.base) as SQL
}

/** Returns the condition for all existing records of a kind, by a plan that is the same for every workspace. */
export function allExisting({ table, base }: Pick<RecordKind, 'table' | 'base'>, workspaceId: string): SQL {
  return and(eq(table.workspaceId, opaque(workspaceId)), isNull(table.deletedAt), base) as SQL
}

function searchOf(kind: RecordKind, filter: { readonly search?: unknown }): SQL | undefined {
  return typeof filter.search === 'string' ? searchCondition(filter.search, kind.table.searchText) : undefined
}

interface Asked {
  readonly filter: Filter
  readonly value: never
}

/** Returns the requested filters, each with its value. */
function filtersOf(kind: RecordKind, filter: object): Asked[] {
  const common = commonFilters(kind.table)
  return Object.entries(filter).flatMap(([name, value]) => {
    const known = own(kind.filters, name) ?? own(common, name)
    return known && value !== undefined ? [{ filter: known, value: value as never }] : []
  })
}

/** Whether the ledger has every requested dimension. */
function isInLedger(
  kind: RecordKind,
  { scope, query, customFieldFilters }: LedgerRequest,
  asked: readonly Asked[],
): boolean {
  const knowsReach = scope.level === 'ALL' || !isShared(kind)
  return (
    knowsReach &&
    customFieldFilters.size === 0 &&
    !query.search?.trim() &&
    !query.filter &&
    asked.every(({ filter }) => filter.ledger !== undefined)
  )
}

/** A row of a page, with the values that were read in the same snapshot. */
interface PageRow<Row> {
  readonly record: Row
  readonly total: number
  readonly fingerprint: string
}

/** The place of a page in a list. */
interface Place {
  readonly limit: unknown
  readonly offset: unknown
  /** How the rows of the page are reached: a page that is far from both ends costs as many steps as rows come before it. */
  readonly from: 'start' | 'afar' | 'end'
}

/** Reads a page together with further values that hold for the whole page; their names are not names of columns. */
async function readPage<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  { scope }: ListRequest,
  page: Omit<PageQuery, 'scope'>,
): Promise<SomeRows<PageRow<Row>>> {
  return splitRows(kind, await someRows<BesideRecord>(db, pageOf(kind, { scope, ...page }), {}, sliceSizeMax))
}

function splitRows<Row extends OwnedRow>(
  kind: RecordKind<Row>,
  { rows, later }: SomeRows<BesideRecord>,
): SomeRows<PageRow<Row>> {
  return { rows: rows.map((row) => splitRow(kind, row)), later }
}

interface PageQuery extends Place {
  readonly scope: Scope
  /** Conditions that exclude each other; an index has the records of each in the order of the page. */
  readonly parts: readonly SQL[]
  readonly order: readonly Level[]
  /** Further values of each row. */
  readonly beside: SQL
}

/** From this row on, the ids of a page are found before its rows are read. */
const nearMax = 200

/** Returns the query of a page. Of rows that only come before it, no more is read than an index has. */
function pageOf(kind: RecordKind, page: PageQuery): SQL {
  const { table } = kind
  const { parts, order, limit, offset, beside, from, scope } = page
  const shown = sql`SELECT ${table.id} AS "listRowId", ${kind.rows.selection(scope.workspaceId)}, ${beside} FROM`
  const [only] = parts
  if (from === 'start' && parts.length === 1 && only)
    return sql`${shown} ${table} WHERE ${only} ORDER BY ${inOrder(order)} LIMIT ${limit} OFFSET ${offset}`
  return sql`${shown} (${idsOf(kind, page)}) AS page
    JOIN ${table} ON ${table.workspaceId} = ${scope.workspaceId} AND ${table.id} = page.id ORDER BY ${inOrder(order)}`
}

/** Returns the query of the ids of a page. */
function idsOf({ table }: RecordKind, { parts, order, limit, offset, from }: PageQuery): SQL {
  const direction = from === 'end' ? 'back' : 'forth'
  const [only] = parts
  if (parts.length === 1 && only)
    return sql`SELECT ${table.id} AS id FROM ${table} WHERE ${only} ORDER BY ${inOrder(order, direction)} LIMIT ${limit} OFFSET ${offset}`
  const named = order.map(({ by }, at) => sql`${by} AS ${sql.identifier(`o${at}`)}`)
  const byName = order.map((level, at) => ({ ...level, by: sql.identifier(`o${at}`) as unknown as SQL }))
  const each = parts.map(
    (part) =>
      sql`(SELECT ${table.id} AS id, ${sql.join(named, sql`, `)} FROM ${table} WHERE ${part}
        ORDER BY ${inOrderOfIndex(order, direction)} LIMIT ${limit}::int + ${offset}::int)`,
  )
  return sql`SELECT id FROM (${sql.join(each, sql` UNION ALL `)}) AS parts ORDER BY ${inOrder(byName, direction)} LIMIT ${limit} OFFSET ${offset}`
}

interface NumberedPlace extends Place {
  readonly limit: number
  readonly offset: number
}

function placeOf({ query }: ListRequest): NumberedPlace {
  const offset = offsetOf(query)
  return { limit: query.pageSize, offset, from: offset < nearMax ? 'start' : 'afar' }
}

/** From this row on it is worth a question whether the end of a list is nearer than its beginning. */
const farMin = 2_000
/** Others may write between the question and the page; so often the question is asked again. */
const endTries = 3

/**
 * Reads a page of a list whose total the ledger has, from the nearer end of the list. A page that was counted from the end is right when the
 * total is the same in its snapshot.
 */
async function readByLedger<Row extends OwnedRow>(
  db: Executor,
  request: ListRequest,
  total: SQL<number>,
  read: (place: NumberedPlace) => Promise<SomeRows<PageRow<Row>>>,
): Promise<Page<Row>> {
  const place = placeOf(request)
  const { limit, offset } = place
  const tries = offset < farMin ? 0 : endTries
  for (let tried = 0; tried < tries; tried += 1) {
    const all = await emptyPage<Row>(db, total)
    if (offset >= all.total) return all
    if (offset < all.total / 2) break
    const size = Math.min(limit, all.total - offset)
    const page = await read({ limit: size, offset: all.total - offset - size, from: 'end' })
    if (page.rows[0]?.total === all.total) return toPage(page)
  }
  const page = await read(place)
  return page.rows.length > 0 ? toPage(page) : emptyPage(db, total)
}

function orderIn(kind: RecordKind, { query, customFields, moment }: ListRequest): readonly Level[] {
  return orderOf(kind, query, customFields, moment.locale)
}

interface BesideRecord extends Record<string, unknown> {
  listRowId?: string | undefined
  listTotal?: number | undefined
  listFingerprint?: string | undefined
}

/** Separates a record from the values beside it. The values are blanked in place: a copy of all columns takes longer than reading them. */
function splitRow<Row extends OwnedRow>(kind: RecordKind<Row>, row: BesideRecord): PageRow<Row> {
  const { listTotal: total = 0, listFingerprint: fingerprint = '' } = row
  row.listRowId = undefined
  row.listTotal = undefined
  row.listFingerprint = undefined
  return { record: kind.rows.read(row), total, fingerprint }
}

async function listByLedger<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  request: ListRequest,
  where: SQL,
  asked: readonly Asked[],
): Promise<Page<Row>> {
  const total = ledgerTotal({ scope: request.scope, entityType: kind.entityType, where: ledgerWhere(asked) })
  const order = orderIn(kind, request)
  // Where several filters have no match together, PostgreSQL would expect some and look through all records for them.
  const matches = asked.length > 1 ? (and(where, sql`${total} > 0`) as SQL) : where
  const page = { parts: partsInOrder(order, matches), order, beside: sql`${total} AS "listTotal"` }
  return readByLedger(db, request, total, (place) => readPage(db, kind, request, { ...page, ...place }))
}

/** Whether a list is requested without filters, in an order that every workspace has. */
function isPlain({ sortBy, thenBy }: ListQuery, asked: readonly Asked[]): boolean {
  return asked.length === 0 && thenBy === undefined && !sortBy?.startsWith('cf_')
}

type ScopedStatement = ReturnType<typeof scopedStatement>

/** Bounded: the orders of each kind of record, in each order of names, by the places of a page. */
const plainPages = new WeakMap<RecordKind, Map<string, ScopedStatement>>()

/** Reads a list without filters, by a statement that is built once for each order. */
async function listPlainly<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  request: ListRequest,
): Promise<Page<Row>> {
  const { scope } = request
  const total = ledgerTotal({ scope, entityType: kind.entityType, where: undefined })
  return readByLedger(db, request, total, async ({ limit, offset, from }) => {
    const values = { ...valuesOf(scope), limit, offset }
    const statement = plainPage(kind, request, from)(scope.level)
    return splitRows(kind, await someRows<BesideRecord>(db, statement, values, sliceSizeMax))
  })
}

function plainPage(kind: RecordKind, request: ListRequest, from: Place['from']): ScopedStatement {
  const ofKind = plainPages.get(kind) ?? new Map<string, ScopedStatement>()
  const { query, moment } = request
  const key = `${query.sortBy ?? ''} ${query.sortOrder} ${nameCollation(moment.locale)} ${from}`
  const page =
    ofKind.get(key) ??
    scopedStatement((scope) => {
      const total = ledgerTotal({ scope, entityType: kind.entityType, where: undefined })
      const order = orderIn(kind, request)
      return pageOf(kind, {
        scope,
        parts: partsInOrder(order, existing(kind, scope)),
        order,
        beside: sql`${total} AS "listTotal"`,
        limit: given('limit'),
        offset: given('offset'),
        from,
      })
    })
  plainPages.set(kind, ofKind.set(key, page))
  return page
}

function toPage<Row>({ rows, later }: SomeRows<PageRow<Row>>): Page<Row> {
  return { items: rows.map(({ record }) => record), total: rows[0]?.total ?? 0, later }
}

/** Returns a page after the last record; there is no row that brings the total along. */
async function emptyPage<Row>(db: Executor, total: SQL<number>): Promise<Page<Row>> {
  const { rows } = await db.execute<{ total: number }>(sql`SELECT ${total} AS total`)
  return { items: [], total: rows[0]?.total ?? 0 }
}

/** The condition for the records of a list; `parts` is the same in conditions that exclude each other. */
interface Matches {
  readonly where: SQL
  readonly parts: readonly SQL[]
}

/** Returns the parts of a request in the order of time, where an index has each of them in that order. */
function partsOf(kind: RecordKind, { query, scope }: ListRequest, asked: readonly Asked[], where: SQL): SQL[] {
  const { sortBy = 'createdAt' } = query
  const parted = asked.find(({ filter }) => filter.parts)
  if (sortBy !== 'createdAt' || !parted) return [where]
  return (parted.filter.parts?.(parted.value) ?? []).map((part) => and(existing(kind, scope), part, where) as SQL)
}

async function listByCount<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  key: string | null,
  request: ListRequest,
  { where, parts }: Matches,
): Promise<Page<Row>> {
  const order = orderIn(kind, request)
  const { rows, later } = await readPage(db, kind, request, {
    ...placeOf(request),
    parts: parts.flatMap((part) => partsInOrder(order, part)),
    order,
    beside: sql`${fingerprintOf(kind, request.scope)} AS "listFingerprint"`,
  })
  const items = rows.map((row) => row.record)
  const seen = rows[0]?.fingerprint
  const known = seen === undefined || key === null ? undefined : totals.get(key, seen)
  return { items, total: known ?? (await countRecords(db, kind, key, request.scope, where)), later }
}

async function countRecords(
  db: Executor,
  kind: RecordKind,
  key: string | null,
  scope: Scope,
  where: SQL,
): Promise<number> {
  const { rows } = await db.execute<{ total: number; fingerprint: string }>(
    sql`SELECT count(*)::int AS total, ${fingerprintOf(kind, scope)} AS fingerprint FROM ${kind.table} WHERE ${where}`,
  )
  const { total = 0, fingerprint = '' } = rows[0] ?? {}
  if (key !== null) totals.keep(key, fingerprint, total)
  return total
}

/** Finds all matches by the search index first, so that a rare word does not cause a walk through every record. */
async function listBySearch<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  key: string | null,
  request: ListRequest,
  where: SQL,
): Promise<Page<Row>> {
  const { query, scope } = request
  const { table } = kind
  const found = sql`(WITH found AS MATERIALIZED (SELECT ${table.id} AS id FROM ${table} WHERE ${where}) SELECT id, count(*) OVER ()::int AS total FROM found)`
  const page = sql`SELECT ${table.id} AS "listRowId", ${kind.rows.selection(scope.workspaceId)}, hits.total AS "listTotal", ${fingerprintOf(kind, scope)} AS "listFingerprint"
    FROM ${found} AS hits JOIN ${table} ON ${table.workspaceId} = ${scope.workspaceId} AND ${table.id} = hits.id
    ORDER BY ${inOrder(orderIn(kind, request))} LIMIT ${query.pageSize} OFFSET ${offsetOf(query)}`
  const { rows, later } = splitRows(kind, await someRows<BesideRecord>(db, page, {}, sliceSizeMax))
  const first = rows[0]
  if (!first) return { items: [], total: query.page === 1 ? 0 : await countRecords(db, kind, key, scope, where) }
  if (key !== null) totals.keep(key, first.fingerprint, first.total)
  return { items: rows.map((row) => row.record), total: first.total, later }
}

function fingerprintOf(kind: RecordKind, scope: Scope): SQL<string> {
  return ledgerFingerprint(scope.workspaceId, kind.entityType)
}

function totalKey(kind: RecordKind, { scope, query, customFieldFilters }: ListRequest): string {
  const { page: _page, pageSize: _pageSize, sortBy: _sortBy, sortOrder: _sortOrder, thenBy: _thenBy, ...filter } = query
  const reach =
    scope.level === 'ALL' ? 'ALL' : [scope.level, scope.employeeId, scope.departmentId, ...scope.departmentTreeIds]
  return JSON.stringify([scope.workspaceId, kind.entityType, reach, filter, [...customFieldFilters]])
}
