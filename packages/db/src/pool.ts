import { isTracing, tracedWithin, type SpanStart } from '@crm/runtime'
import { LRUCache } from 'lru-cache'
import { createHash } from 'node:crypto'
import { Client, Pool, type ClientBase, type ClientConfig, type PoolClient, type PoolConfig } from 'pg'
import { distributedText } from './distributed-text.ts'
import { isPooled } from './pooled.ts'
import { beginSettled, isSettled, readFitServer, settleSession } from './session.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/** The longest waits for PostgreSQL, in milliseconds; a longer one throws DatabaseUnavailable. */
export interface Deadlines {
  /** For a connection: until one is free or a new one is open. */
  readonly connectionMs: number
  /** For the answer to one statement. */
  readonly statementMs: number
  /** For a lock, within the time of its statement. */
  readonly lockMs: number
}

/** Deadlines of work for which a person waits. The roles of the deployables have them too (infra/postgres/roles.sql). */
export const usualDeadlines: Deadlines = { connectionMs: 2_000, statementMs: 5_000, lockMs: 3_000 }

/** Deadlines of work in the background: imports, exports, purges. */
export const longDeadlines: Deadlines = { connectionMs: 30_000, statementMs: 600_000, lockMs: 60_000 }

/** The server ends a statement by itself; a server that is silent for this much longer is frozen or unreachable. */
const graceMs = 500

/** Connection options for PostgreSQL. */
export interface PoolOptions {
  readonly databaseUrl: string
  /** The most connections. */
  readonly max?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  /** Undefined for commands of an operator, which may take any time. */
  readonly deadlines?: Deadlines | undefined
  /** Whether statements keep their plan; false for a pooler that does not support named statements. */
  readonly prepares?: boolean | undefined
  /** Learns how long each request for a connection waited, in seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined
}

export type { Pool }

/** The most statements that keep a plan on every connection; further ones are planned each time. */
const preparedMax = 1_000

const connectionMsWithoutDeadlines = 10_000

/**
 * Opens a pool whose connections have the settings of `sessionSettings`, whoever signs in, prepare every parameterized statement once and
 * send one statement at a time. A server that the product cannot work with gives no connection.
 */
export function createPool({
  databaseUrl,
  max = 10,
  applicationName,
  deadlines,
  prepares = true,
  onWait,
}: PoolOptions): Pool {
  const opening = { text: usualBegin, isDistributed: false }
  const names = prepares ? new StatementNames() : undefined
  const waits = deadlineSettings(deadlines)
  let pooled: Promise<boolean> | undefined
  const isThroughPooler = (): Promise<boolean> =>
    (pooled ??= isPooled(databaseUrl).catch((error: unknown) => {
      pooled = undefined
      throw error
    }))
  const settle = async (client: ClientBase): Promise<void> => {
    const facts = await readFitServer(client)
    opening.isDistributed = facts.isDistributed
    const isUsual = isSettled(facts)
    if (isUsual && waits.length === 0) return
    // A setting would stay with a connection that others share, and would not follow this client to the next one.
    if (await isThroughPooler())
      opening.text = [isUsual ? usualBegin : beginSettled, ...waits.map((one) => `SET LOCAL ${one}`)].join('; ')
    else await client.query([...(isUsual ? [] : [settleSession]), ...waits.map((one) => `SET ${one}`)].join('; '))
  }
  const pool = new BoundedPool(
    {
      Client: class extends OrderedClient {
        constructor(config?: ClientConfig) {
          super(config, { answerMs: deadlines && deadlines.statementMs + graceMs, opening, names })
        }
      },
      connectionString: databaseUrl,
      max,
      application_name: applicationName,
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, which its types do not say
      onConnect: settle,
      connectionTimeoutMillis: deadlines?.connectionMs ?? connectionMsWithoutDeadlines,
      idleTimeoutMillis: 30_000,
    },
    { isEachInTransaction: () => opening.text !== usualBegin, onWait },
  )
  // Without a listener a lost connection would end the process. The pool replaces an idle one.
  pool.on('error', () => undefined)
  return pool
}

const usualBegin = 'begin'

/** Returns the settings of other deadlines than the usual ones, which the roles have. */
function deadlineSettings(deadlines: Deadlines | undefined): readonly string[] {
  if (
    !deadlines ||
    (deadlines.statementMs === usualDeadlines.statementMs && deadlines.lockMs === usualDeadlines.lockMs)
  )
    return []
  return [`statement_timeout = ${deadlines.statementMs}`, `lock_timeout = ${deadlines.lockMs}`]
}

/** A pool that reports every failure to get a connection as an unavailable database. */
class BoundedPool extends Pool {
  readonly #isEachInTransaction: () => boolean
  readonly #onWait: PoolOptions['onWait']

  /** @param isEachInTransaction whether a single statement has a transaction around it, which tells the server its deadlines and settings */
  constructor(
    config: PoolConfig,
    { isEachInTransaction, onWait }: { readonly isEachInTransaction: () => boolean } & Pick<PoolOptions, 'onWait'>,
  ) {
    super(config)
    this.#isEachInTransaction = isEachInTransaction
    this.#onWait = onWait
  }

  // Only the overloads without a callback are supported.
  override connect = (async (): Promise<PoolClient> => {
    const beganAt = performance.now()
    try {
      return await super.connect()
    } catch (error) {
      const { message, code } = error as { message?: string; code?: string }
      throw new DatabaseUnavailable(`PostgreSQL gave no connection: ${message || (code ?? '')}`, { cause: error })
    } finally {
      this.#onWait?.((performance.now() - beganAt) / 1_000)
    }
  }) as typeof Pool.prototype.connect

  override query = (async (config: string, values?: unknown[]): Promise<unknown> => {
    const client = await this.connect()
    try {
      const result = await (this.#isEachInTransaction()
        ? inItsTransaction(client, config, values)
        : client.query(config, values))
      client.release()
      return result
    } catch (error) {
      // Like the library, the pool never reuses a failed connection. Its plans may belong to an earlier schema.
      client.release(true)
      throw error
    }
  }) as typeof Pool.prototype.query
}

async function inItsTransaction(client: PoolClient, config: string, values?: unknown[]): Promise<unknown> {
  await client.query(usualBegin)
  const result = await client.query(config, values)
  await client.query('commit')
  return result
}

/** The names of the statements of one pool, whose connections keep their plans: those of another pool take none of them away. */
class StatementNames {
  /** Bounded: no more than `preparedMax`. */
  readonly #names = new Map<string, string>()
  /** The names for texts that were sent once. */
  readonly #sentOnce = new LRUCache<string, true>({ max: preparedMax })

  /** Returns the name under which a statement is prepared; undefined for one that is sent for the first time, and when there are too many already. */
  of(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= preparedMax) return known
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    if (!this.#sentOnce.delete(name)) {
      this.#sentOnce.set(name, true)
      return undefined
    }
    this.#names.set(text, name)
    return name
  }

  /** Whether a statement has its name from here, and not from who sends it. */
  gave({ name, text = '' }: Statement): boolean {
    return name !== undefined && this.#names.get(text) === name
  }
}

interface OrderedClientOptions {
  /** The longest wait for the answer to a statement. */
  readonly answerMs: number | undefined
  /**
   * The statement that begins a transaction; it changes when the first connection leads through a pooler to other settings. Also whether the
   * server is the coordinator of a distributed database.
   */
  readonly opening: { readonly text: string; readonly isDistributed: boolean }
  /** Undefined for a pooler that does not support named statements. */
  readonly names: StatementNames | undefined
}

/**
 * Names every statement with parameters after its text, because parsing and planning a wide query costs more than running it.
 *
 * A statement of a transaction is refused while an earlier one is not answered. A query builder may send a statement later than it
 * was called, so two concurrent ones may change places, and a lock would come after the read that it protects.
 *
 * A connection that gives no answer in time is closed and never reused.
 */
class OrderedClient extends Client {
  readonly #options: OrderedClientOptions
  #inTransaction = false
  #isBusy = false
  /** The reason why nothing is sent any more. */
  #lost: DatabaseUnavailable | undefined

  constructor(config: ClientConfig | undefined, options: OrderedClientOptions) {
    super(config)
    this.#options = options
    // A user of a connection learns of its loss from the next statement; without a listener the process would end.
    this.on(
      'error',
      (error) => (this.#lost ??= new DatabaseUnavailable('The connection to PostgreSQL was lost', { cause: error })),
    )
  }

  // The signature has a dozen overloads; only the ones without a callback are supported.
  override query = ((config: unknown, ...rest: unknown[]): unknown => {
    const send = super.query.bind(this) as (...given: unknown[]) => unknown
    if (isSubmittable(config)) return send(config, ...rest)
    const statement = this.#named(config, rest[0])
    if (!isTracing()) return this.#inOrder(statement, send)
    return tracedWithin(
      () => spanOf(statement, this.#options.names?.gave(statement) ?? false),
      () => this.#inOrder(statement, send),
    )
  }) as typeof Client.prototype.query

  async #inOrder(statement: Statement, send: (statement: Statement) => unknown): Promise<unknown> {
    const isOver = statement.text === 'commit' || statement.text === 'rollback'
    if (this.#inTransaction && this.#isBusy && !isOver) {
      throw new Error(
        `A statement of a transaction was sent before the one before it was answered: ${statement.text?.slice(0, 200)}`,
      )
    }
    const begins = statement.text === usualBegin
    if (begins) this.#inTransaction = true
    if (isOver) this.#inTransaction = false
    // The server has rolled back the transaction of a lost connection.
    if (this.#lost && statement.text === 'rollback') return undefined
    this.#isBusy = true
    const stop = this.#expectAnswer()
    try {
      return await send(begins ? { text: this.#options.opening.text } : statement)
    } catch (error) {
      throw this.#lost ?? error
    } finally {
      stop()
      this.#isBusy = false
    }
  }

  /** Closes the connection unless the returned function is called in time. */
  #expectAnswer(): () => void {
    const { answerMs } = this.#options
    if (answerMs === undefined) return () => undefined
    const timer = setTimeout(() => {
      this.#lost ??= new DatabaseUnavailable(`PostgreSQL gave no answer within ${answerMs} ms`)
      void this.end()
    }, answerMs)
    return () => clearTimeout(timer)
  }

  /** Returns a statement with its values, and with a name when it has any. */
  #named(config: unknown, given: unknown): Statement {
    const statement: Statement = typeof config === 'string' ? { text: config } : (config as Statement)
    const { name } = statement
    const text = this.#options.opening.isDistributed
      ? statement.text && distributedText(statement.text)
      : statement.text
    const values = Array.isArray(given) ? given : statement.values
    const { names } = this.#options
    if (!names) return { ...statement, text, values, name: undefined }
    return {
      ...statement,
      text,
      values,
      name: name ?? (text !== undefined && values !== undefined && values.length > 0 ? names.of(text) : undefined),
    }
  }
}

/** Returns the span of a statement: the name that it was given, or else its first word; never its text or its values. */
function spanOf({ name, text = '' }: Statement, isNameOfText: boolean): SpanStart {
  return {
    name: `postgresql ${name !== undefined && !isNameOfText ? name : (/\w+/.exec(text)?.[0]?.toUpperCase() ?? '')}`.trim(),
    kind: 'client',
    facts: { 'db.system.name': 'postgresql', ...(name === undefined ? {} : { 'crm.statement': name }) },
  }
}

/** A statement as the driver takes it, under its prepared name. */
interface Statement {
  readonly text?: string | undefined
  readonly name?: string | undefined
  readonly values?: unknown[] | undefined
}

/** Whether a query has its own way of being sent, as COPY does. */
function isSubmittable(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'submit' in config
}
