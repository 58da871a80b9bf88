import { isSameValue, inSavepoint, schema, type Executor, type FieldChange, type Transaction } from '@crm/db'
import { isRefusal } from '@crm/errors'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { CrmContext } from '../../platform/context.ts'
import { changeOne, notFound, type BulkResult } from './bulk.ts'
import type { OwnedRow } from './kind.ts'
import { lockRecords } from './repository.ts'
import { restoreRecord } from './restore.ts'
import { joinTraces, leaveTrace, type Trace } from './trace.ts'
import type { RecordWriter, WriteContext } from './write.ts'

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
    SELECT ${timeline.entityId} AS id, bool_or(${timeline.kind} = 'DELETED') AS "isDeleted", jsonb_agg(${timeline.changes}) AS changes
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
  const now = current as Values
  const isMoved = changes.some(({ field }) => field === 'stageId')
  const mine = changes.filter(({ field }) => fields.includes(field) && !(isMoved && field === 'status'))
  const patch: Record<string, unknown> = {}
  for (const { field, from, to } of mine) {
    if (membered.includes(field)) {
      const before = replacedMembers(now[field], from, to)
      if (before === undefined) return undefined
      patch[field] = before
    } else if (isSame(now[field], to)) patch[field] = from
    else return undefined
  }
  return patch
}

/** The fields that hold the custom fields of a record. */
const membered: readonly string[] = ['customFields', 'values']

/** Returns the old values of the members that were replaced; undefined when one of them is another by now. */
function replacedMembers(now: unknown, from: unknown, to: unknown): Values | undefined {
  const [present, before, after] = [now, from, to].map((values) => (values ?? {}) as Values) as [Values, Values, Values]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const replaced = keys.filter((key) => !isSame(before[key], after[key]))
  if (!replaced.every((key) => isSame(present[key], after[key]))) return undefined
  return Object.fromEntries(replaced.map((key) => [key, before[key] ?? null]))
}

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
  const scope = context.scope(kind.entityType, 'UPDATE')
  const locked = await lockRecords(
    tx,
    kind,
    scope,
    records.map(({ id }) => id),
  )
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
        isWhole ? await changeOne(tx, { ...context, isUndo: true }, writer, current, { set }, traces) : impossible(id),
      )
    }
  }
  await leaveTrace(tx, context, kind, joinTraces(traces))
  return results
}

async function restoreDeleted<Row extends OwnedRow, Patch>(
  tx: Transaction,
  context: WriteContext & Pick<CrmContext, 'scope'>,
  { writer }: Undoing<Row, Patch>,
  records: readonly OperationRecord[],
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
