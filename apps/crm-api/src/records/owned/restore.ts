import { schema, visible, type Executor, type Page, type Scope, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, count, gt, isNull, sql, type SQL } from 'drizzle-orm'
import { searchCondition } from '../search-terms.ts'
import { quotaOf, requireQuota } from '../quotas.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import { updateRecord } from './repository.ts'
import { leaveTrace, traceRestored } from './trace.ts'
import type { RecordWriter, WriteContext } from './write.ts'

const { timeline } = schema

/** For how long a deleted record can be restored. */
export const keptMs = 30 * 24 * 60 * 60 * 1000

/** The caller's reach among the deleted records of a kind. A caller who restores a record could have seen and deleted it. */
export interface RestoringReach {
  readonly view: Scope
  readonly remove: Scope
  /** The time of the request, ISO 8601. */
  readonly at: string
}

/** A deleted record. */
export interface DeletedRecord {
  readonly id: string
  readonly title: string
  readonly deletedAt: string
  /** The name of the person who deleted it. */
  readonly deletedBy: string | null
  readonly restorableUntil: string
}

/** The rules of a kind that restoring needs besides its table. */
export type RestoreRules<Row extends OwnedRow> = Pick<RecordWriter<Row, never>, 'beforeRestore' | 'withWrite'>

/** Returns a page of the deleted records of a kind, the latest first. */
export async function listDeleted<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  reach: RestoringReach,
  { search, limit, offset }: { readonly search?: string; readonly limit: number; readonly offset: number },
): Promise<Page<DeletedRecord>> {
  const { table, rows } = kind
  const where = and(restorable(kind, reach), searchCondition(search, table.searchText)) as SQL
  const [total] = await db.select({ n: count() }).from(table).where(where)
  const deletedBy = sql`(
    SELECT ${timeline.actorName} FROM ${timeline}
    WHERE ${timeline.workspaceId} = ${reach.view.workspaceId} AND ${timeline.entityType} = ${kind.entityType} AND ${timeline.entityId} = ${table.id} AND ${timeline.kind} = 'DELETED'
    ORDER BY ${timeline.id} DESC LIMIT 1)`
  const found = await db.execute<{ deletedAt: string; deletedBy: string | null }>(sql`
    SELECT ${rows.selection(reach.view.workspaceId)}, ${table.deletedAt} AS "deletedAt", ${deletedBy} AS "deletedBy"
    FROM ${table} WHERE ${where} ORDER BY ${table.deletedAt} DESC, ${table.id} DESC LIMIT ${limit} OFFSET ${offset}`)
  const items = found.rows.map((raw) => {
    const deletedAt = new Date(raw.deletedAt).toISOString()
    const row = rows.read(raw)
    return {
      id: row.id,
      title: kind.title(row),
      deletedAt,
      deletedBy: raw.deletedBy,
      restorableUntil: new Date(Date.parse(deletedAt) + keptMs).toISOString(),
    }
  })
  return { items, total: total?.n ?? 0 }
}

/** Restores a deleted record within the plan limits, and writes an entry into its history. */
export async function restoreRecord<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  kind: RecordKind<Row>,
  reach: RestoringReach,
  id: string,
  { beforeRestore, withWrite: write = (writing) => writing }: RestoreRules<Row> = {},
): Promise<Row> {
  const { table, rows } = kind
  const found = await tx.execute(
    sql`SELECT ${rows.selection(reach.view.workspaceId)} FROM ${table} WHERE ${restorable(kind, reach)} AND ${table.id} = ${id} FOR NO KEY UPDATE`,
  )
  if (!found.rows[0]) throw new ApiError('NOT_FOUND', { message: `There is no such deleted ${kind.noun}` })
  const quota = quotaOf(kind.entityType)
  if (quota) await requireQuota(tx, context.workspace, quota)
  const settled = await beforeRestore?.(tx, context, rows.read(found.rows[0]))
  const set = { ...settled, ...(await keyOf(tx, context, kind, id)), deletedAt: null }
  const row = await write(updateRecord(tx, kind, context.workspace.id, id, set, context.at))
  await leaveTrace(tx, context, kind, traceRestored(kind, row))
  return row
}

/** Takes the key of another program from a record where a later import gave it to another one. */
async function keyOf<Row extends OwnedRow>(
  tx: Transaction,
  { workspace }: WriteContext,
  { table }: RecordKind<Row>,
  id: string,
) {
  const { rows } = await tx.execute(
    sql`SELECT 1 FROM ${table} WHERE ${table.workspaceId} = ${workspace.id} AND ${table.deletedAt} IS NULL AND (${table.externalSource}, ${table.externalId}) = (SELECT gone.external_source, gone.external_id FROM ${table} AS gone WHERE gone.workspace_id = ${workspace.id} AND gone.id = ${id}) LIMIT 1`,
  )
  return rows.length === 0 ? {} : { externalSource: null, externalId: null }
}

/** Returns the condition for restorable records. A merged record does not come back, because it lives on in another one. */
function restorable({ table, base }: RecordKind, { view, remove, at }: RestoringReach): SQL {
  const since = new Date(Date.parse(at) - keptMs).toISOString()
  return and(
    visible(view, table),
    visible(remove, table),
    gt(table.deletedAt, since),
    table.mergedIntoId ? isNull(table.mergedIntoId) : undefined,
    base,
  ) as SQL
}
