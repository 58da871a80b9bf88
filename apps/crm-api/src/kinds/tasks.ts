import { rowReader, schema } from '@crm/db'
import { sql } from 'drizzle-orm'
import { linkFilters } from '../records/link-filters.ts'
import { atLeast, atMost, contains, equals, whether, type RecordKind } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'

const { tasks, recordCounts } = schema

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
  entityType: 'TASK',
  noun: 'task',
  table: tasks,
  rows: rowReader(shownColumns(tasks, 'tasks')),
  title: ({ title }) => title,
  filters: {
    ...linkFilters('TASK', tasks),
    status: equals(tasks.status, recordCounts.status),
    priority: equals(tasks.priority),
    assigneeId: equals(tasks.assigneeId),
    memberId: contains(tasks.memberIds),
    projectId: equals(tasks.projectId),
    parentTaskId: equals(tasks.parentTaskId),
    dueFrom: atLeast(tasks.dueAt),
    dueTo: atMost(tasks.dueAt),
    completedFrom: atLeast(tasks.completedAt),
    completedTo: atMost(tasks.completedAt),
    isOverdue: {
      ...whether(({ at }) => sql`(${tasks.status} IN ('TODO', 'IN_PROGRESS', 'IN_REVIEW') AND ${tasks.dueAt} < ${at})`),
      passes: true,
    },
  },
  sortable: {
    updatedAt: tasks.updatedAt,
    number: tasks.number,
    title: tasks.title,
    status: tasks.status,
    priority: sql`array_position(ARRAY['LOW', 'NORMAL', 'HIGH', 'URGENT'], ${tasks.priority})`,
    startAt: tasks.startAt,
    dueAt: tasks.dueAt,
    completedAt: tasks.completedAt,
  },
  customFields: null,
  timelineKinds: { status: 'STATUS_CHANGED', ownerId: 'OWNER_CHANGED', assigneeId: 'OWNER_CHANGED' },
  followers: ['departmentId', 'completedAt'],
  birthEvents: ({ status }) => (status === 'DONE' ? ['task.completed'] : []),
  changeEvents: (task, fields) => (fields.includes('status') && task.status === 'DONE' ? ['task.completed'] : []),
  tellsEvents: true,
}
