import { createHash } from 'node:crypto'
import { Client, Pool } from 'pg'
import { DescribedQuery, type StatementConfig } from './described-query.ts'

/** How to reach PostgreSQL. */
export interface PoolOptions {
  readonly databaseUrl: string
  /** Connections at most. */
  readonly max?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  /** Whether statements may be under way on a connection before earlier ones are answered; COPY needs a pool without. */
  readonly pipelined?: boolean
}

export type { Pool }

/** Statements that keep a plan on every connection; more shapes than this are planned each time. */
const preparedMax = 1_000

/** Opens a pool whose connections run in UTC, prepare every parameterized statement once and send what they can together. */
export function createPool({ databaseUrl, max = 10, applicationName, pipelined = true }: PoolOptions): Pool {
  const pool = new Pool({
    Client: PreparingClient,
    pipeline: pipelined,
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
 * Names every statement with parameters after its text: parsing and planning a wide query costs more than running it.
 *
 * A pipelined one also sends the statements of one tick in one write, and the beginning of a transaction together with
 * its first statement: each packet costs both sides a system call and wakes the server up, more than most statements take.
 */
class PreparingClient extends Client {
  #mustBegin = false
  #isCorked = false

  // The signature has a dozen overloads; this one passes on what it is given.
  override query = ((config: unknown, ...rest: unknown[]): unknown => {
    if (!this.#isPipelined) return this.#send(config, ...rest)
    const text = textOf(config)
    if (text === 'begin') {
      this.#mustBegin = true
      return Promise.resolve(nothing)
    }
    const isOver = text === 'commit' || text === 'rollback'
    this.#cork()
    if (this.#mustBegin) {
      this.#mustBegin = false
      if (isOver) return Promise.resolve(nothing)
      // When it fails, so does the statement after it, which is the one that is waited for.
      Promise.resolve(this.#send('begin')).catch(() => undefined)
    }
    return this.#send(config, ...rest)
  }) as typeof Client.prototype.query

  #send(config: unknown, ...rest: unknown[]): unknown {
    const send = super.query.bind(this) as (...given: unknown[]) => unknown
    if (typeof config === 'object' && config !== null && 'submit' in config) return send(config, ...rest)
    const [values, callback] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest
    const query = new DescribedQuery(named(config, values), callback as DescribedQuery['callback'])
    if (query.callback) return send(query)
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result))
      send(query)
    })
  }

  get #isPipelined(): boolean {
    return 'pipeline' in this && this.pipeline
  }

  #cork(): void {
    const { stream } = this.connection
    if (this.#isCorked || !stream) return
    this.#isCorked = true
    stream.cork()
    process.nextTick(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }
}

const nothing = { rows: [], rowCount: 0, fields: [], command: '', oid: 0 }

function textOf(config: unknown): string | undefined {
  return typeof config === 'string' ? config : isStatement(config) ? config.text : undefined
}

/** A statement with its values, and with a name when it has some. */
function named(config: unknown, given: unknown): StatementConfig {
  const { text, name, values, types, rowMode }: StatementConfig = isStatement(config) ? config : { text: config as string }
  const all = Array.isArray(given) ? given : values
  return { text, types, rowMode, values: all, name: name ?? (text !== undefined && all !== undefined && all.length > 0 ? statementName(text) : undefined) }
}

function isStatement(config: unknown): config is StatementConfig {
  return typeof config === 'object' && config !== null && 'text' in config && !('submit' in config)
}
