import { schema, someRows, toInstant, type Executor } from '@crm/db'
import { sql, type SQL } from 'drizzle-orm'
import { cursorPage, readCursor } from './cursors.ts'
import { sliceSizeMax } from './slices.ts'
import type { StageMoved } from './stage-times.ts'

const { timeline } = schema

/** An entry of a history as it is read. */
export type EntryRow = Omit<typeof timeline.$inferSelect, 'workspaceId' | 'operationId'>

/** The columns of an entry, by their names in `EntryRow`; the first one is its id. */
export const entryColumns = sql`id, ${timeline.entityType} AS "entityType", ${timeline.entityId} AS "entityId", kind, ${timeline.occurredAt} AS "occurredAt",
  ${timeline.actorType} AS "actorType", ${timeline.actorId} AS "actorId", ${timeline.actorName} AS "actorName", source, changes, data,
  ${timeline.relatedType} AS "relatedType", ${timeline.relatedId} AS "relatedId", ${timeline.groupId} AS "groupId",
  ${timeline.viaType} AS "viaType", ${timeline.viaId} AS "viaId", ${timeline.viaName} AS "viaName"`

/** One page of the history of one or more records. */
export interface HistoryQuery {
  readonly limit: number
  readonly cursor?: string
  /** Entries of this kind only. */
  readonly kind?: string
  /** Entries of this key, client, workflow or import only. */
  readonly viaId?: string
}

/**
 * Reads a page of the history of records, newest first, by cursor. `records` selects their `entity_type` and `entity_id`,
 * and is trusted to select only records that the caller may see.
 */
export async function listHistory(
  db: Executor,
  workspaceId: string,
  records: SQL,
  { limit, cursor, kind, viaId }: HistoryQuery,
) {
  const before = cursor ? sql`AND ${timeline.id} < ${readCursor(cursor)}` : sql``
  const ofKind = kind ? sql`AND ${timeline.kind} = ${kind}` : sql``
  const byVia = viaId ? sql`AND ${timeline.viaId} = ${viaId}` : sql``
  const asked = sql`
    SELECT entry.* FROM (${records}) AS record (entity_type, entity_id)
    CROSS JOIN LATERAL (
      SELECT ${entryColumns} FROM ${timeline}
      WHERE ${timeline.workspaceId} = ${workspaceId} AND ${timeline.entityType} = record.entity_type AND ${timeline.entityId} = record.entity_id ${before} ${ofKind} ${byVia}
      ORDER BY ${timeline.id} DESC LIMIT ${limit + 1}
    ) AS entry
    ORDER BY entry.id DESC LIMIT ${limit + 1}`
  const { rows, later } = await readEntryRows(db, asked)
  // A page ends early where its entries are large; the next page continues there.
  return cursorPage(rows, later.length > 0 ? Math.min(limit, rows.length) : limit, (row) => row, later.length > 0)
}

/** Runs a query for entries, and reads as many of them as fit into an answer. */
export async function readEntryRows(db: Executor, asked: SQL) {
  const { rows, later } = await someRows<EntryRow & Record<string, unknown>>(db, asked, {}, sliceSizeMax)
  return { rows: rows.map((row): EntryRow => ({ ...row, occurredAt: toInstant(row.occurredAt) })), later }
}

/** Reads the newest moves of a record from stage to stage, at most `limit`, and whether the record made no others. */
export async function listStageMoves(
  db: Executor,
  workspaceId: string,
  { entityType, entityId }: { readonly entityType: string; readonly entityId: string },
  limit: number,
): Promise<{ moves: StageMoved[]; areAll: boolean }> {
  const { rows } = await db.execute<{ at: string; kind: string; from: string | null; to: string | null }>(sql`
    SELECT ${timeline.occurredAt} AS at, ${timeline.kind} AS kind, moved.change ->> 'from' AS "from", moved.change ->> 'to' AS "to"
    FROM ${timeline}
    LEFT JOIN LATERAL (
      SELECT change FROM jsonb_array_elements(${timeline.changes}) AS change WHERE change ->> 'field' = 'stageId' LIMIT 1
    ) AS moved ON true
    WHERE ${timeline.workspaceId} = ${workspaceId} AND ${timeline.entityType} = ${entityType} AND ${timeline.entityId} = ${entityId}
      AND (moved.change IS NOT NULL OR ${timeline.kind} = 'CREATED')
    ORDER BY ${timeline.id} DESC LIMIT ${limit + 1}`)
  const moves = rows.filter(({ kind }) => kind !== 'CREATED').slice(0, limit)
  // Entries expire, the oldest first: whose creation is still told has lost none.
  return {
    moves: moves.map(({ at, from, to }) => ({ at: toInstant(at), from, to })),
    areAll: rows.at(-1)?.kind === 'CREATED',
  }
}
