import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool } from './pool.ts'

export { createPool, longDeadlines, usualDeadlines, type Deadlines, type Pool, type PoolOptions } from './pool.ts'
export type Database = NodePgDatabase & { readonly $client: Pool }

/** Creates the query builder over a pool. */
export function createDatabase(pool: Pool): Database {
  return drizzle(pool)
}
