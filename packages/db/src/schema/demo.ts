import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { workspaceId } from '../columns.ts'
import { workspaces } from './core.ts'

/** The rows that were planted with a demo workspace, until they are removed. */
export const demoRecords = pgTable(
  'demo_records',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    /** For example LEAD, or the type of a custom entity. */
    kind: text('kind').notNull(),
    id: uuid('id').notNull(),
    /** Whether the last removal left it, because something that people made themselves refers to it. */
    kept: boolean('kept').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.kind, t.id] })],
)
