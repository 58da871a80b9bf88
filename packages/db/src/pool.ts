import { createHash } from 'node:crypto'
import { Client, Pool } from 'pg'

/** How to reach PostgreSQL. */
export interface PoolOptions {
  readonly databaseUrl: string
  /** Connections at most. */
  readonly max?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
}

export type { Pool }

/** Statements that keep a plan on every connection; more shapes than this are planned each time. */
const preparedMax = 1_000

/** Opens a pool whose connections run in UTC, prepare every parameterized statement once and send one statement at a time. */
export function createPool({ databaseUrl, max = 10, applicationName }: PoolOptions): Pool {
  const pool = new Pool({
    Client: OrderedClient,
    connectionString: databaseUrl,
    max,
    application_name: applicationName,
    options: '-c TimeZone=UTC -c search_path=public',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  })
  // Without listeners a lost connection would end the process. The pool replaces an idle one; whoever works with one learns
  // of it by the next statement, and of one between two statements by nothing else.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

const statementNames = new Map<string, string>()

/** The name under which a statement is prepared, or undefined when there are too many already. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= preparedMax) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  statementNames.set(text, name)
  return name
}

/**
 * Names every statement with parameters after its text, because parsing and planning a wide query costs more than running it.
 *
 * A statement of a transaction is refused while an earlier one is not answered. A query builder may send a statement later than it
 * was written, so two that are under way together may change places, and a lock would come after the read that it protects.
 */
class OrderedClient extends Client {
  #inTransaction = false
  #isBusy = false

  // The signature has a dozen overloads; this one passes on what it is given.
  override query = ((config: unknown, ...rest: unknown[]): unknown => {
    const send = super.query.bind(this) as (...given: unknown[]) => unknown
    if (isSubmittable(config) || typeof rest.at(-1) === 'function') return send(isSubmittable(config) ? config : named(config, rest[0]), ...rest)
    return this.#inOrder(named(config, rest[0]), send)
  }) as typeof Client.prototype.query

  async #inOrder(statement: Statement, send: (statement: Statement) => unknown): Promise<unknown> {
    const isOver = statement.text === 'commit' || statement.text === 'rollback'
    if (this.#inTransaction && this.#isBusy && !isOver) {
      throw new Error(`A statement of a transaction was sent before the one before it was answered: ${statement.text?.slice(0, 200)}`)
    }
    if (statement.text === 'begin') this.#inTransaction = true
    if (isOver) this.#inTransaction = false
    this.#isBusy = true
    try {
      return await send(statement)
    } finally {
      this.#isBusy = false
    }
  }
}

/** A statement as the driver takes it, under the name by which it is prepared. */
interface Statement {
  readonly text?: string | undefined
  readonly name?: string | undefined
  readonly values?: unknown[] | undefined
}

/** A statement with its values, and with a name when it has some. */
function named(config: unknown, given: unknown): Statement {
  const statement: Statement = typeof config === 'string' ? { text: config } : (config as Statement)
  const { text, name } = statement
  const values = Array.isArray(given) ? given : statement.values
  return { ...statement, values, name: name ?? (text !== undefined && values !== undefined && values.length > 0 ? statementName(text) : undefined) }
}

/** Whether it is a query that brings its own way of being sent, as COPY does. */
function isSubmittable(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'submit' in config
}
