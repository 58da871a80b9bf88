import { success } from '@crm/contract'
import {
  endingTwin,
  fieldChanges,
  insertRow,
  kindTables,
  newId,
  type Executor,
  type FieldChange,
  type Page,
  type RecordTable,
  type RowReader,
  type Transaction,
  inNameOrder,
} from '@crm/db'
import { ApiError } from '@crm/errors'
import { fieldOf, kindEntities, type EntityOfKind } from '@crm/model'
import { eq, and, count, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import type { CrmContext } from '../platform/context.ts'
import { noteAct, type Act } from './agent-acts.ts'
import { changingWorkspace } from './audit.ts'
import { offsetOf, pageOf } from './pages.ts'
import { searchCondition } from './search-terms.ts'
import { withUniqueFields } from './unique.ts'
import { refuseUsed, type Use } from './uses.ts'

/** A kind of reference data: small named rows to which other records refer. */
export interface ReferenceKind<Row extends ReferenceRow> {
  readonly table: RecordTable & { readonly name: PgColumn }
  readonly rows: RowReader<Row>
  /** For example `LEAD_SOURCE`. */
  readonly entityType: string
  /** The word for a row in sentences, for example `lead source`. */
  readonly noun: string
  /** The unique rules of the table with the field of each rule. */
  readonly uniqueFields: Readonly<Record<string, string>>
  /** What may name a row. */
  readonly usedBy: readonly ReferenceUse<NoInfer<Row>>[]
  /** Whether the service itself needs a row. */
  isNeeded?(row: Row, workspace: CrmContext['workspace']): boolean
  /** The filters of the list by an exact value, by parameter. */
  readonly filters?: Readonly<Record<string, PgColumn>>
  /** The sort order of the list; by name by default. */
  readonly order?: readonly SQLWrapper[]
  /** Refuses invalid values of a row before it is written; `current` is the present row, locked, or null for a new one. */
  check?(tx: Transaction, context: CrmContext, values: object, current: Row | null): Promise<void>
}

/** The records of a kind that may name a row, each counted once. */
export interface ReferenceUse<Row> {
  /** For example `PRODUCT`. */
  readonly entityType: string
  readonly table: PgTable
  /** Returns the condition for the records that name a row. */
  naming(row: Row): SQL
}

/**
 * Returns the use by a column that refers to a row. It has a foreign key, so that no reference can be written while the row is
 * locked for its deletion.
 */
export function byColumn(entityType: string, column: PgColumn): ReferenceUse<ReferenceRow> {
  return { entityType, table: column.table, naming: ({ id }) => eq(column, id) }
}

/** Returns the uses by the lines of records, such as those of invoices, of which a field holds the id of a row. */
export function byLines(field: string): readonly ReferenceUse<ReferenceRow>[] {
  return kindEntities
    .filter((entity) => haveLinesWith(entity, field))
    .map((entityType) => {
      const table: PgTable & { readonly items?: PgColumn } = kindTables[entityType]
      return {
        entityType,
        table,
        naming: ({ id }) => sql`${table.items} @> ${JSON.stringify([{ [field]: id }])}::jsonb`,
      }
    })
}

function haveLinesWith(entity: EntityOfKind, field: string): boolean {
  const lines = fieldOf(entity, 'items')?.shown
  return lines instanceof z.ZodArray && lines.element instanceof z.ZodObject && field in lines.element.shape
}

/** The columns that every row of reference data has. */
export interface ReferenceRow {
  readonly id: string
  readonly name: string
}

interface ListQuery {
  readonly search?: string
  readonly page: number
  readonly pageSize: number
}

interface ById {
  readonly params: { readonly id: string }
}

/** Returns the handlers of the usual five operations; spread them to replace one. */
export function referenceHandlers<Row extends ReferenceRow>(kind: ReferenceKind<Row>) {
  return {
    list: async ({ query }: { readonly query: ListQuery }, { db, workspace }: CrmContext) =>
      pageOf(await listReference(db, workspace, kind, query), query),

    get: async ({ params }: ById, { db, workspace }: CrmContext) =>
      success(await requireReference(db, workspace.id, kind, params.id)),

    create: ({ body }: { readonly body: { readonly name: string } }, context: CrmContext) =>
      changingWorkspace(context, async (tx) => success(await insertReference(tx, context, kind, body))),

    update: ({ params, body }: ById & { readonly body: { readonly name?: string } }, context: CrmContext) =>
      changingWorkspace(context, async (tx) => success(await updateReference(tx, context, kind, params.id, body))),

    delete: ({ params }: ById, context: CrmContext) =>
      changingWorkspace(context, async (tx) => {
        await deleteReference(tx, context, kind, params.id)
        return success({ id: params.id })
      }),
  }
}

/** Returns a page of the rows by name, and the number of matches. */
async function listReference<Row extends ReferenceRow>(
  db: Executor,
  { id: workspaceId, locale }: Pick<CrmContext['workspace'], 'id' | 'locale'>,
  kind: ReferenceKind<Row>,
  query: ListQuery,
): Promise<Page<Row>> {
  const { table, rows } = kind
  const where = and(
    eq(table.workspaceId, workspaceId),
    searchCondition(query.search, sql`crm_searchable(${table.name})`),
    ...filtersOf(kind, query),
  )
  const [total] = await db.select({ n: count() }).from(table).where(where)
  const found = await db.execute(
    sql`SELECT ${rows.selection(workspaceId)} FROM ${table} WHERE ${where} ${orderOf(kind, locale)} LIMIT ${query.pageSize} OFFSET ${offsetOf(query)}`,
  )
  return { items: found.rows.map((row) => rows.read(row)), total: total?.n ?? 0 }
}

/** Returns all rows at once, for the small lists without pages. */
export async function listAllReference<Row extends ReferenceRow>(
  db: Executor,
  { id: workspaceId, locale }: Pick<CrmContext['workspace'], 'id' | 'locale'>,
  kind: ReferenceKind<Row>,
): Promise<Row[]> {
  const { table, rows } = kind
  const found = await db.execute(
    sql`SELECT ${rows.selection(workspaceId)} FROM ${table} WHERE ${table.workspaceId} = ${workspaceId} ${orderOf(kind, locale)}`,
  )
  return found.rows.map((row) => rows.read(row))
}

function orderOf<Row extends ReferenceRow>({ table, order = [table.name] }: ReferenceKind<Row>, locale: string): SQL {
  const levels = order.map((level) => (level === table.name ? inNameOrder(level, locale) : level))
  return sql`ORDER BY ${sql.join([...levels, table.id], sql`, `)}`
}

function filtersOf<Row extends ReferenceRow>({ filters = {} }: ReferenceKind<Row>, query: object): SQL[] {
  return Object.entries(query).flatMap(([name, value]) =>
    filters[name] && value !== undefined ? [eq(filters[name], value)] : [],
  )
}

/** Returns one row, or throws NOT_FOUND. */
export function requireReference<Row extends ReferenceRow>(
  db: Executor,
  workspaceId: string,
  kind: ReferenceKind<Row>,
  id: string,
): Promise<Row> {
  return readOne(db, workspaceId, kind, id, sql``)
}

/** Returns one row, or throws NOT_FOUND; until the transaction ends, no new reference to the row is possible. */
export function lockReference<Row extends ReferenceRow>(
  tx: Transaction,
  workspaceId: string,
  kind: ReferenceKind<Row>,
  id: string,
): Promise<Row> {
  return readOne(tx, workspaceId, kind, id, sql`FOR UPDATE`)
}

async function readOne<Row extends ReferenceRow>(
  db: Executor,
  workspaceId: string,
  kind: ReferenceKind<Row>,
  id: string,
  lock: SQL,
): Promise<Row> {
  const { table, rows, noun } = kind
  const found = await db.execute(
    sql`SELECT ${rows.selection(workspaceId)} FROM ${table} WHERE ${isRow(kind, workspaceId, id)} ${lock}`,
  )
  const [row] = found.rows
  if (!row) throw new ApiError('NOT_FOUND', { message: `There is no such ${noun}` })
  return rows.read(row)
}

/** Writes a new row; a name that another row has is NAME_TAKEN. */
export async function insertReference<Row extends ReferenceRow>(
  tx: Transaction,
  context: CrmContext,
  kind: ReferenceKind<Row>,
  values: object,
): Promise<Row> {
  const { workspace, caller, at } = context
  const { table, rows, uniqueFields } = kind
  await kind.check?.(tx, context, values, null)
  const row = {
    ...values,
    workspaceId: workspace.id,
    id: newId(),
    createdById: caller.employee.id,
    createdAt: at,
    updatedAt: at,
  }
  const inserted = await withUniqueFields(uniqueFields, () => insertRow(tx, table, row, rows))
  await noteAct(tx, context, actOf(kind, inserted, 'CREATED'))
  return inserted
}

/** Changes a row. */
export async function updateReference<Row extends ReferenceRow>(
  tx: Transaction,
  context: CrmContext,
  kind: ReferenceKind<Row>,
  id: string,
  values: object,
): Promise<Row> {
  const { workspace, at } = context
  // Rows that refer to it can still be written meanwhile: two changes of a tree must not wait for each other.
  const current = await readOne(tx, workspace.id, kind, id, sql`FOR NO KEY UPDATE`)
  await kind.check?.(tx, context, values, current)
  await withUniqueFields(kind.uniqueFields, () =>
    tx
      .update(kind.table)
      .set(endingTwin(kind.table, { ...values, updatedAt: at }))
      .where(isRow(kind, workspace.id, id)),
  )
  const updated = await requireReference(tx, workspace.id, kind, id)
  await noteAct(tx, context, { ...actOf(kind, updated, 'CHANGED'), changes: changesOf(current, updated) })
  return updated
}

function actOf<Row extends ReferenceRow>(
  { entityType }: ReferenceKind<Row>,
  { id, name }: Row,
  told: Act['told'],
): Act {
  return { entityType, entityId: id, title: name, told }
}

function changesOf<Row extends ReferenceRow>(before: Row, after: Row): readonly FieldChange[] {
  return fieldChanges(before, after).filter(({ field }) => field !== 'updatedAt')
}

/** Deletes a row that nothing names; otherwise IN_USE says what does. */
export async function deleteReference<Row extends ReferenceRow>(
  tx: Transaction,
  context: Pick<CrmContext, 'workspace' | 'actor' | 'at' | 'operation'>,
  kind: ReferenceKind<Row>,
  id: string,
): Promise<void> {
  const { workspace } = context
  const row = await lockReference(tx, workspace.id, kind, id)
  if (kind.isNeeded?.(row, workspace)) throw new ApiError('SYSTEM_RECORD')
  refuseUsed(kind.noun, await countUses(tx, workspace.id, kind, row))
  await tx.delete(kind.table).where(isRow(kind, workspace.id, id))
  await noteAct(tx, context, actOf(kind, row, 'DELETED'))
}

async function countUses<Row extends ReferenceRow>(
  tx: Executor,
  workspaceId: string,
  { usedBy }: ReferenceKind<Row>,
  row: Row,
): Promise<Use[]> {
  const uses: Use[] = []
  for (const { entityType, table, naming } of usedBy) {
    const { rows } = await tx.execute<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = ${workspaceId} AND ${naming(row)}`,
    )
    uses.push({ entityType, count: rows[0]?.n ?? 0 })
  }
  return uses
}

function isRow<Row extends ReferenceRow>({ table }: ReferenceKind<Row>, workspaceId: string, id: string): SQL {
  return and(eq(table.workspaceId, workspaceId), eq(table.id, id)) as SQL
}
