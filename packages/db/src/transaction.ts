import type { PgTransaction } from 'drizzle-orm/pg-core'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { Database } from './client.ts'

/** A running transaction. */
export type Transaction = PgTransaction<NodePgQueryResultHKT, Record<string, never>, Record<string, never>>

/** What a read may run on: the pool or a transaction. */
export type Executor = Pick<Database, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'with' | '$with'>

/** Writes that are on their way in a transaction and that nothing waits for. */
const onTheWay = new WeakMap<object, Promise<unknown>[]>()

/** What is done once a transaction is there for everybody to see. */
const afterwards = new WeakMap<object, (() => Promise<unknown>)[]>()

/** Runs work in a transaction: the one that is already running, or a new one. */
export async function inTransaction<T>(db: Database, running: Transaction | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (running) return work(running)
  const writes: Promise<unknown>[] = []
  const followUps: (() => Promise<unknown>)[] = []
  const result = await committed(db, writes, (tx) => {
    onTheWay.set(tx, writes)
    afterwards.set(tx, followUps)
    return work(tx)
  })
  for (const followUp of followUps) await followUp()
  return result
}

async function committed<T>(db: Database, writes: readonly Promise<unknown>[], work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    const result = await db.transaction((tx) => work(tx as Transaction))
    // PostgreSQL answers the commit of a failed transaction without an error; the failed write tells.
    await Promise.all(writes)
    return result
  } catch (error) {
    throw (await firstFailure(writes)) ?? error
  }
}

/** Does something once the transaction is committed, and not at all when it fails; whoever began the transaction waits for it. */
export function afterCommit(tx: Transaction, work: () => Promise<unknown>): void {
  const followUps = afterwards.get(tx)
  if (!followUps) throw new Error('The transaction was not begun by inTransaction')
  followUps.push(work)
}

/** What made a transaction fail, when it was one of the writes that nothing waited for. */
async function firstFailure(writes: readonly Promise<unknown>[]): Promise<unknown> {
  const outcomes = await Promise.allSettled(writes)
  const failures: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return failures.find((failure) => sqlState(failure) !== transactionAborted)
}

/** Of statements after the one that failed. */
const transactionAborted = '25P02'

/**
 * Lets a write go on its way while the transaction goes on to its next statement; the transaction fails when it does.
 * For writes whose result nobody needs. Outside `inTransaction` it is simply waited for.
 */
export async function alongside(tx: Executor, write: PromiseLike<unknown>): Promise<void> {
  const writes = onTheWay.get(tx)
  if (!writes) return void (await write)
  const running = Promise.resolve(write)
  running.catch(() => undefined)
  writes.push(running)
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
