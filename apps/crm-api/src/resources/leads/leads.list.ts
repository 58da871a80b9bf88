import type { leads as leadsResource, Input } from '@crm/contract'
import { ledgerFingerprint, ledgerTotal, schema, visible, type Executor, type Page, type Scope } from '@crm/db'
import { and, asc, desc, eq, gte, isNull, lte, sql, type SQL } from 'drizzle-orm'
import { customFieldConditions, customFieldOrder, type CustomFieldKind } from '../../records/custom-field-filters.ts'
import { offsetOf } from '../../records/pages.ts'
import { searchCondition } from '../../records/search-terms.ts'
import type { Totals } from '../../records/totals.ts'
import { leadRows, type LeadRow } from './leads.record.ts'

const { leads, recordCounts } = schema

export type LeadQuery = Input<(typeof leadsResource)['operations']['list']>['query']
export type LeadFilter = Omit<LeadQuery, 'page' | 'pageSize' | 'sortBy' | 'sortOrder'>

/** A lead list as it was asked for. */
export interface LeadListRequest {
  readonly scope: Scope
  readonly query: LeadQuery
  readonly customFieldFilters: ReadonlyMap<string, string>
  readonly customFields: readonly CustomFieldKind[]
}

/** Below this many matches, finding them by the search index and sorting them beats walking the newest first. */
const sortedSearchMax = 2_000

/** One page of leads with the exact total, read in one snapshot. */
export async function listLeads(db: Executor, totals: Totals, request: LeadListRequest): Promise<Page<LeadRow>> {
  const { scope, query } = request
  const where = leadConditions(scope, query, customFieldConditions(request.customFields, request.customFieldFilters, leads.customFields))
  const inLedger = request.customFieldFilters.size === 0 && isInLedger(query)
  if (inLedger) return listByLedger(db, request, where)
  const key = totalKey(request)
  const known = totals.guess(key)
  if (query.search && (known === undefined || known <= sortedSearchMax)) return listBySearch(db, totals, key, request, where)
  return listByCount(db, totals, key, request, where)
}

/** Everything a filter says about leads, within what the scope reaches. */
export function leadConditions(scope: Scope, filter: Partial<LeadFilter>, customFields?: SQL): SQL {
  return and(
    visible(scope, leads),
    isNull(leads.deletedAt),
    filter.ownerId ? eq(leads.ownerId, filter.ownerId) : undefined,
    filter.departmentId ? eq(leads.departmentId, filter.departmentId) : undefined,
    filter.status ? eq(leads.status, filter.status) : undefined,
    filter.temperature ? eq(leads.temperature, filter.temperature) : undefined,
    filter.pipelineId ? eq(leads.pipelineId, filter.pipelineId) : undefined,
    filter.stageId ? eq(leads.stageId, filter.stageId) : undefined,
    filter.sourceId ? eq(leads.sourceId, filter.sourceId) : undefined,
    filter.createdFrom ? gte(leads.createdAt, filter.createdFrom.toISOString()) : undefined,
    filter.createdTo ? lte(leads.createdAt, filter.createdTo.toISOString()) : undefined,
    searchCondition(filter.search, leads.searchText),
    customFields,
  ) as SQL
}

/** Whether the ledger has every dimension that the filter names. */
function isInLedger(filter: LeadFilter): boolean {
  return !filter.search?.trim() && !filter.temperature && !filter.sourceId && !filter.createdFrom && !filter.createdTo
}

function ledgerConditions(filter: LeadFilter): SQL | undefined {
  return and(
    filter.ownerId ? eq(recordCounts.ownerId, filter.ownerId) : undefined,
    filter.departmentId ? eq(recordCounts.departmentId, filter.departmentId) : undefined,
    filter.status ? eq(recordCounts.status, filter.status) : undefined,
    filter.pipelineId ? eq(recordCounts.pipelineId, filter.pipelineId) : undefined,
    filter.stageId ? eq(recordCounts.stageId, filter.stageId) : undefined,
  )
}

/** A row of a page, with what was read in the same snapshot beside it. */
interface PageRow {
  readonly lead: LeadRow
  readonly total: number
  readonly fingerprint: string
}

/** Reads a page together with further values that hold for all of it. */
async function readPage(db: Executor, from: SQL, beside: SQL, request: LeadListRequest): Promise<PageRow[]> {
  const order = sql.join(orderOf(request), sql`, `)
  const { rows } = await db.execute<{ total: number; fingerprint: string }>(
    sql`SELECT ${leadRows.selection}, ${beside} FROM ${from} ORDER BY ${order} LIMIT ${request.query.pageSize} OFFSET ${offsetOf(request.query)}`,
  )
  return rows.map(({ total, fingerprint, ...lead }) => ({ lead: leadRows.read(lead), total, fingerprint }))
}

async function listByLedger(db: Executor, request: LeadListRequest, where: SQL): Promise<Page<LeadRow>> {
  const { scope, query } = request
  const total = ledgerTotal({ scope, entityType: 'LEAD', where: ledgerConditions(query) })
  const rows = await readPage(db, sql`${leads} WHERE ${where}`, sql`${total} AS total`, request)
  const first = rows[0]
  if (first) return { items: rows.map((row) => row.lead), total: first.total }
  const { rows: counted } = await db.execute<{ total: number }>(sql`SELECT ${total} AS total`)
  return { items: [], total: counted[0]?.total ?? 0 }
}

async function listByCount(db: Executor, totals: Totals, key: string, request: LeadListRequest, where: SQL): Promise<Page<LeadRow>> {
  const rows = await readPage(db, sql`${leads} WHERE ${where}`, sql`${ledgerFingerprint(request.scope.workspaceId, 'LEAD')} AS fingerprint`, request)
  const items = rows.map((row) => row.lead)
  const seen = rows[0]?.fingerprint
  const known = seen === undefined ? undefined : totals.get(key, seen)
  return { items, total: known ?? (await countLeads(db, totals, key, request.scope, where)) }
}

async function countLeads(db: Executor, totals: Totals, key: string, scope: Scope, where: SQL): Promise<number> {
  const { rows } = await db.execute<{ total: number; fingerprint: string }>(
    sql`SELECT count(*)::int AS total, ${ledgerFingerprint(scope.workspaceId, 'LEAD')} AS fingerprint FROM ${leads} WHERE ${where}`,
  )
  const { total = 0, fingerprint = '' } = rows[0] ?? {}
  totals.keep(key, fingerprint, total)
  return total
}

/** Finds all matches by the search index first, so that a rare word never walks through every lead. */
async function listBySearch(db: Executor, totals: Totals, key: string, request: LeadListRequest, where: SQL): Promise<Page<LeadRow>> {
  const { query, scope } = request
  const found = sql`(WITH found AS MATERIALIZED (SELECT ${leads.id} AS id FROM ${leads} WHERE ${where}) SELECT id, count(*) OVER ()::int AS total FROM found)`
  const from = sql`${found} AS hits JOIN ${leads} ON ${leads.workspaceId} = ${scope.workspaceId} AND ${leads.id} = hits.id`
  const rows = await readPage(db, from, sql`hits.total AS total, ${ledgerFingerprint(scope.workspaceId, 'LEAD')} AS fingerprint`, request)
  const first = rows[0]
  if (!first) return { items: [], total: query.page === 1 ? 0 : await countLeads(db, totals, key, scope, where) }
  totals.keep(key, first.fingerprint, first.total)
  return { items: rows.map((row) => row.lead), total: first.total }
}

function orderOf({ query, customFields }: LeadListRequest): SQL[] {
  const direction = query.sortOrder === 'asc' ? asc : desc
  const { sortBy } = query
  if (sortBy === undefined || sortBy === 'createdAt') return [direction(leads.createdAt), direction(leads.id)]
  if (sortBy.startsWith('cf_')) {
    const field = customFields.find(({ key }) => `cf_${key}` === sortBy)
    return field ? [sql`${direction(customFieldOrder(field, leads.customFields))} NULLS LAST`, direction(leads.id)] : [desc(leads.createdAt), desc(leads.id)]
  }
  return [sql`${direction(leads[sortBy as 'updatedAt'])} NULLS LAST`, direction(leads.id)]
}

function totalKey({ scope, query, customFieldFilters }: LeadListRequest): string {
  const { page: _page, pageSize: _pageSize, sortBy: _sortBy, sortOrder: _sortOrder, ...filter } = query
  const reach = scope.level === 'ALL' ? 'ALL' : [scope.level, scope.employeeId, scope.departmentId, ...scope.departmentTreeIds]
  return JSON.stringify([scope.workspaceId, 'LEAD', reach, filter, [...customFieldFilters]])
}
