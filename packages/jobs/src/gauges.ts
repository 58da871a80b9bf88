import type { Metrics } from '@crm/runtime'
import type { Pool } from '@crm/db'

interface BacklogRow {
  readonly topic: string
  readonly n: number
}

/** Reports how many rows of the outbox are not done, by topic. */
export function addOutboxGauges(metrics: Metrics, pool: Pool): void {
  metrics.gauge({
    name: 'crm_outbox_backlog',
    help: 'Rows of the outbox that are not done.',
    labelNames: ['topic'],
    read: async () => {
      // One branch for each partial index.
      const { rows } = await pool.query<BacklogRow>(`
        SELECT topic, count(*)::int AS n FROM (
          SELECT topic FROM outbox WHERE relayed_at IS NULL AND done_at IS NULL
          UNION ALL SELECT topic FROM outbox WHERE relayed_at IS NOT NULL AND done_at IS NULL
        ) open GROUP BY topic`)
      return rows.map(({ topic, n }) => ({ labels: { topic }, value: n }))
    },
  })
}
