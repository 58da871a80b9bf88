import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
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
  /** `RUN` where nobody said. */
  readonly automation?: 'SILENT' | 'RUN'
}

/** `UPLOADING` while rows arrive; then the states of a job, `LINKED` where rows name each other, and `REVERTING` and `REVERTED`. */
export const importStates = [
  'UPLOADING',
  'QUEUED',
  'RUNNING',
  'DONE',
  'LINKED',
  'FAILED',
  'CANCELLED',
  'REVERTING',
  'REVERTED',
] as const

/** The states of the files of a program that somebody moves in from (docs/decisions/moving-in.md). */
export type MigrationState =
  | 'UPLOADING'
  | 'ANALYSING'
  | 'ANALYSED'
  | 'CHECKING'
  | 'CHECKED'
  | 'QUEUED'
  | 'RUNNING'
  | 'DONE'
  | 'FAILED'
  | 'CANCELLED'
  | 'REVERTING'
  | 'REVERTED'

/** Files that come in together; each is one of the imports. */
export const migrations = pgTable(
  'migrations',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    employeeId: uuid('employee_id').notNull(),
    source: text('source').notNull(),
    state: text('state').$type<MigrationState>().notNull().default('UPLOADING'),
    /** The plan without its files. */
    plan: jsonb('plan').$type<Record<string, unknown>>(),
    phase: text('phase').$type<'CHECK' | 'IMPORT'>(),
    /** How many records of each kind were made because a cell named them. */
    made: jsonb('made').$type<Record<string, number>>().notNull().default({}),
    reverted: integer('reverted').notNull().default(0),
    remains: jsonb('remains').$type<{ entityType: string; id: string; title: string }[]>().notNull().default([]),
    problem: text('problem'),
    /** Until when the contents of the files are kept. */
    filesUntil: instant('files_until'),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('migrations_files')
      .on(t.filesUntil)
      .where(sql`${t.filesUntil} is not null`),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'migrations_employee',
    }).onDelete('cascade'),
  ],
)

/**
 * What the rows of a migration are found by in its other rows: the hash of a kind and a key. A trial, which writes no record, finds duplicates and
 * links by it, and an import the records that rows became.
 */
export const migrationKeys = pgTable(
  'migration_keys',
  {
    workspaceId: workspaceId(),
    migrationId: uuid('migration_id').notNull(),
    key: text('key').notNull(),
    importId: uuid('import_id').notNull(),
    line: integer('line').notNull(),
    /** Whether several rows have the key. */
    isShared: boolean('is_shared').notNull().default(false),
    recordId: uuid('record_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.migrationId, t.key] }),
    foreignKey({
      columns: [t.workspaceId, t.migrationId],
      foreignColumns: [migrations.workspaceId, migrations.id],
      name: 'migration_keys_migration',
    }).onDelete('cascade'),
  ],
)

/** A value of a spreadsheet that a text alone would not tell. */
export interface TypedValue {
  readonly type: 'number' | 'day' | 'moment' | 'flag' | 'error'
  readonly text: string
  readonly currency?: string
}

/** A problem of a row; `at` is the position of its column, null for the whole row. */
export interface RowProblem {
  readonly code: string
  readonly values: Readonly<Record<string, string>>
  readonly at: number | null
  readonly field: string | null
  readonly isRow: boolean
}

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
    /** The migration that the file is a part of, and its place among the files. */
    migrationId: uuid('migration_id'),
    position: integer('position').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** What the file is and what becomes of its columns, as the API shows it; null until it is analysed. */
    plan: jsonb('plan').$type<Record<string, unknown>>(),
    merged: integer('merged').notNull().default(0),
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
    /** The values of a spreadsheet, by the position of their cells. */
    typed: jsonb('typed').$type<Record<string, TypedValue>>(),
    outcome: text('outcome').$type<'CREATED' | 'UPDATED' | 'MERGED' | 'SKIPPED' | 'FAILED'>(),
    recordId: uuid('record_id'),
    reason: text('reason'),
    problems: jsonb('problems').$type<RowProblem[]>(),
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
