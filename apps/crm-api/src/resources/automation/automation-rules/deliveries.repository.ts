import { newId, schema, type Executor } from '@crm/db'
import type { Delivered } from '@crm/egress'
import { and, count, desc, eq, type SQL } from 'drizzle-orm'

const { deliveries, workflowRuns } = schema

export type DeliveryRow = typeof deliveries.$inferSelect

export interface DeliveryFilter {
  readonly ruleId?: string
  readonly runId?: string
}

/** Returns one page of deliveries, newest first. */
export async function listDeliveries(
  db: Executor,
  workspaceId: string,
  { ruleId, runId }: DeliveryFilter,
  limit: number,
  offset: number,
) {
  const where = and(
    eq(deliveries.workspaceId, workspaceId),
    ruleId ? eq(deliveries.ruleId, ruleId) : undefined,
    runId ? eq(deliveries.runId, runId) : undefined,
  )
  const [total] = await db.select({ n: count() }).from(deliveries).where(where)
  const items = await db.select().from(deliveries).where(where).orderBy(desc(deliveries.id)).limit(limit).offset(offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns one delivery, or undefined. */
export async function findDelivery(db: Executor, workspaceId: string, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await db.select().from(deliveries).where(isDelivery(workspaceId, id))
  return row
}

/** Writes the delivery of a request that is about to be sent again; the log has the delivery before the request leaves. */
export async function insertRedelivery(
  db: Executor,
  { workspaceId, id: redeliveryOf, ruleId, runId, subjectType, subjectId, request }: DeliveryRow,
  attemptedAt: string,
): Promise<string> {
  const id = newId()
  await db.insert(deliveries).values({
    workspaceId,
    id,
    ruleId,
    runId,
    subjectType,
    subjectId,
    request,
    state: 'SENDING',
    attemptedAt,
    redeliveryOf,
  })
  return id
}

/** Returns the workflow of a run; null when the run is gone. */
export async function findWorkflowOfRun(db: Executor, workspaceId: string, runId: string): Promise<string | null> {
  const [run] = await db
    .select({ workflowId: workflowRuns.workflowId })
    .from(workflowRuns)
    .where(and(eq(workflowRuns.workspaceId, workspaceId), eq(workflowRuns.id, runId)))
  return run?.workflowId ?? null
}

/** Writes the delivery of a request that the test of a rule is about to send. */
export async function insertTestDelivery(
  db: Executor,
  { workspaceId, ruleId, request }: Pick<DeliveryRow, 'workspaceId' | 'ruleId' | 'request'>,
  attemptedAt: string,
): Promise<string> {
  const id = newId()
  await db.insert(deliveries).values({ workspaceId, id, ruleId, request, state: 'SENDING', attemptedAt })
  return id
}

/** Stores the result of a delivery, and returns the delivery. */
export async function finishDelivery(
  db: Executor,
  workspaceId: string,
  id: string,
  { ok, status, durationMs, responseBody, truncated, error }: Delivered,
): Promise<DeliveryRow> {
  const [row] = await db
    .update(deliveries)
    .set({ state: ok ? 'SUCCEEDED' : 'FAILED', status, durationMs, responseBody, responseTruncated: truncated, error })
    .where(isDelivery(workspaceId, id))
    .returning()
  return row as DeliveryRow
}

function isDelivery(workspaceId: string, id: string): SQL {
  return and(eq(deliveries.workspaceId, workspaceId), eq(deliveries.id, id)) as SQL
}
