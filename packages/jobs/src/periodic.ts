import type { WorkTopic } from '@crm/db'
import { startRounds, within, type Logger } from '@crm/runtime'
import type { PeriodicQueue } from './catalogue.ts'
import type { Queues } from './no-queues.ts'

/** Repeated work, which one process of all that offer it does each time. */
export interface PeriodicJob {
  /** Its name in the queue, such as `due-mails`. */
  readonly name: string
  /** A second or more; work that has `dueInMs` or `wokenBy` is done sooner when it is due sooner. */
  readonly everyMs: number
  /** The message after which something is due at once. */
  readonly wokenBy?: WorkTopic
  /**
   * Asked after each round: returns in how many milliseconds the next work is due, 0 or less for now; undefined without any. Work that
   * failed and waits for its next try does not count.
   */
  dueInMs?(): Promise<number | undefined>
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
  /** Hears that work was left behind: the jobs that it wakes are done in this process. */
  hear(topic: WorkTopic): void
  /** Does a job in this process after so many milliseconds, if its period does not end before; an earlier time that was told counts. */
  wakeIn(name: string, inMs: number): void
  /** Takes nothing more and waits for current work, up to a limit. */
  close(withinMs: number): Promise<void>
}

/** However often a job is woken, it rests for so long after a round: what falls due one after another shares rounds. */
const restMs = 1_000

/**
 * Starts the periodic work of one process. A scheduler in Redis makes each job due, and one process takes it.
 *
 * Every period each process checks that this works. It creates a missing scheduler again, as after data loss in Redis. While Redis
 * is unreachable, and when a job is overdue, the process does the job by itself.
 */
export function startPeriodicJobs({ queue, jobs, queues, logger, maySend }: PeriodicJobsOptions): PeriodicJobs {
  // Bounded: the jobs that are declared.
  const underWay = new Map<string, Promise<void>>()
  const ending = new AbortController()
  let isClosed = false
  const alarms = new Alarms((job) => {
    const already = underWay.get(job.name)
    // What is under way may have looked before the work was there.
    void (already ? already.then(() => alarms.set(job, 0)) : perform(job))
  })

  const mayDo = async ({ sends }: PeriodicJob): Promise<boolean> => sends !== true || maySend()

  const performDue = async (job: PeriodicJob): Promise<void> => {
    let dueInMs: number | undefined
    try {
      if (await mayDo(job)) {
        await job.perform(ending.signal)
        dueInMs = await job.dueInMs?.()
      }
    } catch (error) {
      // The text of an error may name people, and the result of a job is visible to everyone who may inspect the queue.
      logger.error({ err: error, queue, job: job.name }, 'periodic work failed')
    }
    underWay.delete(job.name)
    alarms.rest(job)
    if (dueInMs !== undefined) alarms.set(job, dueInMs)
  }

  const perform = (job: PeriodicJob): Promise<void> => {
    const already = underWay.get(job.name)
    if (already) return already
    const done = performDue(job)
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
    hear: (topic) => {
      for (const job of jobs) if (job.wokenBy === topic) alarms.set(job, 0)
    },
    wakeIn: (name, inMs) => {
      const job = jobs.find((known) => known.name === name)
      if (job) alarms.set(job, inMs)
    },
    close: async (withinMs) => {
      isClosed = true
      alarms.close()
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

/** Does jobs of this process before their period is over. An alarm that a process takes with it costs others one period at most. */
class Alarms {
  readonly #ring: (job: PeriodicJob) => void
  /** Bounded: the jobs that are declared. */
  readonly #alarms = new Map<string, { readonly atMs: number; readonly timer: NodeJS.Timeout }>()
  /** Bounded: the jobs that are declared. */
  readonly #restedAtMs = new Map<string, number>()
  #isClosed = false

  constructor(ring: (job: PeriodicJob) => void) {
    this.#ring = ring
  }

  /** Rings after so many milliseconds; of two times the earlier one counts. */
  set(job: PeriodicJob, inMs: number): void {
    if (this.#isClosed || inMs >= job.everyMs) return
    const nowMs = performance.now()
    const atMs = Math.max(nowMs + inMs, this.#restedAtMs.get(job.name) ?? 0)
    const known = this.#alarms.get(job.name)
    if (known && known.atMs <= atMs) return
    clearTimeout(known?.timer)
    const ring = (): void => {
      this.#alarms.delete(job.name)
      this.#ring(job)
    }
    // A timer may be a part of a millisecond early, and nothing would be due yet.
    this.#alarms.set(job.name, { atMs, timer: setTimeout(ring, Math.ceil(atMs - nowMs) + 1) })
  }

  /** Notes the end of a round. */
  rest(job: PeriodicJob): void {
    this.#restedAtMs.set(job.name, performance.now() + restMs)
  }

  close(): void {
    this.#isClosed = true
    for (const { timer } of this.#alarms.values()) clearTimeout(timer)
  }
}
