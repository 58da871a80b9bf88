import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { distribute, joinWorkers, migrate, usualDeadlines, type DatabaseNode, type PoolOptions } from '@crm/db'
import { Client } from 'pg'
import { applyRoles, databaseRoles, rolesFile, urlForRole } from '../../../infra/local/roles.ts'
import type { DatabaseRole } from '../../../infra/local/roles.ts'
import { startOwnPostgres, startReplicatedPostgres } from '../../../infra/local/test-services.ts'
import { afterThisFile } from './cleanup.ts'
import { testDatabaseUrl } from './services.ts'
import { refuseForgotten } from './forgotten.ts'

export { databaseRoles }

/** A migrated database that belongs to one test file. */
export interface TestDatabase {
  readonly name: string
  /** Connection string of the owner of the schema. */
  readonly ownerUrl: string
  /** Connection string of the owner for commands, which may lead through a pooler. */
  readonly operatorUrl: string
  /** Returns the connection string of a deployable, which has only its grants. */
  urlFor(role: DatabaseRole): string
}

/** The pool options of a deployable, with longer deadlines for a machine on which other tests run. */
export const asDeployable: Pick<PoolOptions, 'deadlines' | 'prepares'> = {
  deadlines: { ...usualDeadlines, connectionMs: 10_000 },
  prepares: process.env['DATABASE_PREPARE'] !== 'false',
}

const rolePassword = 'test'
const migrationsDir = fileURLToPath(new URL('../../db/migrations', import.meta.url))

/**
 * Gives the calling test file a database of its own, cloned from the migrated template, and drops it after the file.
 *
 * Call it once at the top of the file: `const database = await testDatabase()`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = await onServer(ensureTemplate)
  // By default PostgreSQL also writes the content of the template to the log, which takes twice as long.
  await onEveryServer((server) => server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`))
  afterThisFile(() => onEveryServer((server) => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)))
  const ownerUrl = databaseUrl(name)
  return {
    name,
    ownerUrl,
    operatorUrl: throughPooler(ownerUrl),
    urlFor: (role) => throughPooler(urlForRole(ownerUrl, role, rolePassword)),
  }
}

/** A migrated database on the coordinator of `npm run test:citus` whose tables are not distributed yet. */
export interface UndistributedDatabase {
  readonly ownerUrl: string
  /** The machines over which it can be distributed, as `host:port`. */
  readonly workers: readonly string[]
}

/** Gives the calling test file a database that it can distribute, and drops it after the file. */
export async function undistributedDatabase(): Promise<UndistributedDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer((server) => server.query(`CREATE DATABASE ${name}`))
  afterThisFile(() => onEveryServer((server) => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)))
  const ownerUrl = databaseUrl(name)
  await prepare(ownerUrl)
  return { ownerUrl, workers: workers().map(({ host, port }) => `${host}:${port}`) }
}

/** Whether the tests run on a database that is distributed over machines. */
export const isOnCitus = (process.env['TEST_CITUS_WORKERS'] ?? '') !== ''

/** Leads a connection through the pooler that `npm run test:pooler` puts between the deployables and the server. */
function throughPooler(databaseUrl: string): string {
  const port = process.env['TEST_POOLER_PORT']
  if (port === undefined) return databaseUrl
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return url.href
}

/** A database whose server can be frozen and crashed because no other test uses it. */
export interface FreezableDatabase extends TestDatabase {
  /** Stops every process of the server, like a machine that hangs: connections stay open, and nothing is answered. */
  freeze(): void
  thaw(): void
  /** Kills a process of the server, which ends all others, recovers and starts again, as after a crash. */
  crash(): void
}

/** Gives the calling test file a database on a server of its own, which is removed after the file. */
export async function freezableDatabase(): Promise<FreezableDatabase> {
  const server = await startOwnPostgres()
  const frozen: number[] = []
  const thaw = (): void => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
  }
  afterThisFile(() => {
    thaw()
    return server.stop()
  })
  await prepare(server.url)
  return {
    name: new URL(server.url).pathname.slice(1),
    ownerUrl: server.url,
    operatorUrl: server.url,
    urlFor: (role) => urlForRole(server.url, role, rolePassword),
    freeze: () => {
      for (const pid of server.pids()) if (process.kill(pid, 'SIGSTOP')) frozen.push(pid)
    },
    thaw,
    crash: () => {
      const [, child] = server.pids()
      if (child !== undefined) process.kill(child, 'SIGKILL')
    },
  }
}

/** A database with a replica. */
export interface ReplicatedDatabase extends TestDatabase {
  /** Returns the connection string of a deployable for the replica. */
  replicaUrlFor(role: DatabaseRole): string
  /** The owner's connection string for the replica. */
  readonly replicaOwnerUrl: string
  /** Ends the replica at once, like a machine that is lost. */
  killReplica(): Promise<void>
}

/** Gives the calling test file a database with a replica, on servers of their own, which are removed after the file. */
export async function replicatedDatabase(): Promise<ReplicatedDatabase> {
  const servers = await startReplicatedPostgres()
  afterThisFile(() => servers.stop())
  await prepare(servers.primary)
  return {
    name: new URL(servers.primary).pathname.slice(1),
    ownerUrl: servers.primary,
    operatorUrl: servers.primary,
    replicaOwnerUrl: servers.replica,
    urlFor: (role) => urlForRole(servers.primary, role, rolePassword),
    replicaUrlFor: (role) => urlForRole(servers.replica, role, rolePassword),
    killReplica: () => servers.killReplica(),
  }
}

/** Makes the schema and the roles on an empty server. */
async function prepare(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl)
  const owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
  await applyRoles(
    (sql) => owner.query(sql),
    () => rolePassword,
  )
  await owner.end()
}

/** Builds the template if this state of the migrations has none yet; one process builds it, and the others wait. */
async function ensureTemplate(server: Client): Promise<string> {
  schemaHash ??= hashSchema()
  const template = `crm_template_${schemaHash}`
  if (await exists(server, template)) return template
  await server.query("SELECT pg_advisory_lock(hashtext('crm_template'))")
  try {
    if (!(await exists(server, template))) await buildTemplate(server, template)
  } finally {
    await server.query("SELECT pg_advisory_unlock(hashtext('crm_template'))")
  }
  return template
}

async function buildTemplate(server: Client, template: string): Promise<void> {
  const unfinished = `${template}_unfinished`
  await onEveryServer((each) => each.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`))
  await server.query(`CREATE DATABASE ${unfinished}`)
  await prepare(databaseUrl(unfinished))
  if (workers().length > 0) await distributeTemplate(unfinished)
  else await onServer((database) => database.query(refuseForgotten), unfinished)
  await onEveryServer(async (each) => {
    await each.query(`ALTER DATABASE ${unfinished} ALLOW_CONNECTIONS false`)
    await each.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [unfinished])
    await each.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`)
  })
}

/** Distributes a database over the servers of `npm run test:citus`. A copy of it on each of them is a distributed database again. */
async function distributeTemplate(name: string): Promise<void> {
  const [coordinator, ...others] = servers()
  await joinWorkers(databaseUrl(name), coordinator!, others)
  await onServer((client) => distribute(client), name)
}

async function exists(server: Client, name: string): Promise<boolean> {
  const { rowCount } = await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  return rowCount === 1
}

let schemaHash: string | undefined

function hashSchema(): string {
  const hash = createHash('sha256')
  const migrations = globSync('**/*.{sql,json}', { cwd: migrationsDir }).sort()
  for (const file of [...migrations.map((name) => `${migrationsDir}/${name}`), rolesFile])
    hash.update(readFileSync(file))
  return hash.update(refuseForgotten).digest('hex').slice(0, 16)
}

function databaseUrl(name: string): string {
  const url = new URL(testDatabaseUrl())
  url.pathname = `/${name}`
  return url.href
}

/** Returns the servers of a test run: one, or those of `npm run test:citus`, the coordinator first. */
function servers(): readonly DatabaseNode[] {
  const { hostname, port } = new URL(testDatabaseUrl())
  return [{ host: hostname, port: Number(port) }, ...workers()]
}

function workers(): readonly DatabaseNode[] {
  return (process.env['TEST_CITUS_WORKERS'] ?? '').split(',').flatMap((address) => {
    const [host = '', port] = address.split(':')
    return host === '' ? [] : [{ host, port: Number(port) }]
  })
}

async function onEveryServer(work: (client: Client) => Promise<unknown>): Promise<void> {
  for (const { host, port } of servers()) {
    const url = new URL(testDatabaseUrl())
    url.host = `${host}:${port}`
    const client = new Client({ connectionString: url.href })
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }
}

async function onServer<T>(work: (client: Client) => Promise<T>, database?: string): Promise<T> {
  const client = new Client({ connectionString: database === undefined ? testDatabaseUrl() : databaseUrl(database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
