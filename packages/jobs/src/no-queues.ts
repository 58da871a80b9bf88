import type { JobReference, PeriodicQueue, Topic } from './catalogue.ts'

/** The queues in Redis, which may be unreachable at any time; PostgreSQL holds everything in them. */
export interface Queues {
  /** Whether work can be handed over now. */
  isReady(): boolean
  /** Adds references to one queue; references that are already in it are not added again. Throws when Redis does not accept them. */
  add(topic: Topic, references: readonly JobReference[]): Promise<void>
  /** Returns the number of waiting jobs in a queue; throws while Redis is unreachable. */
  waiting(topic: Topic): Promise<number>
  /** Returns the jobs in each queue; none without Redis. Throws while Redis is unreachable. */
  depths(): Promise<readonly QueueDepth[]>
  /** Takes jobs of one queue until it is closed; undefined without Redis. */
  listen(
    topic: Topic,
    concurrency: number,
    perform: (reference: JobReference) => Promise<void>,
  ): QueueListener | undefined
  /** Makes a job due periodically, the first time at once. A caller that gets OVERDUE must do it. Throws while Redis is unreachable. */
  schedule(queue: PeriodicQueue, name: string, everyMs: number): Promise<ScheduleState>
  /** Removes a periodic job. Throws while Redis is unreachable. */
  unschedule(queue: PeriodicQueue, name: string): Promise<void>
  /** Takes due periodic jobs until it is closed; undefined without Redis. */
  listenForPeriodic(
    queue: PeriodicQueue,
    concurrency: number,
    perform: (name: string) => Promise<void>,
  ): QueueListener | undefined
  close(): Promise<void>
}

/** The jobs of one queue. */
export interface QueueDepth {
  readonly queue: string
  readonly counts: Readonly<Record<string, number>>
  /** The age of the oldest waiting job; 0 without one. */
  readonly oldestSeconds: number
}

/** Whether a periodic job is taken when it is due; a job that no process has taken for long is overdue. */
type ScheduleState = 'KEPT' | 'OVERDUE'

export interface QueueListener {
  /** Takes no more jobs and waits for the current ones, up to a limit. */
  close(withinMs: number): Promise<void>
}

const noRedis = () => Promise.reject(new Error('There is no Redis'))

/** The queues of an installation without Redis: workers take everything from PostgreSQL, and each process does periodic work by itself. */
export const noQueues: Queues = {
  isReady: () => false,
  add: noRedis,
  waiting: noRedis,
  depths: async () => [],
  listen: () => undefined,
  schedule: noRedis,
  unschedule: noRedis,
  listenForPeriodic: () => undefined,
  close: async () => undefined,
}
