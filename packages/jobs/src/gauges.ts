import { readTogether, type Metrics } from '@crm/runtime'
import type { Pool } from '@crm/db'
import type { Queues } from './no-queues.ts'

interface BacklogRow {
  readonly topic: string
  readonly n: number
}

interface OldestRow {
  readonly topic: string
  readonly age: number
  readonly unrelayed: number
}

/** Reports how many rows of the outbox are not done, by topic, how old the oldest one is, and how late the relay is. */
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
  const readOldest = readTogether(async (): Promise<readonly OldestRow[]> => {
    const age = (which: string) => `coalesce(extract(epoch FROM now() - min(created_at)${which}), 0)::float8`
    const { rows } = await pool.query<OldestRow>(`
      SELECT topic, ${age('')} AS age, ${age(' FILTER (WHERE relayed_at IS NULL)')} AS unrelayed
      FROM outbox WHERE done_at IS NULL GROUP BY topic`)
    return rows
  })
  metrics.gauge({
    name: 'crm_outbox_oldest_seconds',
    help: 'Age of the oldest row of the outbox that is not done.',
    labelNames: ['topic'],
    read: async () => (await readOldest()).map(({ topic, age }) => ({ labels: { topic }, value: age })),
  })
  metrics.gauge({
    name: 'crm_relay_lag_seconds',
    help: 'Age of the oldest row of the outbox that no queue has got.',
    read: async () => [{ value: Math.max(0, ...(await readOldest()).map(({ unrelayed }) => unrelayed)) }],
  })
}

/** Reports the jobs in the queues of Redis, by state, and how old the oldest waiting one is. */
export function addQueueGauges(metrics: Metrics, queues: Pick<Queues, 'depths'>): void {
  const readDepths = readTogether(() => queues.depths())
  metrics.gauge({
    name: 'crm_queue_depth',
    help: 'Jobs in the queues, by state.',
    labelNames: ['queue', 'state'],
    read: async () =>
      (await readDepths()).flatMap(({ queue, counts }) =>
        Object.entries(counts).map(([state, value]) => ({ labels: { queue, state }, value })),
      ),
  })
  metrics.gauge({
    name: 'crm_queue_oldest_seconds',
    help: 'Age of the oldest waiting job of a queue.',
    labelNames: ['queue'],
    read: async () =>
      (await readDepths()).map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
  })
}

/** Reports how much due work of workspaces failed and waits for its next try, by the name of the work. */
export function addFailureGauge(metrics: Metrics, pool: Pool): void {
  metrics.gauge({
    name: 'crm_due_work_failing',
    help: 'Due work of workspaces that failed and waits for its next try.',
    labelNames: ['work'],
    read: async () => {
      const { rows } = await pool.query<{ work: string; n: number }>(
        'SELECT work, count(*)::int AS n FROM work_failures GROUP BY work',
      )
      return rows.map(({ work, n }) => ({ labels: { work }, value: n }))
    },
  })
}
