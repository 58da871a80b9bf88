import { sql, type SQL } from 'drizzle-orm'

/**
 * An id that PostgreSQL is not told when it plans: its plan is the same for any of them, so it keeps one. A plan made for the values
 * may look cheaper than one that is kept, and then a statement is planned each time it runs, which may cost more than running it.
 */
export function untold(id: string): SQL<string> {
  return sql<string>`(SELECT ${id}::uuid)`
}
