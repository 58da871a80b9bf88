import type { PersonEntity } from '@crm/model'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, rowId, workspaceId } from '../columns.ts'
import { workspaces } from './core.ts'

/** What names a person and nobody else. */
export interface PersonWords {
  /** Full names, each as its parts in their order. */
  readonly names: readonly (readonly string[])[]
  readonly emails: readonly string[]
  readonly phones: readonly string[]
}

/** The rows of one table in which a person is named; a key has the values of the columns in their order. */
export interface ErasureTarget {
  readonly table: string
  readonly keyColumns: readonly string[]
  readonly keys: readonly (readonly string[])[]
}

/** Erasures whose texts are still to be changed, or were; an ended one keeps no words. */
export const erasures = pgTable(
  'erasures',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    subjectType: text('subject_type').$type<'EMPLOYEE' | PersonEntity>().notNull(),
    subjectId: uuid('subject_id').notNull(),
    words: jsonb('words').$type<PersonWords>(),
    targets: jsonb('targets').$type<ErasureTarget[]>().notNull().default([]),
    /** The rows that are still to be changed. */
    remaining: integer('remaining').notNull(),
    /** When the next process may go on with it. */
    nextAt: instant('next_at').notNull(),
    createdAt: createdAt(),
    doneAt: instant('done_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('erasures_due')
      .on(t.nextAt)
      .where(sql`${t.doneAt} is null`),
  ],
)
