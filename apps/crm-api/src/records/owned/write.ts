import type { FieldChange, Scope, Transaction } from '@crm/db'
import type { z } from 'zod'
import type { CrmContext } from '../../platform/context.ts'
import { quotaOf, requireQuota } from '../quotas.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import { changeOf, type Change } from './plan.ts'
import { hideRecords, insertRecord, lockRecord, updateRecord } from './repository.ts'
import {
  asUndoable,
  joinTraces,
  leaveTrace,
  noTrace,
  traceChanged,
  traceCreated,
  traceDeleted,
  type Origin,
  type Trace,
  type TraceContext,
} from './trace.ts'

/** The parts of a request's context that changing records needs. */
export type WriteContext = TraceContext &
  Pick<CrmContext, 'caller' | 'remembered' | 'scopeIfAllowed' | 'expectVersion'> & {
    /** What an import knows of the past of the record that is written next. */
    readonly past?: Past
    /** Records that the same work has found within sight, so that they need not be looked for again. */
    readonly seen?: ReadonlySet<string>
  }

/** What another program knew of a record: columns that are otherwise written by the service, and who made it when. */
export interface Past {
  readonly set: Readonly<Record<string, unknown>>
  readonly createdAt?: string
  readonly createdById?: string
}

/** The rules by which records of one kind change: the decisions of the kind, and its writes besides the row. */
export interface RecordWriter<Row extends OwnedRow, Patch> {
  readonly kind: RecordKind<Row>
  /** The query of the kind's list, by which bulk operations select. */
  readonly listQuery: z.ZodObject
  /** Returns the columns that a patch of a locked record changes, or refuses the patch. */
  planChange(tx: Transaction, context: WriteContext, current: Row, patch: Patch): Promise<Change>
  /** The fields whose change does something to other records that undoing could not take back. */
  readonly notUndone?: readonly string[]
  /** Writes the parts of the record in other tables, and returns the trace of their changes. */
  afterChange?(tx: Transaction, context: WriteContext, change: WrittenChange<Row, Patch>): Promise<Trace>
  /** Turns an error of the database at the write into a refusal of the kind. */
  withWrite?<T>(write: Promise<T>): Promise<T>
  /** Refuses the deletion of locked records, or removes dependent rows. */
  beforeDelete?(tx: Transaction, context: WriteContext, rows: readonly Row[]): Promise<Trace>
  /** Refuses to restore a locked record, or returns the columns whose old value is impossible now. */
  beforeRestore?(tx: Transaction, context: WriteContext, row: Row): Promise<object>
}

/** A change of a record whose columns are already written. */
interface WrittenChange<Row, Patch> {
  readonly before: Row
  readonly after: Row
  readonly patch: Patch
  readonly changes: readonly FieldChange[]
}

/** Writes a new record within the plan limits, with its history and events. */
export async function createRecord<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  kind: RecordKind<Row>,
  values: object,
  besides: (row: Row) => Promise<Trace> = async () => noTrace,
  origin?: Origin,
): Promise<Row> {
  const { workspace, caller, at, past } = context
  const quota = quotaOf(kind.entityType)
  if (quota) await requireQuota(tx, workspace, quota)
  const birth = {
    workspaceId: workspace.id,
    createdById: past?.createdById ?? caller.employee.id,
    createdAt: past?.createdAt ?? at,
    at,
  }
  const row = await insertRecord(tx, kind, birth, past ? { ...values, ...past.set } : values)
  await leaveTrace(tx, context, kind, joinTraces([traceCreated(kind, row, origin), await besides(row)]))
  return row
}

/** Changes one record; the operation can be undone when nothing but values of the record itself was changed. */
export async function changeRecord<Row extends OwnedRow, Patch>(
  tx: Transaction,
  context: WriteContext,
  writer: RecordWriter<Row, Patch>,
  scope: Scope,
  id: string,
  patch: Patch,
): Promise<{ row: Row; undoId: string | null }> {
  const current = await lockRecord(tx, context, writer.kind, scope, id)
  const { row, changes, trace } = await applyChange(tx, context, writer, current, patch)
  const isUndoable = changes.length > 0 && isOfRecord(writer, current, patch)
  const operation = isUndoable ? asUndoable(context) : context
  await leaveTrace(tx, operation, writer.kind, trace)
  return { row, undoId: isUndoable ? context.groupId : null }
}

/** Whether a patch names only values that the history of the record keeps, unlike links to other records. */
function isOfRecord<Row extends OwnedRow, Patch>(
  { notUndone = [] }: RecordWriter<Row, Patch>,
  current: Row,
  patch: Patch,
): boolean {
  const named = Object.entries(patch as object).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  return named.every((field) => field in current && !notUndone.includes(field))
}

/** Applies a patch to a locked record; the caller writes the trace. */
export async function applyChange<Row extends OwnedRow, Patch>(
  tx: Transaction,
  context: WriteContext,
  writer: RecordWriter<Row, Patch>,
  current: Row,
  patch: Patch,
): Promise<{ row: Row; changes: readonly FieldChange[]; trace: Trace }> {
  const { kind, withWrite: write = (writing) => writing } = writer
  const planned = withPast(current, await writer.planChange(tx, context, current, patch), context.past)
  const row =
    planned.changes.length === 0
      ? current
      : await write(updateRecord(tx, kind, context.workspace.id, current.id, planned.set, context.at))
  const changes = asWritten(planned.changes, row)
  const besides = (await writer.afterChange?.(tx, context, { before: current, after: row, patch, changes })) ?? noTrace
  return { row, changes, trace: joinTraces([traceChanged(kind, row, changes), besides]) }
}

/** Adds what an import knows of the past of a record to a change of it. */
function withPast<Row extends OwnedRow>(current: Row, planned: Change, past: Past | undefined): Change {
  if (!past) return planned
  const known = changeOf(current, past.set)
  return {
    set: { ...planned.set, ...past.set },
    changes: [...planned.changes.filter(({ field }) => !(field in past.set)), ...known.changes],
  }
}

/** Returns the changes with the values of the written record: the database writes decimal numbers with all their places. */
function asWritten<Row extends OwnedRow>(changes: readonly FieldChange[], row: Row): readonly FieldChange[] {
  return changes.map(({ field, from, to }) => ({
    field,
    from,
    to: field in row ? (row[field as keyof Row] ?? null) : to,
  }))
}

/** Deletes records that were locked before. */
export async function deleteRecords<Row extends OwnedRow, Patch>(
  tx: Transaction,
  context: WriteContext,
  writer: RecordWriter<Row, Patch>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const { kind } = writer
  const besides = (await writer.beforeDelete?.(tx, context, rows)) ?? noTrace
  await hideRecords(
    tx,
    kind,
    context.workspace.id,
    rows.map(({ id }) => id),
    context.at,
  )
  await leaveTrace(tx, context, kind, joinTraces([...rows.map((row) => traceDeleted(kind, row)), besides]))
}
