import { sql, type SQL } from 'drizzle-orm'

/**
 * Hides an id from PostgreSQL while it plans. The plan is then the same for every id, so PostgreSQL keeps it. A plan for one id may look
 * cheaper than the kept plan; the statement would then be planned each time it runs, which may cost more than running it.
 */
export function opaque(id: string): SQL<string> {
  return sql<string>`(SELECT ${id}::uuid)`
}
