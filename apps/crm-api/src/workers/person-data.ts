import { schema } from '@crm/db'
import { isRefusal } from '@crm/errors'
import { and, eq } from 'drizzle-orm'
import { finishJob, writePersonData } from '../across/privacy/privacy.export.ts'
import type { SubjectKey } from '../across/privacy/privacy.subject.ts'
import { findExport, updateExport } from '../across/transfers/exports.repository.ts'
import { employeeContext } from './employee-context.ts'
import type { JobHandler } from './job-handler.ts'

const { jobs } = schema

/** Writes the file with the data of a person: what its maker may see now. */
export const exportPersonData: JobHandler = async (job) => {
  const { tx, row, deps, at } = job
  const key = { workspaceId: row.workspaceId, id: row.payload['jobId'] as string }
  const [asked] = await tx
    .select()
    .from(jobs)
    .where(and(eq(jobs.workspaceId, key.workspaceId), eq(jobs.id, key.id)))
  const made = await findExport(tx, key)
  if (!asked || !made || made.state === 'DONE') return
  try {
    const context = await employeeContext(job, made)
    await writePersonData(tx, context, deps.storage, key, asked.payload['subject'] as SubjectKey)
  } catch (error) {
    if (!isRefusal(error)) throw error
    await updateExport(tx, key, { state: 'FAILED', problem: error.message, finishedAt: at })
    await finishJob(tx, key, { state: 'FAILED', startedAt: at, finishedAt: at })
  }
}
