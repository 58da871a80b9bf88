import { isAnyOf, schema, someRows, type Executor, type Scope } from '@crm/db'
import { and, asc, eq, gt, lt, sql, type SQL } from 'drizzle-orm'
import type { OwnedRow, RecordKind } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { sliceSizeMax } from '../../records/slices.ts'

const { exports } = schema

export type ExportRow = typeof exports.$inferSelect

/** The key of an export. */
export interface ExportKey {
  readonly workspaceId: string
  readonly id: string
}

const isExport = ({ workspaceId, id }: ExportKey): SQL =>
  and(eq(exports.workspaceId, workspaceId), eq(exports.id, id)) as SQL

/** Writes a new export. */
export async function insertExport(db: Executor, row: typeof exports.$inferInsert): Promise<void> {
  await db.insert(exports).values(row)
}

/** Returns one export of a person. */
export async function findExport(db: Executor, key: ExportKey, employeeId?: string): Promise<ExportRow | undefined> {
  const [row] = await db
    .select()
    .from(exports)
    .where(and(isExport(key), employeeId ? eq(exports.employeeId, employeeId) : undefined))
  return row
}

/** Changes the stored state of an export. */
export async function updateExport(
  db: Executor,
  key: ExportKey,
  set: Partial<typeof exports.$inferInsert>,
): Promise<void> {
  await db.update(exports).set(set).where(isExport(key))
}

/** Deletes the exports that were made before a time, and returns their keys. */
export async function deleteOldExports(db: Executor, before: string): Promise<ExportKey[]> {
  return db
    .delete(exports)
    .where(lt(exports.createdAt, before))
    .returning({ workspaceId: exports.workspaceId, id: exports.id })
}

const rowsAtOnceMax = 1_000

/** Returns every record that fulfils the conditions, in order of ids, a thousand at a time or as many as a slice may hold. */
export async function* selectAll<Row extends OwnedRow>(
  db: Executor,
  { table, rows }: RecordKind<Row>,
  where: SQL,
): AsyncGenerator<Row[]> {
  let after: SQL | undefined
  let rowsAtOnce = rowsAtOnceMax
  for (;;) {
    const { rows: raw, later } = await someRows(
      db,
      sql`SELECT ${table.id} AS "rowId", ${rows.selection} FROM ${table} WHERE ${and(where, after)} ORDER BY ${asc(table.id)} LIMIT ${rowsAtOnce}`,
      {},
      sliceSizeMax,
    )
    const some = raw.map((row) => rows.read(row))
    if (some.length > 0) yield some
    const last = some.at(-1)
    if (!last || (later.length === 0 && some.length < rowsAtOnce)) return
    // Where rows are large, no more of them are requested than fit into memory.
    rowsAtOnce = later.length > 0 ? some.length : Math.min(rowsAtOnce * 2, rowsAtOnceMax)
    after = gt(table.id, last.id)
  }
}

/** Returns which of some records the scope reaches now. */
export async function findVisibleIds(
  db: Executor,
  kind: Pick<RecordKind, 'table' | 'base'>,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM ${kind.table} WHERE ${and(existing(kind, scope), isAnyOf(kind.table.id, ids))}`,
  )
  return new Set(rows.map(({ id }) => id))
}
