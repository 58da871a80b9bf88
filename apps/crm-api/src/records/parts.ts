import {
  endingTwin,
  insertRow,
  newId,
  type Executor,
  type RecordTable,
  type RowReader,
  type Transaction,
} from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { and, count, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { CrmContext } from '../platform/context.ts'
import { offsetOf } from './pages.ts'
import { withUniqueFields } from './unique.ts'

/** A kind of small record that is a part of an owned one, such as the entry of a price list. */
export interface PartKind<Row> {
  readonly table: RecordTable
  readonly rows: RowReader<Row>
  /** The word for a part in sentences. */
  readonly noun: string
  /** The unique rules of the table with the field of each rule. */
  readonly uniqueFields: Readonly<Record<string, string>>
  /** The filters of the list by an exact value, by parameter. */
  readonly filters: Readonly<Record<string, PgColumn>>
  readonly order: readonly SQLWrapper[]
  /** Returns the condition for parts whose whole the caller may see, or change. */
  within(context: CrmContext, action: 'VIEW' | 'UPDATE'): SQL
}

interface PageQuery {
  readonly page: number
  readonly pageSize: number
}

/** Returns a page of the parts within the caller's reach, and the number of matches. */
export async function listParts<Row>(
  context: CrmContext,
  kind: PartKind<Row>,
  query: PageQuery,
  besides?: SQL,
): Promise<{ items: Row[]; total: number }> {
  const { table, rows, filters } = kind
  const asked = Object.entries(query).flatMap(([name, value]) =>
    filters[name] && value !== undefined ? [eq(filters[name], value)] : [],
  )
  const where = and(kind.within(context, 'VIEW'), ...asked, besides)
  const [total] = await context.db.select({ n: count() }).from(table).where(where)
  const order = sql.join([...kind.order, table.id], sql`, `)
  const found = await context.db.execute(
    sql`SELECT ${rows.selection(context.workspace.id)} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${query.pageSize} OFFSET ${offsetOf(query)}`,
  )
  return { items: found.rows.map((row) => rows.read(row)), total: total?.n ?? 0 }
}

/** Returns one part within the caller's reach, or throws NOT_FOUND. */
export async function requirePart<Row>(
  db: Executor,
  context: CrmContext,
  kind: PartKind<Row>,
  id: string,
): Promise<Row> {
  const row = await readPart(db, context, kind, id, 'VIEW', sql``)
  if (!row) throw notFound(kind)
  return row
}

/** Returns one part locked for a change, or throws NOT_FOUND. */
export async function lockPart<Row>(
  tx: Transaction,
  context: CrmContext,
  kind: PartKind<Row>,
  id: string,
): Promise<Row> {
  const row = await readPart(tx, context, kind, id, 'UPDATE', sql`FOR NO KEY UPDATE`)
  if (!row) throw notFound(kind)
  return row
}

/** Returns a part that a field of another part names, locked for a change, or throws INVALID_REFERENCE. */
export async function lockNamedPart<Row>(
  tx: Transaction,
  context: CrmContext,
  kind: PartKind<Row>,
  id: string,
  field: string,
): Promise<Row> {
  const row = await readPart(tx, context, kind, id, 'UPDATE', sql`FOR NO KEY UPDATE`)
  if (!row) throw invalidReference(field)
  return row
}

async function readPart<Row>(
  db: Executor,
  context: CrmContext,
  kind: PartKind<Row>,
  id: string,
  action: 'VIEW' | 'UPDATE',
  lock: SQL,
): Promise<Row | undefined> {
  const { table, rows } = kind
  const { rows: found } = await db.execute(
    sql`SELECT ${rows.selection(context.workspace.id)} FROM ${table} WHERE ${and(kind.within(context, action), eq(table.id, id))} ${lock}`,
  )
  return found[0] && rows.read(found[0])
}

/** Writes a new part; a broken unique rule is NAME_TAKEN. */
export function insertPart<Row>(
  tx: Transaction,
  { workspace, caller, at }: CrmContext,
  { table, rows, uniqueFields }: PartKind<Row>,
  values: object,
): Promise<Row> {
  const row = {
    ...values,
    workspaceId: workspace.id,
    id: newId(),
    createdById: caller.employee.id,
    createdAt: at,
    updatedAt: at,
  }
  return withUniqueFields(uniqueFields, () => insertRow(tx, table, row, rows))
}

/** Changes a part that was locked before. */
export async function updatePart<Row>(
  tx: Transaction,
  context: CrmContext,
  kind: PartKind<Row>,
  id: string,
  values: object,
): Promise<Row> {
  const { table, uniqueFields } = kind
  await withUniqueFields(uniqueFields, () =>
    tx
      .update(table)
      .set(endingTwin(table, { ...values, updatedAt: context.at }))
      .where(isPart(kind, context, id)),
  )
  return requirePart(tx, context, kind, id)
}

/** Deletes a part that was locked before. */
export async function deletePart<Row>(
  tx: Transaction,
  context: CrmContext,
  kind: PartKind<Row>,
  id: string,
): Promise<void> {
  await tx.delete(kind.table).where(isPart(kind, context, id))
}

function isPart<Row>({ table }: PartKind<Row>, { workspace }: CrmContext, id: string): SQL | undefined {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id))
}

function notFound({ noun }: Pick<PartKind<unknown>, 'noun'>): ApiError {
  return new ApiError('NOT_FOUND', { message: `There is no such ${noun}` })
}
