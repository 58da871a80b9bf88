import { ConfigError } from '@crm/runtime'
import type { ClientBase, Pool } from 'pg'

/** The oldest PostgreSQL whose functions and indexes the schema uses. */
const serverVersionMin = 18
const encodingNeeded = 'UTF8'

/** The extensions that the schema uses. */
export const extensionsNeeded: readonly string[] = ['pg_trgm', 'btree_gist', 'btree_gin', 'unaccent']

/** What a connection tells of its server and of its own settings. */
export interface ServerFacts {
  /** As PostgreSQL counts versions: 180004 is 18.4. */
  readonly versionNumber: number
  /** As PostgreSQL writes its version. */
  readonly version: string
  /** The encoding of the database. */
  readonly encoding: string
  /** The needed extensions that statements do not find, each as the command that brings it to them. */
  readonly moves: readonly string[]
  /** Whether the tables may lie on several machines. */
  readonly isDistributed: boolean
  /** The settings of the session, in the order of `sessionSettings`. */
  readonly settings: readonly string[]
}

/** PostgreSQL answers, and the product cannot work with it; the message says why, and what is needed. */
export class UnfitServerError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnfitServerError'
  }
}

/** Returns why the product cannot work with a server, or undefined when it can. */
export function unfitnessOf({
  versionNumber,
  version,
  encoding,
  moves,
}: Omit<ServerFacts, 'settings' | 'isDistributed'>): string | undefined {
  if (versionNumber < serverVersionMin * 10_000)
    return `PostgreSQL ${version} is too old: workspace-crm needs PostgreSQL ${serverVersionMin} or later.`
  if (moves.length > 0)
    return `Extensions are in a schema of their own, where statements do not find them: run ${moves.join('; ')}.`
  return encoding === encodingNeeded
    ? undefined
    : `The database has the encoding ${encoding}, and workspace-crm needs ${encodingNeeded}: create a database with ENCODING '${encodingNeeded}' TEMPLATE template0.`
}

/** The settings that statements rely on: how times are written and read, where tables are, and what a transaction sees of others. */
export const sessionSettings: ReadonlyMap<string, string> = new Map([
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO, MDY'],
  ['search_path', 'public'],
  ['default_transaction_isolation', 'read committed'],
])

const names = [...sessionSettings.keys()]
const set = (word: 'SET' | 'SET LOCAL', some: readonly string[]): string =>
  some.map((name) => `${word} ${name} = '${sessionSettings.get(name)}'`).join('; ')

/** Gives the current session its settings. */
export const settleSession = set('SET', names)
/** Begins a transaction with the settings of a session. */
export const beginSettled = `begin isolation level read committed; ${set('SET LOCAL', names.slice(0, -1))}`

const factsOfServer = `SELECT current_setting('server_version_num')::int AS "versionNumber", current_setting('server_version') AS version,
  current_setting('server_encoding') AS encoding,
  ARRAY(SELECT format('ALTER EXTENSION %I SET SCHEMA public', extname) FROM pg_extension
    WHERE extname IN (${extensionsNeeded.map((name) => `'${name}'`).join()}) AND extnamespace NOT IN ('public'::regnamespace, 'pg_catalog'::regnamespace)
    ORDER BY extname) AS moves,
  to_regclass('pg_dist_partition') IS NOT NULL AS "isDistributed",
  ARRAY[${names.map((name) => `current_setting('${name}')`).join()}] AS settings`

/** Whether a session has all its settings already. */
export function isSettled({ settings }: Pick<ServerFacts, 'settings'>): boolean {
  return names.every((name, at) => settings[at] === sessionSettings.get(name))
}

/**
 * Reads the facts of a server over a connection.
 * @throws UnfitServerError when the product cannot work with it
 */
export async function readFitServer(client: Pick<ClientBase, 'query'>): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(factsOfServer)
  const unfit = rows[0] && unfitnessOf(rows[0])
  if (unfit !== undefined) throw new UnfitServerError(unfit)
  return rows[0]!
}

/** Prepares a connection of its own, which leads through no pooler, for work. */
export async function prepareSession(client: Pick<ClientBase, 'query'>): Promise<void> {
  if (!isSettled(await readFitServer(client))) await client.query(settleSession)
}

/** Returns the reason for which a server is unfit, at any depth of an error. */
export function unfitServer(error: unknown): UnfitServerError | undefined {
  if (error instanceof UnfitServerError) return error
  return error instanceof Error ? unfitServer(error.cause) : undefined
}

/** Whether pgpool stands in front of the database. It answers this itself, and PostgreSQL knows no such setting. */
export async function isThroughPgpool(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  return client.query('SHOW pool_version').then(
    () => true,
    () => false,
  )
}

export const pgpoolSentence =
  'pgpool stands in front of the database: it answers some statements itself, and work is lost. Name the database itself, or PgBouncer.'

/**
 * Stops the start of a process whose database cannot be used. One that is away or busy is no reason: processes start without it, and each
 * new connection asks again.
 * @throws ConfigError
 */
export async function requireFitServer(pool: Pool): Promise<void> {
  try {
    const client = await pool.connect()
    const isPgpool = await isThroughPgpool(client).finally(() => client.release())
    if (isPgpool) throw new UnfitServerError(pgpoolSentence)
  } catch (error) {
    const unfit = unfitServer(error)
    if (unfit) throw new ConfigError([`DATABASE_URL: ${unfit.message}`])
  }
}
