import { isAnyOf, schema, toInstant, type Executor, type FieldChange, type Transaction } from '@crm/db'
import { and, count, eq, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

const { agentActs, agentSessions, employees, jobs, timeline } = schema

/** The background work that undoes what an agent did in a session. */
export const undoSessionEvent = 'agent-session.undo'

type SessionColumns = typeof agentSessions.$inferSelect

/** A session with its person, and the time before which all entries of its agent belong to it. */
export interface SessionRow extends SessionColumns {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string
  /** The start of the agent's next session; null: there is none yet. */
  readonly nextAt: string | null
  /** How many records it touched. */
  readonly records: number
}

/** Which sessions are asked for. */
export interface SessionFilter {
  /** Those of these people; unless told, of everybody. */
  readonly people?: readonly string[]
  readonly id?: string
  readonly viaId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Reads a page of sessions, newest first. */
export async function listSessions(
  db: Executor,
  workspaceId: string,
  { people, id, viaId, from, to }: SessionFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly SessionRow[]; readonly total: number }> {
  const where = and(
    eq(agentSessions.workspaceId, workspaceId),
    people && isAnyOf(agentSessions.employeeId, people),
    id === undefined ? undefined : eq(agentSessions.id, id),
    viaId === undefined ? undefined : eq(agentSessions.viaId, viaId),
    from === undefined ? undefined : gte(agentSessions.lastAt, from),
    to === undefined ? undefined : lt(agentSessions.startedAt, to),
  )
  const [counted] = await db.select({ n: count() }).from(agentSessions).where(where)
  const { rows } = await db.execute<Record<string, unknown> & { startedAt: string; lastAt: string }>(sql`
    WITH page AS (
      SELECT ${agentSessions}.* FROM ${agentSessions} WHERE ${where}
      ORDER BY ${agentSessions.startedAt} DESC, ${agentSessions.id} DESC LIMIT ${limit} OFFSET ${offset}
    )
    SELECT p.workspace_id AS "workspaceId", p.id, p.employee_id AS "employeeId", p.via_type AS "viaType", p.via_id AS "viaId", p.via_name AS "viaName",
      p.started_at AS "startedAt", p.last_at AS "lastAt", p.reads, p.writes, p.refusals, p.undo_job_id AS "undoJobId",
      e.first_name AS "firstName", e.last_name AS "lastName", e.email, next.at AS "nextAt", touched.n + acted.n AS records
    FROM page p
      JOIN ${employees} e ON e.workspace_id = ${workspaceId} AND e.id = p.employee_id
      CROSS JOIN LATERAL (
        SELECT min(n.started_at) AS at FROM ${agentSessions} n
        WHERE n.workspace_id = ${workspaceId} AND n.via_id = p.via_id AND n.employee_id = p.employee_id AND n.started_at > p.started_at
      ) AS next
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT (t.entity_type, t.entity_id))::int AS n FROM ${timeline} t
        WHERE t.workspace_id = ${workspaceId} AND t.via_id = p.via_id AND t.actor_id = p.employee_id
          AND t.occurred_at >= p.started_at AND t.occurred_at < coalesce(next.at, 'infinity')
      ) AS touched
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT (a.entity_type, a.entity_id))::int AS n FROM ${agentActs} a
        WHERE a.workspace_id = ${workspaceId} AND a.via_id = p.via_id AND a.employee_id = p.employee_id
          AND a.at >= p.started_at AND a.at < coalesce(next.at, 'infinity')
      ) AS acted
    ORDER BY p.started_at DESC, p.id DESC`)
  const items = rows.map((row) => ({
    ...row,
    startedAt: toInstant(row.startedAt),
    lastAt: toInstant(row.lastAt),
    nextAt: typeof row['nextAt'] === 'string' ? toInstant(row['nextAt']) : null,
  })) as unknown as readonly SessionRow[]
  return { items, total: counted?.n ?? 0 }
}

/** Returns the people whose agents have sessions. */
export async function peopleWithSessions(db: Executor, workspaceId: string): Promise<readonly string[]> {
  const rows = await db
    .selectDistinct({ id: agentSessions.employeeId })
    .from(agentSessions)
    .where(eq(agentSessions.workspaceId, workspaceId))
  return rows.map(({ id }) => id)
}

/** The part of a session that lies before a moment. */
export type SessionSpan = Pick<SessionRow, 'viaId' | 'employeeId' | 'startedAt' | 'nextAt'> & {
  /** The last moment that counts; null: all of it. */
  readonly until: string | null
}

/** Returns the condition for the entries of a session. */
function entriesOf(workspaceId: string, span: SessionSpan): SQL {
  const { workspaceId: of, viaId, actorId: employeeId, occurredAt: at } = timeline
  return within(workspaceId, span, { workspaceId: of, viaId, employeeId, at })
}

/** Returns the condition for rows that a session wrote. */
function within(
  workspaceId: string,
  { viaId, employeeId, startedAt, nextAt, until }: SessionSpan,
  columns: Readonly<Record<'workspaceId' | 'viaId' | 'employeeId' | 'at', PgColumn>>,
): SQL {
  return and(
    eq(columns.workspaceId, workspaceId),
    eq(columns.viaId, viaId),
    eq(columns.employeeId, employeeId),
    sql`${columns.at} >= ${startedAt}`,
    nextAt === null ? undefined : sql`${columns.at} < ${nextAt}`,
    until === null ? undefined : sql`${columns.at} <= ${until}`,
  ) as SQL
}

/** A record that a session touched, and the id of the session's newest entry about it. */
export interface TouchedRecord {
  readonly entityType: string
  readonly entityId: string
  readonly newest: string
}

/** Returns records that a session touched, those that it touched last first; `after` is the newest entry of the one before. */
export async function listTouched(
  db: Executor,
  workspaceId: string,
  span: SessionSpan,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly TouchedRecord[]> {
  const later = after === null ? sql`` : sql`HAVING max(${timeline.id}::text) < ${after}`
  const { rows } = await db.execute<TouchedRecord & Record<string, unknown>>(sql`
    SELECT ${timeline.entityType} AS "entityType", ${timeline.entityId} AS "entityId", max(${timeline.id}::text) AS newest
    FROM ${timeline} WHERE ${entriesOf(workspaceId, span)}
    GROUP BY 1, 2 ${later} ORDER BY 3 DESC LIMIT ${limit}`)
  return rows
}

/** An entry of a session. */
export interface SessionEntry {
  readonly id: string
  readonly entityType: string
  readonly entityId: string
  readonly kind: string
  readonly occurredAt: string
  readonly changes: readonly FieldChange[]
  readonly data: Readonly<Record<string, unknown>>
  readonly relatedId: string | null
  readonly operationId: string | null
  readonly groupId: string | null
  /** The operation of the API, where the entry tells of a row without a history. */
  readonly operation: string | null
}

/** Reads entries of a session, newest first: all of one record, or a page of all. */
export async function readSessionEntries(
  db: Executor,
  workspaceId: string,
  span: SessionSpan,
  of: Pick<TouchedRecord, 'entityType' | 'entityId'> | { readonly before: string | undefined; readonly limit: number },
): Promise<readonly SessionEntry[]> {
  const which =
    'entityId' in of
      ? and(eq(timeline.entityType, of.entityType), eq(timeline.entityId, of.entityId))
      : of.before === undefined
        ? undefined
        : sql`${timeline.id} < ${of.before}`
  const limit = 'limit' in of ? sql`LIMIT ${of.limit}` : sql``
  const { rows } = await db.execute<SessionEntry & Record<string, unknown>>(sql`
    SELECT ${timeline.id}, ${timeline.entityType} AS "entityType", ${timeline.entityId} AS "entityId", kind, ${timeline.occurredAt} AS "occurredAt", changes, data,
      ${timeline.relatedId} AS "relatedId", ${timeline.operationId} AS "operationId", ${timeline.groupId} AS "groupId",
      NULL::text AS operation
    FROM ${timeline} WHERE ${and(entriesOf(workspaceId, span), which)}
    ${'limit' in of ? sql`UNION ALL (${actsAsEntries(workspaceId, span, of.before)} ${limit})` : sql``} ORDER BY id DESC ${limit}`)
  return rows.map((row) => ({ ...row, occurredAt: toInstant(row.occurredAt) }))
}

/** Reads what a session did to rows without a history as entries about them. */
function actsAsEntries(workspaceId: string, span: SessionSpan, before: string | undefined): SQL {
  const later = before === undefined ? undefined : sql`${agentActs.id} < ${before}`
  return sql`
    SELECT ${agentActs.id}, ${agentActs.entityType}, ${agentActs.entityId}, CASE ${agentActs.told} WHEN 'CHANGED' THEN 'UPDATED' ELSE ${agentActs.told} END,
      ${agentActs.at}, ${agentActs.changes}, '{}'::jsonb, NULL::uuid, NULL::uuid, NULL::uuid, ${agentActs.operation}
    FROM ${agentActs} WHERE ${and(within(workspaceId, span, agentActs), later)} ORDER BY ${agentActs.id} DESC`
}

/** What a session did to one row that has no history of its own. */
export interface ActedRow {
  readonly entityType: string
  readonly entityId: string
  /** The id of its newest act about the row. */
  readonly newest: string
  readonly title: string | null
  /** The oldest first. */
  readonly acts: readonly { readonly told: 'CREATED' | 'CHANGED' | 'DELETED'; readonly at: string }[]
}

/** Returns rows without a history that a session touched, those that it touched last first; `after` is the newest act of the one before. */
export async function listActedRows(
  db: Executor,
  workspaceId: string,
  span: SessionSpan,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly ActedRow[]> {
  const later = after === null ? sql`` : sql`HAVING max(${agentActs.id}::text) < ${after}`
  const { rows } = await db.execute<ActedRow & Record<string, unknown>>(sql`
    SELECT ${agentActs.entityType} AS "entityType", ${agentActs.entityId} AS "entityId", max(${agentActs.id}::text) AS newest,
      (array_agg(${agentActs.title} ORDER BY ${agentActs.id} DESC))[1] AS title,
      jsonb_agg(jsonb_build_object('told', ${agentActs.told}, 'at', ${agentActs.at}) ORDER BY ${agentActs.id}) AS acts
    FROM ${agentActs} WHERE ${within(workspaceId, span, agentActs)}
    GROUP BY 1, 2 ${later} ORDER BY 3 DESC LIMIT ${limit}`)
  return rows.map((row) => ({
    ...row,
    acts: row.acts.map(({ told, at }) => ({ told, at: new Date(at).toISOString() })),
  }))
}

/** Returns the files that a session uploaded, changed or deleted, of those asked about. */
export async function listActedFiles(
  db: Executor,
  workspaceId: string,
  span: SessionSpan,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectDistinct({ id: agentActs.entityId })
    .from(agentActs)
    .where(
      and(within(workspaceId, span, agentActs), eq(agentActs.entityType, 'FILE'), isAnyOf(agentActs.entityId, ids)),
    )
  return new Set(rows.map(({ id }) => id))
}

/** Whether people have worked with a record after an entry of its history, and not by the session or its undo. */
export async function isTouchedByOthers(
  tx: Transaction,
  workspaceId: string,
  span: SessionSpan,
  { entityType, entityId }: Pick<TouchedRecord, 'entityType' | 'entityId'>,
  afterEntry: string,
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT 1 FROM ${timeline}
    WHERE ${timeline.workspaceId} = ${workspaceId} AND ${timeline.entityType} = ${entityType} AND ${timeline.entityId} = ${entityId} AND ${timeline.id} > ${afterEntry}
      AND NOT EXISTS (SELECT FROM ${jobs} WHERE ${jobs.workspaceId} = ${workspaceId} AND ${jobs.id} = ${timeline.groupId} AND ${jobs.kind} = ${undoSessionEvent})
      AND ${timeline.actorType} <> 'SYSTEM' AND ${timeline.source} <> 'WORKFLOW' AND (${entriesOf(workspaceId, span)}) IS NOT TRUE
    LIMIT 1`)
  return rows.length > 0
}

/** Locks a session for the start of its undo. */
export async function lockSession(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx
    .select({ id: agentSessions.id })
    .from(agentSessions)
    .where(and(eq(agentSessions.workspaceId, workspaceId), eq(agentSessions.id, id)))
    .for('update')
}

/** Notes the work that undoes a session. */
export async function noteUndo(tx: Transaction, workspaceId: string, id: string, undoJobId: string): Promise<void> {
  await tx
    .update(agentSessions)
    .set({ undoJobId })
    .where(and(eq(agentSessions.workspaceId, workspaceId), eq(agentSessions.id, id)))
}
