import { sql } from 'drizzle-orm'
import { bigint, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, rowId, workspaceId } from '../columns.ts'
import { employees } from './core.ts'
import type { FieldChange } from './field-change.ts'

/** The conversion of a file's columns into records. */
export interface ImportOptions {
  readonly entityType: string
  /** A field for each imported header. */
  readonly mapping: Readonly<Record<string, string>>
  readonly onDuplicate: 'SKIP' | 'UPDATE' | 'CREATE'
  readonly matchBy: 'email' | 'phone' | 'sku'
}

/** `UPLOADING` while rows arrive; then the states of a job, and `REVERTING` and `REVERTED` after them. */
export const importStates = [
  'UPLOADING',
  'QUEUED',
  'RUNNING',
  'DONE',
  'FAILED',
  'CANCELLED',
  'REVERTING',
  'REVERTED',
] as const

export const imports = pgTable(
  'imports',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    fileName: text('file_name').notNull().default(''),
    entityType: text('entity_type').notNull().default(''),
    header: text('header').array().notNull().default([]),
    options: jsonb('options').$type<ImportOptions>(),
    state: text('state').$type<(typeof importStates)[number]>().notNull().default('UPLOADING'),
    total: integer('total').notNull().default(0),
    processed: integer('processed').notNull().default(0),
    created: integer('created').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    skipped: integer('skipped').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    reverted: integer('reverted').notNull().default(0),
    /** The line of the last imported row; during a revert, of the last reverted one. */
    cursor: integer('cursor').notNull().default(0),
    problem: text('problem'),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('imports_uploading')
      .on(t.createdAt)
      .where(sql`${t.state} = 'UPLOADING'`),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'imports_employee',
    }).onDelete('cascade'),
  ],
)

/** The rows of an imported file, and the outcome of each. */
export const importRows = pgTable(
  'import_rows',
  {
    workspaceId: workspaceId(),
    importId: uuid('import_id').notNull(),
    /** The line in the file; the header is on line 1 unless lines precede it. */
    line: integer('line').notNull(),
    cells: text('cells').array().notNull(),
    outcome: text('outcome').$type<'CREATED' | 'UPDATED' | 'SKIPPED' | 'FAILED'>(),
    recordId: uuid('record_id'),
    reason: text('reason'),
    /** The changes of an update, for the revert. */
    changes: jsonb('changes').$type<FieldChange[]>(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.importId, t.line] }),
    foreignKey({
      columns: [t.workspaceId, t.importId],
      foreignColumns: [imports.workspaceId, imports.id],
      name: 'import_rows_import',
    }).onDelete('cascade'),
  ],
)

export const exports = pgTable(
  'exports',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    entityType: text('entity_type').notNull(),
    /** ZIP: everything in the workspace. */
    format: text('format').$type<'CSV' | 'XLSX' | 'ZIP'>().notNull().default('CSV'),
    filters: jsonb('filters').$type<Record<string, string>>().notNull().default({}),
    state: text('state').$type<'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED'>().notNull().default('QUEUED'),
    rows: integer('rows').notNull().default(0),
    /** The size of the finished file. */
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    problem: text('problem'),
    createdAt: createdAt(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('exports_age').on(t.createdAt),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'exports_employee',
    }).onDelete('cascade'),
  ],
)
