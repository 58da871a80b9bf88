import { projects } from '@crm/contract'
import { schema, type Scope } from '@crm/db'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { listHistory } from '../../../records/history.ts'
import { createHandler, readHandlers, requireRecord, writeHandlers } from '../../../records/owned/handlers.ts'
import { showHistory } from '../../../domain/history/shown-entries.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { existing } from '../../../records/owned/list.ts'
import { taskKind } from '../../../kinds/tasks.ts'
import { createProject, projectWriter } from './projects.commands.ts'
import { projectKind } from '../../../kinds/projects.ts'

export const implementedProjects = implement(projects, {
  ...readHandlers(projectKind),
  ...summaryHandler(projectKind),
  ...writeHandlers(projectWriter),
  create: createHandler(createProject),

  activity: async ({ params, query }, context) => {
    const { id } = await requireRecord(context, projectKind, params.id)
    const records = projectAndTasks(id, context.scopeIfAllowed('TASK'))
    const page = await listHistory(context.db, context.workspace.id, records, query)
    return showHistory(context.db, context, page)
  },
})

/** Returns the query for a project and its tasks within the scope. */
function projectAndTasks(id: string, scope: Scope | null): SQL {
  const project = sql`SELECT 'PROJECT', ${id}::uuid`
  const { tasks } = schema
  return scope
    ? sql`${project} UNION ALL SELECT 'TASK', ${tasks.id} FROM ${tasks} WHERE ${and(existing(taskKind, scope), eq(tasks.projectId, id))}`
    : project
}
