import { indexAlphabets, refreshCollations } from './collations.ts'
import { buildIndex } from './build-index.ts'
import { setTimeout as waitMs } from 'node:timers/promises'
import type { Client, Pool } from 'pg'
import { distributeNewTables, isDistributed, prepareChange } from './distribute.ts'
import { readMigrations, type Migration } from './migrations.ts'
import { olderProcesses } from './processes.ts'
import { sqlState } from './unavailable.ts'
import { withClient } from './with-client.ts'

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

/** The error for a migration that cannot run now and may run later. */
export class MigrationRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MigrationRefusedError'
  }
}

/** How a migration waits for locks. A waiting statement holds up every request behind it, so it gives up soon and tries again. */
interface LockWaits {
  readonly lockMs: number
  readonly tries: number
  readonly pauseMs: number
}

const usualWaits: LockWaits = { lockMs: 2_000, tries: 10, pauseMs: 1_000 }

export interface MigrateOptions {
  /** The migrations of the product by default. */
  readonly folder?: string
  /** Whether to run the migrations that remove parts of the schema, too. */
  readonly contract?: boolean
  readonly waits?: LockWaits
  /** Told before each pause for a lock. */
  readonly onWait?: (tag: string, tried: number) => void
  /** Told once when somebody else migrates or restores the database, and this run waits for them. */
  readonly onTurn?: () => void
}

/**
 * Migrates the database to the newest migration, as its owner; concurrent runs go one after the other. Migrations that remove
 * parts of the schema run only on request, or in a database that is empty. Afterwards the orders of names are what they were built for.
 *
 * Fails with NewerSchemaError when the database knows a later migration than the folder, with OlderSchemaError when it lacks a part
 * of the folder's first migration, and with MigrationRefusedError when a lock is held for too long, or while an older process runs that
 * needs the parts to be removed.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<void> {
  await inTurn(databaseUrl, (client) => migrateInTurn(client, options), options.onTurn)
}

/** Migrates like `migrate`, on the connection of a turn. */
export async function migrateInTurn(client: Client, options: MigrateOptions = {}): Promise<void> {
  const known = await readMigrations(options.folder)
  await makeRecord(client)
  const done = await readDone(client)
  refuseOtherSchemas(done, known)
  // Nothing of an empty database is in use.
  const isNew = done.size === 0
  const pending = pendingOf(known, done).filter(({ isContract }) => !isContract || isNew || options.contract === true)
  for (const migration of pending) {
    if (migration.isContract && !isNew) await refuseEarlyContract(client, migration)
    await applyPatiently(client, migration, options)
  }
  await refreshCollations(client)
  await indexAlphabets(client)
}

/**
 * Migrates an empty database up to one migration, as a backup of that time needs it, on the connection of a turn.
 *
 * Fails with OlderSchemaError when the migration is not known.
 * @param when creation time of the migration, in milliseconds since 1970
 * @param without creation times of earlier migrations that the backup's database lacked
 */
export async function migrateTo(client: Client, when: number, without: readonly number[] = []): Promise<void> {
  const known = await readMigrations()
  if (!known.some((migration) => migration.when === when)) throw new OlderSchemaError()
  await makeRecord(client)
  const wanted = known.filter((migration) => migration.when <= when && !without.includes(migration.when))
  for (const migration of pendingOf(wanted, await readDone(client))) await applyPatiently(client, migration, {})
}

/** Returns the migrations that a database lacks, oldest first, those that remove something included. */
export async function pendingMigrations(client: Queryable, folder?: string): Promise<readonly Migration[]> {
  return pendingOf(await readMigrations(folder), await readDone(client))
}

/**
 * Works on a database while nobody else migrates or restores it.
 *
 * Whoever waits asks again and again: a statement that waited for the lock would itself keep an index from being built concurrently, which
 * waits for all statements under way.
 * @param work gets the connection that keeps the turn until it is closed
 * @param onTurn told once when somebody else has the turn
 */
export function inTurn<T>(databaseUrl: string, work: (client: Client) => Promise<T>, onTurn?: () => void): Promise<T> {
  return withClient(databaseUrl, 'crm-migrate', async (client) => {
    for (let tries = 0; !(await takeTurn(client)); tries++) {
      if (tries === 0) onTurn?.()
      await waitMs(turnPauseMs)
    }
    return work(client)
  })
}

const turnPauseMs = 200

async function takeTurn(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock])
  return rows[0]?.taken === true
}

/** The name of the table is the query builder's, whose generator writes the migrations. */
async function makeRecord(client: Client): Promise<void> {
  await client.query('CREATE SCHEMA IF NOT EXISTS migrations')
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)',
  )
}

/** A connection, or a pool of them. */
type Queryable = Pick<Client, 'query'> | Pick<Pool, 'query'>

/** Reads the creation times of the migrations that a database has. */
async function readDone(client: Queryable): Promise<ReadonlySet<number>> {
  const { rows } = await client.query<{ at: string }>(
    'SELECT created_at AS at FROM migrations.__drizzle_migrations WHERE created_at IS NOT NULL',
  )
  return new Set(rows.map(({ at }) => Number(at)))
}

/** A database has every migration up to its newest one, except the ones that remove something: these wait for their own time. */
function pendingOf(known: readonly Migration[], done: ReadonlySet<number>): readonly Migration[] {
  const newest = Math.max(0, ...done)
  return known.filter(({ when, isContract }) => !done.has(when) && (isContract || when > newest))
}

function refuseOtherSchemas(done: ReadonlySet<number>, known: readonly Migration[]): void {
  if (done.size === 0) return
  const newest = Math.max(...done)
  const times = known.map(({ when }) => when)
  if (newest > Math.max(...times)) throw new NewerSchemaError()
  // A database as old as the first migration has everything that this migration makes, however many migrations there were before.
  if (newest < Math.min(...times)) throw new OlderSchemaError()
}

async function refuseEarlyContract(client: Client, { tag, when, after }: Migration): Promise<void> {
  const [older] = await olderProcesses(client, when)
  if (older)
    throw new MigrationRefusedError(
      `${tag} must wait: ${older.kind} of version ${older.version} was last seen at ${older.seenAt} and still needs what it removes.`,
    )
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (SELECT FROM backfills b WHERE b.name = name.name AND b.done_at IS NOT NULL)',
    [after],
  )
  if (rows.length > 0)
    throw new MigrationRefusedError(
      `${tag} must wait until this backfill is done: ${rows.map(({ name }) => name).join(', ')}.`,
    )
}

async function applyPatiently(
  client: Client,
  migration: Migration,
  { waits: { lockMs, tries, pauseMs } = usualWaits, onWait }: MigrateOptions,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await (migration.isConcurrent ? applyConcurrently : applyAtOnce)(client, migration, lockMs)
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable) throw error
      if (tried === tries)
        throw new MigrationRefusedError(
          `${migration.tag} got no lock in ${tries} tries; a long transaction holds it. Nothing of this migration is done; try again later.`,
          { cause: error },
        )
      onWait?.(migration.tag, tried)
      await waitMs(pauseMs)
    }
  }
}

const lockNotAvailable = '55P03'

async function applyAtOnce(client: Client, { statements, hash, when }: Migration, lockMs: number): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(`SET LOCAL lock_timeout = ${lockMs}`)
    const isSpread = await isDistributed(client)
    if (isSpread) await prepareChange(client)
    for (const statement of statements) {
      await client.query(statement)
      if (isSpread) await distributeNewTables(client)
    }
    await remember(client, hash, when)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** Builds indexes while others write. Each statement stands alone, and `IF NOT EXISTS` lets a second run go on. */
async function applyConcurrently(client: Client, { statements, hash, when }: Migration): Promise<void> {
  for (const statement of statements) {
    const name = /INDEX CONCURRENTLY IF NOT EXISTS "?(\w+)"?/i.exec(statement)?.[1]
    await buildIndex(client, name, statement)
  }
  await remember(client, hash, when)
}

async function remember(client: Client, hash: string, when: number): Promise<void> {
  await client.query('INSERT INTO migrations.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [hash, when])
}
