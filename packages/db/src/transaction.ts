import type { PgTransaction } from 'drizzle-orm/pg-core'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { setTimeout as waitMs } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Database } from './client.ts'
import { tellQueued, type WorkTopic } from './queued.ts'
import { constraintOf, isContention } from './unavailable.ts'

/** A running transaction. */
export type Transaction = PgTransaction<NodePgQueryResultHKT, Record<string, never>, Record<string, never>>

/** The executor of a read: the pool or a transaction. */
export type Executor = Pick<
  Database,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'with' | '$with'
>

/** Returns what all transactions on one connection share; undefined for a transaction that `inTransaction` has not begun. */
export function connectionOf(db: Executor): object | undefined {
  return '$client' in db ? (db as Database).$client : connections.get(db)
}

const retryAfterMs = 50

/** The connections of transactions. */
const connections = new WeakMap<object, PoolClient>()

/** Returns the pool or connection under a query builder. Throws for a transaction that `inTransaction` and `inSavepoint` have not begun. */
export function clientOf(db: Executor): Pick<PoolClient, 'query'> {
  const client = '$client' in db ? (db as Database).$client : connections.get(db)
  if (!client) throw new Error('The transaction was not begun by inTransaction')
  return client
}

/** The work to do after a transaction is committed and visible to all. */
const afterwards = new WeakMap<object, (() => Promise<unknown>)[]>()

/** The topics that a transaction leaves work for, by its connection. Bounded: the connections of the pools. */
const queuedTopics = new WeakMap<object, Set<WorkTopic>>()

/** Notes that work is left for others, so that the listener of the pool hears of it once all can see it. */
export function noteQueued(db: Executor, topics: Iterable<WorkTopic>): void {
  if ('$client' in db) return tellQueued((db as Database).$client, new Set(topics))
  const noted = queuedTopics.get(connections.get(db) ?? db)
  for (const topic of topics) noted?.add(topic)
}

/** The checks that a transaction has to pass before its commit, by name. Bounded: they are forgotten with their transaction. */
const checks = new WeakMap<object, Map<string, () => Promise<void>>>()

/**
 * Runs work in a transaction: the current one, or a new one. Its statements are awaited one after the other.
 * A new transaction that PostgreSQL ended because of a deadlock or a conflict with another one is run once more.
 */
export async function inTransaction<T>(
  db: Database,
  running: Transaction | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (running) return work(running)
  try {
    return await runOnce(db, work)
  } catch (error) {
    if (!isContention(error)) throw error
    // The other transaction first gets the locks that it waits for; otherwise both may collide again.
    await waitMs(retryAfterMs)
    return runOnce(db, work)
  }
}

async function runOnce<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const followUps: (() => Promise<unknown>)[] = []
  const topics = new Set<WorkTopic>()
  const result = await onConnection(db, (connection) =>
    connection.transaction(async (tx) => {
      connections.set(tx, connection.$client)
      queuedTopics.set(connection.$client, topics)
      afterwards.set(tx, followUps)
      checks.set(tx, new Map())
      const done = await work(tx as Transaction)
      await checkBeforeCommit(tx as Transaction)
      return done
    }),
  )
  tellQueued(db.$client, topics)
  for (const followUp of followUps) await followUp()
  return result
}

/**
 * Runs work within a transaction so that it can fail, or be rolled back, by itself. The follow-ups and checks of work that stays become those
 * of the whole transaction.
 */
export async function inSavepoint<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const followUps: (() => Promise<unknown>)[] = []
  const ownChecks = new Map<string, () => Promise<void>>()
  const result = await tx.transaction((inner) => {
    const client = connections.get(tx)
    if (client) connections.set(inner, client)
    afterwards.set(inner, followUps)
    checks.set(inner, ownChecks)
    return work(inner)
  })
  afterwards.get(tx)?.push(...followUps)
  for (const [name, check] of ownChecks) if (checks.get(tx)?.has(name) === false) checks.get(tx)?.set(name, check)
  return result
}

/** Works on one connection. The query builder would keep a connection on which a transaction could not begin, until none was left. */
async function onConnection<T>(
  db: Database,
  work: (connection: NodePgDatabase & { readonly $client: PoolClient }) => Promise<T>,
): Promise<T> {
  const client = await db.$client.connect()
  try {
    return await work(drizzle(client))
  } finally {
    client.release()
  }
}

/** Runs work after the commit of a transaction, and never when it fails; the caller that began the transaction waits for it. */
export function afterCommit(tx: Transaction, work: () => Promise<unknown>): void {
  const followUps = afterwards.get(tx)
  if (!followUps) throw new Error('The transaction was not begun by inTransaction')
  followUps.push(work)
}

/** Adds a check that a transaction has to pass once all its work is done; of checks with the same name the first one counts. */
export function beforeCommit(tx: Transaction, name: string, check: () => Promise<void>): void {
  const known = checks.get(tx)
  if (!known) throw new Error('The transaction was not begun by inTransaction')
  if (!known.has(name)) known.set(name, check)
}

/** Runs the checks of a transaction now; they run again before the commit. */
export async function checkBeforeCommit(tx: Transaction): Promise<void> {
  for (const check of checks.get(tx)?.values() ?? []) await check()
}

/** Returns the constraint that a write violated. */
export function brokenConstraint(error: unknown): string | undefined {
  // Until the index that it replaces is gone, either of them may find the same fault first.
  return constraintOf(error)?.replace(/_folded$/, '')
}
