import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'

/** How to reach PostgreSQL. */
export interface PoolOptions {
  readonly databaseUrl: string
  /** Connections at most. */
  readonly max?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
}

export type Database = NodePgDatabase
export type { Pool } from 'pg'

/** Opens a pool whose connections run in UTC. */
export function createPool({ databaseUrl, max = 10, applicationName }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max,
    application_name: applicationName,
    options: '-c TimeZone=UTC -c search_path=public',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  })
  // A lost idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** The query builder over a pool. */
export function createDatabase(pool: Pool): Database {
  return drizzle(pool)
}
