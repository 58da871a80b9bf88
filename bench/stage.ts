import { createDatabase, createPool, newId, schema, type Database } from '@crm/db'
import { apiKeyPrefix, digest, keyPrefix, newSecret } from '@crm/identity'
import { permissionNames } from '@crm/permissions'
import { createTestWorkspace, type TestWorkspace } from '../packages/testkit/src/workspace.ts'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { generateRecords } from '../apps/cli/src/demo/generate.ts'
import { nodeEnv, nodeFlagsOf } from '../infra/node-flags.ts'
import { ensureDatabase, prepareDatabase, type RoleUrls } from '../infra/local/database.ts'
import { freePort } from '../infra/local/ports.ts'
import { startPostgres } from '../infra/local/postgres.ts'
import { findRedisProgram, startRedis } from '../infra/local/redis.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const execute = promisify(execFile)
const commandFile = join(root, 'apps/cli/src/main.ts')

/** A process under load. */
export interface Process {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Returns the current resident memory. */
  rssMb(): number
}

/** A workspace full of leads, with a tenth as many contacts, deals and tasks, and enough keys that no rate limit is met. */
export interface LoadedWorkspace extends TestWorkspace {
  readonly leads: number
  readonly keys: readonly string[]
  readonly leadIds: readonly string[]
  /** People who see a part of the leads, with keys of their own. */
  readonly limited: readonly LimitedPerson[]
}

/** A person who sees their own records, or the records of their department. */
interface LimitedPerson {
  readonly level: 'DEPARTMENT' | 'OWN'
  readonly id: string
  readonly departmentId: string
  readonly keys: readonly string[]
}

/** The servers and workspaces for all rows. */
export interface Stage {
  readonly db: Database
  readonly owner: Pool
  /** The process of PostgreSQL that starts all others. */
  readonly postgresPid: number
  readonly redisPid: number
  readonly processes: Map<string, Process>
  workspace(leads: number): LoadedWorkspace
  /** @param core the processor on which the process stays; without it, every one that this process may use */
  start(name: string, mainFile: string, env?: Readonly<Record<string, string>>, core?: number): Promise<Process>
  /** Runs the command `crm` as an operator would, and returns what it prints as JSON. */
  crm<T>(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<T>
  /** Makes an empty database on the same server and returns its address. */
  emptyDatabase(name: string): Promise<string>
  close(): Promise<void>
}

const keysPerPerson = 800

/** What a stage is like besides its workspaces. */
interface StageOptions {
  /** A folder for the data, which stays and is used again; without it the data is gone at the end. */
  readonly folder?: string | undefined
  /** Further settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts PostgreSQL (with fsync, as in production) and Redis, migrates, and loads workspaces of the given sizes. */
export async function setStage(
  sizes: readonly number[],
  say: (line: string) => void,
  { folder, settings }: StageOptions = {},
): Promise<Stage> {
  const dir = folder ?? mkdtempSync(join(tmpdir(), 'crm-bench-'))
  mkdirSync(join(dir, 'logs'), { recursive: true })
  const stack = new AsyncDisposableStack()
  if (folder === undefined) stack.defer(() => rmSync(dir, { recursive: true, force: true }))
  const postgres = await startPostgres({
    clusterDir: join(dir, 'postgres'),
    password: passwordIn(dir),
    logFile: join(dir, 'logs/postgres.log'),
    settings: { max_wal_size: '4GB', shared_buffers: '1GB', ...settings },
  })
  stack.defer(() => postgres.stop(folder === undefined ? 'immediate' : 'fast'))
  const program = findRedisProgram(process.env['PATH'] ?? '')
  if (!program) throw new Error('The benchmark needs redis-server on the PATH')
  const redis = await startRedis({
    program,
    dataDir: join(dir, 'redis'),
    password: newSecret(),
    logFile: join(dir, 'logs/redis.log'),
  })
  stack.defer(() => redis.stop())
  const ownerUrl = await ensureDatabase(postgres.url)
  const urlOf = await prepareDatabase(
    ownerUrl,
    {
      crm_api: newSecret(),
      crm_booking: newSecret(),
      crm_hooks: newSecret(),
      crm_dispatcher: newSecret(),
      crm_gateway: newSecret(),
    },
    say,
  )
  const owner = createPool({ databaseUrl: ownerUrl, max: 4, applicationName: 'bench' })
  stack.defer(() => owner.end())
  const db = createDatabase(owner)
  const workspaces = new Map<number, LoadedWorkspace>()
  for (const leads of sizes) workspaces.set(leads, await loadWorkspace(db, owner, leads, say))
  await owner.query('VACUUM ANALYZE')
  await owner.query('CHECKPOINT')
  const processes = new Map<string, Process>()
  const common = {
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
    DATA_DIR: dir,
    REDIS_URL: redis.url,
    NODE_ENV: 'production',
    BASE_URL: 'http://localhost:8080',
    MAIL_TO_FILES: 'true',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    RUN_TOKEN_SECRET: newSecret() + newSecret(),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  return {
    db,
    owner,
    postgresPid: postgres.pid,
    redisPid: redis.pid,
    processes,
    workspace: (leads) => workspaces.get(leads) as LoadedWorkspace,
    start: async (name, mainFile, env = {}, core) => {
      const environment = { ...common, DATABASE_URL: roleUrl(urlOf, ownerUrl, name), ...env }
      // The first start after a change compiles; an installation runs without that from its second start on, so the second one is measured.
      await (await startProcess(name, mainFile, environment, core)).stop()
      const { process: started, stop } = await startProcess(name, mainFile, environment, core)
      stack.defer(stop)
      processes.set(name, started)
      return started
    },
    crm: async (args, env = {}) => {
      const { stdout } = await execute(process.execPath, [commandFile, ...args, '--json'], {
        cwd: root,
        env: { PATH: process.env['PATH'], ...common, DATABASE_URL: ownerUrl, ...env },
      })
      return JSON.parse(stdout)
    },
    emptyDatabase: async (name) => {
      await owner.query(`CREATE DATABASE ${name}`)
      const url = new URL(ownerUrl)
      url.pathname = name
      return url.href
    },
    close: () => stack.disposeAsync(),
  }
}

/** Returns the password of the database in a folder. */
function passwordIn(dir: string): string {
  const file = join(dir, 'password')
  if (!existsSync(file)) writeFileSync(file, newSecret(), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

const roles = {
  'crm-api': 'crm_api',
  booking: 'crm_booking',
  webhooks: 'crm_hooks',
  'mcp-gateway': 'crm_gateway',
} as const

function roleUrl(urlOf: RoleUrls, ownerUrl: string, name: string): string {
  const role = roles[name as keyof typeof roles]
  return role ? urlOf(role) : ownerUrl
}

async function loadWorkspace(
  db: Database,
  owner: Pool,
  leads: number,
  say: (line: string) => void,
): Promise<LoadedWorkspace> {
  const workspace = await createTestWorkspace(db)
  const limited = [await limitedPerson(db, workspace, 'DEPARTMENT'), await limitedPerson(db, workspace, 'OWN')]
  for (let at = 0; at < 10; at += 1)
    await workspace.employee({ departmentId: await workspace.department(`Department ${at}`) })
  await db.insert(schema.customFields).values({
    workspaceId: workspace.workspaceId,
    entityType: 'DEAL',
    key: 'contractMonths',
    label: 'Months',
    type: 'NUMBER',
  })
  const { seconds } = await generateRecords(db, owner, workspace.workspaceId, 'leads', leads)
  say(`loaded ${leads.toLocaleString('en')} leads in ${seconds} s`)
  for (const kind of ['contacts', 'deals', 'tasks'] as const)
    await generateRecords(db, owner, workspace.workspaceId, kind, Math.max(1_000, leads / 10))
  const keys = await createKeys(db, workspace.workspaceId, workspace.adminUserId)
  const { rows } = await owner.query<{ id: string }>(
    'SELECT id FROM leads WHERE workspace_id = $1 ORDER BY id LIMIT 1000',
    [workspace.workspaceId],
  )
  return { ...workspace, leads, keys, leadIds: rows.map(({ id }) => id), limited }
}

async function limitedPerson(
  db: Database,
  workspace: TestWorkspace,
  level: LimitedPerson['level'],
): Promise<LimitedPerson> {
  const departmentId = await workspace.department(`With the level ${level}`)
  const { id } = await workspace.employee({
    departmentId,
    grant: { permissions: ['VIEW_LEAD'], access: [{ entityType: 'LEAD', VIEW: level, UPDATE: level, DELETE: level }] },
  })
  return { level, id, departmentId, keys: await createKeys(db, workspace.workspaceId, id) }
}

/** Creates so many keys of a person that requests by turns meet no limit. */
export async function createKeys(db: Database, workspaceId: string, ownerId: string): Promise<readonly string[]> {
  const keys = Array.from({ length: keysPerPerson }, () => newSecret(apiKeyPrefix))
  await db.insert(schema.apiKeys).values(
    keys.map((key) => ({
      workspaceId,
      id: newId(),
      name: 'Bench',
      prefix: keyPrefix(key),
      keyHash: digest(key),
      scopes: [...permissionNames],
      ownerId,
    })),
  )
  return keys
}

async function startProcess(
  name: string,
  mainFile: string,
  env: Readonly<Record<string, string>>,
  core: number | undefined,
): Promise<{ process: Process; stop: () => Promise<void> }> {
  const port = await freePort()
  const node = [...nodeFlagsOf(process.env), join(root, mainFile)]
  const [program, args] =
    core === undefined
      ? ([process.execPath, node] as const)
      : (['taskset', ['-c', String(core), process.execPath, ...node]] as const)
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...nodeEnv, ...env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (let tries = 0; !(await isUp(url)); tries += 1) {
    if (child.exitCode !== null || tries > 300) throw new Error(`${name} did not start`)
    await wait(50)
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
  }
  return { process: { name, url, pid: child.pid ?? 0, rssMb: () => rssMb(child.pid ?? 0) }, stop }
}

async function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  )
}

function rssMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return Math.round((pages * 4096) / 1e6)
}
