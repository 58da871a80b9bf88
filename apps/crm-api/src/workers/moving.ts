import { inSavepoint, isUnavailable, type Transaction } from '@crm/db'
import { isRefusal } from '@crm/errors'
import { referringFirst } from '@crm/model'
import { migrationFileKey } from '@crm/storage'
import { unpack } from '../across/transfers/moving.archives.ts'
import { analyseFile, type Analysed } from '../across/transfers/moving.analysis.ts'
import { askForStep, keptUntil } from '../across/transfers/moving.handlers.ts'
import {
  collectWords,
  inOrder,
  kindsOf,
  planOf,
  readConversion,
  readCustomFields,
  readCurrencies,
  rowPlanOf,
  type PlannedFile,
} from '../across/transfers/moving.plan.ts'
import { joinLines } from '../across/transfers/moving.parts.ts'
import {
  fileOfMade,
  filesOf,
  findRemaining,
  lockMigration,
  madePosition,
  noteMade,
  selectUnlinked,
  updateMigration,
  type FilePlan,
  type MigrationKey,
  type MigrationRow,
  type PlanSettings,
} from '../across/transfers/moving.repository.ts'
import { overStarts, writeRows, type Writing, type Written } from '../across/transfers/moving.writes.ts'
import {
  keepOutcomes,
  selectByOutcome,
  selectStaged,
  takeTurn,
  updateImport,
  type ImportRow,
  type RowOutcome,
  type StagedRow,
} from '../across/transfers/imports.repository.ts'
import { revertRows } from '../across/transfers/imports.steps.ts'
import type { CrmContext } from '../platform/context.ts'
import { attemptsMax, emitFinished, importingContext, progressOf, revertingContext, tellImporter } from './importing.ts'
import type { Job, JobHandler } from './job-handler.ts'

/** The number of rows of one step: a transaction of a second or so, which a crash repeats as a whole. */
const rowsAtOnce = 1_000
/** So many tasks and activities that stay after a revert are named. */
const remainingMax = 100

/** Does the next piece of work on a migration; what it wrote, how far it came and the request for the next piece are one transaction. */
export const migrationStep: JobHandler = async (job) => {
  const { tx, row, at } = job
  const key = { workspaceId: row.workspaceId, id: row.payload['migrationId'] as string }
  const work = await lockMigration(tx, key)
  if (!work) return
  const step = steps[work.state]
  if (!step) return
  if (row.attempts >= attemptsMax) return fail(tx, work, at, 'It could not be done, again and again')
  try {
    const context = await importingContext(job, work)
    await inSavepoint(tx, (inner) => step({ ...job, tx: inner }, context, work))
  } catch (error) {
    if (isUnavailable(error) || !isRefusal(error)) throw error
    await fail(tx, work, at, error.message)
  }
}

const reader = () => import('@crm/tables')

type Step = (job: Job, context: CrmContext, work: MigrationRow) => Promise<void>

const steps: Readonly<Partial<Record<MigrationRow['state'], Step>>> = {
  ANALYSING: analyseNext,
  CHECKING: writeNext,
  QUEUED: writeNext,
  RUNNING: writeNext,
}

async function fail(tx: Transaction, work: MigrationRow, at: string, problem: string): Promise<void> {
  await updateMigration(tx, work, { state: 'FAILED', problem, finishedAt: at })
  await tellMaker(tx, work, at, `The import failed: ${problem}`, 'import.failed')
}

function tellMaker(
  tx: Transaction,
  work: MigrationRow,
  at: string,
  text: string,
  kind?: 'import.failed',
): Promise<void> {
  return tellImporter(tx, work, at, { text, data: { migrationId: work.id }, ...(kind ? { kind } : {}) })
}

/** Reads the next file, or collects the words of all when every file is read. */
async function analyseNext({ tx, deps }: Job, context: CrmContext, work: MigrationRow): Promise<void> {
  const settings = work.plan as unknown as PlanSettings
  const files = (await filesOf(tx, work)).filter(({ position }) => position !== madePosition)
  const next = files.find(({ state }) => state === 'QUEUED')
  if (next) {
    const analysed = await analyse(tx, deps.storage, context, next, settings)
    const plan =
      'plan' in analysed
        ? analysed.plan
        : await unpack(
            tx,
            context,
            deps.storage,
            { work, row: next, files, packed: analysed.packed },
            kindsOf(context),
            await reader(),
          )
    if (plan)
      await updateImport(tx, next, {
        plan,
        entityType: plan.kind ?? '',
        total: plan.rows,
        state: 'DONE',
        header: plan.columns.map(({ header }) => header),
      })
    return askForStep(tx, context, work)
  }
  const words = await collectWords(tx, context, plannedOf(files), settings, await reader())
  await updateMigration(tx, work, { plan: { ...settings, ...words }, state: 'ANALYSED' })
}

async function analyse(
  tx: Transaction,
  storage: Job['deps']['storage'],
  context: CrmContext,
  file: ImportRow,
  settings: PlanSettings,
): Promise<Analysed> {
  const kinds = kindsOf(context)
  const customFields = await readCustomFields(tx, context, kinds, settings.customFields)
  const before = planOf(file)
  const content = await storage.read(migrationFileKey(file))
  return analyseFile(tx, { key: file, name: file.fileName, content }, wishOf(before), {
    country: settings.defaultCountry ?? undefined,
    currencies: await readCurrencies(tx, context),
    kinds,
    customFieldsOf: (entityType) => customFields.get(entityType) ?? [],
    mayCreate: (entityType) => context.caller.effective.has(`CREATE_${entityType}`),
  })
}

/** A file that is read again is read as somebody has decided. */
function wishOf(before: FilePlan | null) {
  if (!before) return {}
  const { kind, part, encoding, sheet, problem } = before
  return {
    ...(problem === null && part === null ? { kind } : {}),
    ...(encoding ? { encoding } : {}),
    ...(sheet ? { sheet } : {}),
  }
}

function plannedOf(files: readonly ImportRow[]): PlannedFile[] {
  return files.flatMap((row) => {
    const plan = planOf(row)
    return plan ? [{ row, plan }] : []
  })
}

/** Tries or writes the next rows of the files, one file after the other. */
async function writeNext({ tx, at }: Job, context: CrmContext, work: MigrationRow): Promise<void> {
  const settings = work.plan as unknown as PlanSettings
  const files = inOrder(plannedOf((await filesOf(tx, work)).filter(({ position }) => position !== madePosition)))
  const next = files.find(({ row }) => row.state === 'QUEUED' || row.state === 'RUNNING')
  if (!next) return linkNext(tx, context, work, files, settings, at)
  const { row, plan } = next
  const rows = await selectStaged(tx, row, row.cursor, rowsAtOnce)
  const written = await writeSome(tx, context, work, files, next, settings, rows)
  await keepOutcomes(tx, row, keptOf(work, written.outcomes, rows))
  await updateImport(tx, row, {
    ...progressOf(row, written.outcomes),
    cursor: rows.at(-1)?.line ?? row.cursor,
    state: rows.length < rowsAtOnce ? 'DONE' : 'RUNNING',
    total: plan.rows,
  })
  const made = { ...work.made }
  for (const [entityType, n] of written.made) made[entityType] = (made[entityType] ?? 0) + n
  await updateMigration(tx, work, { made, ...(work.state === 'QUEUED' ? { state: 'RUNNING' as const } : {}) })
  await askForStep(tx, context, work)
}

async function writeSome(
  tx: Transaction,
  context: CrmContext,
  work: MigrationRow,
  files: readonly PlannedFile[],
  file: PlannedFile,
  settings: PlanSettings,
  rows: readonly StagedRow[],
): Promise<Written> {
  const { part } = file.plan
  if (part) return { outcomes: await joinLines(tx, work, part, rows), made: new Map() }
  if (rows.length === 0) return { outcomes: [], made: new Map() }
  if (work.phase === 'IMPORT') await takeTurn(tx, work)
  return writeRows(tx, await writingOf(tx, context, work, files, file, settings), rows)
}

/** A trial tells what would become of a row, and leaves the record that an earlier import made of it known. */
function keptOf(work: MigrationRow, outcomes: Written['outcomes'], rows: readonly StagedRow[]): readonly RowOutcome[] {
  const known = new Map(rows.map((row) => [row.line, row]))
  return outcomes.map((outcome) => {
    const before = known.get(outcome.line)
    if (work.phase !== 'CHECK') return overStarts(before, outcome)
    const { recordId, outcome: was, changes } = before ?? {}
    return {
      ...outcome,
      recordId: recordId ?? undefined,
      changes,
      outcome: recordId ? (was ?? outcome.outcome) : outcome.outcome,
    }
  })
}

/** Rows that name others of their own file, which stand further below, get their links when all are there. */
async function linkNext(
  tx: Transaction,
  context: CrmContext,
  work: MigrationRow,
  files: readonly PlannedFile[],
  settings: PlanSettings,
  at: string,
): Promise<void> {
  const next = files.find(({ row }) => row.state === 'DONE')
  if (!next) return finish(tx, context, work, files, at)
  const { row } = next
  const cursor = row.cursor > 0 ? 0 : -row.cursor
  const rows = await selectUnlinked(tx, row, cursor, rowsAtOnce)
  if (rows.length > 0) {
    const { outcomes } = await writeRows(tx, await writingOf(tx, context, work, files, next, settings), rows)
    await keepOutcomes(
      tx,
      row,
      keptOf(
        work,
        outcomes.map((outcome, n) => linkedOnly(outcome, rows[n])),
        rows,
      ),
    )
  }
  const isOver = rows.length < rowsAtOnce
  // The place in this second walk is kept below zero.
  await updateImport(tx, row, isOver ? { state: 'LINKED' } : { cursor: -(rows.at(-1)?.line ?? cursor) })
  await askForStep(tx, context, work)
}

/** Of a row that was written already, only its links are new. */
function linkedOnly(outcome: RowOutcome, before: StagedRow | undefined): RowOutcome {
  if (outcome.outcome === 'FAILED' && before)
    return {
      line: before.line,
      outcome: before.outcome ?? 'FAILED',
      recordId: before.recordId ?? undefined,
      problems: before.problems,
      changes: before.changes,
    }
  return outcome
}

async function writingOf(
  tx: Transaction,
  context: CrmContext,
  work: MigrationRow,
  files: readonly PlannedFile[],
  { row, plan }: PlannedFile,
  settings: PlanSettings,
): Promise<Writing> {
  const { kind } = plan
  if (kind === null) throw new Error('The file has no kind')
  const conversion = await readConversion(tx, context, [kind], settings)
  return {
    context,
    plan: rowPlanOf(kind, plan, settings, conversion, await reader()),
    search: { migration: work, source: work.source },
    fileId: row.id,
    parts: files.flatMap(({ row: file, plan: { part, columns } }) =>
      part?.kind === kind
        ? [{ workspaceId: file.workspaceId, id: file.id, part, titles: columns.map(({ header }) => header) }]
        : [],
    ),
    matchBy: settings.matchBy,
    onDuplicate: settings.onDuplicate,
    automation: settings.automation,
    isTrial: work.phase === 'CHECK',
    keepMade: async (inner, entityType, ids) => {
      const fileId = await fileOfMade(inner, work, entityType, context.at)
      await noteMade(inner, { workspaceId: work.workspaceId, fileId }, ids)
    },
  }
}

async function finish(
  tx: Transaction,
  context: CrmContext,
  work: MigrationRow,
  files: readonly PlannedFile[],
  at: string,
): Promise<void> {
  const isTrial = work.phase === 'CHECK'
  await updateMigration(tx, work, { state: isTrial ? 'CHECKED' : 'DONE', finishedAt: at, filesUntil: keptUntil(at) })
  if (isTrial) return
  const counted = ['created', 'updated', 'merged', 'skipped', 'failed'] as const
  const sum = (name: (typeof counted)[number]): number => files.reduce((all, { row }) => all + row[name], 0)
  const { automation } = work.plan as unknown as PlanSettings
  await emitFinished(tx, context, work, {
    id: work.id,
    kinds: [...new Set(files.flatMap(({ plan: { kind } }) => kind ?? []))],
    fileNames: files.map(({ row }) => row.fileName),
    source: work.source,
    automation,
    created: sum('created'),
    updated: sum('updated'),
    merged: sum('merged'),
    skipped: sum('skipped'),
    failed: sum('failed'),
  })
  await tellMaker(tx, work, at, `The import is done: ${sum('created')} created, ${sum('updated')} updated`)
}

/** Takes back the next rows of a migration: first what refers to others. */
export const revertMigrationStep: JobHandler = async (job) => {
  const { tx, row, at } = job
  const key: MigrationKey = { workspaceId: row.workspaceId, id: row.payload['migrationId'] as string }
  const work = await lockMigration(tx, key)
  if (work?.state !== 'REVERTING') return
  try {
    await revertNext(tx, await revertingContext(job, work), work, at)
  } catch (error) {
    if (!isRefusal(error)) throw error
    await updateMigration(tx, key, { state: 'FAILED', problem: error.message, finishedAt: at })
  }
}

async function revertNext(tx: Transaction, context: CrmContext, work: MigrationRow, at: string): Promise<void> {
  const order: readonly string[] = referringFirst()
  const files = (await filesOf(tx, work))
    .filter(({ state, entityType }) => state === 'REVERTING' && entityType !== '')
    .toSorted((a, b) => order.indexOf(a.entityType) - order.indexOf(b.entityType))
  const [next] = files
  if (!next) {
    await updateMigration(tx, work, { state: 'REVERTED', finishedAt: at })
    return tellMaker(tx, work, at, 'The import is undone')
  }
  const rows = await selectByOutcome(tx, next, ['CREATED', 'UPDATED'], next.cursor, rowsAtOnce)
  const { automation } = work.plan as unknown as PlanSettings
  const reverted = await revertRows(tx, context, next, rows, automation)
  const isOver = rows.length < rowsAtOnce
  await updateImport(tx, next, { cursor: rows.at(-1)?.line ?? next.cursor, ...(isOver ? { state: 'REVERTED' } : {}) })
  const madeIds = rows.flatMap(({ outcome, recordId }) => (outcome === 'CREATED' && recordId ? [recordId] : []))
  const room = remainingMax - work.remains.length
  const remaining = await findRemaining(tx, work, next.entityType, madeIds, room)
  await updateMigration(tx, work, { reverted: work.reverted + reverted, remains: [...work.remains, ...remaining] })
  await askForStep(tx, context, work, 'migration.revert')
}
