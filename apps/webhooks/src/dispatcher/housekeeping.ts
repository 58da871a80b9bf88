import type { Pool } from '@crm/db'
import { pruneOutbox } from '@crm/jobs'
import { outcomeUnknown } from './runs/run-log.ts'

/** Ends deliveries whose sender was lost and that belong to no run which would notice: those that were sent again by hand. */
export async function failLostRedeliveries(pool: Pool): Promise<void> {
  await pool.query(
    `UPDATE deliveries SET state = 'FAILED', error = $1
     WHERE state = 'SENDING' AND redelivery_of IS NOT NULL AND attempted_at < now() - interval '1 minute'`,
    [outcomeUnknown],
  )
}

/** Deletes what has served its time: done outbox rows after a day, notes of refused calls after 30. */
export async function prune(pool: Pool): Promise<void> {
  await pruneOutbox(pool)
  await pool.query(`DELETE FROM refused_calls WHERE at < now() - interval '30 days'`)
}
