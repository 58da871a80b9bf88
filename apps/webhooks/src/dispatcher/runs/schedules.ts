import { isPublishedVersion, inTransaction, newId, schema, type Transaction } from '@crm/db'
import { doDueWork, isNotPutOff, queueRun, type DueWork, type RoundDeps } from '@crm/jobs'
import { nextTimeOfDay } from '@crm/scheduling'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'

const { workflowRuns, workflows, workflowVersions, workspaces } = schema

/** How often due schedules are looked for. */
export const schedulesRoundMs = 5_000
const work = 'start-schedules'
const foundAtOnce = 200
const startedTogether = 50

interface Due {
  readonly workspaceId: string
  readonly id: string
}

/**
 * Starts the published workflows whose time of day has come, and returns their number. Days that were missed, such as
 * during a standstill, count as one.
 */
export async function startScheduledWorkflows(deps: RoundDeps): Promise<number> {
  const { db, clock } = deps
  let started = 0
  const starts: DueWork<Due> = {
    name: work,
    everyMs: schedulesRoundMs,
    batch: foundAtOnce,
    together: startedTogether,
    find: (at, limit) =>
      db
        .select({ workspaceId: workflows.workspaceId, id: workflows.id })
        .from(workflows)
        .where(
          and(
            lte(workflows.nextRunAt, at),
            isNotPutOff(work, { workspaceId: workflows.workspaceId, row: workflows.id }, at),
          ),
        )
        .orderBy(workflows.nextRunAt)
        .limit(limit),
    keyOf: ({ workspaceId, id }) => ({ workspaceId, row: id }),
    perform: async (due, workspaceId) => {
      const ids = due.map(({ id }) => id)
      started += await inTransaction(db, undefined, (tx) => startSome(tx, { workspaceId, ids, now: clock.now() }))
    },
  }
  await doDueWork(deps, starts)
  return started
}

interface DueOfOne {
  readonly workspaceId: string
  readonly ids: readonly string[]
  readonly now: Date
}

async function startSome(tx: Transaction, { workspaceId, ids, now }: DueOfOne): Promise<number> {
  const due = await tx
    .select({
      workspaceId: workflows.workspaceId,
      workflowId: workflows.id,
      runAsId: workflows.runAsId,
      version: workflowVersions.version,
      trigger: workflowVersions.trigger,
      scheduledFor: workflows.nextRunAt,
      timezone: workspaces.timezone,
    })
    .from(workflows)
    .innerJoin(workflowVersions, isPublishedVersion())
    .innerJoin(workspaces, eq(workspaces.id, workflows.workspaceId))
    .where(
      and(
        eq(workflows.workspaceId, workspaceId),
        inArray(workflows.id, [...ids]),
        lte(workflows.nextRunAt, now.toISOString()),
      ),
    )
    // Another dispatcher that looks at the same moment starts the other ones.
    .for('update', { of: workflows, skipLocked: true })
  if (due.length === 0) return 0
  const runs = due.map(({ trigger: _trigger, scheduledFor, timezone: _timezone, ...run }) => ({
    ...run,
    id: newId(),
    trigger: { scheduledFor },
  }))
  await tx.insert(workflowRuns).values(runs)
  for (const { id } of runs) await queueRun(tx, { workspaceId, runId: id, epoch: 1 })
  const next = due.map(({ workflowId, trigger, timezone }) => {
    const atMs = nextTimeOfDay(String(trigger['at']), timezone, now.getTime())
    return { workflowId, at: new Date(atMs).toISOString() }
  })
  await tx.execute(sql`UPDATE ${workflows} AS started SET next_run_at = next.at
    FROM unnest(${sql.param(next.map(({ workflowId }) => workflowId))}::uuid[], ${sql.param(next.map(({ at }) => at))}::timestamptz[]) AS next (id, at)
    WHERE started.workspace_id = ${workspaceId} AND started.id = next.id`)
  return due.length
}
