import { activity, project, task } from '@crm/model'
import { sql, type SQL } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
  type PgColumn,
} from 'drizzle-orm/pg-core'
import { instant, nameOrder, rowId, searchText, stamps, workspaceId } from '../columns.ts'
import { columnsOf } from '../of-kind.ts'
import { employees, workspaces } from './core.ts'
import {
  companies,
  customFieldIndex,
  deals,
  deletedIndex,
  keyIndex,
  orderIndexes,
  owned,
  ownedIndexes,
  tagIndex,
  foldedTagIndex,
  type CustomFieldOption,
} from './crm.ts'

export const taskStatuses = ['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'] as const
export const projectStatuses = ['PLANNED', 'ACTIVE', 'ON_HOLD', 'COMPLETED', 'CANCELLED'] as const

/** The last number given to a kind of record in a workspace. */
export const recordNumbers = pgTable(
  'record_numbers',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    entityType: text('entity_type').notNull(),
    last: integer('last').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.entityType] })],
)

export const projects = pgTable(
  'projects',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(project),
    progress: smallint('progress').notNull().default(0),
    ...owned(),
    searchText: searchText(sql`number::text || ' ' || name`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('projects_number').on(t.workspaceId, t.number),
    ...ownedIndexes('projects', t),
    index('projects_by_status')
      .on(t.workspaceId, t.status, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('projects_by_company')
      .on(t.workspaceId, t.companyId)
      .where(sql`${t.companyId} is not null`),
    index('projects_by_deal')
      .on(t.workspaceId, t.dealId)
      .where(sql`${t.dealId} is not null`),
    index('projects_by_member').using('gin', t.workspaceId, t.memberIds),
    foreignKey({
      columns: [t.workspaceId, t.companyId],
      foreignColumns: [companies.workspaceId, companies.id],
      name: 'projects_company',
    }),
    foreignKey({
      columns: [t.workspaceId, t.dealId],
      foreignColumns: [deals.workspaceId, deals.id],
      name: 'projects_deal',
    }),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'projects_owner',
    }),
  ],
)

/** Returns the priority of a task as a place in the order of priorities. */
export const priorityOrder = (priority: PgColumn): SQL =>
  sql`array_position(ARRAY['LOW', 'NORMAL', 'HIGH', 'URGENT'], ${priority})`

export const tasks = pgTable(
  'tasks',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(task),
    type: text('type').$type<'CALL' | 'EMAIL' | 'MEETING' | 'TODO'>().notNull().default('TODO'),
    priority: text('priority').$type<'LOW' | 'NORMAL' | 'HIGH' | 'URGENT'>().notNull().default('NORMAL'),
    /** The due date of which the assignee was told. */
    dueToldAt: instant('due_told_at'),
    ...owned(),
    searchText: searchText(sql`number::text || ' ' || title`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('tasks_number').on(t.workspaceId, t.number),
    ...ownedIndexes('tasks', t),
    ...orderIndexes('tasks', t, {
      change: t.updatedAt,
      title: nameOrder(t.title),
      status: t.status,
      priority: priorityOrder(t.priority),
      start: t.startAt,
      due: t.dueAt,
      completion: t.completedAt,
    }),
    index('tasks_by_status')
      .on(t.workspaceId, t.status, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('tasks_by_assignee')
      .on(t.workspaceId, t.assigneeId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('tasks_by_project')
      .on(t.workspaceId, t.projectId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    // Deleted tasks refer to their project as well.
    index('tasks_of_project')
      .on(t.workspaceId, t.projectId)
      .where(sql`${t.projectId} is not null`),
    index('tasks_to_tell')
      .on(t.dueAt)
      .where(
        sql`${t.deletedAt} is null and ${t.assigneeId} is not null and ${t.status} in ('TODO', 'IN_PROGRESS', 'IN_REVIEW') and ${t.dueToldAt} is distinct from ${t.dueAt}`,
      ),
    index('tasks_by_parent').on(t.workspaceId, t.parentTaskId),
    tagIndex('tasks', t),
    foldedTagIndex('tasks', t),
    index('tasks_by_member').using('gin', t.workspaceId, t.memberIds),
    foreignKey({
      columns: [t.workspaceId, t.projectId],
      foreignColumns: [projects.workspaceId, projects.id],
      name: 'tasks_project',
    }),
    foreignKey({
      columns: [t.workspaceId, t.parentTaskId],
      foreignColumns: [t.workspaceId, t.id],
      name: 'tasks_parent',
    }),
    foreignKey({
      columns: [t.workspaceId, t.assigneeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'tasks_assignee',
    }),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'tasks_owner',
    }),
  ],
)

export const checklistItems = pgTable(
  'checklist_items',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    taskId: uuid('task_id').notNull(),
    title: text('title').notNull(),
    isDone: boolean('is_done').notNull().default(false),
    position: integer('position').notNull(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('checklist_items_of_task').on(t.workspaceId, t.taskId, t.position, t.id),
    foreignKey({
      columns: [t.workspaceId, t.taskId],
      foreignColumns: [tasks.workspaceId, tasks.id],
      name: 'checklist_items_task',
    }).onDelete('cascade'),
  ],
)

/** A participant of an activity. */
export interface Participant {
  readonly name?: string | null
  readonly email?: string | null
  readonly entityType?: string | null
  readonly entityId?: string | null
}

export const activities = pgTable(
  'activities',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(activity),
    /** The time of the activity; null until it is done. */
    happenedAt: instant('happened_at'),
    participants: jsonb('participants').$type<Participant[]>().notNull().default([]),
    ...owned(),
    searchText: searchText(sql`coalesce(subject, '') || ' ' || left(coalesce(body, ''), 2000)`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...ownedIndexes('activities', t),
    index('activities_by_status')
      .on(t.workspaceId, t.status, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'activities_owner',
    }),
  ],
)

/** The records to which a task or an activity belongs. */
export const recordLinks = pgTable(
  'record_links',
  {
    workspaceId: workspaceId(),
    fromType: text('from_type').$type<'TASK' | 'ACTIVITY'>().notNull(),
    fromId: uuid('from_id').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: uuid('entity_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.fromType, t.fromId, t.entityType, t.entityId] }),
    index('record_links_to').on(t.workspaceId, t.entityType, t.entityId, t.fromType, t.fromId),
  ],
)

/** A field of a custom entity, in the form of custom fields. */
export interface CustomEntityField {
  readonly key: string
  readonly label: string
  readonly type: string
  readonly options: readonly CustomFieldOption[]
  readonly isRequired: boolean
}

export const customEntities = pgTable(
  'custom_entities',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    /** In lower case; its upper case names the entity type and its permissions. */
    key: text('key').notNull(),
    labels: jsonb('labels').$type<{ singular: string; plural: string }>().notNull(),
    fields: jsonb('fields').$type<CustomEntityField[]>().notNull().default([]),
    hasOwner: boolean('has_owner').notNull().default(true),
    ...stamps(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.id] }), uniqueIndex('custom_entities_key').on(t.workspaceId, t.key)],
)

export const customRecords = pgTable(
  'custom_records',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    entityKey: text('entity_key').notNull(),
    title: text('title').notNull(),
    // The values of its fields are in the same column as custom fields.
    ...owned(),
    searchText: searchText(sql`title`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    customFieldIndex('custom_records', t),
    deletedIndex('custom_records', t),
    keyIndex('custom_records', t),
    index('custom_records_newest')
      .on(t.workspaceId, t.entityKey, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('custom_records_by_owner')
      .on(t.workspaceId, t.entityKey, t.ownerId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'custom_records_owner',
    }),
  ],
)
