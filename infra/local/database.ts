import { migrate, NewerSchemaError, OlderSchemaError } from '@crm/db/migrate'
import { createPool } from '@crm/db/pool'
import { howToGiveRoles, lacksRight } from '@crm/db/roles'
import { DatabaseUnavailable } from '@crm/db/unavailable'
import { ConfigError } from '@crm/runtime'
import { applyRoles, urlForRole } from './roles.ts'
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
  await migrate(ownerUrl).catch((error: unknown) => {
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
