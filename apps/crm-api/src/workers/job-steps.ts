import { recordChange, schema, type Transaction } from '@crm/db'
import { ApiError, isRefusal } from '@crm/errors'
import type { CrmContext } from '../platform/context.ts'
import { bulkMax, type BulkResult } from '../records/owned/bulk.ts'
import { asUndoable, type Undoable } from '../records/owned/trace.ts'
import { employeeContext } from './employee-context.ts'
import type { Job } from './job-handler.ts'
import { failedAgain, finishJob, isJob, jobAttemptsMax, lockOpenJob, type JobEnd, type JobRow } from './job-rows.ts'

const { jobs } = schema

/** Errors of single records beyond this number are counted, but not stored. */
const errorsKeptMax = 200

/** The records of one step. */
export interface Step {
  readonly ids: readonly string[]
  readonly results: readonly BulkResult[]
  /** Where the next step begins; the last of the ids unless told. */
  readonly cursor?: string | undefined
  /** Whether nothing is left; unless told, when there were fewer records than one step takes. */
  readonly isOver?: boolean
  /** What the job says of itself so far. */
  readonly result?: object
  /** What the job has to remember besides. */
  readonly kept?: Readonly<Record<string, unknown>>
}

/**
 * Runs one step of a job on many records: the next ones after its cursor, within the present rights of the employee. The
 * records, the progress, the cursor and the request for the next step are one transaction, so that a crash repeats a step or
 * nothing. All steps are one operation, which is undone by the id of the job.
 */
export async function runStep(
  { row, tx, deps, at }: Job,
  step: (tx: Transaction, context: Undoable<CrmContext>, job: JobRow) => Promise<Step>,
): Promise<void> {
  const job = await lockOpenJob(tx, row.workspaceId, row.payload['jobId'] as string)
  if (!job) return
  if (row.attempts >= jobAttemptsMax) return finish(tx, job, at, { state: 'FAILED', error: failedAgain(job) })
  try {
    const context = await contextOf({ row, tx, deps, at }, job)
    const done = await step(tx, asUndoable(context, job.id), job)
    await keepProgress(tx, job, done, at)
    if (done.isOver ?? done.ids.length < bulkMax) return await finish(tx, job, at, { state: 'DONE' })
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
  const { source = 'UI', via } = job.payload as Partial<Pick<CrmContext['actor'], 'source' | 'via'>>
  return { ...context, actor: { ...context.actor, source, via } }
}

async function keepProgress(
  tx: Transaction,
  job: JobRow,
  { ids, results, cursor, kept, result }: Step,
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
      cursor: cursor ?? ids.at(-1) ?? job.cursor,
      ...(result ? { result: { ...result } } : {}),
      ...(kept ? { payload: { ...job.payload, ...kept } } : {}),
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
