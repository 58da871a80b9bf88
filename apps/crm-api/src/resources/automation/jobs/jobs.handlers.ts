import { jobs, success, type UndoResult } from '@crm/contract'
import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'

export const implementedJobs = implement(jobs, {
  get: async ({ params }, { db, workspace, caller, refuse }) => {
    const { jobs: table } = schema
    const [job] = await db
      .select()
      .from(table)
      .where(
        and(eq(table.workspaceId, workspace.id), eq(table.id, params.id), eq(table.employeeId, caller.employee.id)),
      )
    if (!job) throw refuse('NOT_FOUND', { message: 'There is no such job' })
    const { id, kind, state, total, processed, failed, errors, startedAt, finishedAt } = job
    const result = job.result as UndoResult | null
    return success({ id, kind, state, total, processed, failed, errors: [...errors], result, startedAt, finishedAt })
  },
})
