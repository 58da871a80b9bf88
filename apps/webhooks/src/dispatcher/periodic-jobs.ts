import { createDatabase, type Pool } from '@crm/db'
import type { PeriodicJob, RoundDeps } from '@crm/jobs'
import { giveUpLostDeliveries, lostDeliveriesRoundMs } from './sending/deliveries.ts'
import { prune, type PruneReports, type Retention } from './prune.ts'
import { dueRunsRoundMs, nextRunInMs, requeueDueRuns } from './runs/claims.ts'
import { schedulesRoundMs, startScheduledWorkflows } from './runs/schedules.ts'

/** The name of the job that a run asks for when it is suspended. */
export const dueRuns = 'due-runs'
const pruneEveryMs = 60_000

type PeriodicDeps = RoundDeps & {
  /** The pool that deletes expired history, in batches that may take long. */
  readonly purgePool: Pool
  readonly retention: Retention
  /** Hears that runs were queued. */
  readonly queued: () => void
} & PruneReports

/** Returns the periodic work of the dispatcher. */
export function periodicJobs(deps: PeriodicDeps): readonly PeriodicJob[] {
  const { purgePool, retention, queued } = deps
  const purgeDb = createDatabase(purgePool)
  return [
    {
      name: dueRuns,
      everyMs: dueRunsRoundMs,
      sends: true,
      dueInMs: () => nextRunInMs(deps),
      perform: async (signal) => {
        if ((await requeueDueRuns({ ...deps, signal })) > 0) queued()
      },
    },
    {
      name: 'schedules',
      everyMs: schedulesRoundMs,
      sends: true,
      perform: async (signal) => {
        if ((await startScheduledWorkflows({ ...deps, signal })) > 0) queued()
      },
    },
    {
      name: 'lost-deliveries',
      everyMs: lostDeliveriesRoundMs,
      perform: (signal) => giveUpLostDeliveries({ ...deps, signal }),
    },
    {
      name: 'old-history',
      everyMs: pruneEveryMs,
      perform: (signal) => prune({ ...deps, db: purgeDb, signal }, retention, deps),
    },
  ]
}
