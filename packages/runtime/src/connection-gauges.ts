import type { Metrics } from './metrics.ts'

/** A pool of connections to the database, as the library counts it. */
interface CountedPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** The connections of a process. */
export interface Connections {
  readonly pools: readonly CountedPool[]
  /** Undefined without Redis. */
  readonly redis?: { readonly client: unknown; isReady(): boolean }
}

/** Adds gauges for the connections to PostgreSQL, by state, and for the connection to Redis. */
export function addConnectionGauges(metrics: Metrics, { pools, redis }: Connections): void {
  const sum = (count: (pool: CountedPool) => number): number => pools.reduce((total, pool) => total + count(pool), 0)
  metrics.gauge({
    name: 'crm_db_pool_connections',
    help: 'Connections to the database by state; waiting are requests for one.',
    labelNames: ['state'],
    read: async () => [
      { labels: { state: 'used' }, value: sum(({ totalCount, idleCount }) => totalCount - idleCount) },
      { labels: { state: 'idle' }, value: sum(({ idleCount }) => idleCount) },
      { labels: { state: 'waiting' }, value: sum(({ waitingCount }) => waitingCount) },
    ],
  })
  if (redis?.client === undefined) return
  metrics.gauge({
    name: 'crm_redis_up',
    help: 'Whether Redis answers: 1 or 0.',
    read: async () => [{ value: redis.isReady() ? 1 : 0 }],
  })
}

/** Adds the gauge of how far each replica is behind. */
export function addReplicaGauge(metrics: Metrics, lags: () => readonly number[]): void {
  metrics.gauge({
    name: 'crm_db_replica_lag_seconds',
    help: 'Seconds by which a replica is behind, by its place in DATABASE_REPLICA_URL; one that does not answer falls behind.',
    labelNames: ['replica'],
    read: async () => lags().map((value, at) => ({ labels: { replica: String(at + 1) }, value })),
  })
}
