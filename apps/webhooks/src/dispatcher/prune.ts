import {
  deleteInTurn,
  deletingBy,
  dueSeconds,
  everyWorkspace,
  keptDays,
  placesWith,
  textOfPart,
  usualRound,
  valueOfPart,
  type Due,
  type Part,
  type Pool,
  type RoundBounds,
} from '@crm/db'
import { doSharedWork, type RoundDeps } from '@crm/jobs'
import { findDueAudit, pruneAuditLogs } from './prune-audit-logs.ts'

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

/** One kind of history: the columns that identify a row, and the column of its age; rows without an age never expire. */
interface History {
  readonly table: string
  readonly key: readonly string[]
  readonly age: string
  /** The period by which it is kept; null: `age` is the end itself, in every workspace. */
  readonly kept: keyof Retention | null
  /** A condition that rows meet besides, in terms of the table's name. */
  readonly only?: string
  /** The column of an id that is made with the row and so tells its age; the key leads to the oldest rows of each workspace. */
  readonly id?: string
  /** Set where some rows have ids that tell nothing; an index of the age finds these. */
  readonly hasOddIds?: true
}

const byId = { key: ['workspace_id', 'id'], id: 'id' }

// Steps are deleted with their runs. Keys of idempotent requests store their own end.
const histories: readonly History[] = [
  { table: 'outbox', ...byId, age: 'done_at', kept: 'outbox' },
  { table: 'idempotency_keys', key: ['workspace_id', 'employee_id', 'key'], age: 'expires_at', kept: null },
  { table: 'workflow_runs', ...byId, age: 'finished_at', kept: 'runs' },
  { table: 'rule_runs', ...byId, age: 'finished_at', kept: 'runs' },
  { table: 'deliveries', ...byId, age: 'attempted_at', kept: 'deliveries' },
  { table: 'refused_calls', ...byId, age: 'at', kept: 'refusedCalls' },
  { table: 'notifications', ...byId, age: 'created_at', kept: 'notifications', hasOddIds: true },
  { table: 'timeline', ...byId, age: 'occurred_at', kept: 'timeline' },
  { table: 'jobs', ...byId, age: 'finished_at', kept: 'jobs' },
  { table: 'sessions', ...byId, age: 'expires_at', kept: 'sessions' },
  // A sign-in at a provider is kept as long as a session of it, which leads back there at its end.
  {
    table: 'sso_sessions',
    key: ['workspace_id', 'session_id'],
    id: 'session_id',
    age: 'created_at',
    kept: 'sessions',
    only: `NOT EXISTS (SELECT FROM sessions s WHERE s.workspace_id = sso_sessions.workspace_id AND s.sso_id = sso_sessions.session_id)`,
  },
  { table: 'invitations', ...byId, age: 'expires_at', kept: 'sessions' },
  { table: 'oauth_codes', key: ['workspace_id', 'code_hash'], age: 'expires_at', kept: 'sessions' },
  { table: 'oauth_tokens', ...byId, age: 'expires_at', kept: 'sessions' },
]

/** How a round is told of. */
export interface PruneReports {
  /** Counts deleted rows, batch by batch. */
  deleted?(table: string, rows: number): void
  /** Hears of a table whose rows could not be deleted; the others go on. */
  failed?(table: string, error: unknown): void
}

/**
 * Deletes the expired history of all workspaces. Workspaces take turns, so that the backlog of one does not hold up the others, and each
 * loses its oldest rows first. A workspace may keep less than the installation does, never more.
 */
export async function prune(
  deps: RoundDeps,
  retention: Retention,
  { deleted, failed }: PruneReports,
  bounds: RoundBounds = usualRound,
): Promise<void> {
  const pool = deps.db.$client
  const attempt = async (
    table: string,
    work: (part: Part, count: (rows: number) => void) => Promise<void>,
  ): Promise<void> => {
    const name = `purge-old-${table.replaceAll('_', '-')}`
    try {
      await doSharedWork(deps, { name, perform: (part) => work(part, (rows) => deleted?.(table, rows)) })
    } catch (error) {
      failed?.(table, error)
    }
  }
  for (const history of histories) {
    if (deps.signal?.aborted) return
    await attempt(history.table, (part, count) => pruneHistory(pool, history, { retention, part, bounds }, count))
  }
  await attempt('audit_log', (part, count) => pruneAuditLogs(pool, retention.audit, { part, bounds }, count))
}

/** Returns for how long the oldest row of each table has been expired, in seconds, 0 when none is; a table that cannot be read is missing. */
export async function readBehind(pool: Pool, retention: Retention): Promise<ReadonlyMap<string, number>> {
  const behind = new Map<string, number>()
  const read = async (table: string, find: () => Promise<readonly Due[]>): Promise<void> => {
    const due = await find().catch(() => undefined)
    if (due) behind.set(table, dueSeconds(due))
  }
  for (const history of histories) await read(history.table, () => findDue(pool, history, retention, everyWorkspace))
  await read('audit_log', () => findDueAudit(pool, retention.audit, everyWorkspace))
  return behind
}

interface Pruning {
  readonly retention: Retention
  readonly part: Part
  readonly bounds: RoundBounds
}

async function pruneHistory(
  pool: Pool,
  history: History,
  { retention, part, bounds }: Pruning,
  count: (rows: number) => void,
): Promise<void> {
  const { table, kept } = history
  const days = kept === null ? 0 : retention[kept]
  if (kept !== null) {
    const text = `DELETE FROM ${table} t USING (
        SELECT old.* FROM ${placesWith('days', '$1', '$2')} CROSS JOIN LATERAL (${oldest(history, '$3')}) old
      ) old WHERE ${isSame(history)} RETURNING t.workspace_id AS "workspaceId"`
    await deleteInTurn(await findDue(pool, history, retention, part), deletingBy(pool, text), count, bounds)
  }
  if (kept === null || (history.hasOddIds && days > 0)) await deleteByAge(pool, history, days, { part, bounds }, count)
}

/** Returns the workspaces with expired rows, and how late these are. */
async function findDue(pool: Pool, history: History, retention: Retention, part: Part): Promise<readonly Due[]> {
  const { table, kept, age } = history
  const late = (days: string): string => `extract(epoch FROM now() - ${age})::float8 - ${days} * 86400`
  if (kept === null) {
    const { rows } = await pool.query<Due>(
      `SELECT workspace_id AS "workspaceId", 0 AS "end", ${late('0')} AS seconds FROM ${table}
       WHERE ${age} < now() AND ${textOfPart('workspace_id', part, '$1')} ORDER BY ${age} LIMIT 1`,
      [valueOfPart(part)],
    )
    return rows
  }
  const { rows } = await pool.query<Due>(
    `SELECT place.id AS "workspaceId", place.days AS "end", late.seconds FROM ${keptDays(kept, retention[kept])} CROSS JOIN LATERAL (${oldest(history, '1', late('place.days'))}) late
     WHERE place.days IS NOT NULL AND ${textOfPart('place.id', part, '$1')} ORDER BY late.seconds DESC`,
    [valueOfPart(part)],
  )
  return rows
}

/** A query for the oldest expired rows of one workspace, `place`, of which `place.days` are kept. */
function oldest({ table, key, age, id, only }: History, limit: string, seconds?: string): string {
  const conditions = [
    `workspace_id = place.id`,
    `${age} < now() - place.days * interval '1 day'`,
    ...(id === undefined ? [] : [`${id} < ${firstIdDaysAgo('place.days')}`]),
    ...(only === undefined ? [] : [only]),
  ]
  const columns = seconds === undefined ? key.join(', ') : `${seconds} AS seconds`
  return `SELECT ${columns} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${id ?? age} LIMIT ${limit}`
}

/** The smallest id of a moment, as `firstIdAt` makes it. */
const firstIdDaysAgo = (days: string): string =>
  `rpad(lpad(to_hex(greatest(0, (extract(epoch FROM now()) - ${days} * 86400) * 1000)::bigint), 12, '0'), 32, '0')::uuid`

const isSame = ({ key }: History): string => key.map((column) => `t.${column} = old.${column}`).join(' AND ')

/** Deletes the oldest rows of all workspaces, where no key leads to those of one. */
async function deleteByAge(
  pool: Pool,
  history: History,
  days: number,
  { part, bounds: { batchRows, batchesMax } }: Pick<Pruning, 'part' | 'bounds'>,
  count: (rows: number) => void,
): Promise<void> {
  const { table, key, age } = history
  const found = `SELECT ${key.join(', ')} FROM ${table} WHERE ${age} < now() - $1::float8 * interval '1 day'
    AND ${textOfPart('workspace_id', part, '$3')} ORDER BY ${age} LIMIT $2`
  const text = `DELETE FROM ${table} t USING (${found}) old WHERE ${isSame(history)}`
  for (let n = 0; n < batchesMax; n += 1) {
    const { rowCount } = await pool.query(text, [days, batchRows, valueOfPart(part)])
    const rows = rowCount ?? 0
    if (rows > 0) count(rows)
    if (rows < batchRows) return
  }
}
