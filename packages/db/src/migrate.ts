import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'

const allMigrations = fileURLToPath(new URL('../migrations', import.meta.url))
const journalFile = new URL('../migrations/meta/_journal.json', import.meta.url)

/** Any number that nothing else locks with. */
const migrationLock = 4_207_849_484

/** Brings the database up to the newest migration of a folder, as its owner; several at once wait for each other. */
export async function migrate(databaseUrl: string, migrationsFolder: string = allMigrations): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'crm-migrate' })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await client.query('SET client_min_messages = warning')
    await applyMigrations(drizzle(client), { migrationsFolder, migrationsSchema: 'migrations' })
  } finally {
    await client.end()
  }
}

/** How many migrations this code knows; a database with fewer is out of date. */
export async function knownMigrations(): Promise<number> {
  const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: unknown[] }
  return journal.entries.length
}
