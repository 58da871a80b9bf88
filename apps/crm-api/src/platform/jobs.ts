import { newId, recordChange, schema, type Transaction } from '@crm/db'
import type { CrmContext } from './context.ts'

interface NewJob {
  /** A kind of work that `workers` knows; it is also the event that starts the work. */
  readonly kind: string
  /** The number of things that the work is about, for its progress. */
  readonly total: number
  readonly payload?: Readonly<Record<string, unknown>>
}

/** Queues background work on behalf of the caller, once the transaction is committed; returns the id by which its progress is read. */
export async function insertJob(
  tx: Transaction,
  { workspace, caller, actor, at }: Pick<CrmContext, 'workspace' | 'caller' | 'actor' | 'at'>,
  { kind, total, payload }: NewJob,
): Promise<string> {
  const id = newId()
  await tx.insert(schema.jobs).values({
    workspaceId: workspace.id,
    id,
    kind,
    employeeId: caller.employee.id,
    total,
    payload,
    createdAt: at,
  })
  await recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [{ topic: 'job', event: kind, payload: { jobId: id } }],
  })
  return id
}

/** Queues background work in a transaction of its own; the work knows by which way the caller came. */
export function enqueueJob(
  context: CrmContext,
  kind: string,
  total: number,
  payload: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { source, via } = context.actor
  return context.transact((tx) => insertJob(tx, context, { kind, total, payload: { ...payload, source, via } }))
}
