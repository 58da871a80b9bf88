import type { PgTransaction } from 'drizzle-orm/pg-core'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { Database } from './client.ts'

/** A running transaction. */
export type Transaction = PgTransaction<NodePgQueryResultHKT, Record<string, never>, Record<string, never>>

/** What a read may run on: the pool or a transaction. */
export type Executor = Pick<Database, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'with' | '$with'>

/** What is done once a transaction is there for everybody to see. */
const afterwards = new WeakMap<object, (() => Promise<unknown>)[]>()

/**
 * Runs work in a transaction: the one that is already running, or a new one. Its statements are awaited one after the other.
 * A new transaction that PostgreSQL ended because of another one, by a deadlock or a conflict, is run once more.
 */
export async function inTransaction<T>(db: Database, running: Transaction | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (running) return work(running)
  try {
    return await runOnce(db, work)
  } catch (error) {
    if (!isContention(error)) throw error
    return runOnce(db, work)
  }
}

async function runOnce<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const followUps: (() => Promise<unknown>)[] = []
  const result = await db.transaction((tx) => {
    afterwards.set(tx, followUps)
    return work(tx as Transaction)
  })
  for (const followUp of followUps) await followUp()
  return result
}

const contentionStates: ReadonlySet<string | undefined> = new Set(['40001', '40P01'])

/** Whether PostgreSQL ended a transaction because of another one; nothing of it was stored, so it may be tried again. */
export function isContention(error: unknown): boolean {
  return contentionStates.has(sqlState(error))
}

/** Does something once the transaction is committed, and not at all when it fails; whoever began the transaction waits for it. */
export function afterCommit(tx: Transaction, work: () => Promise<unknown>): void {
  const followUps = afterwards.get(tx)
  if (!followUps) throw new Error('The transaction was not begun by inTransaction')
  followUps.push(work)
}

/** PostgreSQL's code of an error, for example `23505`, wherever the query builder has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  return postgresError(error)?.code
}

/** The constraint that a write broke. */
export function brokenConstraint(error: unknown): string | undefined {
  return postgresError(error)?.constraint
}

/** What PostgreSQL says of an error. */
interface PostgresError {
  readonly code: string
  readonly constraint?: string
  readonly detail?: string
}

/** PostgreSQL's own error, wherever the query builder has wrapped it. */
export function postgresError(error: unknown): PostgresError | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error as Error & PostgresError
  return postgresError(error.cause)
}
