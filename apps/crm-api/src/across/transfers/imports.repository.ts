import { inPart, isAnyOf, newId, schema, type Executor, type Page, type Part, type Transaction } from '@crm/db'
import { and, asc, count, desc, eq, gt, isNull, lt, ne, sql, type SQL } from 'drizzle-orm'
import type { CsvRow } from './transfers.csv.ts'

const { imports, importRows } = schema

export type ImportRow = typeof imports.$inferSelect
export type StagedRow = typeof importRows.$inferSelect

/** The key of an import. */
export interface ImportKey {
  readonly workspaceId: string
  readonly id: string
}

const isImport = ({ workspaceId, id }: ImportKey): SQL =>
  and(eq(imports.workspaceId, workspaceId), eq(imports.id, id)) as SQL
const ofImport = ({ workspaceId, id }: ImportKey): SQL =>
  and(eq(importRows.workspaceId, workspaceId), eq(importRows.importId, id)) as SQL

/** Records that the rows of a file begin to arrive. */
export async function beginImport(
  db: Executor,
  workspaceId: string,
  employeeId: string,
  at: string,
): Promise<ImportKey> {
  const key = { workspaceId, id: newId() }
  await db.insert(imports).values({ ...key, employeeId, createdAt: at })
  return key
}

/** Stores rows of a file until they are imported. */
export async function stageRows(db: Executor, { workspaceId, id }: ImportKey, rows: readonly CsvRow[]): Promise<void> {
  if (rows.length === 0) return
  const staged = rows.map(({ line, cells, problem }) => ({
    line,
    cells,
    reason: problem ?? null,
    outcome: problem ? 'FAILED' : null,
  }))
  await db.execute(sql`
    INSERT INTO ${importRows} (workspace_id, import_id, line, cells, reason, outcome)
    SELECT ${workspaceId}::uuid, ${id}::uuid, line, ARRAY(SELECT jsonb_array_elements_text(cells)), reason, outcome
    FROM jsonb_to_recordset(${JSON.stringify(staged)}::jsonb) AS row(line int, cells jsonb, reason text, outcome text)`)
}

/** Changes the stored state of an import. */
export async function updateImport(
  db: Executor,
  key: ImportKey,
  set: Partial<typeof imports.$inferInsert>,
): Promise<void> {
  await db.update(imports).set(set).where(isImport(key))
}

/** Deletes an import and its rows. */
export async function deleteImport(db: Executor, key: ImportKey): Promise<void> {
  await db.delete(imports).where(isImport(key))
}

/** Deletes uploads that began before a time and never ended. */
export async function deleteDeadUploads(db: Executor, before: string, part: Part): Promise<void> {
  await db
    .delete(imports)
    .where(and(eq(imports.state, 'UPLOADING'), lt(imports.createdAt, before), inPart(imports.workspaceId, part)))
}

/** Returns a page of imports, the latest first. */
export async function listImports(
  db: Executor,
  workspaceId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Page<ImportRow>> {
  const where = and(eq(imports.workspaceId, workspaceId), ne(imports.state, 'UPLOADING'), isNull(imports.migrationId))
  const [total] = await db.select({ n: count() }).from(imports).where(where)
  const items = await db.select().from(imports).where(where).orderBy(desc(imports.id)).limit(limit).offset(offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns one import whose rows have all arrived. */
export async function findImport(db: Executor, key: ImportKey): Promise<ImportRow | undefined> {
  const [row] = await db
    .select()
    .from(imports)
    .where(and(isImport(key), ne(imports.state, 'UPLOADING'), isNull(imports.migrationId)))
  return row
}

/** Returns one import, locked for a change. */
export async function lockImport(tx: Transaction, key: ImportKey): Promise<ImportRow | undefined> {
  const [row] = await tx.select().from(imports).where(isImport(key)).for('update')
  return row
}

/** Returns the next rows of a file, by line: all of them, or those of a condition. */
export function selectStaged(
  db: Executor,
  key: ImportKey,
  afterLine: number,
  limit: number,
  condition?: SQL,
): Promise<StagedRow[]> {
  return db
    .select()
    .from(importRows)
    .where(and(ofImport(key), condition, gt(importRows.line, afterLine)))
    .orderBy(asc(importRows.line))
    .limit(limit)
}

/** Returns the next rows with one of these outcomes. */
export function selectByOutcome(
  db: Executor,
  key: ImportKey,
  outcomes: readonly NonNullable<StagedRow['outcome']>[],
  afterLine: number,
  limit: number,
): Promise<StagedRow[]> {
  return selectStaged(db, key, afterLine, limit, isAnyOf(importRows.outcome, outcomes))
}

/** The outcome of one row. */
export interface RowOutcome {
  readonly line: number
  readonly outcome: NonNullable<StagedRow['outcome']>
  readonly recordId?: string
  readonly reason?: string
  readonly problems?: StagedRow['problems']
  readonly changes?: StagedRow['changes']
  /** The version of a record that was changed. */
  readonly version?: number
}

/** Lets one import of a workspace write at a time: two that bring the same people would not see each other's rows. */
export async function takeTurn(tx: Transaction, { workspaceId }: Pick<ImportKey, 'workspaceId'>): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`imports:${workspaceId}`}, 0))`)
}

/** Stores the outcomes of rows. */
export async function keepOutcomes(
  tx: Transaction,
  { workspaceId, id }: ImportKey,
  outcomes: readonly RowOutcome[],
): Promise<void> {
  await tx.execute(sql`
    UPDATE ${importRows} SET outcome = done.outcome, record_id = done."recordId", reason = done.reason, problems = done.problems, changes = done.changes
    FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      AS done(line int, outcome text, "recordId" uuid, reason text, problems jsonb, changes jsonb)
    WHERE ${importRows.workspaceId} = ${workspaceId} AND ${importRows.importId} = ${id} AND ${importRows.line} = done.line`)
}
