import { jobs, success, type UndoResult } from '@crm/contract'
import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { titlesOf } from '../../../domain/agents/acts-titles.ts'
import { keyOf } from '../../../kinds/in-sight.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'

export const implementedJobs = implement(jobs, {
  get: async ({ params }, context) => {
    const { db, workspace, caller, refuse } = context
    const { jobs: table } = schema
    const [job] = await db
      .select()
      .from(table)
      .where(
        and(eq(table.workspaceId, workspace.id), eq(table.id, params.id), eq(table.employeeId, caller.employee.id)),
      )
    if (!job) throw refuse('NOT_FOUND', { message: 'There is no such job' })
    const { id, kind, state, total, processed, failed, errors, startedAt, finishedAt } = job
    const result = job.result === null ? null : await withTitles(context, job.result as UndoResult)
    return success({ id, kind, state, total, processed, failed, errors: [...errors], result, startedAt, finishedAt })
  },
})

/** Adds the names that the caller may see; they are not kept with the job. */
async function withTitles(context: CrmContext, result: UndoResult) {
  const links = result.kept.map((kept) => ({ entityType: kept.entityType, entityId: kept.id }))
  const titles = await titlesOf(context, links)
  const kept = result.kept.map((one) => ({ ...one, title: titles.get(keyOf({ ...one, entityId: one.id })) ?? null }))
  return { ...result, kept }
}
