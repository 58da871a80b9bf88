import { inTransaction, schema, type Database, type Executor } from '@crm/db'
import { count, inArray, isNull, sql } from 'drizzle-orm'

/** The work that waits in a paused installation. */
export interface Waiting {
  /** Changes, runs and jobs that no worker has taken yet. */
  readonly outbox: number
  readonly runs: number
  readonly bookingMails: number
}

const { outbox, workflowRuns, ruleRuns, bookingMails, jobs, imports, exports: madeExports, installation } = schema

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
  return { outbox: rows?.n ?? 0, runs: runs?.n ?? 0, bookingMails: mails?.n ?? 0 }
}

/** Ends the pause. The waiting work is either sent or dropped; dropped runs and jobs are marked as dropped. */
export async function resume(db: Database, drops: boolean): Promise<Waiting> {
  return inTransaction(db, undefined, async (tx) => {
    const waiting = await countWaiting(tx)
    if (drops) {
      const at = sql`now()`
      await tx.update(outbox).set({ doneAt: at }).where(isNull(outbox.doneAt))
      await tx.delete(bookingMails)
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
