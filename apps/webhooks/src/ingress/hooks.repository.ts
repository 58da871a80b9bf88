import type { HookOptions, KeptHeader, Pool } from '@crm/db'
import { newId } from '@crm/db/new-id'
import { hostName, limitOf, workspaceOfHost } from '@crm/identity/workspace'

/** The trigger that a path leads to, published or not. */
export interface HookTrigger {
  readonly workspaceId: string
  readonly workflowId: string
  /** The digest in hexadecimal digits: thousands are remembered, and each Buffer would keep the memory that it was cut from. */
  readonly secretHash: string
  readonly isPublished: boolean
  readonly method: 'POST' | 'GET' | 'PUT' | 'ANY'
  readonly headerAuth: KeptHeader | null
  readonly options: HookOptions | null
  /** The limit of its workspace for each trigger; null: the usual one. */
  readonly callsPerMinute: number | null
}

/** Finds the trigger of a path, by the digest of the path, in the workspace of a host. */
export async function findTrigger(pool: Pool, host: string, pathHash: Buffer): Promise<HookTrigger | undefined> {
  const { rows } = await pool.query<HookTrigger>({
    name: 'hooks-trigger',
    text: `SELECT workspace_id AS "workspaceId", workflow_id AS "workflowId", encode(secret_hash, 'hex') AS "secretHash", is_published AS "isPublished",
        method, header_auth AS "headerAuth", options,
        (SELECT ${limitOf('w', 'hooks.per-minute')} FROM workspaces w WHERE w.id = workspace_id) AS "callsPerMinute"
      FROM webhook_triggers WHERE workspace_id = (${workspaceOfHost}) AND path_hash = $2`,
    values: [hostName(host), pathHash],
  })
  return rows[0]
}

/** The most recent request of a trigger, stored for inspection. */
export interface LastRequest {
  /** The time in ISO 8601. */
  readonly at: string
  readonly request: Readonly<Record<string, unknown>>
}

/** A call that passed every check. */
export interface AcceptedCall {
  readonly trigger: HookTrigger
  /** The data that the workflow reads as `trigger`. */
  readonly data: unknown
  readonly last: LastRequest
  /** The trace that the call belongs to. */
  readonly traceparent?: string | undefined
}

/** A call is stored only if its trigger is unchanged since the check. */
const acceptSql = (more = ''): string => `WITH call AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[], $5::jsonb[], $6::uuid[], $7::jsonb[], $8::text[], $9::jsonb[])
      AS c (workspace_id, workflow_id, secret_hash, method, header_auth, id, trigger, traceparent, options)
  ), run AS (
    INSERT INTO workflow_runs (workspace_id, id, workflow_id, version, run_as_id, trigger)
    SELECT c.workspace_id, c.id, c.workflow_id, w.published_version, w.run_as_id, c.trigger
    FROM call c
      JOIN webhook_triggers t ON t.workspace_id = c.workspace_id AND t.workflow_id = c.workflow_id AND t.is_published
        AND t.secret_hash = c.secret_hash AND t.method = c.method AND t.header_auth IS NOT DISTINCT FROM c.header_auth
        AND t.options IS NOT DISTINCT FROM c.options
      JOIN workflows w ON w.workspace_id = c.workspace_id AND w.id = c.workflow_id
    RETURNING workspace_id, workflow_id, id, epoch
  )${more}
  INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, attempts, traceparent)
  SELECT run.workspace_id, run.id, 'run', 'run.queued', 'WORKFLOW_RUN', run.id, run.epoch, call.traceparent FROM run JOIN call ON call.id = run.id
  RETURNING id`

const notedSql = `, noted AS (
    UPDATE webhook_triggers t SET last_request = $10::jsonb, last_request_at = $11 FROM run
    WHERE t.workspace_id = run.workspace_id AND t.workflow_id = run.workflow_id AND (t.last_request_at IS NULL OR t.last_request_at <= $11)
  )`

const acceptOne = { name: 'hooks-accept-one', text: acceptSql(notedSql) }
const acceptMany = { name: 'hooks-accept-many', text: acceptSql() }

/**
 * Stores the runs of calls with their outbox rows, all or none; a single call stores its last request too.
 *
 * Returns whether each call was stored. A call is not stored when its trigger changed meanwhile.
 */
export async function storeRuns(pool: Pool, calls: readonly AcceptedCall[]): Promise<readonly boolean[]> {
  const ids = calls.map(() => newId())
  const triggers = calls.map(({ trigger }) => trigger)
  const values: unknown[] = [
    triggers.map(({ workspaceId }) => workspaceId),
    triggers.map(({ workflowId }) => workflowId),
    triggers.map(({ secretHash }) => `\\x${secretHash}`),
    triggers.map(({ method }) => method),
    triggers.map(({ headerAuth }) => (headerAuth === null ? null : JSON.stringify(headerAuth))),
    ids,
    calls.map(({ data }) => JSON.stringify(data)),
    calls.map(({ traceparent }) => traceparent ?? null),
    triggers.map(({ options }) => (options === null ? null : JSON.stringify(options))),
  ]
  const [only, ...others] = calls
  const statement =
    only && others.length === 0
      ? { ...acceptOne, values: [...values, JSON.stringify(only.last.request), only.last.at] }
      : { ...acceptMany, values }
  const { rows } = await pool.query<{ id: string }>(statement)
  const stored = new Set(rows.map(({ id }) => id))
  return ids.map((id) => stored.has(id))
}

/** Stores the last requests of triggers, unless later ones are stored already. */
export async function storeLastRequests(
  pool: Pool,
  lasts: readonly { readonly trigger: HookTrigger; readonly last: LastRequest }[],
): Promise<void> {
  await pool.query({
    name: 'hooks-last-requests',
    text: `UPDATE webhook_triggers t SET last_request = c.request, last_request_at = c.at
      FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::timestamptz[]) AS c (workspace_id, workflow_id, request, at)
      WHERE t.workspace_id = c.workspace_id AND t.workflow_id = c.workflow_id AND (t.last_request_at IS NULL OR t.last_request_at <= c.at)`,
    values: [
      lasts.map(({ trigger }) => trigger.workspaceId),
      lasts.map(({ trigger }) => trigger.workflowId),
      lasts.map(({ last }) => JSON.stringify(last.request)),
      lasts.map(({ last }) => last.at),
    ],
  })
}

/** Stores a refused call for the owner of the workflow. */
export async function storeRefusal(
  pool: Pool,
  trigger: HookTrigger,
  reason: string,
  sizeBytes: number | null,
): Promise<void> {
  await pool.query({
    name: 'hooks-refuse',
    text: 'INSERT INTO refused_calls (workspace_id, id, workflow_id, reason, size_bytes) VALUES ($1, $2, $3, $4, $5)',
    values: [trigger.workspaceId, newId(), trigger.workflowId, reason, sizeBytes],
  })
}
