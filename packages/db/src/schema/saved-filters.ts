import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { rowId, stamps, workspaceId } from '../columns.ts'
import { employees } from './core.ts'

export const savedFilters = pgTable(
  'saved_filters',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    name: text('name').notNull(),
    entityType: text('entity_type').notNull(),
    visibility: text('visibility').$type<'PRIVATE' | 'DEPARTMENT' | 'WORKSPACE'>().notNull().default('PRIVATE'),
    /** The parameters of the list, as in its query. */
    query: jsonb('query').$type<Record<string, string>>().notNull().default({}),
    sortBy: text('sort_by'),
    sortOrder: text('sort_order').$type<'asc' | 'desc'>(),
    view: text('view').$type<'LIST' | 'KANBAN' | 'CALENDAR'>().notNull().default('LIST'),
    columns: text('columns').array().notNull().default([]),
    /** In pixels, by column. */
    columnWidths: jsonb('column_widths').$type<Record<string, number>>().notNull().default({}),
    /** Null for the density that each person chose. */
    density: text('density').$type<'compact' | 'comfortable'>(),
    groupBy: text('group_by'),
    dateField: text('date_field'),
    measures: text('measures').array().notNull().default([]),
    position: integer('position').notNull().default(0),
    isDefault: boolean('is_default').notNull().default(false),
    ownerId: uuid('owner_id').notNull(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('saved_filters_of_kind').on(t.workspaceId, t.entityType, t.id),
    uniqueIndex('saved_filters_default')
      .on(t.workspaceId, t.entityType)
      .where(sql`${t.isDefault}`),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'saved_filters_owner',
    }).onDelete('cascade'),
  ],
)
