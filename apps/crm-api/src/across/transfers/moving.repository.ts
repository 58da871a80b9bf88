import type { MigrationFilePlan, MigrationPlan } from '@crm/contract'
import { inPart, newId, schema, type Executor, type Page, type Part, type Transaction } from '@crm/db'
import { referredLater } from '@crm/model'
import { and, asc, count, desc, eq, isNotNull, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import { selectStaged, type ImportKey, type ImportRow, type StagedRow } from './imports.repository.ts'

const { imports, importRows, migrations, migrationKeys } = schema

/** A migration as it is stored. */
export type MigrationRow = typeof migrations.$inferSelect

/** The key of a migration. */
export interface MigrationKey {
  readonly workspaceId: string
  readonly id: string
}

/** What is decided for all files of a migration. */
export type PlanSettings = Omit<MigrationPlan, 'files'>

/** What a file is and what becomes of its columns; its name and size stand beside it. */
export type FilePlan = Omit<MigrationFilePlan, 'id' | 'name' | 'bytes'>

/** The place of the files that an import makes by itself, behind all others: records that a cell named and no file has. */
export const madePosition = 1_000

const isMigration = ({ workspaceId, id }: MigrationKey): SQL =>
  and(eq(migrations.workspaceId, workspaceId), eq(migrations.id, id)) as SQL
const isOfMigration = ({ workspaceId, id }: MigrationKey): SQL =>
  and(eq(imports.workspaceId, workspaceId), eq(imports.migrationId, id)) as SQL

/** Records that the files of a migration begin to arrive. */
export async function beginMigration(
  db: Executor,
  values: Pick<MigrationRow, 'workspaceId' | 'employeeId' | 'createdAt'>,
): Promise<MigrationKey> {
  const key = { workspaceId: values.workspaceId, id: newId() }
  await db.insert(migrations).values({ ...values, ...key, source: 'FILES' })
  return key
}

/** Records a file of a migration before its bytes arrive. */
export async function beginFile(
  db: Executor,
  { workspaceId, id: migrationId }: MigrationKey,
  values: Pick<ImportRow, 'employeeId' | 'fileName' | 'position' | 'createdAt'>,
  id = newId(),
): Promise<string> {
  await db.insert(imports).values({ ...values, workspaceId, id, migrationId, state: 'QUEUED' })
  return id
}

/** Removes a file of which nothing was read. */
export async function forgetFile(tx: Transaction, { workspaceId, id }: MigrationKey): Promise<void> {
  await tx.delete(imports).where(and(eq(imports.workspaceId, workspaceId), eq(imports.id, id)))
}

/** Returns the file in which records stand that an import makes because a cell names them, one for each kind. */
export async function fileOfMade(
  tx: Transaction,
  { workspaceId, id, employeeId }: Pick<MigrationRow, 'workspaceId' | 'id' | 'employeeId'>,
  entityType: string,
  at: string,
): Promise<string> {
  const isMade = and(
    isOfMigration({ workspaceId, id }),
    eq(imports.position, madePosition),
    eq(imports.entityType, entityType),
  )
  const [known] = await tx.select({ id: imports.id }).from(imports).where(isMade)
  if (known) return known.id
  const values = { workspaceId, employeeId, migrationId: id, position: madePosition, entityType, createdAt: at }
  const fileId = newId()
  await tx.insert(imports).values({ ...values, id: fileId, state: 'DONE', fileName: '' })
  return fileId
}

/** Notes a record that a cell named, so that a revert takes it back. */
export async function noteMade(
  tx: Transaction,
  { workspaceId, fileId }: { readonly workspaceId: string; readonly fileId: string },
  recordIds: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO ${importRows} (workspace_id, import_id, line, cells, outcome, record_id)
    SELECT ${workspaceId}::uuid, ${fileId}::uuid, coalesce((
      SELECT max(line) FROM ${importRows} WHERE workspace_id = ${workspaceId} AND import_id = ${fileId}), 0) + place, '{}', 'CREATED', made
    FROM unnest(${sql.param([...recordIds])}::uuid[]) WITH ORDINALITY AS made (made, place)`)
  await tx
    .update(imports)
    .set({ created: sql`created + ${recordIds.length}` })
    .where(and(eq(imports.workspaceId, workspaceId), eq(imports.id, fileId)))
}

/** Changes the stored state of a migration. */
export async function updateMigration(
  db: Executor,
  key: MigrationKey,
  set: Partial<typeof migrations.$inferInsert>,
): Promise<void> {
  await db.update(migrations).set(set).where(isMigration(key))
}

/** Deletes a migration with its files and rows; the contents of the files stay. */
export async function deleteMigration(db: Executor, key: MigrationKey): Promise<void> {
  await db.delete(imports).where(isOfMigration(key))
  await db.delete(migrations).where(isMigration(key))
}

/** Returns a page of migrations, the latest first. */
export async function listMigrations(
  db: Executor,
  workspaceId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page<MigrationRow>> {
  const where = and(eq(migrations.workspaceId, workspaceId), ne(migrations.state, 'UPLOADING'))
  const [total] = await db.select({ n: count() }).from(migrations).where(where)
  const items = await db.select().from(migrations).where(where).orderBy(desc(migrations.id)).limit(limit).offset(offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns one migration whose files have all arrived. */
export async function findMigration(db: Executor, key: MigrationKey): Promise<MigrationRow | undefined> {
  const [row] = await db
    .select()
    .from(migrations)
    .where(and(isMigration(key), ne(migrations.state, 'UPLOADING')))
  return row
}

/** Returns one migration, locked for a change. */
export async function lockMigration(tx: Transaction, key: MigrationKey): Promise<MigrationRow | undefined> {
  const [row] = await tx.select().from(migrations).where(isMigration(key)).for('update')
  return row
}

/** Returns the files of a migration in their order, those that it made itself last. */
export function filesOf(db: Executor, key: MigrationKey): Promise<ImportRow[]> {
  return db.select().from(imports).where(isOfMigration(key)).orderBy(asc(imports.position), asc(imports.id))
}

/** Removes the rows of a file, before it is read anew. */
export async function forgetRows(db: Executor, { workspaceId, id }: MigrationKey): Promise<void> {
  await db.delete(importRows).where(and(eq(importRows.workspaceId, workspaceId), eq(importRows.importId, id)))
}

/** A row of a file on its way into the database. */
export interface ArrivingRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly typed?: StagedRow['typed']
  readonly problems?: StagedRow['problems']
}

/** Stores rows of a file until they are imported. */
export async function keepRows(
  db: Executor,
  { workspaceId, id }: MigrationKey,
  rows: readonly ArrivingRow[],
): Promise<void> {
  if (rows.length === 0) return
  await db.execute(sql`
    INSERT INTO ${importRows} (workspace_id, import_id, line, cells, typed, problems)
    SELECT ${workspaceId}::uuid, ${id}::uuid, line, ARRAY(SELECT jsonb_array_elements_text(cells)), typed, problems
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(line int, cells jsonb, typed jsonb, problems jsonb)`)
}

/** A word of a column with the number of rows that have it; `beside` is the word of another column. */
export interface CountedWord {
  readonly text: string
  readonly beside: string | null
  readonly rows: number
}

const wordsMax = 500

/** Returns the different words of a column of a file, the most frequent first. */
export async function wordsOf(
  db: Executor,
  { workspaceId, id }: MigrationKey,
  at: number,
  besideAt: number | undefined,
): Promise<readonly CountedWord[]> {
  const beside = besideAt === undefined ? sql`NULL::text` : sql`nullif(trim(cells[${besideAt + 1}::int]), '')`
  const { rows } = await db.execute<{ text: string; beside: string | null; rows: number }>(sql`
    SELECT trim(cells[${at + 1}::int]) AS text, ${beside} AS beside, count(*)::int AS rows FROM ${importRows}
    WHERE workspace_id = ${workspaceId} AND import_id = ${id} AND trim(cells[${at + 1}::int]) <> ''
    GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT ${wordsMax}`)
  return rows
}

/** A problem with the line and the file in which it is. */
export interface PlacedProblem {
  readonly fileId: string
  readonly line: number
  readonly problems: NonNullable<StagedRow['problems']>
}

/** Returns the first rows of each file that have problems. */
export async function firstProblems(
  db: Executor,
  key: MigrationKey,
  rowsMax: number,
): Promise<readonly PlacedProblem[]> {
  const { rows } = await db.execute<PlacedProblem & Record<string, unknown>>(sql`
    SELECT file.id AS "fileId", bad.line, bad.problems FROM ${imports} file CROSS JOIN LATERAL (
      SELECT line, problems FROM ${importRows} WHERE workspace_id = ${key.workspaceId} AND import_id = file.id AND problems IS NOT NULL
      ORDER BY line LIMIT ${rowsMax}
    ) bad WHERE file.workspace_id = ${key.workspaceId} AND file.migration_id = ${key.id} ORDER BY file.position, bad.line`)
  return rows
}

/** Returns how many problems the rows of each file have, and how many records it made of each kind that a cell named. */
export async function countProblems(db: Executor, key: MigrationKey): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.execute<{ id: string; n: number }>(sql`
    SELECT file.id, sum(jsonb_array_length(row.problems))::int AS n FROM ${imports} file
    JOIN ${importRows} row ON row.workspace_id = file.workspace_id AND row.import_id = file.id AND row.problems IS NOT NULL
    WHERE file.workspace_id = ${key.workspaceId} AND file.migration_id = ${key.id} GROUP BY 1`)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** Returns the next rows of a file that have problems, by line. */
export function selectProblems(db: Executor, file: ImportKey, afterLine: number, limit: number): Promise<StagedRow[]> {
  return selectStaged(db, file, afterLine, limit, isNotNull(importRows.problems))
}

/** Returns the next rows of a file that name a record which was not there yet, because it came in after them. */
export function selectUnlinked(
  db: Executor,
  file: Pick<ImportRow, 'workspaceId' | 'id' | 'entityType'>,
  afterLine: number,
  limit: number,
): Promise<StagedRow[]> {
  const isMissing = referredLater(file.entityType).map((to) => {
    const missing = JSON.stringify([{ code: 'NOT_FOUND', values: { to } }])
    return sql`${importRows.problems} @> ${missing}::jsonb`
  })
  const isUnlinked = and(or(...isMissing), ne(importRows.outcome, 'FAILED'))
  return selectStaged(db, file, afterLine, limit, isUnlinked)
}

/** Forgets what an earlier trial or import said of the rows, before the next; the records that rows became stay known. */
export async function beginPhase(tx: Transaction, key: MigrationKey): Promise<void> {
  await tx
    .delete(migrationKeys)
    .where(and(eq(migrationKeys.workspaceId, key.workspaceId), eq(migrationKeys.migrationId, key.id)))
  const none = { processed: 0, created: 0, updated: 0, merged: 0, skipped: 0, failed: 0, cursor: 0 }
  await tx
    .update(imports)
    .set({ ...none, state: 'QUEUED', finishedAt: null })
    .where(and(isOfMigration(key), ne(imports.position, madePosition)))
}

/** Something that hangs on a record that an import made. */
export interface Remaining {
  readonly entityType: string
  readonly id: string
  readonly title: string
}

/** Returns tasks and activities of records that the rows of a file made, where no file of the migration has them. */
export async function findRemaining(
  db: Executor,
  { workspaceId, id }: MigrationKey,
  entityType: string,
  recordIds: readonly string[],
  limit: number,
): Promise<Remaining[]> {
  if (recordIds.length === 0 || limit <= 0) return []
  const own = sql`(SELECT row.record_id FROM ${importRows} row JOIN ${imports} file ON file.workspace_id = row.workspace_id AND file.id = row.import_id
    WHERE file.workspace_id = ${workspaceId} AND file.migration_id = ${id} AND row.record_id IS NOT NULL)`
  const { rows } = await db.execute<Remaining & Record<string, unknown>>(sql`
    SELECT DISTINCT link.from_type AS "entityType", link.from_id AS id, coalesce(task.title, activity.subject, '') AS title
    FROM record_links link
    LEFT JOIN tasks task ON link.from_type = 'TASK' AND task.workspace_id = link.workspace_id AND task.id = link.from_id AND task.deleted_at IS NULL
    LEFT JOIN activities activity ON link.from_type = 'ACTIVITY' AND activity.workspace_id = link.workspace_id AND activity.id = link.from_id AND activity.deleted_at IS NULL
    WHERE link.workspace_id = ${workspaceId} AND link.entity_type = ${entityType} AND link.entity_id = ANY(${sql.param([...recordIds])}::uuid[])
      AND (task.id IS NOT NULL OR activity.id IS NOT NULL) AND link.from_id NOT IN ${own} ORDER BY 1, 2 LIMIT ${limit}`)
  return rows
}

/** Returns the migrations whose files are kept no longer. */
export function findOutdatedFiles(db: Executor, at: string, part: Part, limit: number): Promise<MigrationKey[]> {
  return db
    .select({ workspaceId: migrations.workspaceId, id: migrations.id })
    .from(migrations)
    .where(and(isNotNull(migrations.filesUntil), lt(migrations.filesUntil, at), inPart(migrations.workspaceId, part)))
    .orderBy(asc(migrations.filesUntil))
    .limit(limit)
}

/** Removes the rows and sizes of the files of a migration, and returns the ids of the files. */
export async function forgetFiles(tx: Transaction, key: MigrationKey): Promise<readonly string[]> {
  const files = await filesOf(tx, key)
  for (const { id } of files) await forgetRows(tx, { workspaceId: key.workspaceId, id })
  await tx.update(imports).set({ bytes: 0 }).where(isOfMigration(key))
  await updateMigration(tx, key, { filesUntil: null })
  return files.filter(({ position }) => position !== madePosition).map(({ id }) => id)
}

/** Returns uploads of migrations that began before a time and never ended. */
export function findDeadMigrations(db: Executor, before: string, part: Part, limit: number): Promise<MigrationKey[]> {
  return db
    .select({ workspaceId: migrations.workspaceId, id: migrations.id })
    .from(migrations)
    .where(
      and(
        eq(migrations.state, 'UPLOADING'),
        isNull(migrations.plan),
        lt(migrations.createdAt, before),
        inPart(migrations.workspaceId, part),
      ),
    )
    .limit(limit)
}
