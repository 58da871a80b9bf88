import { fieldLabel, shapeParams } from '@crm/contract'
import { inSavepoint, type Executor, type Scope, type Transaction } from '@crm/db'
import { ApiError, invalidField, isRefusal, type ErrorExtras } from '@crm/errors'
import { toIssues, withWordsOf } from '@crm/http'
import type { SQL } from 'drizzle-orm'
import type { Moment } from '../moment.ts'
import { customFieldParamNames, customFieldsOf } from '../custom-field-filters.ts'
import { foldTexts } from '../folding.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import { existing, recordConditions } from './list.ts'
import { countMatches, lockRecords, selectRecordIds } from './repository.ts'
import { joinTraces, leaveTrace, type Trace } from './trace.ts'
import { applyChange, deleteRecords, type RecordWriter, type WriteContext } from './write.ts'

/** A change of more matches than this becomes a background job. */
export const bulkMax = 500

/** The selection of records for a bulk operation. */
export interface BulkSelector {
  readonly ids?: readonly string[]
  /** The parameters of the list. */
  readonly filter?: Readonly<Record<string, string>>
  /** Selects every record within reach. */
  readonly all?: true
  readonly expectedCount?: number
}

/** The change that a bulk operation makes to each record. */
export interface BulkChange<Patch> {
  readonly set?: Patch
  readonly addTags?: readonly string[]
  readonly removeTags?: readonly string[]
}

/** The outcome of a bulk operation for one record. */
export interface BulkResult {
  readonly id: string
  readonly status: 'OK' | 'ERROR'
  readonly code?: string
  readonly message?: string
}

/** Returns the answer about an operation on many records; `operation` is null when nothing was written. */
export function bulkOutcome(
  matched: number,
  results: readonly BulkResult[],
  operation: { readonly operationId: string } | null,
) {
  const done = succeeded(results)
  return {
    matched,
    failed: results.length - done,
    results: [...results],
    undoId: operation !== null && done > 0 ? operation.operationId : null,
  }
}

/** Returns for how many records an operation succeeded. */
export function succeeded(results: readonly BulkResult[]): number {
  return results.filter((result) => result.status === 'OK').length
}

/** The scope within which a selector selects, and the moment. */
export interface Reach {
  readonly scope: Scope
  readonly moment: Moment
  /** The scope of the list, which may show more records than the caller may change; null when it shows none. */
  readonly shown?: Scope | null
}

type Selecting = Pick<RecordWriter<OwnedRow, never>, 'kind' | 'listQuery'>

/** Returns the ids that a selector names; with `tooMany` and no ids when its filter matches more records than one request may change. */
export async function selectIds(
  db: Executor,
  writer: Selecting,
  reach: Reach,
  selector: BulkSelector,
): Promise<{ ids: readonly string[]; matched: number; tooMany: boolean }> {
  if (selector.ids) return { ids: [...new Set(selector.ids)], matched: new Set(selector.ids).size, tooMany: false }
  const where = await selectedBy(db, writer, reach, selector)
  const ids = await selectRecordIds(db, writer.kind, where, bulkMax + 1)
  const tooMany = ids.length > bulkMax
  const matched =
    tooMany || selector.expectedCount !== undefined ? await countMatches(db, writer.kind, where) : ids.length
  const { expectedCount: expected } = selector
  if (expected !== undefined && expected !== matched && expected !== (await countShown(db, writer, reach, selector)))
    throw new ApiError('COUNT_MISMATCH', { details: { expected, matched } })
  return { ids: tooMany ? [] : ids, matched, tooMany }
}

/** Counts the matches that the list shows: people expect the number that they see. */
async function countShown(
  db: Executor,
  writer: Selecting,
  { shown, moment }: Reach,
  selector: BulkSelector,
): Promise<number | undefined> {
  if (!shown) return undefined
  return countMatches(db, writer.kind, await selectedBy(db, writer, { scope: shown, moment }, selector))
}

/** Returns the condition for the records that a selector without ids selects. */
export async function selectedBy(
  db: Executor,
  writer: Selecting,
  reach: Reach,
  { filter, all }: Pick<BulkSelector, 'filter' | 'all'>,
): Promise<SQL> {
  return all ? existing(writer.kind, reach.scope) : filterConditions(db, writer, reach, filter ?? {})
}

/** Parameters of lists that exclude no record. */
const narrowsNothing: readonly string[] = [
  'page',
  'pageSize',
  'limit',
  'sort',
  'sortBy',
  'sortOrder',
  'thenBy',
  'timezone',
  ...shapeParams,
]

/**
 * Returns the conditions of a bulk filter. Unlike in a lenient list, an unknown parameter is refused, so that the operation
 * does not change too much. `at` is the member of the body that holds the filter.
 */
export async function filterConditions(
  db: Executor,
  { kind, listQuery }: Selecting,
  { scope, moment }: Reach,
  filter: Readonly<Record<string, string>>,
  at = 'filter',
): Promise<SQL> {
  const { calendar } = moment
  if (Object.entries(filter).every(([name, value]) => narrowsNothing.includes(name) || isBlank(value)))
    throw invalidField(at, 'Name at least one parameter of the list that filters')
  if ('savedFilterId' in filter)
    throw invalidField([at, 'savedFilterId'], 'Send the parameters of the saved filter themselves')
  const definitions = await customFieldsOf(db, scope.workspaceId, kind)
  const customParams = new Set(definitions.flatMap(customFieldParamNames))
  const custom = new Map(Object.entries(filter).filter(([name]) => customParams.has(name)))
  const plain = Object.fromEntries(Object.entries(filter).filter(([name]) => !customParams.has(name)))
  const parsed = listQuery.strict().safeParse(withWordsOf(listQuery, plain, { calendar, employeeId: scope.employeeId }))
  if (!parsed.success) {
    throw new ApiError('VALIDATION_ERROR', {
      issues: toIssues(parsed.error).map((issue) => ({ ...issue, path: [at, ...issue.path] })),
    })
  }
  return inBody(at, () =>
    recordConditions(kind, scope, parsed.data, moment, { customFields: definitions, customFieldFilters: custom }),
  )
}

/** Whether a search has invisible characters only; such a search is ignored. */
const isBlank = (value: string): boolean => !/[^\s\p{Z}\p{C}]/u.test(value)

/** Turns a wrong parameter of the list into a wrong field of the body. */
function inBody<T>(at: string, conditions: () => T): T {
  try {
    return conditions()
  } catch (error) {
    const details = error instanceof ApiError && error.code === 'INVALID_QUERY_PARAM' ? error.extras.details : undefined
    throw details ? invalidField([at, String(details['param'])], String(details['message'])) : error
  }
}

/** Changes records one by one in one transaction; the refusal of one record does not stop the others. */
export async function changeRecords<Row extends OwnedRow, Patch extends object>(
  tx: Transaction,
  context: WriteContext,
  writer: RecordWriter<Row, Patch>,
  scope: Scope,
  ids: readonly string[],
  change: BulkChange<Patch>,
): Promise<readonly BulkResult[]> {
  const locked = await lockRecords(tx, writer.kind, scope, ids)
  const retagged = await retagging(tx, change, locked.values())
  const traces: Trace[] = []
  const results: BulkResult[] = []
  for (const id of ids) {
    const current = locked.get(id)
    const patch = current && { ...change.set, ...retagged(current) }
    results.push(
      patch ? await changeOne(tx, context, writer, current, patch as Patch, traces) : notFound(writer.kind, id),
    )
  }
  await leaveTrace(tx, context, writer.kind, joinTraces(traces))
  return results
}

/** Changes one locked record; its trace joins the others, and a refusal becomes its result. */
export async function changeOne<Row extends OwnedRow, Patch extends object>(
  tx: Transaction,
  context: WriteContext,
  writer: RecordWriter<Row, Patch>,
  current: Row,
  patch: Patch,
  traces: Trace[],
): Promise<BulkResult> {
  try {
    // After a refusal, a savepoint undoes the rows that the change wrote in other tables.
    const isLone = writer.afterChange === undefined
    const apply = (inner: Transaction) => applyChange(inner, context, writer, current, patch)
    const { trace } = isLone ? await apply(tx) : await inSavepoint(tx, apply)
    traces.push(trace)
    return { id: current.id, status: 'OK' }
  } catch (error) {
    if (!isRefusal(error) || !('code' in error)) throw error
    return { id: current.id, status: 'ERROR', code: error.code, message: reasonOf(error) }
  }
}

/** Returns what a record lacks or has wrong, by its field; what is refused as a whole says so itself. */
function reasonOf(error: { readonly message: string; readonly extras: ErrorExtras }): string {
  const issues = (error.extras.issues ?? []).map(({ path, message }) => {
    const field = path.findLast((part) => typeof part === 'string')
    return field === undefined || message.endsWith(' is required') ? message : `${fieldLabel(field)}: ${message}`
  })
  return issues.length === 0 ? error.message : issues.join('; ')
}

/** Returns what gives a record its added tags and takes the removed ones away, each in any spelling: VIP and vip are one. */
async function retagging(
  tx: Transaction,
  { addTags = [], removeTags = [] }: Pick<BulkChange<unknown>, 'addTags' | 'removeTags'>,
  records: Iterable<OwnedRow>,
): Promise<(current: OwnedRow) => { readonly tags?: readonly string[] }> {
  if (addTags.length === 0 && removeTags.length === 0) return () => ({})
  const folded = await foldTexts(tx, [...addTags, ...removeTags, ...[...records].flatMap(({ tags }) => tags)])
  const has = (tags: readonly string[], tag: string) => tags.some((one) => folded.get(one) === folded.get(tag))
  return ({ tags }) => ({
    tags: [...tags, ...addTags.filter((tag) => !has(tags, tag))].filter((tag) => !has(removeTags, tag)),
  })
}

/** Deletes records in one transaction; records that are not visible become results and do not fail the operation. */
export async function removeRecords<Row extends OwnedRow, Patch>(
  tx: Transaction,
  context: WriteContext,
  writer: RecordWriter<Row, Patch>,
  scope: Scope,
  ids: readonly string[],
): Promise<readonly BulkResult[]> {
  const locked = await lockRecords(tx, writer.kind, scope, ids)
  await deleteRecords(tx, context, writer, [...locked.values()])
  return ids.map((id) => (locked.has(id) ? { id, status: 'OK' } : notFound(writer.kind, id)))
}

/** The result for a record that is not there, or not for the caller. */
export function notFound({ noun }: RecordKind, id: string): BulkResult {
  return { id, status: 'ERROR', code: 'NOT_FOUND', message: `There is no such ${noun}` }
}
