import { schema, type Executor } from '@crm/db'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Pool } from '@crm/db'
import type { JobReference, Topic } from './catalogue.ts'

/** A row of the outbox that is to be handed on. */
export interface HandedOn extends JobReference {
  readonly topic: Topic
}

/** What happened, as its consumer gets it. */
export interface OutboxRow {
  readonly workspaceId: string
  readonly id: string
  readonly event: string
  readonly entityType: string | null
  readonly entityId: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: string
  /** How often it was tried before. */
  readonly attempts: number
}

/** How long a row that was handed on may take to be done before it is handed on again. */
export const handedOnMs = 60_000

const retryDelayMsMax = 10 * 60_000

const { outbox } = schema

interface TakenRow {
  readonly workspace_id: string
  readonly id: string
  readonly topic: Topic
  readonly attempts: number
  readonly is_done: boolean
}

/** What one look at the outbox gave. */
export interface Taken {
  /** How many rows it went through. */
  readonly looked: number
  /** Those to be handed on. */
  readonly rows: readonly HandedOn[]
}

/** Rows of a topic that nobody would do anything for; they are done the moment they are looked at. */
export interface Unheard {
  readonly topic: Topic
  /** SQL over the row `o` of the outbox. */
  readonly condition: string
}

// A mark that a crash takes back only means that the row is handed on again, so nothing waits for the disk here.
const take = (condition: string, order: string, unheard?: Unheard): string => `
  WITH fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  UPDATE outbox o SET relayed_at = now()${unheard ? `, done_at = CASE WHEN o.topic = '${unheard.topic}' AND (${unheard.condition}) THEN now() END` : ''} FROM (
    SELECT found.workspace_id, found.id FROM unnest($1::text[], $2::int[]) AS wanted (topic, n),
      LATERAL (SELECT workspace_id, id FROM outbox WHERE ${condition} AND done_at IS NULL AND outbox.topic = wanted.topic
        ORDER BY ${order} LIMIT wanted.n FOR UPDATE SKIP LOCKED) found
  ) taken, fast
  WHERE o.workspace_id = taken.workspace_id AND o.id = taken.id
  RETURNING o.workspace_id, o.id, o.topic, o.attempts, o.done_at IS NOT NULL AS is_done`

const takeLostSql = take(`relayed_at < now() - interval '${handedOnMs} milliseconds'`, 'relayed_at')

/** Takes rows that nobody was told of yet, at most so many of each topic, and marks them as handed on. */
export function takeWaiting(pool: Pool, limits: ReadonlyMap<Topic, number>, unheard?: Unheard): Promise<Taken> {
  return takeRows(pool, unheard ? 'outbox-take-heard' : 'outbox-take-waiting', take('relayed_at IS NULL', 'id', unheard), limits)
}

/** Takes rows that were handed on and not done in time, or whose next attempt is due. */
export function takeLost(pool: Pool, limits: ReadonlyMap<Topic, number>): Promise<Taken> {
  return takeRows(pool, 'outbox-take-lost', takeLostSql, limits)
}

async function takeRows(pool: Pool, name: string, text: string, limits: ReadonlyMap<Topic, number>): Promise<Taken> {
  const { rows } = await pool.query<TakenRow>({ name, text, values: [[...limits.keys()], [...limits.values()]] })
  const open = rows.filter((row) => !row.is_done)
  return { looked: rows.length, rows: open.map((row) => ({ workspaceId: row.workspace_id, id: row.id, topic: row.topic, epoch: row.attempts })) }
}

/** Gives rows back that could not be handed on after all. */
export async function putBack(pool: Pool, rows: readonly JobReference[]): Promise<void> {
  await pool.query(
    `UPDATE outbox o SET relayed_at = NULL FROM unnest($1::uuid[], $2::uuid[]) AS b (workspace_id, id)
     WHERE o.workspace_id = b.workspace_id AND o.id = b.id AND o.done_at IS NULL`,
    [rows.map((row) => row.workspaceId), rows.map((row) => row.id)],
  )
}

/** Locks the row that a reference means; undefined when it is done, was tried since, or is being worked on. */
export async function claimRow(tx: Executor, { workspaceId, id, epoch }: JobReference): Promise<OutboxRow | undefined> {
  const [row] = await tx
    .select({
      workspaceId: outbox.workspaceId,
      id: outbox.id,
      event: outbox.event,
      entityType: outbox.entityType,
      entityId: outbox.entityId,
      payload: outbox.payload,
      createdAt: outbox.createdAt,
      attempts: outbox.attempts,
    })
    .from(outbox)
    .where(and(isRow({ workspaceId, id, epoch }), isNull(outbox.doneAt)))
    .for('update', { skipLocked: true })
  return row
}

/** Marks a row as done, in the transaction of its work. */
export async function finishRow(tx: Executor, { workspaceId, id }: Pick<JobReference, 'workspaceId' | 'id'>): Promise<void> {
  await tx.update(outbox).set({ doneAt: sql`now()` }).where(and(eq(outbox.workspaceId, workspaceId), eq(outbox.id, id)))
}

/** How long a row waits after so many failed attempts: 1 s, doubled each time, at most 10 minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(1_000 * 2 ** Math.min(attempts, 20), retryDelayMsMax)
}

/** Counts a failed attempt; the row falls due again after a growing delay. */
export async function postponeRow(db: Executor, reference: JobReference): Promise<void> {
  // It counts as handed on so long ago that its time is over when the delay is.
  const relayedAt = sql`now() + (${retryDelayMs(reference.epoch) - handedOnMs} || ' milliseconds')::interval`
  await db
    .update(outbox)
    .set({ attempts: sql`least(${outbox.attempts} + 1, 30000)`, relayedAt })
    .where(and(isRow(reference), isNull(outbox.doneAt)))
}

function isRow({ workspaceId, id, epoch }: JobReference) {
  return and(eq(outbox.workspaceId, workspaceId), eq(outbox.id, id), eq(outbox.attempts, epoch))
}

/** Which run is to be queued. */
export interface QueuedRun {
  readonly workspaceId: string
  readonly runId: string
  /** The epoch that whoever takes the run must have. */
  readonly epoch: number
}

/** Queues a workflow run, again or for the first time; the caller sets the run itself to QUEUED in the same transaction. */
export async function queueRun(tx: Executor, { workspaceId, runId, epoch }: QueuedRun): Promise<void> {
  await tx.execute(sql`
    INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, attempts)
    VALUES (${workspaceId}::uuid, ${runId}::uuid, 'run', 'run.queued', 'WORKFLOW_RUN', ${runId}::uuid, ${epoch})
    ON CONFLICT (workspace_id, id) DO UPDATE SET attempts = excluded.attempts, payload = excluded.payload, relayed_at = NULL, done_at = NULL`)
}

/** Deletes rows that were done more than a day ago, at most so many; gives their number. */
export async function pruneOutbox(pool: Pool, limit = 5_000): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM outbox o USING (
       SELECT workspace_id, id FROM outbox WHERE done_at < now() - interval '1 day' ORDER BY done_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ) old WHERE o.workspace_id = old.workspace_id AND o.id = old.id`,
    [limit],
  )
  return rowCount ?? 0
}
