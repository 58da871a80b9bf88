import type { Pool } from '@crm/db'
import { readSeldom, type Metrics } from '@crm/runtime'
import { readBehind, type Retention } from './prune.ts'

/** Adds gauges for the open runs by state, and for the wait of the oldest queued run. */
export function addRunGauges(metrics: Metrics, pool: Pool): void {
  metrics.gauge({
    name: 'crm_runs_open',
    help: 'Workflow runs that are not finished, by state.',
    labelNames: ['state'],
    read: async () => {
      const { rows } = await pool.query<{ state: string; n: number }>(
        `SELECT state, count(*)::int AS n FROM workflow_runs WHERE state IN ('QUEUED', 'RUNNING', 'WAITING') GROUP BY state`,
      )
      return rows.map(({ state, n }) => ({ labels: { state }, value: n }))
    },
  })
  metrics.gauge({
    name: 'crm_runs_oldest_queued_seconds',
    help: 'Age of the oldest queued workflow run.',
    read: async () => {
      const { rows } = await pool.query<{ age: number }>(
        `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM workflow_runs WHERE state = 'QUEUED'`,
      )
      return [{ value: rows[0]?.age ?? 0 }]
    },
  })
}

/** A minute without a new reading costs nothing: nobody has to know sooner that rows are a day late. */
const behindEveryMs = 60_000

/**
 * Adds how late the deletion of expired history is, and what it has deleted; returns the function that counts deleted rows. Every process
 * reads the lateness from the database, so it shows also where no process deletes anything.
 */
export function addPurgeMetrics(
  metrics: Metrics,
  pool: Pool,
  retention: Retention,
): (table: string, rows: number) => void {
  const read = readSeldom(behindEveryMs, () => readBehind(pool, retention))
  metrics.gauge({
    name: 'crm_purge_behind_seconds',
    help: 'For how long the oldest row has been expired that is not deleted yet, by table.',
    labelNames: ['table'],
    read: async () => [...(await read())].map(([table, value]) => ({ labels: { table }, value })),
  })
  return metrics.counter('crm_purge_rows_total', 'Rows of expired history that were deleted, by table.', 'table')
}
