import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
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

export type Database = NodePgDatabase
export type { Pool }

/** Statements that keep a plan on every connection; more shapes than this are planned each time. */
const preparedMax = 1_000

/** Opens a pool whose connections run in UTC and prepare every parameterized statement once. */
export function createPool({ databaseUrl, max = 10, applicationName }: PoolOptions): Pool {
  const pool = new Pool({
    Client: PreparingClient,
    connectionString: databaseUrl,
    max,
    application_name: applicationName,
    options: '-c TimeZone=UTC -c search_path=public',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  })
  // A lost idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** The query builder over a pool. */
export function createDatabase(pool: Pool): Database {
  return drizzle(pool)
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

interface StatementConfig {
  text?: string
  name?: string
  values?: unknown[]
}

/** Names every statement with parameters after its text: parsing and planning a wide query costs more than running it. */
class PreparingClient extends Client {
  // The signature has a dozen overloads; this one passes on what it is given.
  override query = ((config: unknown, ...rest: unknown[]): unknown =>
    (super.query as (...given: unknown[]) => unknown).call(this, prepared(config, rest[0]), ...rest)) as typeof Client.prototype.query
}

function prepared(config: unknown, values: unknown): unknown {
  if (typeof config === 'string') return Array.isArray(values) && values.length > 0 ? { text: config, name: statementName(config) } : config
  if (!isStatement(config) || config.name !== undefined || config.text === undefined) return config
  const hasValues = (config.values ?? (Array.isArray(values) ? values : [])).length > 0
  return hasValues ? { ...config, name: statementName(config.text) } : config
}

function isStatement(config: unknown): config is StatementConfig {
  return typeof config === 'object' && config !== null && 'text' in config && !('submit' in config)
}
