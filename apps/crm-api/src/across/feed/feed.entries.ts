import { firstIdAt, isAnyOf, schema, type Executor } from '@crm/db'
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { RecordLink } from '../../kinds/record-links.ts'
import { entryColumns, readEntryRows, type EntryRow } from '../../records/history.ts'
import { recordsOf } from './feed.records.ts'

const { timeline } = schema

/** The filter for entries of histories. */
interface EntryFilter {
  readonly kinds?: readonly (string | null)[]
  readonly actorId?: readonly (string | null)[]
  readonly viaId?: string
  readonly occurredFrom?: Date
  readonly occurredTo?: Date
}

/** The requested page of a feed. */
export interface EntryPage {
  readonly workspaceId: string
  readonly filter: EntryFilter
  readonly limit: number
  /** The id after which the page begins. */
  readonly after: string | undefined
}

/** The ids of the entries of a page, and the id after which the next page begins; null when there is none. */
export interface FoundEntries {
  readonly ids: readonly string[]
  readonly next: string | null
}

/** Returns a page of the history of these records; an entry that stands in several of them is found once, in its newest copy. */
export async function entriesOf(db: Executor, records: readonly RecordLink[], page: EntryPage): Promise<FoundEntries> {
  const { workspaceId, filter, limit, after } = page
  const isTheirs = sql`(twin.entity_type, twin.entity_id) IN (SELECT record.entity_type, record.entity_id FROM ${recordsOf(records)})`
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT found.id FROM ${recordsOf(records)} CROSS JOIN LATERAL (
      SELECT entry.id FROM ${timeline} AS entry
      WHERE entry.workspace_id = ${workspaceId} AND entry.entity_type = record.entity_type AND entry.entity_id = record.entity_id
        AND ${within(filter, after)} AND ${isNewestTwin(workspaceId, isTheirs)}
      ORDER BY entry.id DESC LIMIT ${limit + 1}
    ) AS found ORDER BY found.id DESC LIMIT ${limit + 1}`)
  const ids = rows.map(({ id }) => id)
  return ids.length > limit ? { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null } : { ids, next: null }
}

/** The number of entries that are examined for a page; where most are out of sight, the page has fewer entries than requested. */
const entriesLookedThrough = 20_000

/**
 * Returns a page of the history of the workspace, as far as `isSeen` holds for the records of the entries.
 *
 * @param isSeen returns the condition for the columns of an entry under an alias
 */
export async function entriesInSight(
  db: Executor,
  isSeen: (name: 'entry' | 'twin') => SQL,
  page: EntryPage,
): Promise<FoundEntries> {
  const { workspaceId, filter, limit, after } = page
  const stretch = sql`SELECT * FROM ${timeline} AS entry WHERE entry.workspace_id = ${workspaceId} AND ${behind(filter, after)}
    ORDER BY entry.id DESC LIMIT ${entriesLookedThrough}`
  const { rows } = await db.execute<{ id: string }>(sql`
    SELECT entry.id FROM (${stretch}) AS entry
    WHERE ${within(filter, after)} AND ${isSeen('entry')} AND ${isNewestTwin(workspaceId, isSeen('twin'))}
    ORDER BY entry.id DESC LIMIT ${limit + 1}`)
  const ids = rows.map(({ id }) => id)
  if (ids.length > limit) return { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null }
  const { rows: ends } = await db.execute<{ id: string }>(sql`
    SELECT entry.id FROM ${timeline} AS entry WHERE entry.workspace_id = ${workspaceId} AND ${behind(filter, after)}
    ORDER BY entry.id DESC OFFSET ${entriesLookedThrough - 1} LIMIT 1`)
  return { ids, next: ends[0]?.id ?? null }
}

/** Ids begin with their time of creation, which is later than the time of the entry; clocks of processes differ by less than this. */
const clocksDifferMs = 86_400_000

/** Returns the condition for the position of a page in the order of ids. */
function behind({ occurredFrom }: EntryFilter, after: string | undefined): SQL {
  return and(
    sql`true`,
    after === undefined ? undefined : sql`entry.id < ${after}::uuid`,
    occurredFrom && sql`entry.id >= ${firstIdAt(occurredFrom.getTime() - clocksDifferMs)}::uuid`,
  ) as SQL
}

function within(filter: EntryFilter, after: string | undefined): SQL {
  const { kinds, actorId, viaId, occurredFrom, occurredTo } = filter
  return and(
    behind(filter, after),
    kinds && sql`entry.kind = ANY(${sql.param(kinds.filter((kind) => kind !== null))}::text[])`,
    actorId && isActor(actorId),
    viaId === undefined ? undefined : sql`entry.via_id = ${viaId}::uuid`,
    occurredFrom && sql`entry.occurred_at >= ${occurredFrom.toISOString()}::timestamptz`,
    occurredTo && sql`entry.occurred_at <= ${occurredTo.toISOString()}::timestamptz`,
  ) as SQL
}

function isActor(wanted: readonly (string | null)[]): SQL {
  const ids = wanted.filter((id) => id !== null)
  const isOne = sql`entry.actor_id = ANY(${sql.param(ids)}::uuid[])`
  return wanted.includes(null) ? sql`(${isOne} OR entry.actor_id IS NULL)` : isOne
}

/** Returns the condition that an entry is the newest of its copies in the histories of the feed's records. */
function isNewestTwin(workspaceId: string, belongs: SQL): SQL {
  return sql`(entry.related_id IS NULL OR NOT EXISTS (
    SELECT FROM ${timeline} AS twin
    WHERE twin.workspace_id = ${workspaceId} AND twin.related_type = entry.related_type AND twin.related_id = entry.related_id
      AND twin.kind = entry.kind AND twin.occurred_at = entry.occurred_at AND twin.id > entry.id AND ${belongs}))`
}

/** Returns entries by id, newest first, as many as fit into an answer. */
export async function readEntries(
  db: Executor,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly EntryRow[]> {
  const { rows } = await readEntryRows(
    db,
    sql`SELECT ${entryColumns} FROM ${timeline} WHERE ${and(eq(timeline.workspaceId, workspaceId), isAnyOf(timeline.id, ids))} ORDER BY ${desc(timeline.id)}`,
  )
  return rows
}
