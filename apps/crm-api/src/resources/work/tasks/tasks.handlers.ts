import { tasks, type SummaryQuestion } from '@crm/contract'
import { sql } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { listHistory } from '../../../records/history.ts'
import {
  bulkHandlers,
  createHandler,
  readHandlers,
  requireRecord,
  writeHandlers,
} from '../../../records/owned/handlers.ts'
import { showHistory } from '../../../domain/history/shown-entries.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { requireListedRecord, type RecordLink } from '../../../kinds/record-links.ts'
import { createTask, showTasks, taskWriter } from './tasks.commands.ts'
import { taskKind } from '../../../kinds/tasks.ts'

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
  create: createHandler(createTask, showTasks),

  activity: async ({ params, query }, context) => {
    const { id } = await requireRecord(context, taskKind, params.id)
    const page = await listHistory(context.db, context.workspace.id, sql`SELECT 'TASK', ${id}::uuid`, query)
    return showHistory(context.db, context, page)
  },
})
