import { sql, type SQL } from 'drizzle-orm'

/**
 * Hides an id from PostgreSQL while it plans. The plan is then the same for every id, so that one is kept. A plan made for the id may look
 * cheaper than the kept one, and the statement would be planned each time it runs, which may cost more than running it.
 */
export function opaque(id: string): SQL<string> {
  return sql<string>`(SELECT ${id}::uuid)`
}
