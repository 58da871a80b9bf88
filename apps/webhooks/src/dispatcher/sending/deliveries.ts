import type { Pool } from '@crm/db'
import type { Delivered } from '@crm/egress'
import { doDueWork, isNotPutOff, type RoundDeps } from '@crm/jobs'
import { sql } from 'drizzle-orm'

/** The text in the delivery log for a worker that was lost between sending and receiving. */
export const outcomeUnknown = 'The outcome is unknown: the worker was lost while the request was under way.'

/** The present outcome of a delivery. */
export interface DeliveryOutcome extends Omit<Delivered, 'ok' | 'durationMs'> {
  readonly state: 'SENDING' | 'SUCCEEDED' | 'FAILED'
}

/** Stores the outcome of a request, unless somebody has given the request up meanwhile. */
export async function storeAnswer(pool: Pool, workspaceId: string, id: string, delivered: Delivered): Promise<void> {
  const { ok, status, durationMs, responseBody, truncated, error } = delivered
  await pool.query({
    name: 'delivery-answer',
    text: `UPDATE deliveries SET state = $3, status = $4, duration_ms = $5, response_body = $6, response_truncated = $7, error = $8
      WHERE workspace_id = $1 AND id = $2 AND state = 'SENDING'`,
    values: [workspaceId, id, ok ? 'SUCCEEDED' : 'FAILED', status, durationMs, responseBody, truncated, error],
  })
}

/** Returns the outcome of a request whose sender was lost: the stored one, or an unknown one. */
export async function settleLostDelivery(pool: Pool, workspaceId: string, id: string): Promise<DeliveryOutcome> {
  const { rows } = await pool.query<DeliveryOutcome>(
    `WITH lost AS (
       UPDATE deliveries SET state = 'FAILED', error = $3 WHERE workspace_id = $1 AND id = $2 AND state = 'SENDING'
     )
     SELECT state, status, response_body AS "responseBody", response_truncated AS truncated, error FROM deliveries WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id, outcomeUnknown],
  )
  return rows[0] ?? { state: 'SENDING', status: null, responseBody: '', truncated: false, error: null }
}

/** How often requests are looked for that nobody waits for any more. */
export const lostDeliveriesRoundMs = 60_000
const work = 'give-up-deliveries'
const foundAtOnce = 500

interface DeliveryKey extends Record<string, unknown> {
  readonly workspaceId: string
  readonly id: string
}

const isLost = sql`d.state = 'SENDING' AND d.attempted_at < now() - interval '2 minutes' AND d.rule_run_id IS NULL
  AND NOT EXISTS (SELECT FROM workflow_runs r WHERE r.workspace_id = d.workspace_id AND r.id = d.run_id AND d.redelivery_of IS NULL
    AND r.state IN ('QUEUED', 'RUNNING', 'WAITING'))`

/** Gives up requests that nobody waits for any more: requests that were sent again by hand, or whose runs have ended. */
export async function giveUpLostDeliveries(deps: RoundDeps): Promise<void> {
  const { db } = deps
  await doDueWork<DeliveryKey>(deps, {
    name: work,
    everyMs: lostDeliveriesRoundMs,
    batch: foundAtOnce,
    together: foundAtOnce,
    find: async (at, limit) => {
      const isWaiting = isNotPutOff(work, { workspaceId: sql`d.workspace_id`, row: sql`d.id` }, at)
      const { rows } = await db.execute<DeliveryKey>(sql`
        SELECT d.workspace_id AS "workspaceId", d.id FROM deliveries d WHERE ${isLost} AND ${isWaiting}
        ORDER BY d.attempted_at LIMIT ${limit}`)
      return rows
    },
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: (found, workspaceId) =>
      db.execute(sql`UPDATE deliveries d SET state = 'FAILED', error = ${outcomeUnknown}
        WHERE d.workspace_id = ${workspaceId} AND d.id = ANY(${sql.param(found.map(({ id }) => id))}::uuid[]) AND ${isLost}`),
  })
}
