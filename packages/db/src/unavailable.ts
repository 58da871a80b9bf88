/** PostgreSQL could not be reached, or did not answer in time; the work that was under way is not done, or nobody knows. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailable'
  }
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

/** PostgreSQL's code of an error, for example `23505`, wherever the query builder has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  return postgresError(error)?.code
}

const contentionStates: ReadonlySet<string | undefined> = new Set(['40001', '40P01'])

/** Whether PostgreSQL ended a transaction because of another one; nothing of it was stored, so it may be tried again. */
export function isContention(error: unknown): boolean {
  return contentionStates.has(sqlState(error))
}

const overdueStates: ReadonlySet<string | undefined> = new Set(['57014', '55P03', '25P03', '25P04'])
/** Connections that fail, a server that has no room, and one that is starting or ending. */
const awayStates = /^(08|53|57P)/

/**
 * Whether an error says that the database cannot do the work now: a deadline has passed, the connection is lost, or another
 * transaction was in the way. The same request may succeed a moment later.
 */
export function isUnavailable(error: unknown): boolean {
  if (isOurs(error) || isContention(error)) return true
  const state = sqlState(error)
  return overdueStates.has(state) || (state !== undefined && awayStates.test(state))
}

function isOurs(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || (error instanceof Error && isOurs(error.cause))
}
