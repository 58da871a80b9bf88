import type { Database } from '@crm/db'
import { sql } from 'drizzle-orm'
import { isOnCitus } from './database.ts'

/** A connection whose statement waits for a lock. */
interface LockWaiter extends Record<string, unknown> {
  readonly pid: number
  readonly application: string
  readonly role: string
  readonly query: string
}

const waiter = 'c.pid, c.application_name AS application, c.usename AS role, c.query'
const waits = `w.wait_event_type = 'Lock' AND w.datname = current_database()`

/** On a coordinator, a statement may wait on the machine with its rows, and its connection is the one with the same number over all machines. */
const asked = isOnCitus
  ? `SELECT DISTINCT ${waiter} FROM citus_stat_activity w
     JOIN citus_stat_activity c ON c.global_pid = w.global_pid AND NOT c.is_worker_query WHERE ${waits}`
  : `SELECT ${waiter} FROM pg_stat_activity w JOIN pg_stat_activity c USING (pid) WHERE ${waits}`

/** Returns the connections to a test's database that wait for a lock, on whichever machine. */
export async function lockWaiters(db: Database): Promise<readonly LockWaiter[]> {
  return (await db.execute<LockWaiter>(sql.raw(asked))).rows
}
