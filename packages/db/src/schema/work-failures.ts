import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../columns.ts'
import { workspaces } from './core.ts'

/** Due work of workspaces that failed and waits for its next try; a row goes when the work succeeds, or is not due any more. */
export const workFailures = pgTable(
  'work_failures',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** The name of the work, such as `start-schedules`. */
    work: text('work').notNull(),
    /** The row that is due, such as its id; empty for the work of the whole workspace. */
    row: text('row').notNull(),
    failures: integer('failures').notNull(),
    /** The time of the first failure. */
    since: instant('since').notNull(),
    nextTryAt: instant('next_try_at').notNull(),
    /** What went wrong, without values. */
    problem: text('problem').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.work, t.row] }),
    index('work_failures_by_work').on(t.work, t.nextTryAt),
  ],
)
