import { fieldChanges, type Scope, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import type { OwnedRow, RecordKind } from './kind.ts'
import { moveToSurvivor, type Children } from './merge-moves.ts'
import { rememberMerge } from './merges.ts'
import { planMerge } from './plan.ts'
import { hideRecords, lockRecords, recordNotFound, updateRecord } from './repository.ts'
import { joinTraces, leaveTrace, traceDeleted, traceMerged, type Undoable } from './trace.ts'
import type { WriteContext } from './write.ts'

/** The rules by which records of a kind are merged. */
export interface MergeRules<Row extends OwnedRow> {
  readonly kind: RecordKind<Row>
  /** The fields that can be taken from another record by choice. */
  readonly preferable: readonly string[]
  /** The fields that are never filled from another record automatically. */
  readonly notTaken?: readonly string[]
  /** Refuses a record that may not be merged into another one. */
  refuse?(source: Row): void
  /** Returns the columns that follow from all the records together: united lists, a place in a tree. */
  complete?(tx: Transaction, merging: Merging<Row>): Promise<object>
  /** The columns of other tables that point to records of the kind. */
  readonly children: readonly Children[]
}

/** The locked records of a merge. */
export interface Merging<Row> {
  readonly workspaceId: string
  /** The record that stays, as it was. */
  readonly target: Row
  /** The record that stays, with its empty fields filled and the preferred values taken. */
  readonly filled: Row
  readonly sources: readonly Row[]
}

/** The request to merge records. */
export interface MergeWish {
  readonly sourceIds: readonly string[]
  /** For a field, the record whose value wins. */
  readonly prefer?: Readonly<Record<string, string>>
}

/** Merges other records into one: children move to it, and the other records answer 404 with its id (docs/guide/leads-and-deals.md). */
export async function mergeRecords<Row extends OwnedRow>(
  tx: Transaction,
  context: Undoable<WriteContext>,
  rules: MergeRules<Row>,
  scope: Scope,
  id: string,
  { sourceIds, prefer = {} }: MergeWish,
): Promise<Row> {
  const { kind } = rules
  if (sourceIds.includes(id)) throw invalidField('sourceIds', `A ${kind.noun} cannot be merged into itself`)
  const locked = await lockRecords(tx, kind, scope, [id, ...sourceIds])
  const target = locked.get(id)
  if (!target) throw await recordNotFound(tx, kind, scope, id)
  context.expectVersion(target.version)
  const sources = sourceIds.flatMap((sourceId) => locked.get(sourceId) ?? [])
  if (sources.length !== sourceIds.length) throw new ApiError('INVALID_REFERENCE', { details: { field: 'sourceIds' } })
  for (const source of sources) rules.refuse?.(source)
  const filled = sources.reduce<Record<string, unknown>>(
    (merged, source) => ({ ...merged, ...planMerge<Row>({ ...target, ...merged }, source, rules.notTaken) }),
    {},
  )
  const taken = { ...filled, ...preferred(rules, prefer, locked) }
  const completed = await rules.complete?.(tx, {
    workspaceId: scope.workspaceId,
    target,
    filled: { ...target, ...taken },
    sources,
  })
  const set = { ...taken, ...completed }
  const changes = fieldChanges<Row>(target, set as Partial<Row>)
  const moved = await moveToSurvivor(tx, context, rules, { survivorId: id, sourceIds })
  await hideRecords(tx, kind, scope.workspaceId, sourceIds, context.at, id)
  const row = await updateRecord(tx, kind, scope.workspaceId, id, set, context.at)
  await leaveTrace(
    tx,
    context,
    kind,
    joinTraces([
      traceMerged(kind, row, sourceIds, changes),
      ...sources.map((source) => traceDeleted(kind, source, id)),
    ]),
  )
  await rememberMerge(tx, context, {
    id: context.operationId,
    entityType: kind.entityType,
    survivorId: id,
    sourceIds: [...sourceIds],
    ...moved,
  })
  return row
}

function preferred<Row extends OwnedRow>(
  { kind, preferable }: MergeRules<Row>,
  prefer: Readonly<Record<string, string>>,
  locked: ReadonlyMap<string, Row>,
): Record<string, unknown> {
  const entries = Object.entries(prefer).map(([field, recordId]) => {
    const record = locked.get(recordId)
    if (!preferable.includes(field)) throw invalidField(['prefer', field], 'Unknown field')
    if (!record)
      throw invalidField(['prefer', field], `Expected one of the records that are merged, each a ${kind.noun}`)
    return [field, record[field as keyof Row]]
  })
  return Object.fromEntries(entries)
}
