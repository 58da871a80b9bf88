import { newId, nextTimeOfDay, schema, type Database } from '@crm/db'
import { queueRun } from '@crm/jobs'
import { and, eq, lte, sql } from 'drizzle-orm'

const { workflowRuns, workflows, workflowVersions, workspaces } = schema

/** The most workflows that one round starts; the others follow in the next one. */
const startedMax = 100

/**
 * Starts the published workflows whose time of day has come, and returns their number. Days that were missed, such as
 * during a standstill, count as one.
 */
export function startScheduledWorkflows(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
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
      .innerJoin(
        workflowVersions,
        and(
          eq(workflowVersions.workspaceId, workflows.workspaceId),
          eq(workflowVersions.workflowId, workflows.id),
          eq(workflowVersions.version, workflows.publishedVersion),
        ),
      )
      .innerJoin(workspaces, eq(workspaces.id, workflows.workspaceId))
      .where(lte(workflows.nextRunAt, sql`now()`))
      .orderBy(workflows.nextRunAt)
      .limit(startedMax)
      // Another dispatcher that looks at the same moment starts the other ones.
      .for('update', { of: workflows, skipLocked: true })
    for (const { trigger, scheduledFor, timezone, ...run } of due) {
      const { workspaceId, workflowId } = run
      const id = newId()
      await tx.insert(workflowRuns).values({ ...run, id, trigger: { scheduledFor } })
      await queueRun(tx, { workspaceId, runId: id, epoch: 1 })
      await tx
        .update(workflows)
        .set({ nextRunAt: nextTimeOfDay(String(trigger['at']), timezone) })
        .where(and(eq(workflows.workspaceId, workspaceId), eq(workflows.id, workflowId)))
    }
    return due.length
  })
}
