import { isPublishedVersion, inTransaction, schema, waitsForMail, type Database, type Executor } from '@crm/db'
import { nextTimeOfDay, timeZoneFor } from '@crm/scheduling'
import { and, count, eq, inArray, isNull, lte, sql } from 'drizzle-orm'

/** The work that waits in a paused installation. */
export interface Waiting {
  /** Changes, runs and jobs that no worker has taken yet. */
  readonly outbox: number
  readonly runs: number
  readonly bookingMails: number
  /** Notifications for which people wished mail. */
  readonly notificationMails: number
  /** Workflows whose time of day came meanwhile. */
  readonly schedules: number
}

const { outbox, workflowRuns, ruleRuns, bookingMails, jobs, imports, exports: madeExports, installation } = schema
const { notifications, notificationMails, workflows, workflowVersions, workspaces } = schema

/** Workflow runs that are not over, including the runs that wait for a time. */
const openRun = inArray(workflowRuns.state, ['QUEUED', 'RUNNING', 'WAITING'])

const dropped = 'It waited in a backup and was dropped when the installation was resumed'

/** The time since which the installation is paused; null while it is not paused. */
export async function pausedSince(db: Database): Promise<string | null> {
  const [row] = await db.select({ pausedAt: installation.pausedAt }).from(installation)
  return row?.pausedAt ?? null
}

/** Counts the waiting work that a resumed installation would send. */
export async function countWaiting(db: Executor): Promise<Waiting> {
  const [rows] = await db.select({ n: count() }).from(outbox).where(isNull(outbox.doneAt))
  const [runs] = await db.select({ n: count() }).from(workflowRuns).where(openRun)
  const [mails] = await db.select({ n: count() }).from(bookingMails)
  const [schedules] = await db.select({ n: count() }).from(workflows).where(isScheduledBefore)
  const notices = await db.execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${wishedMails}`)
  return {
    outbox: rows?.n ?? 0,
    runs: runs?.n ?? 0,
    bookingMails: mails?.n ?? 0,
    notificationMails: notices.rows[0]?.n ?? 0,
    schedules: schedules?.n ?? 0,
  }
}

const isScheduledBefore = lte(workflows.nextRunAt, sql`now()`)

/** The notifications that people would get by mail, at once or with their next digest. */
const wishedMails = sql`${notifications} AS n JOIN ${notificationMails} AS wished
  ON wished.workspace_id = n.workspace_id AND wished.employee_id = n.employee_id AND n.created_at >= wished.since
    AND n.kind = ANY (wished.kinds || wished.digest) AND ${waitsForMail(sql`now()`)}`

async function dropNotificationMails(tx: Executor): Promise<void> {
  await tx.execute(sql`UPDATE ${notifications} AS told SET mailed_at = now()
    FROM (SELECT n.workspace_id, n.id FROM ${wishedMails}) AS waiting
    WHERE told.workspace_id = waiting.workspace_id AND told.id = waiting.id`)
}

/** Leaves the days out that were missed, so that the workflows start at their next time. */
async function dropMissedSchedules(tx: Executor): Promise<void> {
  const missed = await tx
    .select({
      workspaceId: workflows.workspaceId,
      id: workflows.id,
      trigger: workflowVersions.trigger,
      timezone: workspaces.timezone,
    })
    .from(workflows)
    .innerJoin(workflowVersions, isPublishedVersion())
    .innerJoin(workspaces, eq(workspaces.id, workflows.workspaceId))
    .where(isScheduledBefore)
  for (const { workspaceId, id, trigger, timezone } of missed) {
    // A backup may be of a version that took names which are no zones.
    const next = nextTimeOfDay(String(trigger['at']), timeZoneFor(timezone) ?? 'UTC', Date.now())
    await tx
      .update(workflows)
      .set({ nextRunAt: new Date(next).toISOString() })
      .where(and(eq(workflows.workspaceId, workspaceId), eq(workflows.id, id)))
  }
}

/** Ends the pause. The waiting work is either sent or dropped; dropped runs and jobs are marked as dropped. */
export async function resume(db: Database, drops: boolean): Promise<Waiting> {
  return inTransaction(db, undefined, async (tx) => {
    const waiting = await countWaiting(tx)
    if (drops) {
      const at = sql`now()`
      await tx.update(outbox).set({ doneAt: at }).where(isNull(outbox.doneAt))
      await tx.delete(bookingMails)
      await dropNotificationMails(tx)
      await dropMissedSchedules(tx)
      await tx
        .update(workflowRuns)
        .set({ state: 'CANCELLED', failureMessage: dropped, finishedAt: at, leaseUntil: null, resumeAt: null })
        .where(openRun)
      await tx
        .update(ruleRuns)
        .set({ state: 'SKIPPED', finishedAt: at })
        .where(inArray(ruleRuns.state, ['QUEUED', 'RUNNING']))
      await tx
        .update(jobs)
        .set({ state: 'CANCELLED', finishedAt: at })
        .where(inArray(jobs.state, ['QUEUED', 'RUNNING']))
      await tx
        .update(madeExports)
        .set({ state: 'FAILED', problem: dropped, finishedAt: at })
        .where(inArray(madeExports.state, ['QUEUED', 'RUNNING']))
      await tx
        .update(imports)
        .set({ state: 'FAILED', problem: dropped, finishedAt: at })
        .where(inArray(imports.state, ['QUEUED', 'RUNNING']))
    }
    await tx.update(installation).set({ pausedAt: null })
    return waiting
  })
}
