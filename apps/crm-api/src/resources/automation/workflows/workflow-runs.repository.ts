import type { RunFailureCode } from '@crm/contract'
import { newId, schema, type Executor, type Transaction } from '@crm/db'
import { and, asc, count, desc, eq, sql, type SQL } from 'drizzle-orm'

const { workflowRuns, workflows, workflowStepRuns } = schema

export type RunRow = Omit<typeof workflowRuns.$inferSelect, 'failureCode'> & {
  readonly workflowName: string
  readonly failureCode: RunFailureCode | null
}

export interface RunFilter {
  readonly workflowId?: string
  readonly state?: RunRow['state']
}

function select(db: Executor) {
  return db
    .select({ run: workflowRuns, workflowName: workflows.name })
    .from(workflowRuns)
    .innerJoin(
      workflows,
      and(eq(workflows.workspaceId, workflowRuns.workspaceId), eq(workflows.id, workflowRuns.workflowId)),
    )
    .$dynamic()
}

function toRow({ run, workflowName }: { run: typeof workflowRuns.$inferSelect; workflowName: string }): RunRow {
  return { ...run, workflowName, failureCode: run.failureCode as RunFailureCode | null }
}

/** Returns one page of runs, newest first. */
export async function listRuns(db: Executor, workspaceId: string, filter: RunFilter, limit: number, offset: number) {
  const where = and(
    eq(workflowRuns.workspaceId, workspaceId),
    filter.workflowId ? eq(workflowRuns.workflowId, filter.workflowId) : undefined,
    filter.state ? eq(workflowRuns.state, filter.state) : undefined,
  )
  const [total] = await db.select({ n: count() }).from(workflowRuns).where(where)
  const rows = await select(db).where(where).orderBy(desc(workflowRuns.id)).limit(limit).offset(offset)
  return { items: rows.map(toRow), total: total?.n ?? 0 }
}

/** Returns one run, or undefined. */
export async function findRun(db: Executor, workspaceId: string, id: string): Promise<RunRow | undefined> {
  const [row] = await select(db).where(isRun(workspaceId, id))
  return row && toRow(row)
}

/** Returns the latest run of a workflow that was started with these data, or undefined. */
export async function findRunOf(
  db: Executor,
  workspaceId: string,
  workflowId: string,
  trigger: unknown,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(
      and(
        eq(workflowRuns.workspaceId, workspaceId),
        eq(workflowRuns.workflowId, workflowId),
        sql`${workflowRuns.trigger} = ${JSON.stringify(trigger ?? null)}::jsonb`,
      ),
    )
    .orderBy(desc(workflowRuns.id))
    .limit(1)
  return row?.id
}

/** Returns one run, locked against its worker until the transaction ends. */
export async function lockRun(tx: Transaction, workspaceId: string, id: string): Promise<RunRow | undefined> {
  await tx.select({ id: workflowRuns.id }).from(workflowRuns).where(isRun(workspaceId, id)).for('update')
  return findRun(tx, workspaceId, id)
}

/** Returns the steps of a run in the order in which they began. */
export async function listSteps(db: Executor, workspaceId: string, runId: string) {
  return db
    .select()
    .from(workflowStepRuns)
    .where(and(eq(workflowStepRuns.workspaceId, workspaceId), eq(workflowStepRuns.runId, runId)))
    .orderBy(asc(workflowStepRuns.startedAt), asc(workflowStepRuns.position))
}

/** Stores a run that is about to be queued, and returns its id. */
export async function insertRun(
  tx: Transaction,
  values: Omit<typeof workflowRuns.$inferInsert, 'id' | 'state' | 'epoch'>,
): Promise<string> {
  const id = newId()
  await tx.insert(workflowRuns).values({ ...values, id })
  return id
}

/** Reopens a failed run, and returns its new epoch, which excludes every older worker. */
export async function reopenRun(tx: Transaction, workspaceId: string, id: string): Promise<number> {
  const [row] = await tx
    .update(workflowRuns)
    .set({
      state: 'QUEUED',
      epoch: sql`${workflowRuns.epoch} + 1`,
      failureCode: null,
      failureMessage: null,
      finishedAt: null,
    })
    .where(isRun(workspaceId, id))
    .returning({ epoch: workflowRuns.epoch })
  if (!row) throw new Error('The run was not opened again')
  return row.epoch
}

/** Stops a run; later writes of its worker have no effect. */
export async function cancelRun(tx: Transaction, workspaceId: string, id: string, at: string): Promise<void> {
  await tx
    .update(workflowRuns)
    .set({
      state: 'CANCELLED',
      epoch: sql`${workflowRuns.epoch} + 1`,
      leaseUntil: null,
      resumeAt: null,
      finishedAt: at,
    })
    .where(isRun(workspaceId, id))
  await tx
    .update(workflowStepRuns)
    .set({ state: 'SKIPPED', finishedAt: at })
    .where(
      and(
        eq(workflowStepRuns.workspaceId, workspaceId),
        eq(workflowStepRuns.runId, id),
        eq(workflowStepRuns.state, 'RUNNING'),
      ),
    )
}

function isRun(workspaceId: string, id: string): SQL {
  return and(eq(workflowRuns.workspaceId, workspaceId), eq(workflowRuns.id, id)) as SQL
}
