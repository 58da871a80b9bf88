import type { Pool } from '@crm/db'
import type { Metrics } from '@crm/runtime'
import type { Pruned } from './prune.ts'

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

/** Adds what the deletion of expired history has done; returns the function that notes a round of it. */
export function addPurgeMetrics(metrics: Metrics): (pruned: ReadonlyMap<string, Pruned>) => void {
  let latest: ReadonlyMap<string, Pruned> = new Map()
  const count = metrics.counter('crm_purge_rows_total', 'Rows of expired history that were deleted, by table.', 'table')
  metrics.gauge({
    name: 'crm_purge_behind_seconds',
    help: 'For how long rows have been expired that the last round left.',
    labelNames: ['table'],
    read: async () => [...latest].map(([table, { behindSeconds }]) => ({ labels: { table }, value: behindSeconds })),
  })
  return (pruned) => {
    latest = pruned
    for (const [table, { rows }] of pruned) count(table, rows)
  }
}
