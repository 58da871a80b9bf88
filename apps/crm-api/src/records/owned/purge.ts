import { writeRows, schema, type Executor, type Transaction } from '@crm/db'
import { isNotPutOff } from '@crm/jobs'
import { and, asc, eq, isNotNull, isNull, lte, notExists, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { releaseFiles } from '../released-files.ts'
import type { OwnedTable } from './kind.ts'

const { comments, documentRecords, fileLinks, follows, recordLinks, timeline } = schema

/** A column of other records that refers to a record. */
export interface ReferringColumn {
  readonly table: PgTable & { readonly workspaceId: PgColumn }
  readonly column: PgColumn
  /** A row with a value in this column keeps its references: a document that has its number keeps its parties. */
  readonly keptBy?: PgColumn
}

/** The properties of a table of owned records that purging needs. */
export interface PurgedKind {
  readonly table: OwnedTable & { readonly number?: PgColumn }
  /** As in permissions; computed where several kinds share a table. */
  readonly entityType: SQL<string>
  readonly referredToBy: readonly ReferringColumn[]
  /** Whether a record with a number stays, so that the number is never given again. */
  readonly staysNumbered: boolean
}

/** The key of a record that was deleted long ago. */
export interface PurgeableKey {
  readonly workspaceId: string
  readonly id: string
  readonly entityType: string
}

/** The time of the purge, and the latest time of deletion of the records that it removes; ISO 8601. */
export interface PurgeTimes {
  readonly at: string
  readonly deletedBy: string
}

type HangingTable =
  | typeof comments
  | typeof timeline
  | typeof documentRecords
  | typeof recordLinks
  | typeof fileLinks
  | typeof follows

/**
 * Selects records of a kind that were deleted by a time and may be purged, the earliest first, of all workspaces; those whose purge failed
 * wait.
 */
export function selectPurgeable(
  db: Executor,
  kind: PurgedKind,
  { deletedBy, work, at }: { readonly deletedBy: string; readonly work: string; readonly at: string },
  limit: number,
): Promise<PurgeableKey[]> {
  const { workspaceId, id, deletedAt } = kind.table
  return db
    .select({ workspaceId: sql<string>`${workspaceId}`, id: sql<string>`${id}`, entityType: kind.entityType })
    .from(kind.table)
    .where(and(purgeable(kind, deletedBy), isNotPutOff(work, { workspaceId, row: id }, at)))
    .orderBy(asc(deletedAt))
    .limit(limit)
}

/**
 * Deletes a record for good with its comments, history, links and documents, and clears other references to it.
 * Returns false when the record was restored, is held by a document with a number, or is locked by another transaction.
 */
export async function purgeRecord(
  tx: Transaction,
  kind: PurgedKind,
  key: PurgeableKey,
  { deletedBy, at }: PurgeTimes,
): Promise<boolean> {
  const { table } = kind
  const locked = await tx
    .select({ id: sql`${table.id}` })
    .from(table)
    .where(and(eq(table.workspaceId, key.workspaceId), eq(table.id, key.id), purgeable(kind, deletedBy)))
    .for('update', { skipLocked: true })
  if (locked.length === 0) return false
  await removeForGood(tx, kind, key, at)
  return true
}

/** Deletes a record for good with its comments, history, links and documents, and clears other references to it. */
export async function removeForGood(
  tx: Transaction,
  kind: Pick<PurgedKind, 'table' | 'referredToBy'>,
  key: PurgeableKey,
  at: string,
): Promise<void> {
  for (const { table: other, column } of kind.referredToBy) {
    const clear = sql`UPDATE ${other} SET ${sql.identifier(column.name)} = NULL WHERE ${other.workspaceId} = ${key.workspaceId} AND ${column} = ${key.id}`
    await writeRows(tx, other, clear)
  }
  const hangsOnIt = (hanging: HangingTable) =>
    and(eq(hanging.workspaceId, key.workspaceId), eq(hanging.entityType, key.entityType), eq(hanging.entityId, key.id))
  const made = await tx
    .delete(documentRecords)
    .where(hangsOnIt(documentRecords))
    .returning({ fileId: documentRecords.fileId })
  const unlinked = await tx.delete(fileLinks).where(hangsOnIt(fileLinks)).returning({ fileId: fileLinks.fileId })
  await releaseFiles(
    tx,
    key.workspaceId,
    [...made, ...unlinked].flatMap(({ fileId }) => fileId ?? []),
    at,
  )
  for (const hanging of [comments, timeline, recordLinks, follows])
    await writeRows(tx, hanging, sql`DELETE FROM ${hanging} WHERE ${hangsOnIt(hanging)}`)
  await writeRows(
    tx,
    recordLinks,
    sql`DELETE FROM ${recordLinks} WHERE ${recordLinks.workspaceId} = ${key.workspaceId}
      AND ${recordLinks.fromType} = ${key.entityType} AND ${recordLinks.fromId} = ${key.id}`,
  )
  const { table } = kind
  await writeRows(
    tx,
    table,
    sql`DELETE FROM ${table} WHERE ${table.workspaceId} = ${key.workspaceId} AND ${table.id} = ${key.id}`,
  )
}

/** Returns the condition for purgeable records. A merged record stays, because it leads to the record that it was merged into. */
function purgeable({ table, referredToBy, staysNumbered }: PurgedKind, deletedBy: string): SQL {
  return and(
    isNotNull(table.deletedAt),
    lte(table.deletedAt, deletedBy),
    table.mergedIntoId && isNull(table.mergedIntoId),
    staysNumbered && table.number ? isNull(table.number) : undefined,
    ...referredToBy.map(
      ({ table: other, column, keptBy }) =>
        keptBy &&
        notExists(
          sql`(SELECT FROM ${other} WHERE ${other.workspaceId} = ${table.workspaceId} AND ${column} = ${table.id} AND ${keptBy} IS NOT NULL)`,
        ),
    ),
  ) as SQL
}
