import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt, workspaceId } from '../columns.ts'
import { workspaces } from './core.ts'

/** The keys of the secrets of a workspace, each wrapped by a key that the database does not hold. The newest one seals. */
export const dataKeys = pgTable(
  'data_keys',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    wrapped: bytes('wrapped').notNull(),
    /** The name of the wrapping key. */
    wrappedBy: text('wrapped_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.version] })],
)
