import { addPurgeMetrics, createDatabase, type Database, type Pool, readMaySend } from '@crm/db'
import type { Egress } from '@crm/egress'
import {
  addOutboxGauges,
  addQueueGauges,
  behindCounter,
  createOutboxConsumer,
  createRelay,
  createWorker,
  hearWakeUps,
  putAsideRow,
  startPeriodicJobs,
  type JobReference,
  type Queues,
} from '@crm/jobs'
import type { Mailer, WorkspaceMailLimit } from '@crm/mail'
import type { Epochs } from '@crm/redis'
import { placesOf, systemClock, traced, workspaceLimits, type Logger, type Metrics } from '@crm/runtime'
import { openHeaders, type Secrets } from '@crm/secrets'
import type { CrmApi } from './sending/crm-api.ts'
import { addRunGauges } from './gauges.ts'
import { dueRuns, periodicJobs } from './periodic-jobs.ts'
import { readBehind, type Retention } from './prune.ts'
import { fireChange, isUnheard } from './rules/fire.ts'
import { createSight, type Sight } from './rules/maker-sight.ts'
import { performRuleRun } from './rules/perform.ts'
import { dropUnheard } from './rules/drop-unheard.ts'
import { claimRun, findQueuedWorkflow, giveBackRun } from './runs/claims.ts'
import { executeRun, type ExecuteDeps } from './runs/execute.ts'
import { createLeases, type Leases } from './runs/leases.ts'
import { RunGivenBack } from './runs/outcome.ts'
import { Circuits, type CircuitBounds } from './sending/circuits.ts'
import { Returns } from './sending/returns.ts'
import { createSender, type Sender } from './sending/sender.ts'
import { Turns, type TurnBounds } from './sending/turns.ts'

/** The resources of the dispatcher. */
export interface DispatcherDeps {
  readonly pool: Pool
  /** The pool that deletes expired history, in batches that may take long. */
  readonly purgePool: Pool
  readonly queues: Queues
  /** The Redis at which the ingress announces a stored call. */
  readonly redisUrl: string | undefined
  readonly epochs: Epochs
  readonly crmApi: CrmApi
  readonly crmApiPauseMs: number
  readonly egress: Egress
  readonly mailer: Mailer
  readonly countMail: WorkspaceMailLimit
  readonly logger: Logger
  readonly metrics: Metrics
  readonly runTokenSecret: string
  readonly secrets: Secrets
  readonly runConcurrency: number
  readonly ruleConcurrency: number
  readonly shares: Shares
  readonly circuit: CircuitBounds
  readonly leaseMs: number
  readonly retention: Retention
  /**
   * The sight that limits what people's automation is told; their own sight by default. Only tests set it, to show that
   * it counts.
   */
  readonly sight?: Sight
}

/** The share of the work that one workspace, one rule or workflow, and one receiver have at once. */
interface Shares extends Pick<TurnBounds, 'perOwner' | 'perReceiver'> {
  /** The places of each workspace; the usual share of all places by default. */
  readonly perWorkspace?: number | undefined
}

/** The running relay, runs, rules and deliveries. */
export interface Dispatcher {
  /** Returns for how long expired rows of each table have waited for their deletion, in seconds. */
  readonly readBehind: () => Promise<ReadonlyMap<string, number>>
  /** Takes no new work, gives running work `withinMs` to end, and gives back the remainder. */
  close(withinMs: number): Promise<void>
}

const topics = ['change', 'run', 'rule', 'access'] as const
/** Every run tells the relay about its changes; this gathers the calls of so many milliseconds. */
const gatherMs = 20
/** These are references of changes only; workspaces take turns among them. */
const waitingChangesMax = 500
/** Any number of runs that wait for one receiver come back at forty a second, because each costs half a dozen statements. */
const returnBounds = { afterMs: 1_000, apartMs: 25 }
/** A run that found the line full falls due again after this time. */
const putAsideMs = 1_000

/** Starts all background work of workflows and rules. */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { pool, queues, epochs, egress, logger, metrics, sight = createSight } = deps
  const db = createDatabase(pool)
  let isStopping = false
  const leases = createLeases({ pool, leaseMs: deps.leaseMs, logger })
  const wakeUps = hearWakeUps(deps.redisUrl, topics, () => relay.kick())
  const relay = createRelay({
    pool,
    queues,
    logger,
    topics,
    isTold: wakeUps.isHearing,
    gatherMs,
    lostPollMs: putAsideMs,
    unheard: { topic: 'change', condition: isUnheard },
    filter: (rows) => dropUnheard(pool, rows),
  })
  const shared = { queues, relay, logger }

  const sender = createSender({
    egress,
    circuits: new Circuits(deps.circuit),
    open: (place, request) => openHeaders(deps.secrets, db, place, request),
    logger,
    count: metrics.counter('crm_deliveries_total', 'Outbound requests by outcome.'),
  })
  const countRun = metrics.counter(
    'crm_runs_total',
    'Workflow runs by outcome; a run that waits is counted each time it does.',
  )
  const ruleBounds = turnBounds(deps.ruleConcurrency, deps.shares)
  const runBounds = turnBounds(deps.runConcurrency, deps.shares)
  const ruleTurns = new Turns(ruleBounds)
  const runTurns = new Turns(runBounds)
  const requestTurns = new Turns(runBounds)
  const performRun = runPerformer({
    ...deps,
    db,
    sender,
    leases,
    runTurns,
    requestTurns,
    countRun,
    queued: () => relay.kick(),
    suspended: (inMs) => periodic.wakeIn(dueRuns, inMs),
    isStopping: () => isStopping,
  })
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
      perform: async (reference) => {
        await performRuleRun({ pool, db, sender, turns: ruleTurns, sight }, reference)
        // What was put aside is due again after a while.
        relay.kick()
      },
    }),
    createWorker({ ...shared, topic: 'run', concurrency: inHand(runBounds), perform: performRun }),
  ]
  const { purged, periodic } = startPeriodicWork(deps, db, () => relay.kick())
  addOutboxGauges(metrics, pool)
  addQueueGauges(metrics, queues)
  addRunGauges(metrics, pool)

  return {
    readBehind: purged.readBehind,
    close: async (withinMs) => {
      isStopping = true
      for (const turns of [ruleTurns, runTurns]) turns.close()
      wakeUps.close()
      const endsAt = performance.now() + withinMs
      const periodicClosed = periodic.close(withinMs)
      await relay.close()
      const leftMs = Math.max(0, endsAt - performance.now())
      await Promise.all([periodicClosed, ...workers.map((worker) => worker.close(leftMs))])
      await leases.giveAllBack()
      leases.close()
    },
  }
}

/** Starts the work that a time starts, and counts what it deletes. */
function startPeriodicWork(deps: DispatcherDeps, db: Database, kick: () => void) {
  const { pool, queues, logger, metrics } = deps
  const purged = addPurgeMetrics(metrics, () => readBehind(pool, deps.retention))
  const jobs = periodicJobs({
    db,
    clock: systemClock,
    logger,
    countBehind: metrics.counter(...behindCounter),
    purgePool: deps.purgePool,
    retention: deps.retention,
    queued: kick,
    deleted: purged.count,
    failed: (table, error) => logger.error({ err: error, table }, 'expired history could not be deleted'),
  })
  const periodic = startPeriodicJobs({
    queue: 'periodic-dispatcher',
    jobs,
    queues,
    logger,
    maySend: () => readMaySend(pool),
  })
  return { purged, periodic }
}

interface RunPerformerDeps extends DispatcherDeps, Pick<ExecuteDeps, 'queued' | 'suspended'> {
  readonly db: Database
  readonly sender: Sender
  readonly leases: Leases
  readonly runTurns: Turns
  readonly requestTurns: Turns
  readonly countRun: (outcome: string) => void
  isStopping(): boolean
}

/** Makes the function that performs one queued run: in its turn, and while it holds the lease. */
function runPerformer(deps: RunPerformerDeps): (reference: JobReference) => Promise<void> {
  const returns = new Returns(returnBounds)

  const performRun = async (reference: JobReference): Promise<void> => {
    const { workspaceId } = reference
    const queued = await findQueuedWorkflow(deps.pool, reference)
    if (!queued) return
    const { workflowId: ownerId, share } = queued
    const leave = await deps.runTurns.enter({ workspaceId, ownerId, share, receiver: null })
    if (!leave) {
      await putAsideRow(deps.db, reference, putAsideMs)
      return deps.queued()
    }
    try {
      await performClaimed(reference)
    } finally {
      leave()
    }
  }

  const performClaimed = async (reference: JobReference): Promise<void> => {
    const run = await claimRun(deps.pool, reference, deps.leaseMs)
    if (!run) return
    const lease = deps.leases.hold(run)
    try {
      const outcome = await traced({ name: 'run', kind: 'consumer', parent: run.traceparent }, () =>
        executeRun({ ...deps, returns }, run, lease),
      )
      deps.countRun(outcome)
    } catch (error) {
      if (!(error instanceof RunGivenBack)) throw error
      await giveBackRun(deps.pool, run)
    } finally {
      lease.release()
    }
  }

  return performRun
}

/** The number of references that wait in this process for each place; they are ids only. */
const waitingPerPlace = 10
/** The minimum of waiting references for one rule or workflow, however short the line is. */
const waitingOfOneMin = 20

function turnBounds(total: number, shares: Shares): TurnBounds {
  const waiting = total * waitingPerPlace
  const { perWorkspace = placesOf(total, workspaceLimits['runs.share'].usual) } = shares
  return {
    ...shares,
    perWorkspace,
    total,
    waiting,
    waitingPerOwner: Math.min(waiting, Math.max(waitingOfOneMin, waiting / 4)),
  }
}

/** Returns how many references a worker takes: the ones in work, and the ones that wait for their turn. */
function inHand({ total, waiting }: TurnBounds): number {
  return total + waiting
}
