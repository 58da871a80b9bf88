import { isSameValue } from '@crm/db'
import type { TransferredEntity } from '@crm/contract'
import type { FieldChange, Transaction } from '@crm/db'
import { isRefusal } from '@crm/errors'
import type { CrmContext } from '../../platform/context.ts'
import type { OwnedRow } from '../../records/owned/kind.ts'
import { hideRecords, lockRecords } from '../../records/owned/repository.ts'
import { joinTraces, leaveTrace, traceDeleted, type Trace } from '../../records/owned/trace.ts'
import { applyChange } from '../../records/owned/write.ts'
import type { ImportRow, StagedRow } from './imports.repository.ts'
import { transferredKinds, type Transferred } from './transfers.kinds.ts'

/** Reverts the records of some rows, where nobody has changed them since; returns their number. */
export async function revertRows(
  tx: Transaction,
  context: CrmContext,
  job: ImportRow,
  rows: readonly StagedRow[],
  automation: 'SILENT' | 'RUN' = 'RUN',
): Promise<number> {
  const { writer } = transferredKinds[(job.options?.entityType ?? job.entityType) as TransferredEntity]
  const { kind } = writer
  // People may revert their own imports even where they may not delete; the imports of other people need the right.
  const isOwn = job.employeeId === context.caller.employee.id
  const scope = context.scope(kind.entityType, isOwn ? 'VIEW' : 'DELETE')
  const locked = await lockRecords(
    tx,
    kind,
    scope,
    rows.flatMap(({ recordId }) => recordId ?? []),
  )
  const traces: Trace[] = []
  const gone: OwnedRow[] = []
  let reverted = 0
  for (const { outcome, recordId, changes } of rows) {
    const current = recordId ? locked.get(recordId) : undefined
    if (!current) continue
    if (outcome === 'CREATED' && current.version === versionMade(changes)) gone.push(current)
    if (
      outcome === 'UPDATED' &&
      (isOwn || context.caller.effective.has(`UPDATE_${kind.entityType}`)) &&
      (await restore(tx, context, current, changes ?? [], writer, traces))
    )
      reverted += 1
  }
  const deletable = await withoutKept(tx, context, writer, gone)
  if (deletable.length > 0)
    await hideRecords(
      tx,
      kind,
      context.workspace.id,
      deletable.map(({ id }) => id),
      context.at,
    )
  const trace = joinTraces([...traces, ...deletable.map((row) => traceDeleted(kind, row))])
  // What nobody was told of comes and goes in silence.
  await leaveTrace(tx, context, kind, automation === 'SILENT' ? { timeline: trace.timeline, events: [] } : trace)
  return reverted + deletable.length
}

/** The version of a record that an import made, after its last start. */
function versionMade(changes: StagedRow['changes']): number {
  const [change] = changes ?? []
  return change?.field === 'version' ? Number(change.to) : 1
}

/** Removes records that may not be deleted any more, because other records were linked to them since. */
async function withoutKept(
  tx: Transaction,
  context: CrmContext,
  { beforeDelete }: Transferred['writer'],
  rows: readonly OwnedRow[],
): Promise<readonly OwnedRow[]> {
  if (!beforeDelete || rows.length === 0 || (await isAllowed(beforeDelete(tx, context, rows)))) return rows
  const deletable: OwnedRow[] = []
  for (const row of rows) if (await isAllowed(beforeDelete(tx, context, [row]))) deletable.push(row)
  return deletable
}

async function isAllowed(check: Promise<unknown>): Promise<boolean> {
  try {
    await check
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    return false
  }
}

async function restore(
  tx: Transaction,
  context: CrmContext,
  current: OwnedRow,
  changes: readonly FieldChange[],
  writer: Transferred['writer'],
  traces: Trace[],
): Promise<boolean> {
  const stillThere = changes.filter(({ field, to }) => isSameValue(current[field as keyof OwnedRow] ?? null, to))
  if (stillThere.length === 0) return false
  const patch = Object.fromEntries(stillThere.map(({ field, from }) => [field, from]))
  // The earlier values may be gone by now; then the record stays as it is.
  return isAllowed(applyChange(tx, context, writer, current, patch).then(({ trace }) => traces.push(trace)))
}
