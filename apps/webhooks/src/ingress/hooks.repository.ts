import type { HookOptions, KeptHeader, Pool } from '@crm/db'
import { newId } from '@crm/db/new-id'
import { findWorkspaceId, limitOf } from '@crm/identity/workspace'

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
  const workspaceId = await findWorkspaceId(pool, host)
  if (workspaceId === null) return undefined
  const { rows } = await pool.query<HookTrigger>({
    name: 'hooks-trigger',
    text: `SELECT workspace_id AS "workspaceId", workflow_id AS "workflowId", encode(secret_hash, 'hex') AS "secretHash", is_published AS "isPublished",
        method, header_auth AS "headerAuth", options,
        (SELECT ${limitOf('w', 'hooks.per-minute')} FROM workspaces w WHERE w.id = $1) AS "callsPerMinute"
      FROM webhook_triggers WHERE workspace_id = $1 AND path_hash = $2`,
    values: [workspaceId, pathHash],
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

/** What is stored of a call, with its type: `$1` to `$9` of both statements. */
const parts = {
  workspace_id: 'uuid',
  workflow_id: 'uuid',
  secret_hash: 'bytea',
  method: 'text',
  header_auth: 'jsonb',
  id: 'uuid',
  trigger: 'jsonb',
  traceparent: 'text',
  options: 'jsonb',
} as const
const partNames = Object.keys(parts) as (keyof typeof parts)[]

/** A call is stored only if its trigger is unchanged since the check. */
const runOf = (c: (part: keyof typeof parts) => string, calls = ''): string => `run AS (
    INSERT INTO workflow_runs (workspace_id, id, workflow_id, version, run_as_id, trigger)
    SELECT ${c('workspace_id')}, ${c('id')}, ${c('workflow_id')}, w.published_version, w.run_as_id, ${c('trigger')}
    FROM ${calls}webhook_triggers t, workflows w
    WHERE t.workspace_id = ${c('workspace_id')} AND t.workflow_id = ${c('workflow_id')} AND t.is_published
      AND t.secret_hash = ${c('secret_hash')} AND t.method = ${c('method')} AND t.header_auth IS NOT DISTINCT FROM ${c('header_auth')}
      AND t.options IS NOT DISTINCT FROM ${c('options')} AND w.workspace_id = ${c('workspace_id')} AND w.id = ${c('workflow_id')}
    RETURNING workspace_id, workflow_id, id, epoch
  )`

const handOn = (traceparent: string): string => `
  INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, attempts, traceparent)
  SELECT run.workspace_id, run.id, 'run', 'run.queued', 'WORKFLOW_RUN', run.id, run.epoch, ${traceparent}`

const value = (part: keyof typeof parts): string => `$${partNames.indexOf(part) + 1}::${parts[part]}`

/** With the values of its call at every place, so that a distributed database asks the machine of its workspace alone. */
const acceptOne = {
  name: 'hooks-accept-one',
  text: `WITH ${runOf(value)}, noted AS (
    UPDATE webhook_triggers t SET last_request = $10::jsonb, last_request_at = $11 FROM run
    WHERE t.workspace_id = ${value('workspace_id')} AND t.workflow_id = run.workflow_id AND (t.last_request_at IS NULL OR t.last_request_at <= $11)
  )${handOn(value('traceparent'))} FROM run RETURNING id`,
}

const acceptMany = {
  name: 'hooks-accept-many',
  text: `WITH call AS (
    SELECT * FROM unnest(${partNames.map((part) => `${value(part)}[]`).join(', ')}) AS c (${partNames.join(', ')})
  ), ${runOf((part) => `c.${part}`, 'call c, ')}${handOn('call.traceparent')} FROM run JOIN call ON call.id = run.id RETURNING id`,
}

/**
 * Stores the runs of calls with their outbox rows, all or none; a single call stores its last request too.
 *
 * Returns whether each call was stored. A call is not stored when its trigger changed meanwhile.
 */
export async function storeRuns(pool: Pool, calls: readonly AcceptedCall[]): Promise<readonly boolean[]> {
  const ids = calls.map(() => newId())
  const rowsOfCalls = calls.map(({ trigger, data, traceparent }, at) => [
    trigger.workspaceId,
    trigger.workflowId,
    `\\x${trigger.secretHash}`,
    trigger.method,
    trigger.headerAuth === null ? null : JSON.stringify(trigger.headerAuth),
    ids[at],
    JSON.stringify(data),
    traceparent ?? null,
    trigger.options === null ? null : JSON.stringify(trigger.options),
  ])
  const [only, ...others] = calls
  const statement =
    only && others.length === 0
      ? { ...acceptOne, values: [...rowsOfCalls.flat(), JSON.stringify(only.last.request), only.last.at] }
      : { ...acceptMany, values: partNames.map((_, at) => rowsOfCalls.map((row) => row[at])) }
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
