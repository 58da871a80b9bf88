import type { changeSources, timelineKinds } from '@crm/contract'
import { schema, someRows, toInstant, type Executor } from '@crm/db'
import { sql, type SQL } from 'drizzle-orm'
import { cursorPage, readCursor } from './cursors.ts'
import { sliceSizeMax } from './slices.ts'

const { timeline } = schema

/** One page of the history of one or more records. */
export interface HistoryQuery {
  readonly limit: number
  readonly cursor?: string
}

/**
 * Reads a page of the history of records, newest first, by cursor. `records` selects their `entity_type` and `entity_id`,
 * and is trusted to select only records that the caller may see.
 */
export async function listHistory(db: Executor, workspaceId: string, records: SQL, { limit, cursor }: HistoryQuery) {
  const before = cursor ? sql`AND ${timeline.id} < ${readCursor(cursor)}` : sql``
  const asked = sql`
    SELECT entry.* FROM (${records}) AS record (entity_type, entity_id)
    CROSS JOIN LATERAL (
      SELECT id, ${timeline.entityType} AS "entityType", ${timeline.entityId} AS "entityId", kind, ${timeline.occurredAt} AS "occurredAt", ${timeline.actorType} AS "actorType",
        ${timeline.actorId} AS "actorId", ${timeline.actorName} AS "actorName", source, changes, data, ${timeline.relatedType} AS "relatedType", ${timeline.relatedId} AS "relatedId"
      FROM ${timeline}
      WHERE ${timeline.workspaceId} = ${workspaceId} AND ${timeline.entityType} = record.entity_type AND ${timeline.entityId} = record.entity_id ${before}
      ORDER BY ${timeline.id} DESC LIMIT ${limit + 1}
    ) AS entry
    ORDER BY entry.id DESC LIMIT ${limit + 1}`
  // A page ends early where its entries are large; the next page continues there.
  const { rows, later } = await someRows<HistoryRow>(db, asked, {}, sliceSizeMax)
  return cursorPage(rows, later.length > 0 ? Math.min(limit, rows.length) : limit, toEntry, later.length > 0)
}

type Row = typeof timeline.$inferSelect
type HistoryRow = Omit<Row, 'workspaceId'> & Record<string, unknown>

function toEntry({ actorType, actorId, actorName, occurredAt, changes, ...rest }: HistoryRow) {
  return {
    ...rest,
    occurredAt: toInstant(occurredAt),
    kind: rest.kind as (typeof timelineKinds)[number],
    source: rest.source as (typeof changeSources)[number],
    changes: changes.map(({ field, from, to }) => ({ field, from, to })),
    actor: { type: actorType, id: actorId, name: actorName },
  }
}
