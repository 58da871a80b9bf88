import type { JobReference, PeriodicQueue, Topic } from './catalogue.ts'

/** The queues in Redis, which may be away at any time; PostgreSQL holds everything they carry. */
export interface Queues {
  /** Whether work can be handed over now. */
  isReady(): boolean
  /** Adds references to one queue; those that are in it already are left alone. Throws when Redis does not take them. */
  add(topic: Topic, references: readonly JobReference[]): Promise<void>
  /** How many jobs of a queue wait; throws while Redis is away. */
  waiting(topic: Topic): Promise<number>
  /** Takes jobs of one queue until it is closed; undefined without Redis. */
  listen(
    topic: Topic,
    concurrency: number,
    perform: (reference: JobReference) => Promise<void>,
  ): QueueListener | undefined
  /** Has a job come due again and again, at once for the first time. Whoever finds it overdue is to do it. Throws while Redis is away. */
  schedule(queue: PeriodicQueue, name: string, everyMs: number): Promise<ScheduleState>
  /** Removes a periodic job. Throws while Redis is away. */
  unschedule(queue: PeriodicQueue, name: string): Promise<void>
  /** Takes the periodic jobs that are due until it is closed; undefined without Redis. */
  listenForPeriodic(
    queue: PeriodicQueue,
    concurrency: number,
    perform: (name: string) => Promise<void>,
  ): QueueListener | undefined
  close(): Promise<void>
}

/** Whether a periodic job is taken when it is due; one that nobody has taken for long is overdue. */
export type ScheduleState = 'KEPT' | 'OVERDUE'

export interface QueueListener {
  /** Takes no more jobs and waits for those under way, at most so long. */
  close(withinMs: number): Promise<void>
}

const noRedis = () => Promise.reject(new Error('There is no Redis'))

/** Stands where there is no Redis: the workers take everything from PostgreSQL, and each process does periodic work by itself. */
export const noQueues: Queues = {
  isReady: () => false,
  add: noRedis,
  waiting: noRedis,
  listen: () => undefined,
  schedule: noRedis,
  unschedule: noRedis,
  listenForPeriodic: () => undefined,
  close: async () => undefined,
}
