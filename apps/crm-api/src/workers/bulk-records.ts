import { recordChange, schema, type Transaction } from '@crm/db'
import { ApiError, isRefusal } from '@crm/errors'
import { and, eq, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import {
  bulkMax,
  changeRecords,
  removeRecords,
  selectedBy,
  type BulkChange,
  type BulkResult,
} from '../records/owned/bulk.ts'
import { tell } from '../records/notices.ts'
import { momentOf } from '../records/moment.ts'
import type { OwnedRow } from '../records/owned/kind.ts'
import { createdUntil, selectRecordIds } from '../records/owned/repository.ts'
import type { RecordWriter } from '../records/owned/write.ts'
import { employeeContext } from './employee-context.ts'
import type { Job, JobHandler } from './job-handler.ts'

const { jobs } = schema

type JobRow = typeof jobs.$inferSelect
type Action = 'UPDATE' | 'DELETE'

/** Errors of single records beyond this number are counted, but not stored. */
const errorsKeptMax = 200

/** After so many failures in a row the job counts as failed. */
const attemptsMax = 8

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
  const job = await lockJob(tx, row.workspaceId, row.payload['jobId'] as string)
  if (!job || !['QUEUED', 'RUNNING'].includes(job.state)) return
  if (row.attempts >= attemptsMax)
    return finish(tx, job, at, {
      state: 'FAILED',
      error: { id: job.id, code: 'INTERNAL_ERROR', message: 'The job failed again and again' },
    })
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

async function lockJob(tx: Transaction, workspaceId: string, id: string): Promise<JobRow | undefined> {
  const [job] = await tx.select().from(jobs).where(isJob({ workspaceId, id })).for('update')
  return job
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

interface End {
  readonly state: 'DONE' | 'FAILED'
  readonly error?: JobRow['errors'][number]
}

async function finish(tx: Transaction, job: JobRow, at: string, { state, error }: End): Promise<void> {
  const told = error ? { errors: [...job.errors, error] } : {}
  await tx
    .update(jobs)
    .set({ state, finishedAt: at, startedAt: job.startedAt ?? at, ...told })
    .where(isJob(job))
  const text =
    state === 'DONE' ? 'A change of many records is done' : `A change of many records failed: ${error?.message}`
  await tell(tx, { workspaceId: job.workspaceId, at }, [
    { employeeId: job.employeeId, kind: 'job.finished', text, data: { jobId: job.id } },
  ])
}

function isJob({ workspaceId, id }: Pick<JobRow, 'workspaceId' | 'id'>): SQL {
  return and(eq(jobs.workspaceId, workspaceId), eq(jobs.id, id)) as SQL
}
