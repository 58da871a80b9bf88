import { noteQueued, schema, type Executor } from '@crm/db'
import { currentTraceparent } from '@crm/runtime'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { setTimeout as waitMs } from 'node:timers/promises'
import type { JobReference } from './catalogue.ts'
import { handedOnMs } from './handing-on.ts'

/** A row of the outbox, as its consumer gets it. */
export interface OutboxRow {
  readonly workspaceId: string
  readonly id: string
  readonly event: string
  readonly entityType: string | null
  readonly entityId: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: string
  /** The number of earlier attempts. */
  readonly attempts: number
  /** The trace that the work belongs to. */
  readonly traceparent?: string | null
}

const retryDelayMsMax = 10 * 60_000

const { outbox } = schema

/** The newest version of rows that this code understands; a row without a version of its own has version 1. */
const knownVersion = 1
/** The time after which a row of a later version is handed on again, perhaps to a process that knows it. */
const unknownVersionMs = 5_000

/** The pauses of a claim between its attempts to lock a row that another transaction holds. */
const claimWaitsMs = [5, 10, 20, 40, 80, 160]

/**
 * Locks the row of a reference; undefined when it is done, was tried since, is being worked on, or belongs to a later version of the
 * service: such a row is put back.
 * A relay that is late for a row locks it for a moment too. Its lock must not count as work: the row would wait until it counts as lost.
 */
export async function claimRow(tx: Executor, reference: JobReference): Promise<OutboxRow | undefined> {
  const found = await lockPatiently(tx, reference)
  if (found === undefined) return undefined
  const { version, ...row } = found
  if (version <= knownVersion) return row
  await putAsideRow(tx, reference, unknownVersionMs)
  return undefined
}

interface LockedRow extends OutboxRow {
  readonly version: number
}

async function lockPatiently(tx: Executor, reference: JobReference): Promise<LockedRow | undefined> {
  for (const ms of claimWaitsMs) {
    const row = await lockRow(tx, reference)
    if (row || !(await isOpen(tx, reference))) return row
    await waitMs(ms)
  }
  return lockRow(tx, reference)
}

async function lockRow(tx: Executor, reference: JobReference): Promise<LockedRow | undefined> {
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
      version: outbox.version,
      traceparent: outbox.traceparent,
    })
    .from(outbox)
    .where(isOpenRow(reference))
    .for('update', { skipLocked: true })
  return row
}

async function isOpen(tx: Executor, reference: JobReference): Promise<boolean> {
  const found = await tx.select({ id: outbox.id }).from(outbox).where(isOpenRow(reference))
  return found.length > 0
}

/** Marks a row as done, in the transaction of its work. */
export async function finishRow(
  tx: Executor,
  { workspaceId, id }: Pick<JobReference, 'workspaceId' | 'id'>,
): Promise<void> {
  await tx
    .update(outbox)
    .set({ doneAt: sql`now()` })
    .where(and(eq(outbox.workspaceId, workspaceId), eq(outbox.id, id)))
}

/** Returns the delay after a number of failed attempts: 1 s, doubled each time, at most 10 minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(1_000 * 2 ** Math.min(attempts, 20), retryDelayMsMax)
}

/** Counts a failed attempt; the row falls due again after a growing delay. */
export async function postponeRow(db: Executor, reference: JobReference): Promise<void> {
  await db
    .update(outbox)
    .set({ attempts: sql`least(${outbox.attempts} + 1, 30000)`, relayedAt: dueAfter(retryDelayMs(reference.epoch)) })
    .where(isOpenRow(reference))
}

/** Postpones a row that was not tried yet: it falls due again after this many milliseconds. */
export async function putAsideRow(db: Executor, reference: JobReference, delayMs: number): Promise<void> {
  await db
    .update(outbox)
    .set({ relayedAt: dueAfter(delayMs) })
    .where(isOpenRow(reference))
}

/**
 * Stores how far the work of a row has come and lets it fall due again after a time: for work that lasts longer than a transaction,
 * and for the next attempt of it. Earlier references to the row are stale then. Returns the new one.
 */
export async function holdRow(
  tx: Executor,
  reference: JobReference,
  payload: OutboxRow['payload'],
  forMs: number,
): Promise<JobReference> {
  await tx
    .update(outbox)
    .set({ payload, attempts: sql`least(${outbox.attempts} + 1, 30000)`, relayedAt: dueAfter(forMs) })
    .where(isOpenRow(reference))
  return { ...reference, epoch: Math.min(reference.epoch + 1, 30_000) }
}

/** Returns a time of handing on that is over when the delay has passed. */
function dueAfter(delayMs: number) {
  return sql`now() + (${Math.round(delayMs) - handedOnMs} || ' milliseconds')::interval`
}

function isOpenRow({ workspaceId, id, epoch }: JobReference) {
  return and(eq(outbox.workspaceId, workspaceId), eq(outbox.id, id), eq(outbox.attempts, epoch), isNull(outbox.doneAt))
}

/** The reference to a run to queue. */
export interface QueuedRun {
  readonly workspaceId: string
  readonly runId: string
  /** The epoch that a worker needs to take the run. */
  readonly epoch: number
}

/** Queues a workflow run, again or for the first time; the caller sets the run itself to QUEUED in the same transaction. */
export async function queueRun(tx: Executor, { workspaceId, runId, epoch }: QueuedRun): Promise<void> {
  await tx.execute(sql`
    INSERT INTO outbox (workspace_id, id, topic, event, entity_type, entity_id, attempts, traceparent)
    VALUES (${workspaceId}::uuid, ${runId}::uuid, 'run', 'run.queued', 'WORKFLOW_RUN', ${runId}::uuid, ${epoch}, ${currentTraceparent() ?? null})
    ON CONFLICT (workspace_id, id) DO UPDATE SET attempts = excluded.attempts, payload = excluded.payload, relayed_at = NULL, done_at = NULL`)
  noteQueued(tx, ['run'])
}
