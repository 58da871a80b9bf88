import { recordChange, schema, type Transaction } from '@crm/db'
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
import type { RecordWriter } from '../records/owned/write.ts'
import { employeeContext } from './employee-context.ts'
import type { Job, JobHandler } from './job-handler.ts'
import { failedAgain, finishJob, isJob, jobAttemptsMax, lockOpenJob, type JobEnd, type JobRow } from './job-rows.ts'

const { jobs } = schema

type Action = 'UPDATE' | 'DELETE'

/** Errors of single records beyond this number are counted, but not stored. */
const errorsKeptMax = 200

/** Returns the background work of one kind of record: to change and delete all matches of a filter, in steps; see `doStep`. */
export function bulkJobs<Row extends OwnedRow, Patch extends object>(
  name: string,
  writer: RecordWriter<Row, Patch>,
): Readonly<Record<string, JobHandler>> {
  return {
    [`${name}.bulk-update`]: (job) => doStep(job, writer, 'UPDATE'),
    [`${name}.bulk-delete`]: (job) => doStep(job, writer, 'DELETE'),
  }
}

/**
 * Runs one step of a bulk job: the next records after its cursor, within the present rights of the employee. The records,
 * the progress, the cursor and the request for the next step are one transaction, so that a crash repeats a step or nothing.
 */
async function doStep<Row extends OwnedRow, Patch extends object>(
  { row, tx, deps, at }: Job,
  writer: RecordWriter<Row, Patch>,
  action: Action,
): Promise<void> {
  const job = await lockOpenJob(tx, row.workspaceId, row.payload['jobId'] as string)
  if (!job) return
  if (row.attempts >= jobAttemptsMax) return finish(tx, job, at, { state: 'FAILED', error: failedAgain(job) })
  try {
    const context = await contextOf({ row, tx, deps, at }, job)
    const { kind } = writer
    const scope = context.scope(kind.entityType, action)
    const matches = await selectedBy(tx, writer, { scope, moment: momentOf(context) }, job.payload)
    const ids = await selectRecordIds(
      tx,
      kind,
      and(matches, createdUntil(kind, job.createdAt, job.cursor)) as SQL,
      bulkMax,
    )
    const results =
      action === 'UPDATE'
        ? await changeRecords(tx, context, writer, scope, ids, job.payload['change'] as BulkChange<Patch>)
        : await removeRecords(tx, context, writer, scope, ids)
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
