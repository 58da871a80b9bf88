import {
  BytesReply,
  customFields as customFieldsResource,
  migrations,
  success,
  type MigrationFilePlan,
} from '@crm/contract'
import { recordChange, type RowProblem, type Transaction } from '@crm/db'
import { ApiError, permissionRequired, sentenceOfProblem, type CellProblemCode } from '@crm/errors'
import { migrationFileKey } from '@crm/storage'
import { valuesIn } from '@crm/tables/several'
import { leaveContents } from '../../domain/files/leaving-contents.repository.ts'
import { implement, type CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { recallOwnedFacts } from '../../records/owned/facts.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'
import { requireStorage } from '../../records/quotas.ts'
import { createCustomField } from '../../resources/workspace/custom-fields/custom-fields.handlers.ts'
import { updateImport, type ImportRow } from './imports.repository.ts'
import { targetOf, targetsOf } from './moving.columns.ts'
import {
  changePlan,
  collectWords,
  firstSettings,
  kindsOf,
  planOf,
  readConversion,
  readCustomFields,
  rowPlanOf,
  shownFile,
  takesSeveral,
  type PlannedFile,
} from './moving.plan.ts'
import {
  beginFile,
  beginMigration,
  beginPhase,
  countProblems,
  deleteMigration,
  filesOf,
  findMigration,
  firstProblems,
  listMigrations,
  lockMigration,
  madePosition,
  selectProblems,
  updateMigration,
  wordsOf,
  type MigrationKey,
  type MigrationRow,
  type PlanSettings,
} from './moving.repository.ts'
import { readsOf } from './moving.rows.ts'
import { countingBytes } from './transfers.bytes.ts'
import { guarded } from './transfers.cells.ts'
import { csvLines } from './transfers.csv.ts'

const problemsShown = 100
const problemRowsAtOnce = 1_000
/** How long the contents of files are kept after the last work with them. */
const filesKeptMs = 30 * 24 * 60 * 60 * 1000

/** The states in which a plan can be changed and a migration begun. */
const settledStates: readonly string[] = ['ANALYSED', 'CHECKED', 'DONE', 'FAILED', 'CANCELLED', 'REVERTED']
const runningStates: readonly string[] = ['ANALYSING', 'CHECKING', 'QUEUED', 'RUNNING']
const endedStates: readonly string[] = ['DONE', 'FAILED', 'CANCELLED']

export const implementedMigrations = implement(migrations, {
  list: async ({ query }, { db, workspace }) => {
    const { items, total } = await listMigrations(db, workspace.id, { limit: query.pageSize, offset: offsetOf(query) })
    return pageOf({ items: items.map(summaryOf), total }, query)
  },

  create: async ({ upload }, context) => {
    const { workspace, caller, deps, at } = context
    await requireStorage(deps.db, workspace, 1)
    const key = await beginMigration(deps.db, {
      workspaceId: workspace.id,
      employeeId: caller.employee.id,
      createdAt: at,
    })
    const kept: { readonly id: string; readonly counted: { bytes: number } }[] = []
    try {
      const { fields } = await upload.receiveAll(async ({ name, content }, position) => {
        const counted = { bytes: 0 }
        const id = await beginFile(deps.db, key, {
          employeeId: caller.employee.id,
          fileName: name.slice(0, 255).toWellFormed(),
          position,
          createdAt: at,
        })
        kept.push({ id, counted })
        await deps.storage.write(migrationFileKey({ workspaceId: workspace.id, id }), countingBytes(content, counted))
      })
      const settings = await firstSettings(deps.db, context)
      await context.transact(async (tx) => {
        await requireStorage(
          tx,
          workspace,
          kept.reduce((sum, { counted }) => sum + counted.bytes, 0),
        )
        for (const { id, counted } of kept) await updateImport(tx, { workspaceId: workspace.id, id }, counted)
        await updateMigration(tx, key, {
          source: fields.source,
          plan: settings,
          state: 'ANALYSING',
          filesUntil: keptUntil(at),
        })
        await askForStep(tx, context, key)
        await auditOf(tx, context, key, 'migration.uploaded', `Brought ${kept.length} files`)
      })
    } catch (error) {
      await deleteMigration(deps.db, key)
      for (const { id } of kept) await deps.storage.remove(migrationFileKey({ workspaceId: workspace.id, id }))
      throw error
    }
    return success(await shown(context, key))
  },

  fields: async ({ query }, context) => {
    requireCreate(context, query.kind)
    const { customFields } = await recallOwnedFacts(
      context.db,
      context,
      { entityType: query.kind },
      context.caller.employee.id,
    )
    const targets = [...targetsOf(query.kind, customFields).values()]
    return {
      data: targets.map((target) => ({
        field: target.name,
        label: target.label,
        type: target.field.type,
        to: targetOf(target) ?? null,
        isRequired: target.isRequired,
        takesSeveral: takesSeveral(target),
      })),
    }
  },

  get: async ({ params }, context) => success(await shown(context, keyOf(context, params.id))),

  update: async ({ params, body }, context) => {
    const key = keyOf(context, params.id)
    const reader = await import('@crm/tables')
    await context.transact(async (tx) => {
      const row = await lockOwn(tx, context, key, settledStates)
      const files = await plannedFiles(tx, key)
      const before = row.plan as unknown as PlanSettings
      const customFields = await readCustomFields(
        tx,
        context,
        kindsOf(context),
        body.plan.customFields ?? before.customFields,
      )
      const { files: changed, anew, settings } = changePlan(context, files, before, body.plan, customFields, reader)
      for (const { row: file, plan } of changed)
        await updateImport(tx, file, {
          plan,
          entityType: plan.kind ?? '',
          ...(anew.has(file.id) ? { state: 'QUEUED' } : {}),
        })
      const words = anew.size > 0 ? {} : await collectWords(tx, context, changed, settings, reader)
      const state = anew.size > 0 ? ('ANALYSING' as const) : row.state === 'CHECKED' ? ('ANALYSED' as const) : row.state
      await updateMigration(tx, key, { plan: { ...settings, ...words }, state })
      if (anew.size > 0) await askForStep(tx, context, key)
    })
    return success(await shown(context, key))
  },

  check: ({ params }, context) => begin(context, params.id, 'CHECK'),

  start: async ({ params }, context) => {
    await makeCustomFields(context, keyOf(context, params.id))
    return begin(context, params.id, 'IMPORT')
  },

  cancel: async ({ params }, context) => {
    const key = keyOf(context, params.id)
    await context.transact(async (tx) => {
      await lockOwn(tx, context, key, runningStates)
      await updateMigration(tx, key, { state: 'CANCELLED', finishedAt: context.at })
      await auditOf(tx, context, key, 'migration.cancelled', 'Ended a migration')
    })
    return success(await shown(context, key))
  },

  revert: async ({ params }, context) => {
    const key = keyOf(context, params.id)
    const asked = await requireMigration(context, key)
    const files = await filesOf(context.db, key)
    if (asked.employeeId !== context.caller.employee.id)
      for (const { entityType } of files) if (entityType) context.scope(entityType, 'DELETE')
    await context.transact(async (tx) => {
      const row = await lockMigration(tx, key)
      if (!row || !endedStates.includes(row.state) || row.phase !== 'IMPORT' || row.filesUntil === null)
        throw new ApiError('INVALID_TRANSITION', {
          message: 'Only an import that has ended can be undone, and not for ever',
        })
      await updateMigration(tx, key, { state: 'REVERTING', reverted: 0, remains: [] })
      for (const file of files) await updateImport(tx, file, { cursor: 0, state: 'REVERTING' })
      await askForStep(tx, context, key, 'migration.revert')
      await auditOf(tx, context, key, 'migration.reverted', 'Took a migration back')
    })
    return success(await shown(context, key))
  },

  problems: async ({ params }, context) => {
    const key = keyOf(context, params.id)
    await requireMigration(context, key)
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="import-problems.csv"`,
      'cache-control': 'no-store',
    }
    return new BytesReply(200, headers, problemLines(context, await plannedFiles(context.db, key)))
  },
})

/** Asks the worker for the next piece of work on a migration. */
export function askForStep(
  tx: Transaction,
  { workspace, actor, at }: Pick<CrmContext, 'workspace' | 'actor' | 'at'>,
  { id }: Pick<MigrationKey, 'id'>,
  event: 'migration.step' | 'migration.revert' = 'migration.step',
): Promise<void> {
  return recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [{ topic: 'job', event, payload: { migrationId: id } }],
  })
}

/** Returns until when the contents of files are kept that are worked with now. */
export function keptUntil(at: string): string {
  return new Date(Date.parse(at) + filesKeptMs).toISOString()
}

const keyOf = ({ workspace }: CrmContext, id: string): MigrationKey => ({ workspaceId: workspace.id, id })

function auditOf(
  tx: Transaction,
  context: CrmContext,
  { id }: MigrationKey,
  action: string,
  summary: string,
): Promise<void> {
  return audit(tx, context, { action, subjectType: 'migration', subjectId: id, summary, data: {} })
}

function requireCreate({ caller }: CrmContext, entityType: string): void {
  if (!caller.effective.has(`CREATE_${entityType}`)) throw permissionRequired(`CREATE_${entityType}`)
}

async function requireMigration(context: CrmContext, key: MigrationKey): Promise<MigrationRow> {
  const row = await findMigration(context.db, key)
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such migration' })
  return row
}

/** Locks a migration of the caller's own in one of some states: its rows come in with the rights of the person who brought them. */
async function lockOwn(
  tx: Transaction,
  { caller }: CrmContext,
  key: MigrationKey,
  states: readonly string[],
): Promise<MigrationRow> {
  const row = await lockMigration(tx, key)
  if (!row || row.state === 'UPLOADING') throw new ApiError('NOT_FOUND', { message: 'There is no such migration' })
  if (row.employeeId !== caller.employee.id)
    throw new ApiError('ACCESS_DENIED', { message: 'Only the person who brought the files can do this' })
  if (!states.includes(row.state) || row.filesUntil === null)
    throw new ApiError('INVALID_TRANSITION', { message: `This cannot be done while the migration is ${row.state}` })
  return row
}

/** Returns the files of a migration that are analysed, in their order. */
async function plannedFiles(db: CrmContext['db'], key: MigrationKey): Promise<PlannedFile[]> {
  const rows = await filesOf(db, key)
  return rows.flatMap((row) => {
    const plan = planOf(row)
    return plan && row.position !== madePosition ? [{ row, plan }] : []
  })
}

async function begin(context: CrmContext, id: string, phase: 'CHECK' | 'IMPORT') {
  const key = keyOf(context, id)
  await context.transact(async (tx) => {
    const row = await lockOwn(tx, context, key, settledStates)
    const { onDuplicate } = row.plan as unknown as PlanSettings
    for (const { plan } of await plannedFiles(tx, key)) {
      if (plan.kind === null) continue
      requireCreate(context, plan.kind)
      if (onDuplicate === 'UPDATE') context.scope(plan.kind, 'UPDATE')
    }
    await beginPhase(tx, key)
    const state = phase === 'CHECK' ? ('CHECKING' as const) : ('QUEUED' as const)
    const times = { startedAt: context.at, finishedAt: null, filesUntil: keptUntil(context.at) }
    await updateMigration(tx, key, {
      phase,
      state,
      problem: null,
      made: {},
      ...times,
    })
    await askForStep(tx, context, key)
    if (phase === 'IMPORT') await auditOf(tx, context, key, 'migration.started', 'Started a migration')
  })
  return success(await shown(context, key))
}

const optionsMax = 200

/** Makes the custom fields of a plan that are not there yet; a select gets the words of its column. */
async function makeCustomFields(context: CrmContext, key: MigrationKey): Promise<void> {
  const row = await requireMigration(context, key)
  const { customFields: wished } = row.plan as unknown as PlanSettings
  const files = await plannedFiles(context.db, key)
  for (const { kind, key: field, label, type } of wished) {
    const { customFields } = await recallOwnedFacts(
      context.db,
      context,
      { entityType: kind },
      context.caller.employee.id,
    )
    if (customFields.some((known) => known.key === field)) continue
    if (!context.caller.effective.has('MANAGE_CUSTOM_FIELDS')) throw permissionRequired('MANAGE_CUSTOM_FIELDS')
    const options = type.endsWith('SELECT') ? await optionsOf(context, files, kind, field) : undefined
    const body = customFieldsResource.operations.create.body.parse({
      entityType: kind,
      key: field,
      label,
      type,
      ...(options ? { options } : {}),
    })
    await createCustomField(context, body)
  }
}

async function optionsOf(context: CrmContext, files: readonly PlannedFile[], kind: string, field: string) {
  const words = new Set<string>()
  for (const { row, plan } of files)
    for (const { at } of plan.kind === kind ? plan.columns.filter((column) => column.field === `cf_${field}`) : [])
      for (const { text } of await wordsOf(context.db, row, at, undefined))
        for (const part of valuesIn(text, false)) words.add(part.slice(0, 100))
  return [...words].slice(0, optionsMax).map((value) => ({ value, label: value }))
}

function summaryOf({
  id,
  source,
  state,
  problem,
  reverted,
  filesUntil,
  employeeId,
  createdAt,
  startedAt,
  finishedAt,
}: MigrationRow) {
  return {
    id,
    source: source as 'FILES',
    state: state === 'UPLOADING' ? ('ANALYSING' as const) : state,
    problem,
    reverted,
    filesUntil,
    createdById: employeeId,
    createdAt,
    startedAt,
    finishedAt,
  }
}

/** Returns a migration as the API shows it, with its plan and its result. */
async function shown(context: CrmContext, key: MigrationKey) {
  const row = await requireMigration(context, key)
  const files = await filesOf(context.db, key)
  const planned = files.flatMap((file) => {
    const plan = planOf(file)
    return plan ? [{ row: file, plan }] : []
  })
  const settings = row.plan as unknown as PlanSettings
  return {
    ...summaryOf(row),
    plan: row.state === 'ANALYSING' ? null : { ...settings, files: await withReads(context, planned, settings) },
    result: row.phase === null ? null : await resultOf(context, row, row.phase, files),
    remains: row.remains,
  }
}

/** Returns the files of a plan, with the samples of their columns as the plan reads them. */
async function withReads(
  context: CrmContext,
  files: readonly PlannedFile[],
  settings: PlanSettings,
): Promise<MigrationFilePlan[]> {
  const reader = await import('@crm/tables')
  const kinds = files.flatMap(({ plan: { kind } }) => kind ?? [])
  const conversion = await readConversion(context.db, context, [...new Set(kinds)], settings)
  return files.map((file) => {
    const shownPlan = shownFile(file)
    const { kind, columns } = shownPlan
    if (kind === null) return shownPlan
    const plan = rowPlanOf(kind, file.plan, settings, conversion, reader)
    const known = new Map(plan.columns.map((column) => [column.at, column]))
    return {
      ...shownPlan,
      columns: columns.map((column) => {
        const planned = known.get(column.at)
        const reads = planned && readsOf(planned, column.samples, plan, reader)
        return reads ? { ...column, reads } : column
      }),
    }
  })
}

const countNames = ['total', 'processed', 'created', 'updated', 'merged', 'skipped', 'failed'] as const

async function resultOf(
  context: CrmContext,
  row: MigrationRow,
  phase: 'CHECK' | 'IMPORT',
  files: readonly ImportRow[],
) {
  const shownFiles = files.filter((file) => file.position !== madePosition && file.plan !== null)
  const first = Map.groupBy(await firstProblems(context.db, row, problemsShown), ({ fileId }) => fileId)
  const counted = await countProblems(context.db, row)
  const sums = Object.fromEntries(
    countNames.map((name) => [name, shownFiles.reduce((sum, file) => sum + file[name], 0)]),
  ) as Record<(typeof countNames)[number], number>
  return {
    phase,
    ...sums,
    files: shownFiles.map((file) => ({
      id: file.id,
      name: file.fileName,
      kind: planOf(file)?.kind ?? null,
      ...(Object.fromEntries(countNames.map((name) => [name, file[name]])) as typeof sums),
      problemCount: counted.get(file.id) ?? 0,
      problems: (first.get(file.id) ?? [])
        .flatMap(({ line, problems }) => problems.map((problem) => shownProblem(file, line, problem)))
        .slice(0, problemsShown),
    })),
    made: row.made,
  }
}

function shownProblem(file: ImportRow, line: number, { code, values, at, field, isRow }: RowProblem) {
  const known = code as CellProblemCode
  const header = at === null ? null : (planOf(file)?.columns.find((column) => column.at === at)?.header ?? null)
  return {
    line,
    header,
    field,
    code: known,
    values: { ...values },
    message: sentenceOfProblem({ code: known, values }),
    isRow,
  }
}

/** Returns all problems of the last trial or import, a line for each. */
async function* problemLines({ deps: { db } }: CrmContext, files: readonly PlannedFile[]): AsyncIterable<Uint8Array> {
  yield await csvLines([['file', 'line', 'column', 'problem', 'row left out', 'code']])
  for (const { row } of files) {
    for (let after = 0; ;) {
      const rows = await selectProblems(db, row, after, problemRowsAtOnce)
      const lines = rows.flatMap(({ line, problems }) =>
        (problems ?? []).map((problem) => {
          const { header, message, isRow, code } = shownProblem(row, line, problem)
          return [
            guarded(row.fileName),
            String(line),
            guarded(header ?? ''),
            guarded(message),
            isRow ? 'yes' : 'no',
            code,
          ]
        }),
      )
      if (lines.length > 0) yield await csvLines(lines)
      const last = rows.at(-1)
      if (!last || rows.length < problemRowsAtOnce) break
      after = last.line
    }
  }
}

/** Lets the contents of the files of a migration leave the storage. */
export function leaveFiles(
  tx: Transaction,
  workspaceId: string,
  fileIds: readonly string[],
  at: string,
): Promise<void> {
  const contents = fileIds.map((id) => ({ workspaceId, key: migrationFileKey({ workspaceId, id }) }))
  return leaveContents(tx, contents, at)
}
