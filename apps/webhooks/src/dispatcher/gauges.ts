import type { Pool } from '@crm/db'
import type { Metrics } from '@crm/runtime'

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
