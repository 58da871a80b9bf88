import { schema, type Transaction } from '@crm/db'
import { and, eq, type SQL } from 'drizzle-orm'
import { tell } from '../records/notices.ts'

const { jobs } = schema

/** A job that its employee can follow. */
export type JobRow = typeof jobs.$inferSelect

/** After so many failures in a row a job counts as failed. */
export const jobAttemptsMax = 8

/** The error of a job that failed too often. */
export function failedAgain({ id }: Pick<JobRow, 'id'>): JobRow['errors'][number] {
  return { id, code: 'INTERNAL_ERROR', message: 'The job failed again and again' }
}

/** Reads a job that has work left, and keeps others from changing it until the transaction ends. */
export async function lockOpenJob(tx: Transaction, workspaceId: string, id: string): Promise<JobRow | undefined> {
  const [job] = await tx.select().from(jobs).where(isJob({ workspaceId, id })).for('update')
  return job && ['QUEUED', 'RUNNING'].includes(job.state) ? job : undefined
}

/** The end of a job, with its words for the employee. */
export interface JobEnd {
  readonly state: 'DONE' | 'FAILED'
  readonly error?: JobRow['errors'][number]
  readonly text: string
}

/** Ends a job and tells its employee. */
export async function finishJob(
  tx: Transaction,
  job: JobRow,
  at: string,
  { state, error, text }: JobEnd,
): Promise<void> {
  const told = error ? { errors: [...job.errors, error] } : {}
  await tx
    .update(jobs)
    .set({ state, finishedAt: at, startedAt: job.startedAt ?? at, ...told })
    .where(isJob(job))
  // Whoever asked for a rehearsal is waiting for it.
  if (job.payload['dryRun'] === true) return
  await tell(tx, { workspaceId: job.workspaceId, at }, [
    { employeeId: job.employeeId, kind: 'job.finished', text, data: { jobId: job.id } },
  ])
}

/** Returns the condition for one job. */
export function isJob({ workspaceId, id }: Pick<JobRow, 'workspaceId' | 'id'>): SQL {
  return and(eq(jobs.workspaceId, workspaceId), eq(jobs.id, id)) as SQL
}
