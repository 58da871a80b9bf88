import type { PgTransaction } from 'drizzle-orm/pg-core'
import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { Database } from './client.ts'

/** A running transaction. */
export type Transaction = PgTransaction<NodePgQueryResultHKT, Record<string, never>, Record<string, never>>

/** What a read may run on: the pool or a transaction. */
export type Executor = Pick<Database, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute' | 'with' | '$with'>

/** Runs work in a transaction: the one that is already running, or a new one. */
export function inTransaction<T>(db: Database, running: Transaction | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return running ? work(running) : db.transaction((tx) => work(tx as Transaction))
}

/** PostgreSQL's code of an error, for example `23505`, wherever the query builder has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  return postgresError(error)?.code
}

/** The constraint that a write broke. */
export function brokenConstraint(error: unknown): string | undefined {
  return postgresError(error)?.constraint
}

function postgresError(error: unknown): { code?: string; constraint?: string } | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error as { code: string; constraint?: string }
  return postgresError(error.cause)
}
