import { writeRows, isSameValue, isAnyOf, rowsOf, schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, eq, sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { quotaOf, requireQuota } from '../quotas.ts'
import type { BulkResult } from './bulk.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import type { MergeRules } from './merge.ts'
import { giveBack } from './merge-moves.ts'
import type { Merge } from './merges.ts'
import { lockRecords, recordNotFound, updateRecord } from './repository.ts'
import { joinTraces, leaveTrace, traceChanged, traceRestored } from './trace.ts'
import type { WriteContext } from './write.ts'

const { merges, timeline } = schema

/**
 * Brings merged records back: what moved points to them again, unless it points elsewhere by now, and the record that stayed gets the values
 * back that the merge changed and nobody since.
 */
export async function undoMerge<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext & Pick<CrmContext, 'scope'>,
  rules: MergeRules<Row>,
  { id, survivorId, sourceIds, rows, links }: Merge,
): Promise<readonly BulkResult[]> {
  const { kind } = rules
  const isThis = and(eq(merges.workspaceId, context.workspace.id), eq(merges.id, id))
  const scope = context.scope(kind.entityType, 'UPDATE')
  context.scope(kind.entityType, 'DELETE')
  const survivor = (await lockRecords(tx, kind, scope, [survivorId])).get(survivorId)
  if (!survivor) throw await recordNotFound(tx, kind, scope, survivorId)
  if ((await tx.delete(merges).where(isThis).returning({ id: merges.id })).length === 0)
    throw new ApiError('INVALID_TRANSITION', { message: 'The merge was undone already' })
  const quota = quotaOf(kind.entityType)
  if (quota) await requireQuota(tx, context.workspace, quota, sourceIds.length)
  const restored = await bringBack(tx, context, kind, survivorId, sourceIds)
  const back = restored.map((row) => row.id)
  await giveBack(tx, context, rules, { rows, links }, { survivorId, sourceIds: back })
  await takeBackValues(tx, context, kind, survivor, id)
  return [
    { id: survivorId, status: 'OK' },
    ...sourceIds.map((sourceId): BulkResult =>
      back.includes(sourceId)
        ? { id: sourceId, status: 'OK' }
        : { id: sourceId, status: 'ERROR', code: 'NOT_FOUND', message: `The ${kind.noun} is gone for good` },
    ),
  ]
}

async function bringBack<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  kind: RecordKind<Row>,
  survivorId: string,
  sourceIds: readonly string[],
): Promise<readonly Row[]> {
  const { table } = kind
  const back = sql`
    UPDATE ${table} SET deleted_at = NULL, merged_into_id = NULL, version = version + 1, updated_at = ${context.at}
    WHERE ${table.workspaceId} = ${context.workspace.id} AND ${isAnyOf(table.id, sourceIds)} AND merged_into_id = ${survivorId}`
  const rows = await writeRows(tx, table, back, rowsOf(kind.rows, context.workspace.id))
  const restored = rows.map((row) => kind.rows.read(row))
  await leaveTrace(tx, context, kind, joinTraces(restored.map((row) => traceRestored(kind, row))))
  return restored
}

const isSame = (a: unknown, b: unknown): boolean => isSameValue(a ?? null, b ?? null)

/** Gives the record that stayed the values back that the merge changed, as its history has them. */
async function takeBackValues<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  kind: RecordKind<Row>,
  survivor: Row,
  operationId: string,
): Promise<void> {
  const [entry] = await tx
    .select({ changes: timeline.changes })
    .from(timeline)
    .where(
      and(
        eq(timeline.workspaceId, context.workspace.id),
        eq(timeline.operationId, operationId),
        eq(timeline.entityId, survivor.id),
        eq(timeline.kind, 'MERGED'),
      ),
    )
  const now = survivor as unknown as Readonly<Record<string, unknown>>
  const changes = (entry?.changes ?? []).filter(({ field, to }) => isSame(now[field], to))
  if (changes.length === 0) return
  const set = Object.fromEntries(changes.map(({ field, from }) => [field, from]))
  const row = await updateRecord(tx, kind, context.workspace.id, survivor.id, set, context.at)
  const back = changes.map(({ field, from, to }) => ({ field, from: to, to: from }))
  await leaveTrace(tx, context, kind, traceChanged(kind, row, back))
}
