import { fastCommit, type Pool } from '@crm/db'
import { limitOf } from '@crm/identity/workspace'
import { doDueWork, isNotPutOff, type JobReference, type RoundDeps } from '@crm/jobs'
import { sql } from 'drizzle-orm'
import type { HeldRun, StepRecord } from './run.ts'
import { tellMaker } from './run-log.ts'

interface ClaimRow extends Omit<HeldRun, 'host' | 'history'> {
  readonly baseUrl: string
  readonly hosts: readonly string[] | null
  readonly history: readonly StepRecord[] | null
}

const isoText = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The workflow of a queued run, and the share of its workspace (`runs.share`). */
export interface QueuedWorkflow {
  readonly workflowId: string
  readonly share: number | null
}

/** Returns the workflow of a queued run of this epoch; undefined when the run is no longer available. */
export async function findQueuedWorkflow(
  pool: Pool,
  { workspaceId, id, epoch }: JobReference,
): Promise<QueuedWorkflow | undefined> {
  const { rows } = await pool.query<QueuedWorkflow>({
    name: 'run-workflow',
    text: `SELECT r.workflow_id AS "workflowId", ${limitOf('w', 'runs.share')} AS share
      FROM workflow_runs r JOIN workspaces w ON w.id = r.workspace_id
      WHERE r.workspace_id = $1 AND r.id = $2 AND r.epoch = $3 AND r.state = 'QUEUED'`,
    values: [workspaceId, id, epoch],
  })
  return rows[0]
}

/** Takes a queued run of this epoch with a lease and reads all data that it needs; undefined when it is no longer available. */
export async function claimRun(
  pool: Pool,
  { workspaceId, id, epoch }: JobReference,
  leaseMs: number,
): Promise<HeldRun | undefined> {
  const { rows } = await pool.query<ClaimRow>({
    name: 'run-claim',
    // A claim that a crash of the database loses is made again.
    text: `WITH ${fastCommit}, claimed AS (
        UPDATE workflow_runs r SET state = 'RUNNING', lease_until = now() + $4 * interval '1 millisecond', started_at = least(started_at, now()), resume_at = NULL
        FROM fast WHERE r.workspace_id = $1 AND r.id = $2 AND r.epoch = $3 AND r.state = 'QUEUED'
        RETURNING r.workspace_id, r.id, r.epoch, r.workflow_id, r.version, r.run_as_id, r.depth, r.trigger, r.created_at
      ), done AS (
        UPDATE outbox SET done_at = now() WHERE workspace_id = $1 AND id = $2 AND attempts = $3 AND done_at IS NULL
        RETURNING traceparent
      )
      SELECT c.workspace_id AS "workspaceId", c.id, c.epoch, c.workflow_id AS "workflowId", c.run_as_id AS "runAsId", c.depth, c.trigger,
        ${isoText('c.created_at')} AS "createdAt", v.trigger->>'type' AS "triggerType", v.steps, w.base_url AS "baseUrl", w.name AS "workspaceName", w.timezone,
        (SELECT traceparent FROM done) AS traceparent, ${limitOf('w', 'runs.share')} AS share, ${limitOf('w', 'mails.per-hour')} AS "mailsPerHour", e.status AS "runAsStatus",
        (SELECT json_agg(h.host ORDER BY h.created_at, h.host) FROM workspace_hosts h WHERE h.workspace_id = $1) AS hosts,
        (SELECT json_agg(json_build_object('position', s.position, 'state', s.state, 'input', s.input, 'output', s.output,
            'startedAt', ${isoText('s.started_at')}))
          FROM workflow_step_runs s WHERE s.workspace_id = $1 AND s.run_id = $2) AS history
      FROM claimed c
        JOIN workflow_versions v ON v.workspace_id = $1 AND v.workflow_id = c.workflow_id AND v.version = c.version
        JOIN workspaces w ON w.id = $1
        LEFT JOIN employees e ON e.workspace_id = $1 AND e.id = c.run_as_id`,
    values: [workspaceId, id, epoch, leaseMs],
  })
  const row = rows[0]
  if (!row) return undefined
  const { baseUrl, hosts, history, ...run } = row
  return {
    ...run,
    host: chooseHost(baseUrl, hosts ?? []),
    history: new Map((history ?? []).map((step) => [step.position, step])),
  }
}

/** Returns the host of the workspace's own address if it is registered, otherwise the first registered one. */
function chooseHost(baseUrl: string, hosts: readonly string[]): string {
  const { host, hostname } = new URL(baseUrl)
  return hosts.includes(hostname) ? host : (hosts[0] ?? host)
}

/** A run that has lost its worker this often counts as the cause. */
const takeoversMax = 5

/** How often runs are looked for that nobody works on any more, and at least that nobody has told of. */
export const dueRunsRoundMs = 5_000
const requeueWork = 'requeue-runs'
const requeuedTogether = 200

interface RunKey extends Record<string, unknown> {
  readonly workspaceId: string
  readonly id: string
}

/** A run has the end of its lease or the moment for which it waits, never both. */
const dueAt = 'coalesce(r.lease_until, r.resume_at)'
const isHeldOrWaits = `r.state IN ('RUNNING', 'WAITING')`
const nobodyWorks = `(${isHeldOrWaits} AND ${dueAt} <= now())`

/**
 * Queues the runs that nobody works on any more: runs whose lease has ended, and waiting runs that are due. A run that
 * has lost its worker too often fails with WORKER_LOST. Returns how many runs were queued.
 */
export async function requeueDueRuns(deps: RoundDeps): Promise<number> {
  const { db } = deps
  let queued = 0
  await doDueWork<RunKey>(deps, {
    name: requeueWork,
    everyMs: dueRunsRoundMs,
    batch: requeuedTogether,
    together: requeuedTogether,
    find: async (at, limit) => {
      const isWaiting = isNotPutOff(requeueWork, { workspaceId: sql`r.workspace_id`, row: sql`r.id` }, at)
      const { rows } = await db.execute<RunKey>(sql`
        SELECT r.workspace_id AS "workspaceId", r.id FROM workflow_runs r WHERE ${sql.raw(nobodyWorks)} AND ${isWaiting}
        ORDER BY ${sql.raw(dueAt)} LIMIT ${limit}`)
      return rows
    },
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: async (runs, workspaceId) => {
      queued += await requeue(
        db.$client,
        workspaceId,
        runs.map(({ id }) => id),
      )
    },
  })
  return queued
}

/** Returns in how many milliseconds the next run is due, 0 or less for now; undefined without any. */
export async function nextRunInMs({ db, clock }: RoundDeps): Promise<number | undefined> {
  const isWaiting = isNotPutOff(
    requeueWork,
    { workspaceId: sql`r.workspace_id`, row: sql`r.id` },
    clock.now().toISOString(),
  )
  const { rows } = await db.execute<{ inMs: number }>(sql`
    SELECT (extract(epoch FROM ${sql.raw(dueAt)} - now()) * 1000)::float8 AS "inMs" FROM workflow_runs r
    WHERE ${sql.raw(isHeldOrWaits)} AND ${isWaiting} ORDER BY ${sql.raw(dueAt)} LIMIT 1`)
  return rows[0]?.inMs
}

async function requeue(pool: Pool, workspaceId: string, ids: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'run-requeue-due',
    text: `WITH due AS (
        SELECT r.workspace_id, r.id, CASE WHEN r.state = 'RUNNING' THEN coalesce((o.payload->>'takeovers')::int, 0) + 1 ELSE 0 END AS takeovers
        FROM workflow_runs r LEFT JOIN outbox o ON o.workspace_id = $1 AND o.id = r.id
        WHERE r.workspace_id = $1 AND r.id = ANY($2::uuid[]) AND ${nobodyWorks} ORDER BY r.created_at FOR UPDATE OF r SKIP LOCKED
      ), failed AS (
        UPDATE workflow_runs r SET state = 'FAILED', failure_code = 'WORKER_LOST', failure_message = 'The run lost its worker ' || due.takeovers || ' times',
          lease_until = NULL, finished_at = now()
        FROM due WHERE r.workspace_id = $1 AND r.id = due.id AND due.takeovers > ${takeoversMax}
        RETURNING r.workspace_id, r.id
      ), told AS (${tellMaker('failed', 'uuidv7()', "'it lost its worker again and again'")}
      ), queued AS (
        UPDATE workflow_runs r SET state = 'QUEUED', epoch = r.epoch + 1, lease_until = NULL, resume_at = NULL
        FROM due WHERE r.workspace_id = $1 AND r.id = due.id AND due.takeovers <= ${takeoversMax}
        RETURNING r.workspace_id, r.id, r.epoch, due.takeovers
      )
      INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, attempts, payload)
      SELECT workspace_id, id, 'run', 'run.queued', 'WORKFLOW_RUN', id, epoch, jsonb_build_object('takeovers', takeovers) FROM queued
      ${reopen}`,
    values: [workspaceId, ids],
  })
  return rowCount ?? 0
}

/** Queues a run of this worker again, so that another worker continues it at once. */
export async function giveBackRun(
  pool: Pool,
  { workspaceId, id, epoch }: Pick<HeldRun, 'workspaceId' | 'id' | 'epoch'>,
): Promise<void> {
  await pool.query(
    `WITH queued AS (
       UPDATE workflow_runs SET state = 'QUEUED', epoch = epoch + 1, lease_until = NULL
       WHERE workspace_id = $1 AND id = $2 AND epoch = $3 AND state = 'RUNNING' RETURNING workspace_id, id, epoch
     )
     INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, attempts)
     SELECT workspace_id, id, 'run', 'run.queued', 'WORKFLOW_RUN', id, epoch FROM queued ${reopen}`,
    [workspaceId, id, epoch],
  )
}

const reopen = `ON CONFLICT (workspace_id, id) DO UPDATE
  SET attempts = excluded.attempts, payload = excluded.payload, relayed_at = NULL, done_at = NULL`
