import type { JobReference, Topic } from './catalogue.ts'

/** The queues in Redis, which may be away at any time; PostgreSQL holds everything they carry. */
export interface Queues {
  /** Whether work can be handed over now. */
  isReady(): boolean
  /** Adds references to one queue; those that are in it already are left alone. Throws when Redis does not take them. */
  add(topic: Topic, references: readonly JobReference[]): Promise<void>
  /** How many jobs of a queue wait; throws while Redis is away. */
  waiting(topic: Topic): Promise<number>
  /** Takes jobs of one queue until it is closed; undefined without Redis. */
  listen(topic: Topic, concurrency: number, perform: (reference: JobReference) => Promise<void>): QueueListener | undefined
  close(): Promise<void>
}

export interface QueueListener {
  /** Takes no more jobs and waits for those under way, at most so long. */
  close(withinMs: number): Promise<void>
}

/** Stands where there is no Redis, or where work does not need it: the workers take everything from PostgreSQL. */
export const noQueues: Queues = {
  isReady: () => false,
  add: () => Promise.reject(new Error('There is no Redis')),
  waiting: () => Promise.reject(new Error('There is no Redis')),
  listen: () => undefined,
  close: async () => undefined,
}
