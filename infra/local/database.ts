import { migrate, NewerSchemaError, OlderSchemaError } from '@crm/db/migrate'
import { createPool } from '@crm/db/pool'
import { isPooled } from '@crm/db/pooled'
import { howToGiveRoles, lacksRight } from '@crm/db/roles'
import { DatabaseUnavailable } from '@crm/db/unavailable'
import { ConfigError } from '@crm/runtime'
import type { PoolClient } from 'pg'
import { applyRoles, databaseRoles, urlForRole } from './roles.ts'
import type { DatabaseRole } from './roles.ts'

/** Returns the connection string of each deployable's role. */
export type RoleUrls = (role: DatabaseRole) => string

/** Fails with a line for the person who set DATABASE_URL when nobody can sign in there. */
export async function requireDatabase(databaseUrl: string): Promise<void> {
  try {
    await onDatabase(databaseUrl, (query) => query('SELECT'))
  } catch (error) {
    const { message, code } = (error instanceof DatabaseUnavailable ? error.cause : error) as {
      message?: string
      code?: string
    }
    throw new ConfigError([`DATABASE_URL: the database cannot be used: ${message || code}`])
  }
}

/** An arbitrary number that no other lock uses. */
const startLock = 4_207_849_485
/** The connection that a start keeps until it ends has this name. */
const startName = 'crm-start'

/**
 * Takes a database for this start, so that no other start gives its roles other passwords; returns the function that gives it back. A pooler
 * shares connections, so nobody can be kept out behind one.
 * @throws ConfigError when another start has it, or the roles of the server are at work in another database
 */
export async function takeDatabase(databaseUrl: string): Promise<() => Promise<void>> {
  if (await isPooled(databaseUrl)) return async () => undefined
  const pool = createPool({ databaseUrl, max: 1, applicationName: startName })
  pool.on('error', () => undefined)
  const client = await pool.connect()
  // The lock is lost with its connection, and the start goes on: its processes find the database again by themselves.
  client.on('error', () => undefined)
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [startLock])
  const giveBack = async (): Promise<void> => {
    client.release(true)
    await pool.end()
  }
  const fault = rows[0]?.taken === true ? await faultOfServer(client) : ofAnotherStart
  if (fault === undefined) return giveBack
  await giveBack()
  throw new ConfigError([`DATABASE_URL: ${fault}`])
}

const ofAnotherStart =
  'another npm start works with this database; stop it first, or name another database. Several machines share one as docs/guide/operate.md says.'

/** A start gives the roles passwords of its own, if its user has the right to; roles belong to the server, not to a database. */
async function faultOfServer(client: PoolClient): Promise<string | undefined> {
  const mayMakeRoles = '(r.rolsuper OR r.rolcreaterole)'
  const { rows } = await client.query<{ datname: string }>(
    `SELECT DISTINCT a.datname FROM pg_stat_activity a JOIN pg_roles r ON r.oid = a.usesysid
     WHERE a.datname <> current_database() AND (a.usename = ANY($1) OR (a.application_name = $2 AND ${mayMakeRoles}))
       AND EXISTS (SELECT FROM pg_roles r WHERE r.rolname = current_user AND ${mayMakeRoles}) ORDER BY 1`,
    [databaseRoles, startName],
  )
  const names = rows.map(({ datname }) => datname).join(', ')
  return rows.length === 0
    ? undefined
    : `another installation works with ${names} on this server. Both have the same roles, since roles belong to the whole server, and this start would give them other passwords; stop that installation first, or name a database on another server.`
}

/** Creates the database of the service on the embedded server, once; returns the owner's connection string. */
export async function ensureDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl)
  url.pathname = '/crm'
  await onDatabase(serverUrl, async (query) => {
    const { rowCount } = await query("SELECT 1 FROM pg_database WHERE datname = 'crm'")
    if (rowCount === 0) await query('CREATE DATABASE crm')
  })
  return url.href
}

/** Migrates and gives every deployable a role of its own; a server that allows no new roles gets the owner's for all. */
export async function prepareDatabase(
  ownerUrl: string,
  rolePasswords: Readonly<Record<DatabaseRole, string>>,
  say: (line: string) => void,
): Promise<RoleUrls> {
  const onTurn = (): void => say('Somebody else migrates or restores this database; this start waits for them.')
  await migrate(ownerUrl, { onTurn }).catch((error: unknown) => {
    throw error instanceof NewerSchemaError || error instanceof OlderSchemaError
      ? new ConfigError([error.message])
      : error
  })
  try {
    await onDatabase(ownerUrl, (query) => applyRoles(query, (role) => rolePasswords[role]))
    return (role) => urlForRole(ownerUrl, role, rolePasswords[role])
  } catch (error) {
    if (!lacksRight(error)) throw error
    say(withoutRoles(new URL(ownerUrl).username))
    return () => ownerUrl
  }
}

function withoutRoles(owner: string): string {
  return `The user of DATABASE_URL may not make or change roles: every process works as that user, so that a hole in the booking pages or the webhooks would open all data. ${howToGiveRoles(decodeURIComponent(owner))} Then start again.`
}

type Query = (sql: string) => Promise<{ readonly rowCount: number | null }>

async function onDatabase<T>(databaseUrl: string, work: (query: Query) => Promise<T>): Promise<T> {
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'crm-local' })
  try {
    return await work((sql) => pool.query(sql))
  } finally {
    await pool.end()
  }
}
