import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'

const allMigrations = fileURLToPath(new URL('../migrations', import.meta.url))

/** Any number that nothing else locks with. */
const migrationLock = 4_207_849_484

/** Says that a newer version of the service has migrated the database, so that this one must leave it alone. */
export class NewerSchemaError extends Error {
  constructor() {
    super(
      'The database was last used by a newer version of workspace-crm; start that version, or name another database.',
    )
    this.name = 'NewerSchemaError'
  }
}

/** Says that the database is older than everything that this version can bring up to date. */
export class OlderSchemaError extends Error {
  constructor() {
    super(
      'The database was last used by an early version of workspace-crm that this one cannot update: start the version named in docs/decisions/baseline.md once, or name an empty database.',
    )
    this.name = 'OlderSchemaError'
  }
}

/**
 * Brings the database up to the newest migration of a folder, as its owner; several at once wait for each other.
 *
 * Fails with NewerSchemaError when the database knows a later migration than the folder, and with OlderSchemaError when it lacks some of
 * what the first of the folder makes.
 */
export async function migrate(databaseUrl: string, migrationsFolder: string = allMigrations): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'crm-migrate' })
  // The statement under way fails with a lost connection anyway; without a listener the process would end before it can say so.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await client.query('SET client_min_messages = warning')
    await refuseOtherSchemas(client, migrationsFolder)
    await applyMigrations(drizzle(client), { migrationsFolder, migrationsSchema: 'migrations' })
  } finally {
    await client.end()
  }
}

/** When the newest migration that this code knows was made, in milliseconds since 1970; a database with an older one is out of date. */
export async function newestMigration(migrationsFolder: string = allMigrations): Promise<number> {
  return Math.max(...(await readJournal(migrationsFolder)).map(({ when }) => when))
}

async function refuseOtherSchemas(client: Client, migrationsFolder: string): Promise<void> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('migrations.__drizzle_migrations') IS NOT NULL AS found",
  )
  if (tables[0]?.found !== true) return
  const { rows } = await client.query<{ newest: string | null }>(
    'SELECT max(created_at) AS newest FROM migrations.__drizzle_migrations',
  )
  const newest = rows[0]?.newest
  if (newest === null || newest === undefined) return
  if (Number(newest) > (await newestMigration(migrationsFolder))) throw new NewerSchemaError()
  // What is as old as the first migration has what it makes, however many migrations there were before.
  if (Number(newest) < Math.min(...(await readJournal(migrationsFolder)).map(({ when }) => when)))
    throw new OlderSchemaError()
}

async function readJournal(migrationsFolder: string): Promise<readonly { readonly when: number }[]> {
  const journal = JSON.parse(await readFile(join(migrationsFolder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { when: number }[]
  }
  return journal.entries
}
