import { BytesReply, exports, success } from '@crm/contract'
import { newId, recordChange, type Scope } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { exportKey } from '@crm/storage'
import { implement, type CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { hasNames, readNames } from '../../domain/summaries/names.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { exportedKind, exportedRecords } from './exports.kinds.ts'
import { findExport, findVisibleIds, insertExport, type ExportRow } from './exports.repository.ts'
import { guarded } from './transfers.cells.ts'
import { csvLines, readCsv } from './transfers.csv.ts'

export const implementedExports = implement(exports, {
  create: async ({ body: { entityType, filters: named, ids } }, context) => {
    const { workspace, caller, actor, at } = context
    const exported = await exportedKind(context, entityType)
    const scope = context.scope(entityType)
    if (ids && Object.keys(named).length > 0) throw invalidField('ids', 'Send either ids or filters')
    const filters = ids ? { ids: ids.join(',') } : named
    await exportedRecords(context.db, context, exported, scope, filters)
    const id = newId()
    const made = { workspaceId: workspace.id, id, employeeId: caller.employee.id, entityType, filters, createdAt: at }
    await context.transact(async (tx) => {
      await insertExport(tx, made)
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
        summary: `Exported ${entityType}`,
        data: { entityType },
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
    const lines = await linesInSight(context, made)
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
async function linesInSight(context: CrmContext, made: ExportRow): Promise<AsyncIterable<Uint8Array>> {
  const { kind } = await exportedKind(context, made.entityType)
  return keepLines(context, made, kind, context.scope(made.entityType))
}

async function* keepLines(
  context: CrmContext,
  made: ExportRow,
  kind: RecordKind,
  scope: Scope,
): AsyncIterable<Uint8Array> {
  yield Buffer.from('\uFEFF')
  let header: readonly string[] | undefined
  for await (const batch of inBatches(readCsv(await context.deps.storage.read(exportKey(made))), linesAtOnce)) {
    const lines = batch.map(({ cells }) => cells)
    if (header === undefined) {
      header = lines.shift() ?? []
      yield await csvLines([
        header.flatMap((column) => (hasNames(made.entityType, column) ? [column, nameColumn(column)] : [column])),
      ])
    }
    const ids = lines.map(([id = '']) => id)
    const seen = await findVisibleIds(context.db, kind, scope, ids)
    const kept = lines.filter(([id = '']) => seen.has(id))
    if (kept.length > 0) yield await csvLines(await withNames(context, made.entityType, header, kept))
  }
}

/** Returns lines with a name after each id that has one. Names are not in the stored file, so each is judged when it is read. */
async function withNames(
  context: CrmContext,
  entityType: string,
  header: readonly string[],
  lines: readonly (readonly string[])[],
): Promise<readonly (readonly string[])[]> {
  const names = new Map<number, ReadonlyMap<string, string>>()
  for (const [at, column] of header.entries()) {
    if (!hasNames(entityType, column)) continue
    const ids = new Set(lines.flatMap((cells) => cells[at] || []))
    names.set(at, ids.size > 0 ? await readNames(context.db, context, entityType, column, [...ids]) : new Map())
  }
  return lines.map((cells) =>
    cells.flatMap((cell, at) => {
      const known = names.get(at)
      return known ? [cell, guarded(known.get(cell) ?? '')] : [cell]
    }),
  )
}

/** Returns the heading of the names behind a column of ids, as `expand` calls them. */
const nameColumn = (column: string): string => column.replace(/Id$/, '')

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
  if (!made) throw new ApiError('NOT_FOUND', { message: 'There is no such export' })
  return made
}

function toRecord({ workspaceId: _workspace, employeeId: _employee, bytes: _bytes, ...rest }: ExportRow) {
  return rest
}
