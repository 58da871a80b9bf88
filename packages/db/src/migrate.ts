import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { withClient } from './with-client.ts'

const allMigrations = fileURLToPath(new URL('../migrations', import.meta.url))

/** An arbitrary number that no other lock uses. */
const migrationLock = 4_207_849_484

/** The error for a database that a newer version of the service has migrated, so that this version must not touch it. */
export class NewerSchemaError extends Error {
  constructor() {
    super(
      'The database was last used by a newer version of workspace-crm; start that version, or name another database.',
    )
    this.name = 'NewerSchemaError'
  }
}

/** The error for a database that is older than every state that this version can update. */
export class OlderSchemaError extends Error {
  constructor() {
    super(
      'The database was last used by an early version of workspace-crm that this one cannot update: start the version named in docs/decisions/baseline.md once, or name an empty database.',
    )
    this.name = 'OlderSchemaError'
  }
}

/**
 * Migrates the database to the newest migration of a folder, as its owner; concurrent runs wait for each other.
 *
 * Fails with NewerSchemaError when the database knows a later migration than the folder, and with OlderSchemaError when it lacks a part
 * of the folder's first migration.
 */
export async function migrate(databaseUrl: string, migrationsFolder: string = allMigrations): Promise<void> {
  await withClient(databaseUrl, 'crm-migrate', async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await refuseOtherSchemas(client, migrationsFolder)
    await applyMigrations(drizzle(client), { migrationsFolder, migrationsSchema: 'migrations' })
  })
}

/**
 * Migrates an empty database up to one migration, as a backup of that time needs it.
 *
 * Fails with OlderSchemaError when the folder does not know the migration.
 * @param when creation time of the migration, in milliseconds since 1970
 */
export async function migrateTo(databaseUrl: string, when: number): Promise<void> {
  const journal = await readJournal(allMigrations)
  if (!journal.entries.some((entry) => entry.when === when)) throw new OlderSchemaError()
  const folder = await mkdtemp(join(tmpdir(), 'crm-migrations-'))
  try {
    await cp(allMigrations, folder, { recursive: true })
    const entries = journal.entries.filter((entry) => entry.when <= when)
    await writeFile(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }))
    await migrate(databaseUrl, folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the creation time of the newest known migration, in milliseconds since 1970; a database with an older one is out of date. */
export async function newestMigration(migrationsFolder: string = allMigrations): Promise<number> {
  return Math.max(...(await readJournal(migrationsFolder)).entries.map(({ when }) => when))
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
  // A database as old as the first migration has everything that this migration makes, however many migrations there were before.
  if (Number(newest) < Math.min(...(await readJournal(migrationsFolder)).entries.map(({ when }) => when)))
    throw new OlderSchemaError()
}

interface Journal {
  readonly entries: readonly { readonly when: number }[]
}

async function readJournal(migrationsFolder: string): Promise<Journal> {
  return JSON.parse(await readFile(join(migrationsFolder, 'meta', '_journal.json'), 'utf8')) as Journal
}
