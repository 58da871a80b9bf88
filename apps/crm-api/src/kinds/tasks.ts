import { rowReader, schema } from '@crm/db'
import { task } from '@crm/model'
import { sql } from 'drizzle-orm'
import { linkFilters } from '../records/link-filters.ts'
import { whether, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'

const { tasks } = schema

/** A task as it is read. */
export type TaskRow = Omit<
  typeof tasks.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'customFields' | 'dueToldAt'
>

/** The columns that a new task is written with. */
export type TaskValues = Omit<
  typeof tasks.$inferInsert,
  'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'
>

export const taskKind: RecordKind<TaskRow> = {
  entityType: task.entity,
  noun: task.noun,
  table: tasks,
  rows: rowReader(shownColumns(tasks, 'tasks')),
  title: ({ title }) => title,
  filters: {
    ...linkFilters('TASK', tasks),
    ...filtersOf(task, tasks),
    isOverdue: {
      ...whether(({ at }) => sql`(${tasks.status} IN ('TODO', 'IN_PROGRESS', 'IN_REVIEW') AND ${tasks.dueAt} < ${at})`),
      passes: true,
    },
  },
  sortable: {
    ...sortableOf(task, tasks),
    priority: schema.priorityOrder(tasks.priority),
  },
  customFields: null,
  timelineKinds: { status: 'STATUS_CHANGED', ownerId: 'OWNER_CHANGED', assigneeId: 'OWNER_CHANGED' },
  followers: ['departmentId', 'completedAt'],
  birthEvents: ({ status }) => (status === 'DONE' ? ['task.completed'] : []),
  changeEvents: (task, fields) => (fields.includes('status') && task.status === 'DONE' ? ['task.completed'] : []),
  tellsEvents: true,
}
