import type { Pool } from 'pg'

/** The kinds of work in the outbox. */
export type OutboxTopic = 'change' | 'run' | 'rule' | 'access' | 'job' | 'mail'

type Listener = (topics: ReadonlySet<OutboxTopic>) => void

const listeners = new WeakMap<Pool, Listener>()

/** Calls a listener after each commit, through this pool, that leaves work in the outbox; the last listener of a pool counts. */
export function onQueued(pool: Pool, listener: Listener): void {
  listeners.set(pool, listener)
}

/** Tells the listener of a pool that all can see new work of these topics. */
export function tellQueued(pool: Pool, topics: ReadonlySet<OutboxTopic>): void {
  if (topics.size > 0) listeners.get(pool)?.(topics)
}
