import { newId, type Pool } from '@crm/db'
import { hostName, workspaceOfHost } from '@crm/identity'

/** The trigger that a path leads to, published or not. */
export interface HookTrigger {
  readonly workspaceId: string
  readonly workflowId: string
  readonly secretHash: Buffer
  readonly isPublished: boolean
  readonly method: 'POST' | 'GET' | 'PUT' | 'ANY'
  readonly headerAuth: { readonly name: string; readonly value: string } | null
}

/** Finds the trigger of a path, by the digest of the path, in the workspace of a host. */
export async function findTrigger(pool: Pool, host: string, pathHash: Buffer): Promise<HookTrigger | undefined> {
  const { rows } = await pool.query<HookTrigger>({
    name: 'hooks-trigger',
    text: `SELECT workspace_id AS "workspaceId", workflow_id AS "workflowId", secret_hash AS "secretHash", is_published AS "isPublished",
        method, header_auth AS "headerAuth"
      FROM webhook_triggers WHERE workspace_id = (${workspaceOfHost}) AND path_hash = $2`,
    values: [hostName(host), pathHash],
  })
  return rows[0]
}

/** A call that passed every check. */
export interface AcceptedCall {
  readonly trigger: HookTrigger
  /** What the workflow reads as `trigger`. */
  readonly data: unknown
  /** The request as it is kept for inspection. */
  readonly lastRequest: Readonly<Record<string, unknown>>
}

/** Stores the run, its outbox row and the last request, all or nothing; false when the trigger was unpublished meanwhile. */
export async function storeRun(pool: Pool, { trigger, data, lastRequest }: AcceptedCall): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'hooks-accept',
    text: `WITH trigger AS (
        UPDATE webhook_triggers t SET last_request = $4::jsonb, last_request_at = now()
        FROM workflows w
        WHERE t.workspace_id = $1 AND t.workflow_id = $2 AND t.is_published AND t.secret_hash = $3
          AND w.workspace_id = t.workspace_id AND w.id = t.workflow_id
        RETURNING w.published_version, w.run_as_id
      ), run AS (
        INSERT INTO workflow_runs (workspace_id, id, workflow_id, version, run_as_id, trigger)
        SELECT $1, $5, $2, published_version, run_as_id, $6::jsonb FROM trigger
        RETURNING workspace_id, id, epoch
      )
      INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, attempts)
      SELECT workspace_id, id, 'run', 'run.queued', 'WORKFLOW_RUN', id, epoch FROM run`,
    values: [trigger.workspaceId, trigger.workflowId, trigger.secretHash, JSON.stringify(lastRequest), newId(), JSON.stringify(data)],
  })
  return rowCount === 1
}

/** Keeps a refused call for the owner of the workflow. */
export async function storeRefusal(pool: Pool, trigger: HookTrigger, reason: string, sizeBytes: number | null): Promise<void> {
  await pool.query({
    name: 'hooks-refuse',
    text: 'INSERT INTO refused_calls (workspace_id, id, workflow_id, reason, size_bytes) VALUES ($1, $2, $3, $4, $5)',
    values: [trigger.workspaceId, newId(), trigger.workflowId, reason, sizeBytes],
  })
}
