import {
  inPart,
  isAnyOf,
  keptDays,
  schema,
  someRows,
  type Due,
  type Executor,
  type Part,
  type Scope,
  type Transaction,
} from '@crm/db'
import { and, asc, eq, gt, sql, type SQL } from 'drizzle-orm'
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

/** The exports of one workspace that are older than some days; one that is still being made stays. */
const expiredOf = (workspaceId: SQL, days: SQL, at: string): SQL =>
  sql`workspace_id = ${workspaceId} AND state IN ('DONE', 'FAILED') AND created_at < ${at}::timestamptz - ${days} * interval '1 day'`

/** Returns the workspaces with exports that were kept for their days, and how late these are. */
export async function findDueExports(db: Executor, days: number, at: string, part: Part): Promise<readonly Due[]> {
  const { rows } = await db.execute<Due & Record<string, unknown>>(sql`
    SELECT place.id AS "workspaceId", place.days AS "end", late.seconds FROM ${sql.raw(keptDays('exports', days))}
    CROSS JOIN LATERAL (
      SELECT extract(epoch FROM ${at}::timestamptz - created_at)::float8 - place.days * 86400 AS seconds
      FROM exports WHERE ${expiredOf(sql`place.id`, sql`place.days`, at)} ORDER BY id LIMIT 1
    ) late WHERE place.days IS NOT NULL AND ${inPart(sql.raw('place.id'), part)}`)
  return rows
}

/** The expired exports of some workspaces, each with the days for which it keeps them, and the most of each. */
export interface ExpiredExports {
  readonly workspaceIds: readonly string[]
  readonly days: readonly number[]
  readonly share: number
  readonly at: string
}

/** Deletes expired exports, and returns their keys. */
export async function deleteOldExports(
  tx: Transaction,
  { workspaceIds, days, share, at }: ExpiredExports,
): Promise<readonly ExportKey[]> {
  const deleted: ExportKey[] = []
  for (const [index, workspaceId] of workspaceIds.entries()) {
    const isExpired = expiredOf(sql`${workspaceId}::uuid`, sql`${days[index]}::float8`, at)
    const { rows } = await tx.execute<ExportKey & Record<string, unknown>>(sql`
      DELETE FROM exports WHERE workspace_id = ${workspaceId}
        AND id IN (SELECT id FROM exports WHERE ${isExpired} ORDER BY id LIMIT ${share})
      RETURNING workspace_id AS "workspaceId", id`)
    deleted.push(...rows)
  }
  return deleted
}

const rowsAtOnceMax = 1_000

/** Returns every record that fulfils the conditions, in order of ids, a thousand at a time or as many as a slice may hold. */
export async function* selectAll<Row extends OwnedRow>(
  db: Executor,
  { table, rows }: RecordKind<Row>,
  workspaceId: string,
  where: SQL,
): AsyncGenerator<Row[]> {
  let after: SQL | undefined
  let rowsAtOnce = rowsAtOnceMax
  for (;;) {
    const { rows: raw, later } = await someRows(
      db,
      sql`SELECT ${table.id} AS "rowId", ${rows.selection(workspaceId)} FROM ${table} WHERE ${and(where, after)} ORDER BY ${asc(table.id)} LIMIT ${rowsAtOnce}`,
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
