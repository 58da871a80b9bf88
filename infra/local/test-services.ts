import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchThisProcess } from './child.ts'
import { createCluster, postgresVersion, startPostgres, type PostgresServer } from './postgres.ts'
import { canInstallRedis, findRedisProgram, installRedis, redisAdvice, startRedis } from './redis.ts'

const cacheDir = fileURLToPath(new URL('../../.data-test', import.meta.url))

// The servers listen on loopback only, hold nothing but test data, and disappear with the run.
const testPassword = 'test'

/** Several times what a test run keeps there at once. */
const memoryDirBytesMin = 2 * 1024 ** 3

export interface TestServices {
  readonly databaseUrl: string
  readonly redisUrl: string
  /** A folder for files that are not needed after the run. */
  readonly scratchDir: string
  stop(): Promise<void>
}

/** Starts a PostgreSQL and a Redis for one test run, in a folder that disappears with it. */
export async function startTestServices(): Promise<TestServices> {
  const program = await requireRedisProgram()
  const runDir = makeRunDir()
  const [postgres, redis] = await Promise.all([
    startTestPostgres(runDir, whoSignsIn),
    startRedis({
      program,
      dataDir: join(runDir, 'redis'),
      password: randomBytes(12).toString('hex'),
      logFile: join(runDir, 'redis.log'),
      settings: { appendonly: 'no', databases: '1024' },
    }),
  ])
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    scratchDir: runDir,
    stop: cleanUpAfterThisProcess([postgres.pid, redis.pid], runDir),
  }
}

/** A PostgreSQL that a test may freeze. */
export interface OwnTestPostgres {
  /** The owner's connection string. */
  readonly url: string
  /** Returns the current processes of the server and its connections. */
  pids(): readonly number[]
  stop(): Promise<void>
}

/** Starts a PostgreSQL for one test alone, in a folder that disappears with it. */
export async function startOwnPostgres(): Promise<OwnTestPostgres> {
  const runDir = makeRunDir()
  const { url, pid } = await startTestPostgres(runDir)
  const children = () =>
    execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
  return {
    url,
    pids: () => [
      pid,
      ...children().flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : [])),
    ],
    stop: cleanUpAfterThisProcess([pid], runDir),
  }
}

/** A PostgreSQL with a replica that follows it. */
export interface ReplicatedTestPostgres {
  /** The owner's connection strings. */
  readonly primary: string
  readonly replica: string
  /** Ends the replica at once, like a machine that is lost. */
  killReplica(): Promise<void>
  stop(): Promise<void>
}

/** Starts a PostgreSQL with a replica for one test alone, in a folder that disappears with them. */
export async function startReplicatedPostgres(): Promise<ReplicatedTestPostgres> {
  const runDir = makeRunDir()
  const [primaryDir, replicaDir] = [join(runDir, 'primary'), join(runDir, 'replica')]
  await copyEmptyCluster(primaryDir)
  const settings = { ...throwawaySettings, wal_level: 'replica', max_wal_senders: '4' }
  const startPrimary = (): Promise<PostgresServer> =>
    startPostgres({
      clusterDir: primaryDir,
      password: testPassword,
      logFile: join(runDir, 'primary.log'),
      settings: { ...settings, wal_keep_size: '512MB' },
    })
  // A copy of a server that has ended is a consistent base of a replica; the new cluster alone holds too little in its log.
  await (await startPrimary()).stop()
  execFileSync('cp', ['-Rp', primaryDir, replicaDir])
  const primary = await startPrimary()
  const { hostname, port, username, password } = new URL(primary.url)
  writeFileSync(join(replicaDir, 'standby.signal'), '')
  const replica = await startPostgres({
    clusterDir: replicaDir,
    password: testPassword,
    logFile: join(runDir, 'replica.log'),
    settings: {
      ...settings,
      primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
      wal_receiver_status_interval: '1s',
    },
  })
  return {
    primary: primary.url,
    replica: replica.url,
    killReplica: () => replica.stop('immediate'),
    stop: cleanUpAfterThisProcess([primary.pid, replica.pid], runDir),
  }
}

/** Makes an empty folder for servers, in memory where there is room. */
export function makeRunDir(): string {
  const runDir = mkdtempSync(join(memoryDir() ?? tmpdir(), 'crm-test-'))
  chmodSync(runDir, 0o711)
  return runDir
}

/**
 * Returns a folder in memory when the system has one with space to spare.
 *
 * Each test file creates and drops a database of a thousand files: on a disk the system spends more time on them than on many a test.
 */
function memoryDir(): string | undefined {
  const dir = '/dev/shm'
  if (!existsSync(dir)) return undefined
  const { bavail, bsize } = statfsSync(dir)
  return Math.min(bavail * bsize, process.availableMemory()) >= memoryDirBytesMin ? dir : undefined
}

async function startTestPostgres(runDir: string, rules?: string): Promise<PostgresServer> {
  const clusterDir = join(runDir, 'postgres')
  await copyEmptyCluster(clusterDir)
  if (rules !== undefined) writeFileSync(join(clusterDir, 'pg_hba.conf'), rules)
  return startPostgres({
    clusterDir,
    password: testPassword,
    logFile: join(runDir, 'postgres.log'),
    settings: { ...throwawaySettings, wal_level: 'minimal', max_wal_senders: '0' },
  })
}

/** Databases of single test files ask for no password: a check of one takes half of the time of a connection, and a run makes many thousands. */
const whoSignsIn = `
host postgres,/^(test|crm_template)_ all 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`

/** Settings of a server whose data nobody needs again. */
export const throwawaySettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '64MB',
  // The server keeps the shape of every statement, which is judged at the end of the run (statements.ts).
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '50000',
  'pg_stat_statements.track_utility': 'off',
}

/** Finds a Redis program, and installs one where possible. */
export async function requireRedisProgram(): Promise<string> {
  const search = () => findRedisProgram(process.env['PATH'] ?? '')
  const found = search()
  if (found !== undefined) return found
  const complaint = canInstallRedis() ? await installRedis() : undefined
  const installed = search()
  if (installed === undefined) throw new Error([complaint, redisAdvice].filter((line) => line !== undefined).join('\n'))
  return installed
}

/** Copies an empty cluster, which takes a tenth of the time of creating one. */
async function copyEmptyCluster(clusterDir: string): Promise<void> {
  execFileSync('cp', ['-Rp', await emptyCluster(), clusterDir])
}

async function emptyCluster(): Promise<string> {
  const version = postgresVersion().split(' ').at(-1) ?? ''
  const clusterDir = join(cacheDir, `empty-cluster-${version}`)
  if (existsSync(clusterDir)) return clusterDir
  mkdirSync(cacheDir, { recursive: true })
  const ownDir = `${clusterDir}.${process.pid}`
  await createCluster(ownDir, testPassword)
  try {
    renameSync(ownDir, clusterDir)
  } catch {
    // Another test run was first.
    rmSync(ownDir, { recursive: true, force: true })
  }
  return clusterDir
}

/** Ends the servers when this process ends, in any way, or when the returned function is called. */
function cleanUpAfterThisProcess(pids: readonly number[], runDir: string): () => Promise<void> {
  const script = `kill -QUIT ${pids.join(' ')}
    for _ in $(seq 100); do kill -0 ${pids.join(' ')} 2>/dev/null || break; sleep 0.05; done
    rm -rf "$0"`
  const watcher = watchThisProcess(script, runDir)
  return async () => {
    watcher.ref()
    watcher.stdin.end()
    await once(watcher, 'exit')
  }
}
