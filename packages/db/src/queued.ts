import type { Pool } from 'pg'

/** The kinds of work in the outbox. */
export type OutboxTopic = 'change' | 'run' | 'rule' | 'access' | 'job' | 'mail'

/** What a commit can leave for others to do: rows of the outbox, entries of audit logs without their place in a chain, and chains that have grown. */
export type WorkTopic = OutboxTopic | 'audit-entry' | 'audit-chain'

type Listener = (topics: ReadonlySet<WorkTopic>) => void

const listeners = new WeakMap<Pool, Listener>()

/** Calls a listener after each commit, through this pool, that leaves work; the last listener of a pool counts. */
export function onQueued(pool: Pool, listener: Listener): void {
  listeners.set(pool, listener)
}

/** Tells the listener of a pool that all can see new work of these topics. */
export function tellQueued(pool: Pool, topics: ReadonlySet<WorkTopic>): void {
  if (topics.size > 0) listeners.get(pool)?.(topics)
}
