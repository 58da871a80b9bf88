import type { Queues } from './queues.ts'

/** Stands where there is no Redis, or where work does not need it: the workers take everything from PostgreSQL. */
export const noQueues: Queues = {
  isReady: () => false,
  add: () => Promise.reject(new Error('There is no Redis')),
  waiting: () => Promise.reject(new Error('There is no Redis')),
  listen: () => undefined,
  close: async () => undefined,
}
