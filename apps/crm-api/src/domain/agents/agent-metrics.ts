import type { Pool } from '@crm/db'
import type { Metrics } from '@crm/runtime'
import type { AgentCounts } from '../../platform/agent-counts.ts'

/** Adds the figures about agents: what waits for people, previews, and what was beyond a limit. */
export function addAgentMetrics(metrics: Pick<Metrics, 'counter' | 'gauge'>, pool: Pool): AgentCounts {
  metrics.gauge({
    name: 'crm_proposals_open',
    help: 'Changes of agents that wait for a person.',
    read: async () => {
      const { rows } = await pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM proposals WHERE state = 'PENDING' AND expires_at > now()`,
      )
      return rows.map(({ n }) => ({ value: n }))
    },
  })
  return {
    preview: metrics.counter('crm_previews_total', 'Previews by outcome.'),
    budgetRefused: metrics.counter('crm_budget_refused_total', 'Calls of agents beyond a limit.', 'limit'),
  }
}
