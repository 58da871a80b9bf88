import type { Pool } from '@crm/db'
import { pruneOutbox } from '@crm/jobs'

/** Deletes what has served its time: done outbox rows after a day, notes of refused calls after 30. */
export async function prune(pool: Pool): Promise<void> {
  await pruneOutbox(pool)
  await pool.query(`DELETE FROM refused_calls WHERE at < now() - interval '30 days'`)
}
