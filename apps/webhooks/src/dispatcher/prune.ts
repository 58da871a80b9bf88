import { firstIdAt, type Pool } from '@crm/db'
import { pruneAuditLogs } from './prune-audit-logs.ts'

/** The periods for which history is kept, in days; fractions are allowed, and 0 keeps it for ever. */
export interface Retention {
  readonly runs: number
  readonly deliveries: number
  readonly refusedCalls: number
  readonly notifications: number
  readonly audit: number
  readonly timeline: number
  readonly sessions: number
  readonly jobs: number
  readonly outbox: number
}

/** What a round has deleted of one table, and what it left for the next round. */
export interface Pruned {
  readonly rows: number
  /** For how long the oldest row that is left has been expired, in seconds; 0 when none is. */
  readonly behindSeconds: number
}

/** One kind of history: the columns that identify a row, and the column of its age; rows without an age never expire. */
interface History {
  readonly table: string
  readonly key: readonly string[]
  readonly age: string
  /** The period by which it is kept; null: `age` is the end itself. */
  readonly kept: keyof Retention | null
  /** A condition that rows meet besides, in terms of the table's name. */
  readonly only?: string
  /** Set for a table whose ids tell the age, and that has no index of the age over all workspaces. */
  readonly byId?: true
}

const byId = ['workspace_id', 'id']

// Steps are deleted with their runs. Keys of idempotent requests store their own end.
const histories: readonly History[] = [
  { table: 'outbox', key: byId, age: 'done_at', kept: 'outbox' },
  { table: 'idempotency_keys', key: ['workspace_id', 'employee_id', 'key'], age: 'expires_at', kept: null },
  { table: 'workflow_runs', key: byId, age: 'finished_at', kept: 'runs' },
  { table: 'rule_runs', key: byId, age: 'finished_at', kept: 'runs' },
  { table: 'deliveries', key: byId, age: 'attempted_at', kept: 'deliveries' },
  { table: 'refused_calls', key: byId, age: 'at', kept: 'refusedCalls' },
  { table: 'notifications', key: byId, age: 'created_at', kept: 'notifications' },
  { table: 'timeline', key: byId, age: 'occurred_at', kept: 'timeline', byId: true },
  { table: 'jobs', key: byId, age: 'finished_at', kept: 'jobs' },
  { table: 'sessions', key: byId, age: 'expires_at', kept: 'sessions' },
  // A sign-in at a provider is kept as long as a session of it, which leads back there at its end.
  {
    table: 'sso_sessions',
    key: ['workspace_id', 'session_id'],
    age: 'created_at',
    kept: 'sessions',
    only: `NOT EXISTS (SELECT FROM sessions s WHERE s.workspace_id = sso_sessions.workspace_id AND s.sso_id = sso_sessions.session_id)`,
  },
  { table: 'invitations', key: byId, age: 'expires_at', kept: 'sessions' },
  { table: 'oauth_codes', key: ['workspace_id', 'code_hash'], age: 'expires_at', kept: 'sessions' },
  { table: 'oauth_tokens', key: byId, age: 'expires_at', kept: 'sessions' },
]

/** A batch is one short transaction, so that nobody waits for it. A round deletes up to a million rows of each kind. */
const batchRows = 1_000
const batchesMax = 1_000

/**
 * Deletes the expired history of all workspaces, oldest first, and returns what became of each table. A workspace may keep less than the
 * installation does, never more.
 */
export async function prune(pool: Pool, retention: Retention, batch = batchRows): Promise<ReadonlyMap<string, Pruned>> {
  const shorter = await readShorter(pool)
  const pruned = new Map<string, Pruned>()
  for (const history of histories) {
    const { table, kept } = history
    const days = kept === null ? 0 : retention[kept]
    let rows = 0
    let behindSeconds = 0
    if (kept === null || days > 0) {
      const found = history.byId ? idsOfAll(history, days) : expired(history, days)
      rows += await deleteBatches(pool, history, found, batch)
      behindSeconds = rows >= batch * batchesMax ? await behind(pool, history, days) : 0
    }
    for (const { workspaceId, periods } of shorter) {
      const own = kept === null ? undefined : periods[kept]
      if (own !== undefined && own > 0 && (days === 0 || own < days))
        rows += await deleteBatches(pool, history, expired(history, own, workspaceId), batch)
    }
    pruned.set(table, { rows, behindSeconds })
  }
  pruned.set('audit_log', { rows: await pruneAuditLogs(pool, retention.audit, batch), behindSeconds: 0 })
  return pruned
}

interface ShorterPeriods {
  readonly workspaceId: string
  readonly periods: Readonly<Partial<Record<keyof Retention, number>>>
}

/** Reads which workspaces have periods of their own. */
async function readShorter(pool: Pool): Promise<readonly ShorterPeriods[]> {
  const { rows } = await pool.query<ShorterPeriods>(
    `SELECT id AS "workspaceId", retention AS periods FROM workspaces WHERE retention <> '{}'`,
  )
  return rows
}

/** A query for the keys of expired rows; its last parameter is the size of a batch. */
interface Expired {
  readonly text: string
  readonly values: readonly unknown[]
}

const isExpired = (age: string): string => `${age} < now() - $1::float8 * interval '1 day'`

function expired({ table, key, age, only = 'true' }: History, days: number, workspaceId?: string): Expired {
  const columns = key.join(', ')
  const isDue = `${isExpired(age)} AND ${only}`
  return workspaceId === undefined
    ? { text: `SELECT ${columns} FROM ${table} WHERE ${isDue} ORDER BY ${age} LIMIT $2`, values: [days] }
    : {
        text: `SELECT ${columns} FROM ${table} WHERE workspace_id = $2 AND ${isDue} LIMIT $3`,
        values: [days, workspaceId],
      }
}

const dayMs = 86_400_000

/** Walks from workspace to workspace by the primary key; an id is made when its row is. */
function idsOfAll({ table, age }: History, days: number): Expired {
  return {
    text: `SELECT old.workspace_id, old.id FROM workspaces AS place CROSS JOIN LATERAL (
        SELECT workspace_id, id FROM ${table} WHERE workspace_id = place.id AND id < $2::uuid AND ${isExpired(age)} ORDER BY id LIMIT $3
      ) AS old LIMIT $3`,
    values: [days, firstIdAt(Date.now() - days * dayMs)],
  }
}

async function deleteBatches(
  pool: Pool,
  { table, key }: History,
  { text: found, values }: Expired,
  batch: number,
): Promise<number> {
  const isSame = key.map((column) => `t.${column} = old.${column}`).join(' AND ')
  const text = `DELETE FROM ${table} t USING (${found}) old WHERE ${isSame}`
  let deleted = 0
  for (let n = 0; n < batchesMax; n += 1) {
    const { rowCount } = await pool.query(text, [...values, batch])
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < batch) break
  }
  return deleted
}

async function behind(pool: Pool, { table, age }: History, days: number): Promise<number> {
  const { rows } = await pool.query<{ seconds: number | null }>(
    `SELECT extract(epoch FROM now() - $1::float8 * interval '1 day' - min(${age}))::float8 AS seconds FROM ${table}`,
    [days],
  )
  return Math.max(0, rows[0]?.seconds ?? 0)
}
