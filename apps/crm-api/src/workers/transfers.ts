import type { TransferredEntity } from '@crm/contract'
import type { Database, Transaction } from '@crm/db'
import { isRefusal } from '@crm/errors'
import { exportKey } from '@crm/storage'
import type { CrmContext } from '../platform/context.ts'
import type { CrmApiDeps } from '../platform/deps.ts'
import { requireStorage } from '../records/quotas.ts'
import { everythingOf } from '../across/transfers/exports.everything.ts'
import {
  exportedKind,
  exportedLayout,
  exportedRecords,
  storedHeader,
  storedLines,
} from '../across/transfers/exports.kinds.ts'
import { findExport, selectAll, updateExport, type ExportRow } from '../across/transfers/exports.repository.ts'
import { askFor } from '../across/transfers/imports.handlers.ts'
import {
  keepOutcomes,
  lockImport,
  selectByOutcome,
  selectStaged,
  takeTurn,
  updateImport,
  type ImportRow,
} from '../across/transfers/imports.repository.ts'
import { revertRows } from '../across/transfers/imports.steps.ts'
import { firstSettings, readConversion, rowPlanOfImport } from '../across/transfers/moving.plan.ts'
import { writeRows, type Writing } from '../across/transfers/moving.writes.ts'
import { countingBytes } from '../across/transfers/transfers.bytes.ts'
import { csvLines } from '../across/transfers/transfers.csv.ts'
import { employeeContext } from './employee-context.ts'
import { attemptsMax, emitFinished, importingContext, progressOf, revertingContext, tellImporter } from './importing.ts'
import type { JobHandler } from './job-handler.ts'

/** The number of rows of one step: a transaction of a second or so, which a crash repeats as a whole. */
const rowsAtOnce = 2_000

/** An export waits this long for a replica; after a failure it reads the primary. */
const replicaWaitMs = 5_000

/** Imports the next rows of a file; rows, records, progress and the request for the next step are one transaction. */
export const importStep: JobHandler = async (job) => {
  const { tx, row, at } = job
  const key = { workspaceId: row.workspaceId, id: row.payload['importId'] as string }
  const work = await lockImport(tx, key)
  if (!work || !['QUEUED', 'RUNNING'].includes(work.state)) return
  const fail = async (problem: string): Promise<void> => {
    await updateImport(tx, key, { state: 'FAILED', problem, finishedAt: at })
    await tellMaker(tx, work, at, `The import of ${work.fileName} failed: ${problem}`, 'import.failed')
  }
  if (row.attempts >= attemptsMax) return fail('A row could not be imported, again and again')
  try {
    const context = await importingContext(job, work)
    const rows = await selectStaged(tx, key, work.cursor, rowsAtOnce)
    await takeTurn(tx, work)
    const outcomes = rows.length > 0 ? (await writeRows(tx, await writingOf(tx, context, work), rows)).outcomes : []
    await keepOutcomes(tx, key, outcomes)
    const isOver = rows.length < rowsAtOnce
    const progress = progressOf(work, outcomes)
    await updateImport(tx, key, {
      ...progress,
      cursor: rows.at(-1)?.line ?? work.cursor,
      state: isOver ? 'DONE' : 'RUNNING',
      startedAt: work.startedAt ?? at,
      ...(isOver ? { finishedAt: at } : {}),
    })
    if (!isOver) return await askFor(tx, context, 'import.step', key)
    const { processed: _processed, ...counts } = progress
    await emitFinished(tx, context, work, {
      ...counts,
      id: work.id,
      kinds: [work.options?.entityType ?? work.entityType],
      fileNames: [work.fileName],
      source: fileSource,
      automation: work.options?.automation ?? 'RUN',
    })
    await tellMaker(tx, work, at, `The import of ${work.fileName} is done`)
  } catch (error) {
    if (!isRefusal(error)) throw error
    await fail(error.message)
  }
}

/** The key of records that a single file brings, where nobody says from which program. */
const fileSource = 'FILES'

async function writingOf(tx: Transaction, context: CrmContext, work: ImportRow): Promise<Writing> {
  const { options } = work
  if (!options) throw new Error('The import has no options')
  const kind = options.entityType as TransferredEntity
  const settings = await firstSettings(tx, context)
  const conversion = await readConversion(tx, context, [kind], settings)
  return {
    context,
    plan: rowPlanOfImport(kind, work.header, options.mapping, settings, conversion, await import('@crm/tables')),
    search: { migration: null, source: fileSource },
    fileId: work.id,
    parts: [],
    matchBy: [options.matchBy === 'sku' ? 'number' : options.matchBy],
    onDuplicate: options.onDuplicate,
    automation: options.automation ?? 'RUN',
    isTrial: false,
    keepMade: () => Promise.resolve(),
  }
}

/** Reverts the next rows of an import. */
export const revertStep: JobHandler = async (job) => {
  const { tx, row, at } = job
  const key = { workspaceId: row.workspaceId, id: row.payload['importId'] as string }
  const work = await lockImport(tx, key)
  if (work?.state !== 'REVERTING') return
  try {
    const context = await revertingContext(job, work)
    const rows = await selectByOutcome(tx, key, ['CREATED', 'UPDATED'], work.cursor, rowsAtOnce)
    const reverted = rows.length > 0 ? await revertRows(tx, context, work, rows, work.options?.automation ?? 'RUN') : 0
    const isOver = rows.length < rowsAtOnce
    await updateImport(tx, key, {
      reverted: work.reverted + reverted,
      cursor: rows.at(-1)?.line ?? work.cursor,
      ...(isOver ? { state: 'REVERTED', finishedAt: at } : {}),
    })
    if (isOver) await tellMaker(tx, work, at, `The import of ${work.fileName} is undone`)
    else await askFor(tx, context, 'import.revert', key)
  } catch (error) {
    if (!isRefusal(error)) throw error
    await updateImport(tx, key, { state: 'FAILED', problem: error.message, finishedAt: at })
  }
}

function tellMaker(tx: Transaction, work: ImportRow, at: string, text: string, kind?: 'import.failed'): Promise<void> {
  const data = { importId: work.id, name: work.fileName }
  return tellImporter(tx, work, at, { text, data, ...(kind ? { kind } : {}) })
}

/** Writes an export to the storage row by row: the records that its maker may see now. */
export const runExport: JobHandler = async (job) => {
  const { tx, row, deps, at } = job
  const key = { workspaceId: row.workspaceId, id: row.payload['exportId'] as string }
  const made = await findExport(tx, key)
  if (!made || made.state === 'DONE' || made.state === 'FAILED') return
  if (row.attempts >= attemptsMax)
    return updateExport(tx, key, { state: 'FAILED', problem: 'The file could not be written', finishedAt: at })
  try {
    const context = await employeeContext(job, made)
    await requireStorage(deps.db, context.workspace, 1)
    const counted = { rows: 0, bytes: 0 }
    const db = (row.attempts === 0 ? await currentReplica(deps) : undefined) ?? deps.db
    await deps.storage.write(exportKey(key), countingBytes(linesOf(db, context, made, counted), counted))
    await requireStorage(tx, context.workspace, counted.bytes)
    await updateExport(tx, key, { state: 'DONE', rows: counted.rows, bytes: counted.bytes, finishedAt: at })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await deps.storage.remove(exportKey(key))
    await updateExport(tx, key, { state: 'FAILED', problem: error.message, finishedAt: at })
  }
}

async function* linesOf(
  db: Database,
  context: CrmContext,
  { entityType, filters, format }: ExportRow,
  counted: { rows: number },
): AsyncIterable<Uint8Array> {
  if (format === 'ZIP') return yield* everythingOf({ db, context, storage: context.deps.storage, counted })
  const exported = await exportedKind(context, entityType)
  const scope = context.scope(entityType)
  const where = await exportedRecords(db, context, exported, scope, filters)
  const layout = await exportedLayout(db, context, exported.kind)
  yield Buffer.from('\uFEFF')
  yield await csvLines([storedHeader(layout)])
  for await (const rows of selectAll(db, exported.kind, context.workspace.id, where)) {
    counted.rows += rows.length
    yield await csvLines(await storedLines(db, context, exported, layout, rows))
  }
}

/** Returns a replica that has everything that is committed now, the records that the export was asked for among them. */
async function currentReplica({ lateReads }: Pick<CrmApiDeps, 'lateReads'>): Promise<Database | undefined> {
  const replicas = lateReads?.replicas
  return (await replicas?.whenUpTo(await replicas.mark(), replicaWaitMs))?.db
}
