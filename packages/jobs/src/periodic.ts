import { startRounds, within, type Logger } from '@crm/runtime'
import type { PeriodicQueue } from './catalogue.ts'
import type { Queues } from './no-queues.ts'

/** Repeated work, which one process of all that offer it does each time. */
export interface PeriodicJob {
  /** Its name in the queue, such as `due-mails`. */
  readonly name: string
  /** A second or more. */
  readonly everyMs: number
  /** Whether it sends mail or starts work that does; it stops while sending is paused. */
  readonly sends?: true
  /**
   * Does the due work. PostgreSQL records what is due, so the next run makes up for a missed one. After a fault
   * two processes may run at once, so each takes only work that no other process is doing.
   * @param signal asks long work to end early, because the process ends
   */
  perform(signal?: AbortSignal): Promise<unknown>
}

export interface PeriodicJobsOptions {
  /** The queue of the deployable. */
  readonly queue: PeriodicQueue
  readonly jobs: readonly PeriodicJob[]
  readonly queues: Queues
  readonly logger: Logger
  /** Whether sending is allowed now. */
  readonly maySend: () => Promise<boolean>
}

export interface PeriodicJobs {
  /** Takes nothing more and waits for current work, up to a limit. */
  close(withinMs: number): Promise<void>
}

/** A scheduler that was found in order is taken to be so for this long; jobs of every second would be looked after more often than they are done. */
const keptForMs = 4_000

/**
 * Starts the periodic work of one process. A scheduler in Redis makes each job due, and one process takes it.
 *
 * Every period, and no more often than every few seconds, each process checks that this works. It creates a missing scheduler again, as after data loss in Redis. While Redis
 * is unreachable, and when a job is overdue, the process does the job by itself.
 */
export function startPeriodicJobs({ queue, jobs, queues, logger, maySend }: PeriodicJobsOptions): PeriodicJobs {
  // Bounded: the jobs that are declared.
  const underWay = new Map<string, Promise<void>>()
  const ending = new AbortController()
  let isClosed = false

  const performDue = async (job: PeriodicJob): Promise<void> => {
    if (job.sends !== true || (await maySend())) await job.perform(ending.signal)
  }

  const perform = (job: PeriodicJob): Promise<void> => {
    const already = underWay.get(job.name)
    if (already) return already
    const done = performDue(job)
      // The text of an error may name people, and the result of a job is visible to everyone who may inspect the queue.
      .catch((error: unknown) => logger.error({ err: error, queue, job: job.name }, 'periodic work failed'))
      .then(() => void underWay.delete(job.name))
    underWay.set(job.name, done)
    return done
  }

  const take = async (name: string): Promise<void> => {
    // Work that this process is doing already needs no second place in the queue.
    if (isClosed || underWay.has(name)) return
    const job = jobs.find((known) => known.name === name)
    // The job belongs to another version, whose processes add it again at their next check.
    return job ? perform(job) : queues.unschedule(queue, name)
  }

  const listen = () => (jobs.length > 0 ? queues.listenForPeriodic(queue, jobs.length, take) : undefined)
  let listener = listen()

  // Bounded: the jobs that are declared.
  const keptAtMs = new Map<string, number>()

  const look = async (job: PeriodicJob): Promise<void> => {
    const isKnown = performance.now() - (keptAtMs.get(job.name) ?? -Infinity) < keptForMs
    if (isKnown && queues.isReady()) return
    const state = queues.isReady()
      ? await queues.schedule(queue, job.name, job.everyMs).catch(() => 'AWAY' as const)
      : 'AWAY'
    if (state === 'KEPT') {
      keptAtMs.set(job.name, performance.now())
      return
    }
    if (state === 'OVERDUE') {
      logger.warn({ queue, job: job.name }, 'periodic work is overdue: the listener is made anew')
      await listener?.close(0)
      if (!isClosed) listener = listen()
    }
    await perform(job)
  }
  const looks = jobs.map((job) => startRounds({ name: job.name, everyMs: job.everyMs, logger, round: () => look(job) }))

  return {
    close: async (withinMs) => {
      isClosed = true
      ending.abort()
      const closed = Promise.all([
        listener?.close(withinMs),
        ...looks.map((each) => each.close()),
        ...underWay.values(),
      ])
      await within(withinMs, closed, () => undefined)
    },
  }
}
