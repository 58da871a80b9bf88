import {
  writeRows,
  given,
  insertRow,
  isAnyOf,
  newId,
  runScoped,
  scopedStatement,
  updateRow,
  visible,
  type Executor,
  type RecordHolders,
  type Scope,
  type Statement,
  type Transaction,
} from '@crm/db'
import type { AccessLevel } from '@crm/permissions'
import { ApiError } from '@crm/errors'
import { and, count, gt, lte, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import { existing } from './list.ts'

type Scoped = (level: AccessLevel) => Statement

const byId = new WeakMap<object, Scoped>()

/** Returns the query for one record of a kind, built once. */
function oneOf(kind: RecordKind): Scoped {
  const known =
    byId.get(kind) ??
    scopedStatement(
      (scope) =>
        sql`SELECT ${kind.rows.selection(scope.workspaceId)} FROM ${kind.table} WHERE ${existing(kind, scope)} AND ${kind.table.id} = ${given('id')}`,
    )
  byId.set(kind, known)
  return known
}

/** Returns one record within the scope, or undefined. */
export async function findRecord<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  scope: Scope,
  id: string,
): Promise<Row | undefined> {
  const [row] = await runScoped(db, oneOf(kind), scope, { id })
  return row && kind.rows.read(row)
}

/** Returns records within the scope by id; deleted ones only where they are asked for. */
export async function findRecords<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  scope: Scope,
  ids: readonly string[],
  { withDeleted = false }: { readonly withDeleted?: boolean } = {},
): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const within = withDeleted ? and(visible(scope, kind.table), kind.base) : existing(kind, scope)
  return readById(
    db,
    kind,
    sql`SELECT ${kind.rows.selection(scope.workspaceId)} FROM ${kind.table} WHERE ${within} AND ${isAnyOf(kind.table.id, ids)}`,
  )
}

/** Returns records within the scope by id, locked for a change; rows that refer to them can still be written meanwhile. */
export async function lockRecords<Row extends OwnedRow>(
  tx: Transaction,
  kind: RecordKind<Row>,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const { table } = kind
  return readById(
    tx,
    kind,
    sql`SELECT ${kind.rows.selection(scope.workspaceId)} FROM ${table} WHERE ${existing(kind, scope)} AND ${isAnyOf(table.id, ids)} ORDER BY ${table.id} FOR NO KEY UPDATE`,
  )
}

async function readById<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  query: SQL,
): Promise<Map<string, Row>> {
  const { rows } = await db.execute(query)
  return new Map(rows.map((raw) => kind.rows.read(raw)).map((row) => [row.id, row]))
}

/**
 * Returns one record locked for a change, or throws the 404; for a merged record the 404 names the survivor. Refuses it in another version than
 * the request expects.
 */
export async function lockRecord<Row extends OwnedRow>(
  tx: Transaction,
  { expectVersion }: Pick<CrmContext, 'expectVersion'>,
  kind: RecordKind<Row>,
  scope: Scope,
  id: string,
): Promise<Row> {
  const row = (await lockRecords(tx, kind, scope, [id])).get(id)
  if (row) {
    expectVersion(row.version)
    return row
  }
  throw await recordNotFound(tx, kind, scope, id)
}

/** Returns the 404 of a record; for a merged record it names the survivor when that is within the scope. */
export async function recordNotFound(db: Executor, kind: RecordKind, scope: Scope, id: string): Promise<ApiError> {
  const mergedIntoId = kind.table.mergedIntoId ? await findSurvivor(db, kind, scope, id) : null
  return new ApiError('NOT_FOUND', {
    message: `There is no such ${kind.noun}`,
    details: mergedIntoId ? { mergedIntoId } : undefined,
  })
}

async function findSurvivor(db: Executor, { table }: RecordKind, scope: Scope, id: string): Promise<string | null> {
  const { rows } = await db.execute<{ id: string | null }>(
    sql`SELECT ${table.mergedIntoId} AS id FROM ${table} WHERE ${visible(scope, table)} AND ${table.id} = ${id}`,
  )
  return rows[0]?.id ?? null
}

/** A record by its holders: the people and the department to whom it belongs. */
export interface HeldRecord {
  readonly holders: RecordHolders
  readonly isDeleted: boolean
}

/** Reads to whom records belong, by id; deleted records belong to the same people as before. */
export async function findHolders(
  db: Executor,
  { table }: Pick<RecordKind, 'table'>,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HeldRecord>> {
  const { id, ownerId, createdById, departmentId, deletedAt, assigneeId, memberIds } = table
  const optional = sql.join([
    ...(assigneeId ? [sql`, ${assigneeId} AS "assigneeId"`] : []),
    ...(memberIds ? [sql`, ${memberIds} AS "memberIds"`] : []),
  ])
  const { rows } = await db.execute<
    RecordHolders & Readonly<Record<string, unknown>> & { readonly id: string; readonly isDeleted: boolean }
  >(
    sql`SELECT ${id} AS id, ${ownerId} AS "ownerId", ${createdById} AS "createdById", ${departmentId} AS "departmentId",
      ${deletedAt} IS NOT NULL AS "isDeleted"${optional} FROM ${table} WHERE ${table.workspaceId} = ${workspaceId} AND ${isAnyOf(id, ids)}`,
  )
  return new Map(rows.map(({ id: key, isDeleted, ...holders }) => [key, { holders, isDeleted }]))
}

/** Whether a record exists and the scope reaches it. */
export async function isReachable(db: Executor, kind: RecordKind, scope: Scope, id: string): Promise<boolean> {
  return (await findRecord(db, kind, scope, id)) !== undefined
}

/** The values that are written with a new record besides its own columns. */
export interface Birth {
  readonly workspaceId: string
  readonly createdById: string | null
  /** ISO 8601. */
  readonly at: string
  /** The time of the record itself, where it is older than its row. */
  readonly createdAt?: string
}

/** Writes a new record and returns it as it is read. */
export function insertRecord<Row extends OwnedRow>(
  tx: Executor,
  { table, rows }: RecordKind<Row>,
  { workspaceId, createdById, at, createdAt = at }: Birth,
  values: object,
): Promise<Row> {
  return insertRow(tx, table, { ...values, workspaceId, id: newId(), createdById, createdAt, updatedAt: at }, rows)
}

/** Changes a record that was locked before, and raises its version. */
export async function updateRecord<Row extends OwnedRow>(
  tx: Executor,
  { table, rows }: RecordKind<Row>,
  workspaceId: string,
  id: string,
  set: object,
  at: string,
): Promise<Row> {
  return (await updateRow(tx, table, { workspaceId, id }, { ...set, updatedAt: at } as never, rows)) as Row
}

/** Hides records that were locked before. They can be restored for 30 days, unless they were merged into another record. */
export async function hideRecords(
  tx: Executor,
  { table }: RecordKind,
  workspaceId: string,
  ids: readonly string[],
  at: string,
  mergedIntoId?: string,
): Promise<void> {
  const merged = mergedIntoId ? sql`, merged_into_id = ${mergedIntoId}` : sql``
  await writeRows(
    tx,
    table,
    sql`UPDATE ${table} SET deleted_at = ${at}, updated_at = ${at}${merged} WHERE ${table.workspaceId} = ${workspaceId} AND ${isAnyOf(table.id, ids)}`,
  )
}

/** Returns ids of the records that fulfil the conditions, in order, at most `limit`. */
export async function selectRecordIds(
  db: Executor,
  { table }: RecordKind,
  where: SQL,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT ${table.id} AS id FROM ${table} WHERE ${where} ORDER BY ${table.id} LIMIT ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** Returns the number of records that fulfil the conditions. */
export async function countMatches(db: Executor, { table }: RecordKind, where: SQL): Promise<number> {
  const [row] = await db.select({ n: count() }).from(table).where(where)
  return row?.n ?? 0
}

/** Returns the condition for records that existed at a time, after one of them in the order of ids. */
export function createdUntil({ table }: RecordKind, at: string, afterId: string | null): SQL {
  return and(lte(table.createdAt, at), afterId ? gt(table.id, afterId) : undefined) as SQL
}

/** Draws the next number of a kind of record; the transaction holds the counter until it ends, so that no number is skipped. */
export async function drawNumber(tx: Transaction, workspaceId: string, entityType: string): Promise<number> {
  const { rows } = await tx.execute<{ last: number }>(sql`
    INSERT INTO record_numbers AS n (workspace_id, entity_type, last) VALUES (${workspaceId}, ${entityType}, 1)
    ON CONFLICT (workspace_id, entity_type) DO UPDATE SET last = n.last + 1 RETURNING last`)
  return rows[0]?.last ?? 1
}
