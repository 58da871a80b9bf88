import { createDatabase, type Pool, readMaySend } from '@crm/db'
import type { Egress } from '@crm/egress'
import {
  addOutboxGauges,
  createOutboxConsumer,
  createRelay,
  createWorker,
  hearWakeUps,
  putAsideRow,
  startPeriodicJobs,
  type JobReference,
  type PeriodicJob,
  type Queues,
} from '@crm/jobs'
import type { Mailer } from '@crm/mail'
import type { Epochs } from '@crm/redis'
import type { Logger, Metrics } from '@crm/runtime'
import type { CrmApi } from './crm-api.ts'
import { addRunGauges } from './gauges.ts'
import { giveUpLostDeliveries } from './deliveries.ts'
import { prune, type Retention } from './prune.ts'
import { fireChange, isUnheard } from './rules/fire.ts'
import { createSight, type Sight } from './rules/maker-sight.ts'
import { performRuleRun } from './rules/perform.ts'
import { dropUnheard } from './rules/drop-unheard.ts'
import { claimRun, findQueuedWorkflow, giveBackRun, requeueDueRuns } from './runs/claims.ts'
import { executeRun } from './runs/execute.ts'
import { createLeases } from './runs/leases.ts'
import { RunGivenBack } from './runs/outcome.ts'
import { Circuits, type CircuitBounds } from './sending/circuits.ts'
import { Returns } from './sending/returns.ts'
import { createSender } from './sending/sender.ts'
import { Turns, type TurnBounds } from './sending/turns.ts'

/** What the dispatcher works with. */
export interface DispatcherDeps {
  readonly pool: Pool
  /** Deletes history that has served its time, in batches that may take long. */
  readonly purgePool: Pool
  readonly queues: Queues
  /** Where the ingress says that it has stored something. */
  readonly redisUrl: string | undefined
  readonly epochs: Epochs
  readonly crmApi: CrmApi
  readonly egress: Egress
  readonly mailer: Mailer
  readonly logger: Logger
  readonly metrics: Metrics
  readonly runTokenSecret: string
  readonly runConcurrency: number
  readonly ruleConcurrency: number
  readonly shares: Shares
  readonly circuit: CircuitBounds
  readonly leaseMs: number
  readonly retention: Retention
  /** What people's automation is told; what they may see unless told. Tests alone give it, to show that it counts. */
  readonly sight?: Sight
}

/** How much of it one workspace, one rule or workflow and one receiver have at once. */
export type Shares = Pick<TurnBounds, 'perWorkspace' | 'perOwner' | 'perReceiver'>

/** The relay, the runs, the rules and the deliveries at work. */
export interface Dispatcher {
  /** Takes nothing new, lets work go on for so long, and gives back what is left. */
  close(withinMs: number): Promise<void>
}

/** Every run tells the relay of what it has changed; so many milliseconds of them are handed on together. */
const gatherMs = 20
const dueRunsEveryMs = 1_000
/** References of changes only; among these many, workspaces take turns. */
const waitingChangesMax = 500
/** Runs that wait for one receiver come back at forty a second, however many they are: each costs half a dozen statements. */
const returnBounds = { afterMs: 1_000, apartMs: 25 }
/** A run that found the line full falls due again after so long. */
const putAsideMs = 1_000
const housekeepingEveryMs = 60_000

/** Starts everything that happens in the background of workflows and rules. */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { pool, queues, epochs, egress, logger, metrics, sight = createSight } = deps
  const db = createDatabase(pool)
  let isStopping = false
  const leases = createLeases({ pool, leaseMs: deps.leaseMs, logger })
  const relay = createRelay({
    pool,
    queues,
    logger,
    topics: ['change', 'run', 'rule', 'access'],
    gatherMs,
    lostPollMs: putAsideMs,
    unheard: { topic: 'change', condition: isUnheard },
    filter: (rows) => dropUnheard(pool, rows),
  })
  const shared = { queues, relay, logger }

  const sender = createSender({ egress, circuits: new Circuits(deps.circuit) })
  const ruleBounds = turnBounds(deps.ruleConcurrency, deps.shares)
  const runBounds = turnBounds(deps.runConcurrency, deps.shares)
  const ruleTurns = new Turns(ruleBounds)
  const runTurns = new Turns(runBounds)
  const requestTurns = new Turns(runBounds)
  const returns = new Returns(returnBounds)

  const performRun = async (reference: JobReference): Promise<void> => {
    const workflowId = await findQueuedWorkflow(pool, reference)
    if (workflowId === undefined) return
    const leave = await runTurns.enter({ workspaceId: reference.workspaceId, ownerId: workflowId, receiver: null })
    if (!leave) return putAsideRow(db, reference, putAsideMs)
    try {
      await performClaimed(reference)
    } finally {
      leave()
    }
  }

  const performClaimed = async (reference: JobReference): Promise<void> => {
    const run = await claimRun(pool, reference, deps.leaseMs)
    if (!run) return
    const lease = leases.hold(run)
    try {
      await executeRun({ ...deps, sender, requestTurns, returns, isStopping: () => isStopping }, run, lease)
      // What the run changed is in the outbox by now.
      relay.kick()
    } catch (error) {
      if (!(error instanceof RunGivenBack)) throw error
      await giveBackRun(pool, run)
    } finally {
      lease.release()
    }
  }

  const workers = [
    createOutboxConsumer({
      ...shared,
      db,
      topic: 'change',
      waitingMax: waitingChangesMax,
      handle: (row, tx) => fireChange(row, tx, sight),
    }),
    createOutboxConsumer({
      ...shared,
      db,
      topic: 'access',
      concurrency: 2,
      handle: (row) => epochs.bump(row.workspaceId),
    }),
    createWorker({
      ...shared,
      topic: 'rule',
      concurrency: inHand(ruleBounds),
      perform: (reference) => performRuleRun({ pool, db, sender, turns: ruleTurns, sight }, reference),
    }),
    createWorker({ ...shared, topic: 'run', concurrency: inHand(runBounds), perform: performRun }),
  ]
  const wakeDueRuns = async (): Promise<void> => {
    if ((await requeueDueRuns(pool)) > 0) relay.kick()
  }
  const jobs: readonly PeriodicJob[] = [
    { name: 'due-runs', everyMs: dueRunsEveryMs, sends: true, perform: wakeDueRuns },
    { name: 'lost-deliveries', everyMs: housekeepingEveryMs, perform: () => giveUpLostDeliveries(pool) },
    { name: 'old-history', everyMs: housekeepingEveryMs, perform: () => prune(deps.purgePool, deps.retention) },
  ]
  const periodic = startPeriodicJobs({
    queue: 'periodic-dispatcher',
    jobs,
    queues,
    logger,
    maySend: () => readMaySend(pool),
  })
  const wakeUps = hearWakeUps(deps.redisUrl, () => relay.kick())
  addOutboxGauges(metrics, pool)
  addRunGauges(metrics, pool)

  return {
    close: async (withinMs) => {
      isStopping = true
      for (const turns of [ruleTurns, runTurns]) turns.close()
      wakeUps.close()
      await Promise.all([relay.close(), periodic.close(withinMs)])
      await Promise.all(workers.map((worker) => worker.close(withinMs)))
      await leases.giveAllBack()
      leases.close()
    },
  }
}

/** For each place so many references wait in this process; they are ids only. */
const waitingPerPlace = 10
/** One rule or workflow may have so many waiting, however short the line is. */
const waitingOfOneMin = 20

function turnBounds(total: number, shares: Shares): TurnBounds {
  const waiting = total * waitingPerPlace
  return { ...shares, total, waiting, waitingPerOwner: Math.min(waiting, Math.max(waitingOfOneMin, waiting / 4)) }
}

/** How many references a worker takes: those that are worked on, and those that wait for their turn. */
function inHand({ total, waiting }: TurnBounds): number {
  return total + waiting
}
