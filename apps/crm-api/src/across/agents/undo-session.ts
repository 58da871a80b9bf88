import { keptNamedMax, type UndoResult } from '@crm/contract'
import { inSavepoint, type Transaction } from '@crm/db'
import { isRefusal } from '@crm/errors'
import { and, eq, sql } from 'drizzle-orm'
import {
  isTouchedByOthers,
  listActedFiles,
  listActedRows,
  listTouched,
  readSessionEntries,
  type ActedRow,
  type SessionEntry,
  type SessionSpan,
  type TouchedRecord,
} from '../../domain/agents/sessions.repository.ts'
import { keyOf, readSeen } from '../../kinds/in-sight.ts'
import type { CrmContext } from '../../platform/context.ts'
import { findMerge } from '../../records/owned/merges.ts'
import type { Undoable } from '../../records/owned/trace.ts'
import type { OperationChanges, TakenBack } from '../../records/owned/undo.ts'
import { undoMerge } from '../../records/owned/unmerge.ts'
import { isSwitchedOff } from '../../records/rights.ts'
import { changedKinds, mergeRules, type ChangedKind } from '../undo/undoable-kinds.ts'
import { takeBackActs } from './undo-acts.ts'

/** The records that one step takes back. */
export const undoneAtOnce = 50

/** What entries of these kinds tell of stays: others have heard of it, or it is not in the history of its record. */
const staying: ReadonlySet<string> = new Set([
  'CONVERTED',
  'COMMENT_ADDED',
  'EMAIL_SENT',
  'QUOTE_SENT',
  'QUOTE_ACCEPTED',
  'QUOTE_DECLINED',
  'INVOICE_ISSUED',
  'INVOICE_SENT',
  'PAYMENT_RECORDED',
  'PAYMENT_REVERSED',
])

/** What files a record has is taken back with the files, as far as the session touched these by themselves. */
const ofFiles: ReadonlySet<string> = new Set(['FILE_ADDED', 'FILE_REMOVED'])

const stays: TakenBack = { isUndone: false, kept: [null] }

/** What a step did, and where the next one begins. */
export interface UndoneStep {
  readonly touched: readonly TouchedRecord[]
  readonly result: UndoResult
}

/**
 * Takes back what a session did to the next records, those that it touched last first; values that somebody changed afterwards stay. Each
 * record is locked before its history is read, so of an undo and a write at the same time one comes after the other.
 */
export async function undoNextRecords(
  tx: Transaction,
  context: CrmContext,
  span: SessionSpan,
  { after, before }: { readonly after: string | null; readonly before: UndoResult },
): Promise<UndoneStep> {
  const touched = await listTouched(tx, context.workspace.id, span, { after, limit: undoneAtOnce })
  const kinds = await changedKinds(tx, context)
  const outcomes: (readonly [TouchedRecord, TakenBack])[] = []
  for (const record of touched) {
    const kind = kinds.find((one) => one.kind.entityType === record.entityType)
    outcomes.push([record, kind ? await takeBackOrKeep(tx, context, span, kind, record) : stays])
  }
  return { touched, result: await joined(tx, context, before, outcomes) }
}

/** What a step did to rows without a history, and where the next one begins. */
interface UndoneActs {
  readonly acted: readonly ActedRow[]
  readonly result: UndoResult
}

/** The rows of one step, and whether all that a session did later is taken back already. */
interface ActsStep {
  readonly after: string | null
  readonly before: UndoResult
  readonly limit: number
  readonly isWhole: boolean
}

/** Takes back what a session did to the next rows without a history of their own: files, the choices of lists, and what was set up. */
export async function undoNextActs(
  tx: Transaction,
  context: Undoable<CrmContext>,
  span: SessionSpan,
  { after, before, limit, isWhole }: ActsStep,
): Promise<UndoneActs> {
  const acted = await listActedRows(tx, context.workspace.id, span, { after, limit })
  let undone = 0
  const named: UndoResult['kept'] = []
  for (const row of acted) {
    const outcome = await takeBackActs(tx, context, row)
    const kept = { entityType: row.entityType, id: row.entityId, field: null }
    if (outcome === 'UNDONE') undone++
    else named.push(outcome === 'USED' && !isWhole ? { ...kept, mayGo: true } : kept)
  }
  return { acted, result: added(before, { undone, named, hidden: 0 }) }
}

async function takeBackOrKeep(
  tx: Transaction,
  context: CrmContext,
  span: SessionSpan,
  kind: ChangedKind,
  record: TouchedRecord,
): Promise<TakenBack> {
  if (isSwitchedOff(context, `UPDATE_${record.entityType}`)) return stays
  try {
    return await inSavepoint(tx, (inner) => takeBackOne(inner, context, span, kind, record))
  } catch (error) {
    if (!isRefusal(error)) throw error
    return stays
  }
}

async function takeBackOne(
  tx: Transaction,
  context: CrmContext,
  span: SessionSpan,
  kind: ChangedKind,
  record: TouchedRecord,
): Promise<TakenBack> {
  const { workspace } = context
  await lockRow(tx, workspace.id, kind, record.entityId)
  const entries = await entriesWithoutMerges(tx, context, span, kind, record)
  const state = await lockRow(tx, workspace.id, kind, record.entityId)
  // A record that is gone for good does not come back.
  if (!state) return entries.some(isBirth) ? { isUndone: true, kept: [] } : stays
  const birth = entries.find(isBirth)
  const taken = await kind.takeBack(tx, context, {
    id: record.entityId,
    isCreated: birth !== undefined,
    isDeleted: entries.some(isDeletion),
    isGone: state.isDeleted,
    isTouched: birth !== undefined && (await isTouchedByOthers(tx, workspace.id, span, record, birth.id)),
    operations: operationsIn(entries),
  })
  const isLeft = birth === undefined && (await areLeft(tx, workspace.id, span, entries))
  return isLeft ? { ...taken, kept: [...new Set([...taken.kept, null])] } : taken
}

/** Whether an entry tells that the session made its record by itself, and not out of another one. */
const isBirth = ({ kind, relatedId }: SessionEntry): boolean => kind === 'CREATED' && relatedId === null

/** Whether an entry tells that the session deleted its record, and did not merge it into another one. */
const isDeletion = ({ kind, data }: SessionEntry): boolean => kind === 'DELETED' && data['mergedIntoId'] === undefined

/** Whether entries tell of something that stays. */
async function areLeft(
  tx: Transaction,
  workspaceId: string,
  span: SessionSpan,
  entries: readonly SessionEntry[],
): Promise<boolean> {
  if (entries.some(({ kind, relatedId }) => staying.has(kind) || (kind === 'CREATED' && relatedId !== null)))
    return true
  const fileIds = entries.flatMap(({ kind, relatedId }) => (ofFiles.has(kind) && relatedId !== null ? [relatedId] : []))
  const acted = await listActedFiles(tx, workspaceId, span, fileIds)
  return fileIds.some((id) => !acted.has(id))
}

/** Locks the row of a record, whether it is deleted or not; undefined: there is none. */
async function lockRow(
  tx: Transaction,
  workspaceId: string,
  { kind: { table } }: ChangedKind,
  id: string,
): Promise<{ readonly isDeleted: boolean } | undefined> {
  const { rows } = await tx.execute<{ isDeleted: boolean }>(sql`
    SELECT ${table.deletedAt} IS NOT NULL AS "isDeleted" FROM ${table}
    WHERE ${and(eq(table.workspaceId, workspaceId), eq(table.id, id))} FOR NO KEY UPDATE`)
  return rows[0]
}

/** Returns the merges to which entries belong, the newest first. */
function mergesIn(entries: readonly SessionEntry[]): readonly string[] {
  const merging = entries.filter(({ kind, data }) => kind === 'MERGED' || data['mergedIntoId'] !== undefined)
  return merging.flatMap(({ operationId }) => operationId ?? [])
}

/**
 * Undoes the merges in which a record took part, and returns the entries about it then: a merge that is undone gives other records their
 * history back, and merges of before come to light. The record that stayed comes back first where the session deleted it afterwards.
 */
async function entriesWithoutMerges(
  tx: Transaction,
  context: CrmContext,
  span: SessionSpan,
  kind: ChangedKind,
  record: TouchedRecord,
): Promise<readonly SessionEntry[]> {
  const { workspace } = context
  const rules = mergeRules.get(record.entityType)
  const done = new Set<string>()
  for (;;) {
    const entries = await readSessionEntries(tx, workspace.id, span, record)
    const next = mergesIn(entries).find((id) => !done.has(id))
    if (next === undefined || !rules) return entries
    done.add(next)
    const merge = await findMerge(tx, context, next, span.employeeId)
    if (!merge) continue
    const state = await lockRow(tx, workspace.id, kind, merge.survivorId)
    if (state?.isDeleted && merge.survivorId === record.entityId && entries.some(isDeletion))
      await kind.undo(tx, context, [{ id: record.entityId, isDeleted: true, changes: [] }])
    await undoMerge(tx, context, rules, merge)
  }
}

/** Returns what the operations of entries changed, the newest first. */
function operationsIn(entries: readonly SessionEntry[]): readonly OperationChanges[] {
  const changing = entries.filter(({ changes }) => changes.length > 0)
  return [...Map.groupBy(changing, ({ groupId, id }) => groupId ?? id).values()].map((of) => ({
    isUndoable: of.every(({ operationId }) => operationId !== null),
    changes: of.flatMap(({ changes }) => changes),
  }))
}

/** Adds the outcomes of a step; records that the caller may not see are counted and not named. */
async function joined(
  tx: Transaction,
  context: CrmContext,
  before: UndoResult,
  outcomes: readonly (readonly [TouchedRecord, TakenBack])[],
): Promise<UndoResult> {
  const left = outcomes.filter(([, { kept }]) => kept.length > 0)
  const seen = await readSeen(
    tx,
    context,
    left.map(([link]) => link),
    { withDeleted: true },
  )
  const isSeen = ([link]: (typeof left)[number]): boolean => seen.has(keyOf(link))
  const named = left
    .filter(isSeen)
    .flatMap(([{ entityType, entityId }, { kept }]) => kept.map((field) => ({ entityType, id: entityId, field })))
  return added(before, {
    undone: outcomes.filter(([, { isUndone }]) => isUndone).length,
    named,
    hidden: left.filter((one) => !isSeen(one)).length,
  })
}

/** Adds the outcome of a step to that of the steps before. */
function added(
  before: UndoResult,
  step: { readonly undone: number; readonly named: UndoResult['kept']; readonly hidden: number },
): UndoResult {
  const all = [...before.kept, ...step.named]
  const more = (before.more ?? 0) + Math.max(0, all.length - keptNamedMax)
  const hidden = (before.hidden ?? 0) + step.hidden
  return {
    undone: before.undone + step.undone,
    kept: all.slice(0, keptNamedMax),
    ...(more > 0 ? { more } : {}),
    ...(hidden > 0 ? { hidden } : {}),
  }
}
