import { startRounds, type Logger } from '@crm/runtime'
import { setTimeout as waitMs } from 'node:timers/promises'
import type { PeriodicQueue } from './catalogue.ts'
import type { Queues } from './no-queues.ts'

/** Work that is done again and again, each time by one process of all that offer it. */
export interface PeriodicJob {
  /** Its name in the queue, such as `due-mails`. */
  readonly name: string
  /** A second or more. */
  readonly everyMs: number
  /** Whether it sends mail or starts what does: it rests while nothing may be sent. */
  readonly sends?: true
  /**
   * Does what is due now. What is due stands in PostgreSQL: a time that was missed is made up for by the next one. After a fault
   * two processes may do it at once, so each takes only what no other one is at.
   */
  perform(): Promise<unknown>
}

export interface PeriodicJobsOptions {
  /** The queue of the deployable. */
  readonly queue: PeriodicQueue
  readonly jobs: readonly PeriodicJob[]
  readonly queues: Queues
  readonly logger: Logger
  /** Whether anything may be sent now. */
  readonly maySend: () => Promise<boolean>
}

export interface PeriodicJobs {
  /** Takes nothing more and waits for what is under way, at most so long. */
  close(withinMs: number): Promise<void>
}

/**
 * Starts the periodic work of one process. A scheduler in Redis says when each job is due, and one process takes it.
 *
 * Every period each process looks whether that works. A scheduler that is not there, as after a loss of Redis, is made again. While Redis
 * is away, and when a job is overdue, the process does the job by itself.
 */
export function startPeriodicJobs({ queue, jobs, queues, logger, maySend }: PeriodicJobsOptions): PeriodicJobs {
  const underWay = new Map<string, Promise<void>>()
  let isClosed = false

  const performDue = async (job: PeriodicJob): Promise<void> => {
    if (job.sends !== true || (await maySend())) await job.perform()
  }

  const perform = (job: PeriodicJob): Promise<void> => {
    const already = underWay.get(job.name)
    if (already) return already
    const done = performDue(job)
      // The text of an error may name people, and what a job says of its end can be seen by whoever looks at the queue.
      .catch((error: unknown) => logger.error({ err: error, queue, job: job.name }, 'periodic work failed'))
      .then(() => void underWay.delete(job.name))
    underWay.set(job.name, done)
    return done
  }

  const take = async (name: string): Promise<void> => {
    // What is under way here holds no further place in the queue.
    if (isClosed || underWay.has(name)) return
    const job = jobs.find((known) => known.name === name)
    // It is that of another version, whose processes put it back with their next look.
    return job ? perform(job) : queues.unschedule(queue, name)
  }

  const listen = () => (jobs.length > 0 ? queues.listenForPeriodic(queue, jobs.length, take) : undefined)
  let listener = listen()

  const look = async (job: PeriodicJob): Promise<void> => {
    const state = queues.isReady()
      ? await queues.schedule(queue, job.name, job.everyMs).catch(() => 'AWAY' as const)
      : 'AWAY'
    if (state === 'KEPT') return
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
      const closed = Promise.all([
        listener?.close(withinMs),
        ...looks.map((each) => each.close()),
        ...underWay.values(),
      ])
      await Promise.race([closed, waitMs(withinMs, undefined, { ref: false })])
    },
  }
}
