import type { Pool } from '@crm/db'

/** The number of days for which history is kept; fractions are allowed. */
export interface Retention {
  readonly runs: number
  readonly ruleRuns: number
  readonly deliveries: number
  readonly refusedCalls: number
  readonly notifications: number
  readonly audit: number
  readonly outbox: number
}

/**
 * One kind of history: the columns that identify a row, and the condition for an expired one, where $1 is the days and
 * $2 the size of a batch.
 */
interface History {
  readonly table: string
  readonly key: readonly string[]
  readonly age: string
  readonly days: keyof Retention | null
}

// Steps are deleted with their runs. Keys of idempotent requests store their own end.
const histories: readonly History[] = [
  { table: 'outbox', key: ['workspace_id', 'id'], age: 'done_at', days: 'outbox' },
  { table: 'idempotency_keys', key: ['workspace_id', 'employee_id', 'key'], age: 'expires_at', days: null },
  { table: 'workflow_runs', key: ['workspace_id', 'id'], age: 'finished_at', days: 'runs' },
  { table: 'rule_runs', key: ['workspace_id', 'id'], age: 'finished_at', days: 'ruleRuns' },
  { table: 'deliveries', key: ['workspace_id', 'id'], age: 'attempted_at', days: 'deliveries' },
  { table: 'refused_calls', key: ['workspace_id', 'id'], age: 'at', days: 'refusedCalls' },
  { table: 'notifications', key: ['workspace_id', 'id'], age: 'created_at', days: 'notifications' },
  { table: 'audit_log', key: ['workspace_id', 'id'], age: 'at', days: 'audit' },
]

/** A batch is one short transaction, so that nobody waits for it. A round deletes up to a million rows of each kind. */
const batchRows = 5_000
const batchesMax = 200

/** Deletes the expired history of all workspaces, oldest first; returns the number of rows of each kind. */
export async function prune(
  pool: Pool,
  retention: Retention,
  batch = batchRows,
): Promise<Readonly<Record<string, number>>> {
  const deleted: Record<string, number> = {}
  for (const history of histories)
    deleted[history.table] = await pruneOne(pool, history, history.days === null ? 0 : retention[history.days], batch)
  return deleted
}

async function pruneOne(pool: Pool, { table, key, age }: History, days: number, batch: number): Promise<number> {
  const columns = key.join(', ')
  const text = `DELETE FROM ${table} t USING (
      SELECT ${columns} FROM ${table} WHERE ${age} < now() - $1::float8 * interval '1 day' ORDER BY ${age} LIMIT $2
    ) old WHERE ${key.map((column) => `t.${column} = old.${column}`).join(' AND ')}`
  let deleted = 0
  for (let n = 0; n < batchesMax; n += 1) {
    const { rowCount } = await pool.query({ name: `prune-${table}`, text, values: [days, batch] })
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < batch) break
  }
  return deleted
}
