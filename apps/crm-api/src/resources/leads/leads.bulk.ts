import { leads as leadsResource, type Input, type LeadPatch } from '@crm/contract'
import { schema, type Executor, type Scope, type Transaction } from '@crm/db'
import { ApiError, invalidField, isRefusal } from '@crm/errors'
import { toIssues } from '@crm/http'
import { sql, type SQL } from 'drizzle-orm'
import { customFieldConditions, customFieldParamNames, listCustomFieldKinds } from '../../records/custom-field-filters.ts'
import { applyChange, deleteLeads, factsFor, leaveTrace, type LeadContext } from './leads.commands.ts'
import { joinTraces, type LeadTrace } from './leads.changes.ts'
import { leadConditions } from './leads.list.ts'
import type { LeadRow } from './leads.record.ts'
import { lockLeads, selectLeadIds } from './leads.repository.ts'

type Operations = (typeof leadsResource)['operations']
type UpdateBody = Input<Operations['bulkUpdate']>['body']
export type BulkSelector = Input<Operations['bulkDelete']>['body']
export type BulkChange = Pick<UpdateBody, 'set' | 'addTags' | 'removeTags'>

/** More matches than this become a background job. */
export const bulkMax = 500

/** What became of one record of a bulk operation. */
export interface BulkResult {
  readonly id: string
  readonly status: 'OK' | 'ERROR'
  readonly code?: string
  readonly message?: string
}

/** The ids a selector names; `tooMany` when its filter matches more than one request may change. */
export async function selectIds(db: Executor, scope: Scope, selector: BulkSelector): Promise<{ ids: readonly string[]; matched: number; tooMany: boolean }> {
  if (selector.ids) return { ids: [...new Set(selector.ids)], matched: new Set(selector.ids).size, tooMany: false }
  const where = await filterConditions(db, scope, selector.filter ?? {})
  const ids = await selectLeadIds(db, where, bulkMax + 1)
  const tooMany = ids.length > bulkMax
  const matched = tooMany || selector.expectedCount !== undefined ? await countMatches(db, where) : ids.length
  if (selector.expectedCount !== undefined && selector.expectedCount !== matched) {
    throw new ApiError('COUNT_MISMATCH', { details: { expected: selector.expectedCount, matched } })
  }
  return { ids: tooMany ? [] : ids, matched, tooMany }
}

async function countMatches(db: Executor, where: SQL): Promise<number> {
  const [row] = await db.select({ n: sql<number>`count(*)::int` }).from(schema.leads).where(where)
  return row?.n ?? 0
}

/** The conditions of a bulk filter; unlike in the list, a parameter that is not known is refused, lest too much is changed. */
export async function filterConditions(db: Executor, scope: Scope, filter: Readonly<Record<string, string>>): Promise<SQL> {
  if (Object.keys(filter).length === 0) throw invalidField('filter', 'Name at least one parameter of the list')
  const definitions = await listCustomFieldKinds(db, scope.workspaceId, 'LEAD')
  const customParams = new Set(definitions.flatMap(customFieldParamNames))
  const custom = new Map(Object.entries(filter).filter(([name]) => customParams.has(name)))
  const plain = Object.fromEntries(Object.entries(filter).filter(([name]) => !customParams.has(name)))
  const parsed = leadsResource.operations.list.query.strict().safeParse(plain)
  if (!parsed.success) {
    throw new ApiError('VALIDATION_ERROR', { issues: toIssues(parsed.error).map((issue) => ({ ...issue, path: ['filter', ...issue.path] })) })
  }
  return leadConditions(scope, parsed.data, customFieldConditions(definitions, custom, schema.leads.customFields))
}

/** Changes leads one by one in one transaction; a refusal of one does not stop the others. */
export async function changeLeads(
  tx: Transaction,
  context: LeadContext,
  scope: Scope,
  ids: readonly string[],
  change: BulkChange,
): Promise<readonly BulkResult[]> {
  const locked = await lockLeads(tx, scope, ids)
  const traces: LeadTrace[] = []
  const results: BulkResult[] = []
  for (const id of ids) results.push(await changeOne(tx, context, scope, id, locked.get(id), change, traces))
  await leaveTrace(tx, context, joinTraces(traces))
  return results
}

async function changeOne(
  tx: Transaction,
  context: LeadContext,
  scope: Scope,
  id: string,
  current: LeadRow | undefined,
  change: BulkChange,
  traces: LeadTrace[],
): Promise<BulkResult> {
  if (!current) return notFound(id)
  try {
    const patch = patchOf(current, change)
    const { trace } = await applyChange(tx, context, scope, current, patch, await factsFor(tx, context, current, patch))
    traces.push(trace)
    return { id, status: 'OK' }
  } catch (error) {
    if (!isRefusal(error) || !('code' in error)) throw error
    return { id, status: 'ERROR', code: error.code, message: error.message }
  }
}

function patchOf(current: LeadRow, { set, addTags = [], removeTags = [] }: BulkChange): LeadPatch {
  if (addTags.length === 0 && removeTags.length === 0) return { ...set }
  return { ...set, tags: [...current.tags, ...addTags].filter((tag) => !removeTags.includes(tag)) }
}

/** Deletes leads in one transaction; those that are not visible are results, not a failure of all. */
export async function removeLeads(tx: Transaction, context: LeadContext, scope: Scope, ids: readonly string[]): Promise<readonly BulkResult[]> {
  const locked = await lockLeads(tx, scope, ids)
  await deleteLeads(tx, context, scope, [...locked.values()])
  return ids.map((id) => (locked.has(id) ? { id, status: 'OK' } : notFound(id)))
}

function notFound(id: string): BulkResult {
  return { id, status: 'ERROR', code: 'NOT_FOUND', message: 'There is no such lead' }
}
