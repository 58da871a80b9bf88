import { BytesReply, everythingKeptDays, exports, success, type ExportWish } from '@crm/contract'
import { newId, recordChange } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { kindOf } from '@crm/model'
import { exportKey } from '@crm/storage'
import { implement, type CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { resolveKind } from '../../kinds/kinds.ts'
import { requireEverything } from './exports.everything.ts'
import { exportedKind, exportedLayout, exportedRecords } from './exports.kinds.ts'
import { findExport, findVisibleIds, insertExport, type ExportRow } from './exports.repository.ts'
import { cellsFor, shapePart, shapeRecords, type ShapedFile } from './exports.shape.ts'
import { csvLines, readCsv, type CsvRow } from './transfers.csv.ts'

export const implementedExports = implement(exports, {
  create: async ({ body }, context) => {
    const { workspace, caller, actor, at } = context
    const { entityType, filters, format } = await checkedWish(context, body)
    const id = newId()
    const made = {
      workspaceId: workspace.id,
      id,
      employeeId: caller.employee.id,
      entityType,
      filters,
      format,
      createdAt: at,
    }
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
        summary: `Exported ${entityType === '' ? 'everything' : entityType}`,
        data: { entityType, format },
      })
    })
    return success(await toRecord(context, await requireExport(context, id)))
  },

  get: async ({ params }, context) => success(await toRecord(context, await requireExport(context, params.id))),

  file: async ({ params, query }, context) => {
    const stored = await requireExport(context, params.id)
    const made = stored.format === 'ZIP' ? stored : { ...stored, format: query.format ?? stored.format }
    if (made.state !== 'DONE') throw new ApiError('INVALID_TRANSITION', { message: 'The export is not done yet' })
    const content = made.format === 'ZIP' ? await everything(context, made) : await records(context, made, query.part)
    await context.transact((tx) =>
      audit(tx, context, {
        action: 'export.downloaded',
        subjectType: 'export',
        subjectId: made.id,
        summary: `Downloaded ${made.entityType === '' ? 'everything' : made.entityType}`,
      }),
    )
    return new BytesReply(200, headersOf(context, made, query.part), content)
  },
})

/** Refuses an export that its maker may not have, and returns what is stored of the wish; everything has no entity type. */
async function checkedWish(context: CrmContext, { kind, entityType = '', format, filters: named, ids }: ExportWish) {
  if (kind === 'WORKSPACE') {
    if (ids || Object.keys(named).length > 0) throw invalidField('filters', 'Everything has no filters')
    await requireEverything(context)
    return { entityType: '', filters: {}, format: 'ZIP' as const }
  }
  const exported = await exportedKind(context, entityType)
  if (ids && Object.keys(named).length > 0) throw invalidField('ids', 'Send either ids or filters')
  const filters = ids ? { ids: ids.join(',') } : named
  await exportedRecords(context.db, context, exported, context.scope(entityType), filters)
  return { entityType, filters, format }
}

const mediaTypes = {
  CSV: 'text/csv; charset=utf-8',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ZIP: 'application/zip',
} as const

function headersOf({ workspace }: CrmContext, made: ExportRow, part: string | undefined): Record<string, string> {
  const stem = made.format === 'ZIP' ? workspace.slug : made.entityType.toLowerCase()
  const name = [stem, ...(part ? [part.toLowerCase()] : []), made.createdAt.slice(0, 10)].join('-')
  return {
    'content-type': mediaTypes[made.format],
    'content-disposition': `attachment; filename="${name}.${made.format.toLowerCase()}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}

/** Returns the archive of everything, as long as its maker still sees everything; it is theirs for some days. */
async function everything(context: CrmContext, made: ExportRow): Promise<AsyncIterable<Uint8Array>> {
  const agedMs = Date.parse(context.at) - Date.parse(made.createdAt)
  if (agedMs > everythingKeptDays * 86_400_000) throw new ApiError('NOT_FOUND', { message: 'The link has expired' })
  await requireEverything(context)
  return context.deps.storage.read(exportKey(made))
}

const linesAtOnce = 1_000
/** A row has all lines of an invoice in one cell. */
const storedRowBytesMax = 16 * 1024 * 1024

/**
 * Returns the file of an export with the records that the caller may see now: rights and owners may have changed since it was made. The
 * scope is requested before the first line, so that a lost right causes a refusal and not an empty file.
 */
async function records(
  context: CrmContext,
  made: ExportRow,
  part: string | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const { kind } = await exportedKind(context, made.entityType)
  const scope = context.scope(made.entityType)
  const layout = await exportedLayout(context.db, context, kind)
  const batches = inBatches(readCsv(await context.deps.storage.read(exportKey(made)), storedRowBytesMax), linesAtOnce)
  const { value: first = [] } = (await batches.next()) as { readonly value?: readonly CsvRow[] }
  const [header = [], ...lines] = first.map(({ cells }) => cells)
  const file =
    part === undefined
      ? shapeRecords(context, made.entityType, header, layout)
      : shapePart(made.entityType, header, layout, part)
  if (!file) throw new ApiError('NOT_FOUND', { message: 'The export has no such part' })
  const seen = async function* (): AsyncGenerator<readonly (readonly string[])[]> {
    yield [file.header]
    for await (const batch of withFirst(lines, batches)) {
      const ids = await findVisibleIds(
        context.db,
        kind,
        scope,
        batch.map(([id = '']) => id),
      )
      yield await file.shape(batch.filter(([id = '']) => ids.has(id)))
    }
  }
  return made.format === 'XLSX' ? asWorkbook(made.entityType, file, seen()) : asCsv(seen())
}

async function* withFirst(
  first: readonly (readonly string[])[],
  rest: AsyncIterable<readonly CsvRow[]>,
): AsyncGenerator<readonly (readonly string[])[]> {
  if (first.length > 0) yield first
  for await (const batch of rest) yield batch.map(({ cells }) => cells)
}

async function* asCsv(batches: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\uFEFF')
  for await (const batch of batches) if (batch.length > 0) yield await csvLines(batch)
}

async function* asWorkbook(
  entityType: string,
  { types }: ShapedFile,
  batches: AsyncIterable<readonly (readonly string[])[]>,
): AsyncGenerator<Uint8Array> {
  const { writeWorkbook } = await import('@crm/tables')
  const rows = async function* () {
    let isHeader = true
    for await (const batch of batches)
      for (const line of batch) {
        yield isHeader ? line : cellsFor(line, types)
        isHeader = false
      }
  }
  yield* writeWorkbook(kindOf(entityType)?.plural ?? entityType.toLowerCase(), rows())
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
  if (!made) throw new ApiError('NOT_FOUND', { message: 'There is no such export' })
  return made
}

async function toRecord(context: CrmContext, row: ExportRow) {
  const { workspaceId: _workspace, employeeId: _employee, bytes: _bytes, entityType, ...rest } = row
  if (row.format === 'ZIP') return { ...rest, kind: 'WORKSPACE' as const, entityType: null, parts: [] }
  const kind = await resolveKind(context.db, context, entityType).catch(() => undefined)
  const { parts } = kind ? await exportedLayout(context.db, context, kind) : { parts: [] }
  return { ...rest, kind: 'RECORDS' as const, entityType, parts: parts.map(({ field }) => field) }
}
