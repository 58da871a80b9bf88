import { success, tasks, type SummaryQuestion } from '@crm/contract'
import { sql } from 'drizzle-orm'
import { implement } from '../../platform/context.ts'
import { listHistory } from '../../records/history.ts'
import { bulkHandlers, presentOne, readHandlers, requireRecord, writeHandlers } from '../../records/owned/handlers.ts'
import { summaryHandler } from '../../domain/summaries/summary.handlers.ts'
import { requireListedRecord, type RecordLink } from '../../kinds/record-links.ts'
import { createTask, showTasks, taskWriter } from './tasks.commands.ts'
import { taskKind } from '../../kinds/tasks.ts'

const { list, get } = readHandlers(taskKind, showTasks)

export const implementedTasks = implement(tasks, {
  list: async (input, context) => {
    await requireListedRecord(context.db, context, input.query)
    return list(input, context)
  },
  get,
  ...summaryHandler(taskKind, async (query: SummaryQuestion & Partial<RecordLink>, context) => {
    await requireListedRecord(context.db, context, query)
    return query
  }),
  ...writeHandlers(taskWriter, showTasks),
  ...bulkHandlers(taskWriter, 'tasks'),
  create: async ({ body }, context) =>
    success(
      await context.transact(async (tx) => presentOne(showTasks, tx, context, await createTask(tx, context, body))),
    ),

  activity: async ({ params, query }, context) => {
    const { id } = await requireRecord(context, taskKind, params.id)
    return listHistory(context.db, context.workspace.id, sql`SELECT 'TASK', ${id}::uuid`, query)
  },
})
