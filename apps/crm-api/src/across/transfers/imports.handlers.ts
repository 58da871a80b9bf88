import { BytesReply, imports, success, type ImportWish, type MatchField, type TransferredEntity } from '@crm/contract'
import { recordChange, type Transaction } from '@crm/db'
import { ApiError, invalidField, permissionRequired } from '@crm/errors'
import { implement, type CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { recallOwnedFacts } from '../../records/owned/facts.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'
import { requireStorage } from '../../records/quotas.ts'
import {
  beginImport,
  deleteImport,
  findImport,
  listImports,
  lockImport,
  selectByOutcome,
  stageRows,
  updateImport,
  type ImportKey,
  type ImportRow,
} from './imports.repository.ts'
import { countingBytes } from './transfers.bytes.ts'
import { targetsOf } from './moving.columns.ts'
import { guarded } from './transfers.cells.ts'
import { csvLines, readCsv, type CsvRow } from './transfers.csv.ts'
import { transferredKinds } from './transfers.kinds.ts'

const rowsMax = 100_000
const stagedAtOnce = 1_000
const errorsShown = 50

export const implementedImports = implement(imports, {
  list: async ({ query }, context) => {
    const { items, total } = await listImports(context.db, context.workspace.id, {
      limit: query.pageSize,
      offset: offsetOf(query),
    })
    return pageOf({ items: items.map(toRecord), total }, query)
  },

  create: async ({ upload }, context) => {
    const { workspace, caller, deps, at } = context
    const key = await beginImport(deps.db, workspace.id, caller.employee.id, at)
    try {
      await requireStorage(deps.db, workspace, 1)
      const counted = { bytes: 0 }
      const { kept, fields } = await upload.receive(async (file) => ({
        fileName: file.name.slice(0, 255).toWellFormed(),
        ...(await stage(context, key, countingBytes(file.content, counted))),
      }))
      const mapping = await checkedMapping(context, fields, kept.header)
      const matchBy = checkedMatch(fields)
      await context.transact(async (tx) => {
        await requireStorage(tx, workspace, counted.bytes)
        await updateImport(tx, key, {
          ...kept,
          entityType: fields.entityType,
          options: { ...fields, mapping, matchBy },
          state: 'QUEUED',
        })
        await askFor(tx, context, 'import.step', key)
        await audit(tx, context, {
          action: 'import.started',
          subjectType: 'import',
          subjectId: key.id,
          summary: `Imported ${kept.fileName}`,
          data: { entityType: fields.entityType, rows: kept.total },
        })
      })
    } catch (error) {
      await deleteImport(deps.db, key)
      throw error
    }
    return success(await withErrors(context, await requireImport(context, key.id)))
  },

  fields: async ({ query }, context) => {
    requirePermission(context, `CREATE_${query.entityType}`)
    const { fields, labels } = await targetFields(context, query.entityType)
    return { data: [...fields.keys()].map((field) => ({ field, label: labels.get(field) ?? null })) }
  },

  get: async ({ params }, context) => success(await withErrors(context, await requireImport(context, params.id))),

  errors: async ({ params }, context) => {
    const job = await requireImport(context, params.id)
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="import-errors.csv"`,
      'cache-control': 'no-store',
    }
    return new BytesReply(200, headers, errorLines(context, job))
  },

  revert: async ({ params }, context) => {
    const asked = await requireImport(context, params.id)
    if (asked.employeeId !== context.caller.employee.id) context.scope(asked.entityType, 'DELETE')
    const { id } = asked
    const key = { workspaceId: context.workspace.id, id }
    await context.transact(async (tx) => {
      const job = await lockImport(tx, key)
      if (!job || !['DONE', 'FAILED', 'CANCELLED'].includes(job.state))
        throw new ApiError('INVALID_TRANSITION', { message: 'Only an import that has ended can be undone' })
      await updateImport(tx, key, { state: 'REVERTING', cursor: 0 })
      await askFor(tx, context, 'import.revert', key)
      await audit(tx, context, {
        action: 'import.reverted',
        subjectType: 'import',
        subjectId: id,
        summary: `Took the import of ${job.fileName} back`,
      })
    })
    return success(await withErrors(context, await requireImport(context, id)))
  },
})

/** Requests the next step of background work on an import. */
export function askFor(
  tx: Transaction,
  { workspace, actor, at }: Pick<CrmContext, 'workspace' | 'actor' | 'at'>,
  event: 'import.step' | 'import.revert',
  { id }: Pick<ImportKey, 'id'>,
): Promise<void> {
  return recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [{ topic: 'job', event, payload: { importId: id } }],
  })
}

/** Stores the rows of a file as they arrive, with only some of them in memory at any time. */
async function stage(
  { deps }: CrmContext,
  key: ImportKey,
  content: AsyncIterable<Uint8Array>,
): Promise<{ header: string[]; total: number }> {
  let header: readonly string[] | undefined
  let total = 0
  let waiting: CsvRow[] = []
  for await (const row of readCsv(content)) {
    if (!header) {
      if (row.problem) throw invalidField('file', row.problem)
      header = row.cells.map((title) => title.trim())
      continue
    }
    total += 1
    if (total > rowsMax) throw invalidField('file', `Expected ${rowsMax} rows at most`)
    waiting.push(row)
    if (waiting.length < stagedAtOnce) continue
    await stageRows(deps.db, key, waiting)
    waiting = []
  }
  await stageRows(deps.db, key, waiting)
  if (!header || total === 0) throw invalidField('file', 'Expected a line of headers and at least one row')
  return { header: [...header], total }
}

/** Returns the field of each header, or the problems; callers cannot import fields that they could not set themselves. */
async function checkedMapping(
  context: CrmContext,
  { entityType, mapping, onDuplicate }: ImportWish,
  header: readonly string[],
): Promise<Record<string, string>> {
  requirePermission(context, `CREATE_${entityType}`)
  if (onDuplicate === 'UPDATE') context.scope(entityType, 'UPDATE')
  const { fields } = await targetFields(context, entityType)
  const wished = mapping ?? byName(header, [...fields.keys()])
  const issues = Object.entries(wished).flatMap(([title, field]) => {
    if (!header.includes(title))
      return [{ path: ['options', 'mapping', title], message: 'The file has no such header' }]
    return fields.has(field)
      ? []
      : [{ path: ['options', 'mapping', title], message: 'There is no such field', values: [...fields.keys()] }]
  })
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
  const named = Object.values(wished)
  if (named.length === 0)
    throw invalidField(['options', 'mapping'], 'No header is called like a field; name a field for each header')
  if (new Set(named).size !== named.length)
    throw invalidField(['options', 'mapping'], 'Two headers cannot fill one field')
  return wished
}

/** Returns the fields to which columns of a file can go, with the names of the custom fields among them. */
async function targetFields(context: CrmContext, entityType: TransferredEntity) {
  const { writer } = transferredKinds[entityType]
  const { customFields } = await recallOwnedFacts(context.db, context, writer.kind, context.caller.employee.id)
  return {
    fields: targetsOf(entityType, customFields),
    labels: new Map(customFields.map(({ key, label }) => [`cf_${key}`, label])),
  }
}

/** Returns the field by which duplicates are found: the requested one, where the kind has a choice. */
function checkedMatch({ entityType, matchBy }: ImportWish): MatchField {
  const { matchedBy } = transferredKinds[entityType]
  if (matchedBy.length === 1) return matchedBy[0] ?? matchBy
  if (matchBy === 'sku') throw invalidField(['options', 'matchBy'], 'Only products have a SKU')
  return matchBy
}

function byName(header: readonly string[], fields: readonly string[]): Record<string, string> {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
  return Object.fromEntries(
    header.flatMap((title) => {
      const field = fields.find((name) => plain(name) === plain(title))
      return field ? [[title, field]] : []
    }),
  )
}

function requirePermission({ caller }: CrmContext, permission: string): void {
  if (!caller.effective.has(permission)) throw permissionRequired(permission)
}

async function requireImport(context: CrmContext, id: string): Promise<ImportRow> {
  const job = await findImport(context.db, { workspaceId: context.workspace.id, id })
  if (!job) throw new ApiError('NOT_FOUND', { message: 'There is no such import' })
  return job
}

function toRecord({
  workspaceId: _workspace,
  employeeId: _employee,
  cursor: _cursor,
  migrationId: _migration,
  position: _position,
  bytes: _bytes,
  plan: _plan,
  options,
  state,
  ...rest
}: ImportRow) {
  const { mapping = {}, onDuplicate = 'SKIP', matchBy = 'email', automation = 'RUN' } = options ?? {}
  return {
    ...rest,
    // A single import is never in the last of these, which tells that the rows of a file have found each other.
    state: state === 'UPLOADING' ? ('QUEUED' as const) : state === 'LINKED' ? ('DONE' as const) : state,
    mapping: { ...mapping },
    onDuplicate,
    matchBy,
    automation,
  }
}

async function withErrors(context: CrmContext, job: ImportRow) {
  const bad = await selectByOutcome(context.db, job, ['FAILED'], 0, errorsShown)
  return { ...toRecord(job), errors: bad.map(({ line, reason }) => ({ line, reason: reason ?? '' })) }
}

/** Returns the bad rows unchanged, with line and reason in front. */
async function* errorLines({ deps: { db } }: CrmContext, job: ImportRow): AsyncIterable<Uint8Array> {
  yield await csvLines([['line', 'reason', ...job.header]])
  for (let after = 0; ;) {
    const rows = await selectByOutcome(db, job, ['FAILED'], after, stagedAtOnce)
    if (rows.length > 0)
      yield await csvLines(rows.map(({ line, reason, cells }) => [String(line), reason ?? '', ...cells.map(guarded)]))
    const last = rows.at(-1)
    if (!last || rows.length < stagedAtOnce) return
    after = last.line
  }
}
