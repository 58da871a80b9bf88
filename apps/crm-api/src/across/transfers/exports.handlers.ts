import { BytesReply, exports, success, type TransferredEntity } from '@crm/contract'
import { newId, recordChange, type Scope } from '@crm/db'
import { ApiError } from '@crm/errors'
import { exportKey } from '@crm/storage'
import { implement, type CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { momentOf } from '../../records/moment.ts'
import { filterConditions } from '../../records/owned/bulk.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { findExport, findVisibleIds, insertExport, type ExportRow } from './exports.repository.ts'
import { csvLines, readCsv } from './transfers.csv.ts'
import { transferredKinds } from './transfers.kinds.ts'

export const implementedExports = implement(exports, {
  create: async ({ body }, context) => {
    const { workspace, caller, actor, at } = context
    const { writer } = transferredKinds[body.entityType]
    const scope = context.scope(body.entityType)
    if (Object.keys(body.filters).length > 0)
      await filterConditions(context.db, writer, { scope, moment: momentOf(context) }, body.filters, 'filters')
    const id = newId()
    await context.transact(async (tx) => {
      await insertExport(tx, { workspaceId: workspace.id, id, employeeId: caller.employee.id, ...body, createdAt: at })
      await recordChange(tx, {
        workspaceId: workspace.id,
        actor,
        at,
        events: [{ topic: 'job', event: 'export.run', payload: { exportId: id } }],
      })
      await audit(tx, context, {
        action: 'export.started',
        subjectType: 'export',
        subjectId: id,
        summary: `Exported ${body.entityType}`,
        data: { entityType: body.entityType },
      })
    })
    return success(toRecord(await requireExport(context, id)))
  },

  get: async ({ params }, context) => success(toRecord(await requireExport(context, params.id))),

  file: async ({ params }, context) => {
    const made = await requireExport(context, params.id)
    if (made.state !== 'DONE') throw new ApiError('INVALID_TRANSITION', { message: 'The export is not done yet' })
    const name = `${made.entityType.toLowerCase()}-${made.createdAt.slice(0, 10)}.csv`
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    }
    const lines = linesInSight(context, made)
    await context.transact((tx) =>
      audit(tx, context, {
        action: 'export.downloaded',
        subjectType: 'export',
        subjectId: made.id,
        summary: `Downloaded ${made.entityType}`,
      }),
    )
    return new BytesReply(200, headers, lines)
  },
})

const linesAtOnce = 1_000

/**
 * Returns the lines of an export whose records the caller may see now: rights and owners may have changed since the file was
 * made. The scope is requested before the first line, so that a lost right causes a refusal and not an empty file.
 */
function linesInSight(context: CrmContext, made: ExportRow): AsyncIterable<Uint8Array> {
  const { kind } = transferredKinds[made.entityType as TransferredEntity].writer
  return keepLines(context, made, kind, context.scope(made.entityType))
}

async function* keepLines(
  { db, deps }: CrmContext,
  made: ExportRow,
  kind: RecordKind,
  scope: Scope,
): AsyncIterable<Uint8Array> {
  yield Buffer.from('\uFEFF')
  let isFirst = true
  for await (const batch of inBatches(readCsv(await deps.storage.read(exportKey(made))), linesAtOnce)) {
    const lines = batch.map(({ cells }) => cells)
    if (isFirst) yield await csvLines(lines.splice(0, 1))
    isFirst = false
    const seen = await findVisibleIds(
      db,
      kind,
      scope,
      lines.map(([id = '']) => id),
    )
    const kept = lines.filter(([id = '']) => seen.has(id))
    if (kept.length > 0) yield await csvLines(kept)
  }
}

async function* inBatches<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const one of all) {
    if (batch.push(one) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Returns an export of the caller; the exports of other people count as missing. */
async function requireExport(context: CrmContext, id: string): Promise<ExportRow> {
  const made = await findExport(context.db, { workspaceId: context.workspace.id, id }, context.caller.employee.id)
  if (!made || !Object.hasOwn(transferredKinds, made.entityType))
    throw new ApiError('NOT_FOUND', { message: 'There is no such export' })
  return made
}

function toRecord({ workspaceId: _workspace, employeeId: _employee, bytes: _bytes, ...rest }: ExportRow) {
  return rest
}
