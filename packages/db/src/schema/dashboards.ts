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

/** A question whose answer a dashboard shows; it is asked with the rights of the viewer. */
export interface DashboardWidget {
  readonly id: string
  readonly type: 'NUMBER' | 'BAR' | 'LINE' | 'FUNNEL' | 'DONUT' | 'TABLE' | 'LIST'
  readonly title: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly source: {
    readonly resource: string
    readonly query: Readonly<Record<string, string>>
    readonly savedFilterId?: string
    readonly measures?: string[]
    readonly groupBy?: string[]
    readonly sort?: string
    readonly top?: number
    readonly convertTo?: string
    readonly columns?: string[]
    readonly limit?: number
  }
  readonly periodField: string | null
}

/** Questions that are shown together. The first dashboard of a workspace has no owner. */
export const dashboards = pgTable(
  'dashboards',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    name: text('name').notNull(),
    visibility: text('visibility').$type<'PRIVATE' | 'DEPARTMENT' | 'WORKSPACE'>().notNull().default('PRIVATE'),
    isHome: boolean('is_home').notNull().default(false),
    position: integer('position').notNull().default(0),
    period: jsonb('period').$type<{ from: string; to: string }>(),
    widgets: jsonb('widgets').$type<DashboardWidget[]>().notNull().default([]),
    ownerId: uuid('owner_id'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('dashboards_of_owner').on(t.workspaceId, t.ownerId),
    uniqueIndex('dashboards_home')
      .on(t.workspaceId)
      .where(sql`${t.isHome} and ${t.visibility} = 'WORKSPACE'`),
    uniqueIndex('dashboards_own_home')
      .on(t.workspaceId, t.ownerId)
      .where(sql`${t.isHome} and ${t.visibility} <> 'WORKSPACE'`),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'dashboards_owner',
    }).onDelete('cascade'),
  ],
)
