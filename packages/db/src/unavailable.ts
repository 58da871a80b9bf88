/** PostgreSQL was unreachable or did not answer in time; the current work is not done, or its outcome is unknown. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** The fields of a PostgreSQL error. */
interface PostgresError {
  readonly code: string
  readonly message: string
  readonly constraint?: string
  readonly detail?: string
}

/** Returns PostgreSQL's own error, at any depth of the query builder's wrapping. */
export function postgresError(error: unknown): PostgresError | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error as Error & PostgresError
  return postgresError(error.cause)
}

/** Returns PostgreSQL's code of an error, for example `23505`, at any depth of the query builder's wrapping. */
export function sqlState(error: unknown): string | undefined {
  return postgresError(error)?.code
}

/**
 * Returns the constraint that a write violated, at any depth. The coordinator of a distributed database names it in the message alone, with
 * the number of the part of the table at its end.
 */
export function constraintOf(error: unknown): string | undefined {
  const found = postgresError(error)
  if (found?.constraint !== undefined) return found.constraint
  return found && /constraint "(?<name>[^"]+?)(?:_\d{6,})?"/.exec(found.message)?.groups?.['name']
}

const contentionStates: ReadonlySet<string | undefined> = new Set(['40001', '40P01'])

/** Whether PostgreSQL ended a transaction because of another one; nothing of it was stored, so it may be tried again. */
export function isContention(error: unknown): boolean {
  return contentionStates.has(sqlState(error))
}

const overdueStates: ReadonlySet<string | undefined> = new Set(['57014', '55P03', '25P03', '25P04'])
/** Failing connections, a server without free connections, and one that is starting or stopping. */
const awayStates = /^(08|53|57P)/

/**
 * Whether an error means that the database cannot do the work now: a deadline has passed, the connection is lost, or another
 * transaction was in conflict. The same request may succeed a moment later.
 */
export function isUnavailable(error: unknown): boolean {
  if (isOurs(error) || isContention(error)) return true
  const state = sqlState(error)
  return overdueStates.has(state) || (state !== undefined && awayStates.test(state)) || isMachineAway(error)
}

/**
 * Whether the coordinator of a distributed database did not reach a machine with rows: what is on the others can be done. A PostgreSQL
 * itself answers no such thing.
 */
export function isMachineAway(error: unknown): boolean {
  const found = postgresError(error)
  // Where it could not send a part of a result, Citus gives no code of its own.
  return found !== undefined && (found.code.startsWith('080') || found.message.startsWith('failure on connection'))
}

function isOurs(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || (error instanceof Error && isOurs(error.cause))
}
