import {
  inSavepoint,
  isSameValue,
  reaches,
  schema,
  systemScope,
  type Executor,
  type FieldChange,
  type RecordHolders,
  type Transaction,
} from '@crm/db'
import { isRefusal } from '@crm/errors'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { CrmContext } from '../../platform/context.ts'
import { changeOne, notFound, type BulkResult } from './bulk.ts'
import { recallOwnedFacts } from './facts.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import { lockRecords } from './repository.ts'
import { restoreRecord } from './restore.ts'
import { joinTraces, leaveTrace, type Trace } from './trace.ts'
import { deleteRecords, type RecordWriter, type WriteContext } from './write.ts'

const { timeline } = schema

/** For how long an operation can be undone. */
const undoableMs = 10 * 60_000

/** Returns the time after which an operation can still be undone at a time. */
export function undoneSince(at: string): string {
  return new Date(Date.parse(at) - undoableMs).toISOString()
}

/** An operation that its author may still undo. */
export interface Operation {
  readonly entityType: string
  readonly total: number
}

/** What an operation did to one record, by the history of the record. */
export interface OperationRecord {
  readonly id: string
  readonly isDeleted: boolean
  /** The newest first. */
  readonly changes: readonly FieldChange[]
}

/** Returns an operation of the caller's own from the last ten minutes. */
export async function readOperation(
  db: Executor,
  { workspace, caller, at }: CrmContext,
  operationId: string,
): Promise<Operation | undefined> {
  const { rows } = await db.execute<Operation & Record<string, unknown>>(sql`
    SELECT ${timeline.entityType} AS "entityType", count(DISTINCT ${timeline.entityId})::int AS total
    FROM ${timeline}
    WHERE ${timeline.workspaceId} = ${workspace.id} AND ${timeline.operationId} = ${operationId} AND ${timeline.relatedId} IS NULL
    GROUP BY ${timeline.entityType}
    HAVING max(${timeline.occurredAt}) > ${undoneSince(at)} AND bool_and(${timeline.actorId} = ${caller.employee.id})`)
  return rows[0]
}

/** Returns the next records of an operation, by their ids. */
export async function readOperationRecords(
  tx: Transaction,
  { workspace }: Pick<CrmContext, 'workspace'>,
  {
    operationId,
    after,
    limit,
    entityType,
  }: {
    readonly operationId: string
    readonly after: string | null
    readonly limit: number
    /** Only records of one kind. */
    readonly entityType?: string
  },
): Promise<readonly OperationRecord[]> {
  const next = after === null ? sql`` : sql`AND ${timeline.entityId} > ${after}`
  const ofKind = entityType === undefined ? sql`` : sql`AND ${timeline.entityType} = ${entityType}`
  const { rows } = await tx.execute<{ id: string; isDeleted: boolean; changes: FieldChange[][] }>(sql`
    SELECT ${timeline.entityId} AS id, bool_or(${timeline.kind} = 'DELETED') AS "isDeleted", 
      jsonb_agg(${timeline.changes} ORDER BY ${timeline.id} DESC) AS changes
    FROM ${timeline}
    WHERE ${timeline.workspaceId} = ${workspace.id} AND ${timeline.operationId} = ${operationId} ${next} ${ofKind}
    GROUP BY ${timeline.entityId} ORDER BY ${timeline.entityId} LIMIT ${limit}`)
  return rows.map(({ id, isDeleted, changes }) => ({ id, isDeleted, changes: changes.flat() }))
}

type Values = Readonly<Record<string, unknown>>

/**
 * Returns the patch that gives a record back the values that an operation replaced; undefined when one of them is another by
 * now. `fields` are those that people can set; the others follow them.
 */
export function planUndo(
  current: object,
  changes: readonly FieldChange[],
  fields: readonly string[],
): Values | undefined {
  const { patch, kept, back } = planBack(current, [{ isUndoable: true, changes }], fields)
  return kept.length + back.length > 0 ? undefined : patch
}

/** What one operation changed in a record. */
export interface OperationChanges {
  /** Whether its history holds all that it changed; otherwise its values stay. */
  readonly isUndoable: boolean
  readonly changes: readonly FieldChange[]
}

/** The way back from several operations. */
interface WayBack {
  readonly patch: Values
  /** The fields that stay, because somebody else changed them or an operation cannot be undone; of custom fields, each by itself. */
  readonly kept: readonly string[]
  /** The fields that are as before already. */
  readonly back: readonly string[]
}

/**
 * Returns the way back from operations on a record, the newest first: each field goes back as long as its value is the one that the next
 * older operation left. `fields` are those that people can set; the others follow them.
 */
export function planBack(current: object, operations: readonly OperationChanges[], fields: readonly string[]): WayBack {
  const steps = operations.flatMap(({ isUndoable, changes }) => {
    const isMoved = changes.some(({ field }) => field === 'stageId')
    const settable = changes.filter(({ field }) => fields.includes(field) && !(isMoved && field === 'status'))
    return settable.flatMap(byMember).map((step) => ({ ...step, isUndoable }))
  })
  const patch: Record<string, unknown> = {}
  const kept: string[] = []
  const back: string[] = []
  for (const [name, ofField] of Map.groupBy(steps, stepName)) {
    const [{ field, member }] = ofField as [Step]
    const now = valueAt(current as Values, field, member)
    const before = valueBefore(now, ofField)
    if (before === undefined) kept.push(name)
    else if (isSame(now, before.value)) back.push(name)
    else if (member === null) patch[field] = before.value
    else patch[field] = { ...(patch[field] as Values | undefined), [member]: before.value ?? null }
  }
  return { patch, kept, back }
}

/** The change of one value: that of a field, or of one custom field. */
interface Step {
  readonly field: string
  readonly member: string | null
  readonly from: unknown
  readonly to: unknown
  readonly isUndoable: boolean
}

const stepName = ({ field, member }: Pick<Step, 'field' | 'member'>): string =>
  member === null ? field : `cf_${member}`

function byMember({ field, from, to }: FieldChange): readonly Omit<Step, 'isUndoable'>[] {
  if (!membered.includes(field)) return [{ field, member: null, from, to }]
  const [before, after] = [from, to].map((values) => (values ?? {}) as Values) as [Values, Values]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((member) => !isSame(before[member], after[member]))
    .map((member) => ({ field, member, from: before[member], to: after[member] }))
}

const valueAt = (record: Values, field: string, member: string | null): unknown =>
  member === null ? record[field] : ((record[field] ?? {}) as Values)[member]

/** Returns the value before changes of a field, the newest first; undefined where it stays. */
function valueBefore(now: unknown, steps: readonly Step[]): { readonly value: unknown } | undefined {
  const oldest = steps.at(-1)
  if (!oldest || steps.some(({ isUndoable }) => !isUndoable)) return undefined
  if (isSame(now, oldest.from)) return { value: oldest.from }
  let value = now
  for (const { from, to } of steps) {
    // The undo of a merge has given its values back already.
    if (isSame(value, from)) continue
    if (!isSame(value, to)) return undefined
    value = from
  }
  return { value }
}

/** The fields that hold the custom fields of a record. */
const membered: readonly string[] = ['customFields', 'values']

const isSame = (a: unknown, b: unknown): boolean => isSameValue(a ?? null, b ?? null)

/** The rules of a kind by which its records get old values back. */
export interface Undoing<Row extends OwnedRow, Patch> {
  readonly writer: RecordWriter<Row, Patch>
  /** The patch of the kind. */
  readonly patch: z.ZodObject & z.ZodType<Patch>
}

/** Undoes what an operation did to records, within the caller's rights of now; each record that it cannot becomes a result. */
export async function undoRecords<Row extends OwnedRow, Patch extends object>(
  tx: Transaction,
  context: WriteContext & Pick<CrmContext, 'scope'>,
  undoing: Undoing<Row, Patch>,
  records: readonly OperationRecord[],
): Promise<readonly BulkResult[]> {
  const deleted = records.filter(({ isDeleted }) => isDeleted)
  const changed = records.filter(({ isDeleted }) => !isDeleted)
  return [
    ...(changed.length === 0 ? [] : await takeBackChanges(tx, context, undoing, changed)),
    ...(deleted.length === 0 ? [] : await restoreDeleted(tx, context, undoing, deleted)),
  ]
}

async function takeBackChanges<Row extends OwnedRow, Patch extends object>(
  tx: Transaction,
  context: WriteContext & Pick<CrmContext, 'scope'>,
  { writer, patch }: Undoing<Row, Patch>,
  records: readonly OperationRecord[],
): Promise<readonly BulkResult[]> {
  const { kind } = writer
  const locked = await lockAsBefore(tx, context, kind, records)
  const fields = Object.keys(patch.shape)
  const traces: Trace[] = []
  const results: BulkResult[] = []
  for (const { id, changes } of records) {
    const current = locked.get(id)
    const values = current && planUndo(current, changes, fields)
    if (!current) results.push(notFound(kind, id))
    else if (!values) results.push(changedSince(id))
    else {
      const { data: set, error } = patch.safeParse(values)
      const isWhole = error === undefined
      results.push(
        isWhole ? await changeOne(tx, { ...context, isUndo: true }, writer, current, set, traces) : impossible(id),
      )
    }
  }
  await leaveTrace(tx, context, kind, joinTraces(traces))
  return results
}

/**
 * Locks the records that the caller may change, or might before the changes: what somebody gave away they can take back. The newest change
 * comes first.
 */
async function lockAsBefore<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext & Pick<CrmContext, 'scope'>,
  kind: RecordKind<Row>,
  records: readonly Pick<OperationRecord, 'id' | 'changes'>[],
): Promise<ReadonlyMap<string, Row>> {
  const scope = context.scope(kind.entityType, 'UPDATE')
  const ids = records.map(({ id }) => id)
  const reached = await lockRecords(tx, kind, scope, ids)
  if (reached.size === ids.length) return reached
  const all = await lockRecords(tx, kind, systemScope(scope.workspaceId), ids)
  const found = new Map<string, Row>()
  for (const { id, changes } of records) {
    const row = all.get(id)
    if (row && (reached.has(id) || reaches(scope, await holdersBefore(tx, context, kind, row, changes))))
      found.set(id, row)
  }
  return found
}

/** Returns to whom a record belonged before changes; its department is that of its owner. */
async function holdersBefore<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  kind: RecordKind<Row>,
  row: Row,
  changes: readonly FieldChange[],
): Promise<RecordHolders> {
  const before: RecordHolders = { ...row, ...Object.fromEntries(changes.map(({ field, from }) => [field, from])) }
  if (before.ownerId === row.ownerId) return before
  const { ownerId } = before
  const facts = ownerId ? await recallOwnedFacts(tx, { ...context, isUndo: true }, kind, ownerId) : undefined
  return { ...before, departmentId: facts?.owner?.departmentId ?? null }
}

async function restoreDeleted<Row extends OwnedRow, Patch>(
  tx: Transaction,
  context: WriteContext & Pick<CrmContext, 'scope'>,
  { writer }: Undoing<Row, Patch>,
  records: readonly Pick<OperationRecord, 'id'>[],
): Promise<readonly BulkResult[]> {
  const { kind } = writer
  const reach = {
    view: context.scope(kind.entityType),
    remove: context.scope(kind.entityType, 'DELETE'),
    at: context.at,
  }
  const results: BulkResult[] = []
  for (const { id } of records) {
    try {
      await inSavepoint(tx, (inner) => restoreRecord(inner, context, kind, reach, id, writer))
      results.push({ id, status: 'OK' })
    } catch (error) {
      if (!isRefusal(error) || !('code' in error)) throw error
      results.push({ id, status: 'ERROR', code: error.code, message: error.message })
    }
  }
  return results
}

/** What several operations did to one record, and what became of it. */
export interface RecordPast {
  readonly id: string
  /** Whether the operations made it. */
  readonly isCreated: boolean
  /** Whether they deleted it. */
  readonly isDeleted: boolean
  /** Whether it is deleted now. */
  readonly isGone: boolean
  /** Whether other people have worked with it since it was made. */
  readonly isTouched: boolean
  /** The newest first. */
  readonly operations: readonly OperationChanges[]
}

/** What is as before now, and what stays: fields by name, null for the record itself. */
export interface TakenBack {
  readonly isUndone: boolean
  readonly kept: readonly (string | null)[]
}

const stays: TakenBack = { isUndone: false, kept: [null] }
const isBefore: TakenBack = { isUndone: true, kept: [] }

/**
 * Takes back what operations did to a record whose row is locked, within the caller's rights of now.
 * @throws ApiError what a change, a deletion or a restoration may throw
 */
export async function takeBackRecord<Row extends OwnedRow, Patch extends object>(
  tx: Transaction,
  context: WriteContext & Pick<CrmContext, 'scope'>,
  undoing: Undoing<Row, Patch>,
  past: RecordPast,
): Promise<TakenBack> {
  const { id, isCreated, isDeleted, isGone, isTouched, operations } = past
  const { kind } = undoing.writer
  if (isCreated) {
    if (isGone) return isBefore
    if (isTouched) return stays
    const [row] = (await lockRecords(tx, kind, context.scope(kind.entityType, 'DELETE'), [id])).values()
    if (!row) return stays
    await deleteRecords(tx, context, undoing.writer, [row])
    return isBefore
  }
  if (isGone && !isDeleted) return stays
  if (isGone) {
    const [restored] = await restoreDeleted(tx, context, undoing, [{ id }])
    if (restored?.status !== 'OK') return stays
  }
  return operations.length === 0 ? isBefore : giveBack(tx, context, undoing, id, operations)
}

async function giveBack<Row extends OwnedRow, Patch extends object>(
  tx: Transaction,
  context: WriteContext & Pick<CrmContext, 'scope'>,
  { writer, patch }: Undoing<Row, Patch>,
  id: string,
  operations: readonly OperationChanges[],
): Promise<TakenBack> {
  const { kind } = writer
  const changes = operations.flatMap((operation) => operation.changes)
  const current = (await lockAsBefore(tx, context, kind, [{ id, changes }])).get(id)
  if (!current) return stays
  const way = planBack(current, operations, Object.keys(patch.shape))
  const named = Object.keys(way.patch)
  if (named.length === 0) return { isUndone: way.back.length > 0, kept: way.kept }
  const { data: set } = patch.safeParse(way.patch)
  const traces: Trace[] = []
  const changed = set && (await changeOne(tx, { ...context, isUndo: true }, writer, current, set, traces))
  if (changed?.status !== 'OK') return { isUndone: false, kept: [...way.kept, ...named] }
  await leaveTrace(tx, context, kind, joinTraces(traces))
  return { isUndone: true, kept: way.kept }
}

/** The result for a record whose old values would be refused today. */
const impossible = (id: string): BulkResult => ({
  id,
  status: 'ERROR',
  code: 'VALIDATION_ERROR',
  message: 'Its earlier values are no longer accepted',
})

const changedSince = (id: string): BulkResult => ({
  id,
  status: 'ERROR',
  code: 'VERSION_CONFLICT',
  message: 'It was changed since',
})
