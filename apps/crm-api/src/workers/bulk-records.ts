import { recordChange, schema, type Scope, type Transaction } from '@crm/db'
import { ApiError, isRefusal } from '@crm/errors'
import { and, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import {
  bulkMax,
  changeRecords,
  removeRecords,
  selectedBy,
  type BulkChange,
  type BulkResult,
} from '../records/owned/bulk.ts'
import { momentOf } from '../records/moment.ts'
import type { OwnedRow } from '../records/owned/kind.ts'
import { createdUntil, selectRecordIds } from '../records/owned/repository.ts'
import { asUndoable, type Undoable } from '../records/owned/trace.ts'
import { readOperationRecords } from '../records/owned/undo.ts'
import type { RecordWriter } from '../records/owned/write.ts'
import { undoOf } from '../across/undo/undoable-kinds.ts'
import { employeeContext } from './employee-context.ts'
import type { Job, JobHandler } from './job-handler.ts'
import { failedAgain, finishJob, isJob, jobAttemptsMax, lockOpenJob, type JobEnd, type JobRow } from './job-rows.ts'

const { jobs } = schema

/** Errors of single records beyond this number are counted, but not stored. */
const errorsKeptMax = 200

/** Returns the background work of one kind of record: to change and delete all matches of a filter, in steps. */
export function bulkJobs<Row extends OwnedRow, Patch extends object>(
  name: string,
  writer: RecordWriter<Row, Patch>,
): Readonly<Record<string, JobHandler>> {
  return {
    [`${name}.bulk-update`]: (work) =>
      runStep(work, async (tx, context, job) => {
        const [scope, ids] = await nextMatches(tx, context, writer, job, 'UPDATE')
        const change = job.payload['change'] as BulkChange<Patch>
        return { ids, results: await changeRecords(tx, context, writer, scope, ids, change) }
      }),
    [`${name}.bulk-delete`]: (work) =>
      runStep(work, async (tx, context, job) => {
        const [scope, ids] = await nextMatches(tx, context, writer, job, 'DELETE')
        return { ids, results: await removeRecords(tx, context, writer, scope, ids) }
      }),
  }
}

/** Returns the next matches of a job's filter that its employee may change or delete now. */
async function nextMatches<Row extends OwnedRow, Patch extends object>(
  tx: Transaction,
  context: CrmContext,
  writer: RecordWriter<Row, Patch>,
  job: JobRow,
  action: 'UPDATE' | 'DELETE',
): Promise<readonly [Scope, readonly string[]]> {
  const { kind } = writer
  const scope = context.scope(kind.entityType, action)
  const matches = await selectedBy(tx, writer, { scope, moment: momentOf(context) }, job.payload)
  const upTo = createdUntil(kind, job.createdAt, job.cursor)
  return [scope, await selectRecordIds(tx, kind, and(matches, upTo) as SQL, bulkMax)]
}

/** The records of one step, at most `bulkMax`; fewer end the job. */
interface Step {
  readonly ids: readonly string[]
  readonly results: readonly BulkResult[]
}

/** Undoes one step of an operation on many records; the operation's records come by their ids. */
export const undoJob: JobHandler = (work) =>
  runStep(work, async (tx, context, job) => {
    const operationId = job.payload['operationId'] as string
    const undo = await undoOf(tx, context, job.payload['entityType'] as string)
    const records = undo
      ? await readOperationRecords(tx, context, { operationId, after: job.cursor, limit: bulkMax })
      : []
    return { ids: records.map(({ id }) => id), results: (await undo?.(tx, context, records)) ?? [] }
  })

/**
 * Runs one step of a job on many records: the next ones after its cursor, within the present rights of the employee. The
 * records, the progress, the cursor and the request for the next step are one transaction, so that a crash repeats a step or
 * nothing. All steps are one operation, which is undone by the id of the job.
 */
async function runStep(
  { row, tx, deps, at }: Job,
  step: (tx: Transaction, context: Undoable<CrmContext>, job: JobRow) => Promise<Step>,
): Promise<void> {
  const job = await lockOpenJob(tx, row.workspaceId, row.payload['jobId'] as string)
  if (!job) return
  if (row.attempts >= jobAttemptsMax) return finish(tx, job, at, { state: 'FAILED', error: failedAgain(job) })
  try {
    const context = await contextOf({ row, tx, deps, at }, job)
    const { ids, results } = await step(tx, asUndoable(context, job.id), job)
    await keepProgress(tx, job, ids, results, at)
    if (ids.length < bulkMax) return await finish(tx, job, at, { state: 'DONE' })
    await recordChange(tx, {
      workspaceId: job.workspaceId,
      actor: context.actor,
      at,
      events: [{ topic: 'job', event: row.event, payload: { jobId: job.id } }],
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    const code = error instanceof ApiError ? error.code : 'VALIDATION_ERROR'
    await finish(tx, job, at, { state: 'FAILED', error: { id: job.id, code, message: error.message } })
  }
}

/** Returns the context of the job's employee, with the source of the original request. */
async function contextOf(work: Job, job: JobRow): Promise<CrmContext> {
  const context = await employeeContext(work, job)
  const source = (job.payload['source'] ?? 'UI') as CrmContext['actor']['source']
  return { ...context, actor: { ...context.actor, source } }
}

async function keepProgress(
  tx: Transaction,
  job: JobRow,
  ids: readonly string[],
  results: readonly BulkResult[],
  at: string,
): Promise<void> {
  const failures = results.filter(({ status }) => status === 'ERROR')
  const errors = [...job.errors, ...failures.map(({ id, code = '', message = '' }) => ({ id, code, message }))].slice(
    0,
    errorsKeptMax,
  )
  await tx
    .update(jobs)
    .set({
      state: 'RUNNING',
      startedAt: job.startedAt ?? at,
      processed: job.processed + ids.length,
      failed: job.failed + failures.length,
      errors,
      cursor: ids.at(-1) ?? job.cursor,
    })
    .where(isJob(job))
}

async function finish(
  tx: Transaction,
  job: JobRow,
  at: string,
  { state, error }: Pick<JobEnd, 'state' | 'error'>,
): Promise<void> {
  const text =
    state === 'DONE' ? 'A change of many records is done' : `A change of many records failed: ${error?.message}`
  await finishJob(tx, job, at, { state, error, text })
}
