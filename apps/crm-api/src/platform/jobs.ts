import { newId, recordChange, schema } from '@crm/db'
import type { CrmContext } from './context.ts'

/**
 * Queues background work of a kind that `workers` knows, on behalf of the caller; returns the id of the job, by which its
 * progress is read.
 */
export async function enqueueJob(
  context: CrmContext,
  kind: string,
  total: number,
  payload: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = newId()
  const { workspace, caller, actor, at } = context
  await context.transact(async (tx) => {
    await tx.insert(schema.jobs).values({
      workspaceId: workspace.id,
      id,
      kind,
      employeeId: caller.employee.id,
      total,
      payload: { ...payload, source: actor.source },
      createdAt: at,
    })
    await recordChange(tx, {
      workspaceId: workspace.id,
      actor,
      at,
      events: [{ topic: 'job', event: kind, payload: { jobId: id } }],
    })
  })
  return id
}
