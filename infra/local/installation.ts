import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { ConfigError, createLogger, loadConfig, runProcess } from '@crm/runtime'
import type { z } from 'zod'
import { startEdge } from '../edge/edge.ts'
import type { Target } from '../edge/edge.ts'
import { collectHealth } from '../edge/health.ts'
import { startConfig } from './config.ts'
import { DataDirError, announceRunning, lockDataDir, readState, requireUnlocked, writeState } from './data-dir.ts'
import { ensureDatabase, prepareDatabase, requireDatabase } from './database.ts'
import { freePort } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { explainPort, requirePort } from './public-port.ts'
import { findRedisProgram, installRedis, redisAdvice, startRedis } from './redis.ts'
import type { DatabaseRole } from './roles.ts'
import { supervise } from './supervise.ts'
import { readDemo, welcomeText } from './welcome.ts'

/** A process of the service. */
export interface Deployable {
  readonly name: string
  /** Its entry, seen from the root. */
  readonly mainFile: string
  /** Its PostgreSQL role; one without a role gets no database. */
  readonly role: DatabaseRole | undefined
}

export interface Installation {
  readonly root: string
  readonly deployables: readonly Deployable[]
  /** Builds what has to be built; runs while the servers start. */
  build(stopping: AbortSignal): Promise<void>
  /** Fills the migrated database, as its owner. */
  seed(env: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<void>
}

const readyWithinMs = 60_000
const say = (line: string): void => console.log(line)

/** Runs PostgreSQL, Redis, the deployables and the edge in the foreground until a signal, and stops them in order. */
export async function runInstallation(installation: Installation): Promise<void> {
  await runProcess({
    name: 'npm start',
    closeDeadlineMs: 90_000,
    logger: createLogger({ name: 'npm start', level: 'error' }),
    start: async (stopping) => {
      // Whatever was started is stopped in the opposite order: edge, deployables, Redis, PostgreSQL; then the folder is let go.
      const started = new AsyncDisposableStack()
      try {
        await startAll(installation, started, stopping)
      } catch (error) {
        await started.disposeAsync()
        if (error instanceof DataDirError) throw new ConfigError([error.message])
        throw error
      }
      return {
        close: async () => {
          say('\nStopping.')
          await started.disposeAsync()
          say('Stopped.')
        },
      }
    },
  })
}

async function startAll({ root, deployables, build, seed }: Installation, started: AsyncDisposableStack, stopping: AbortSignal): Promise<void> {
  const config = loadConfig(startConfig, process.env)
  const dataDir = resolve(root, config.DATA_DIR)
  const logDir = join(dataDir, 'logs')
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`
  await refuseEarly(config, dataDir)
  started.defer(lockDataDir(dataDir))
  mkdirSync(logDir, { recursive: true })

  const building = build(stopping)
  building.catch(() => undefined)
  const { ownerUrl, redisUrl } = await startServers(config, dataDir, logDir, started)
  stopping.throwIfAborted()

  const { rolePasswords, runTokenSecret } = readState(dataDir)
  const urlOf = await prepareDatabase(ownerUrl, rolePasswords, say)
  started.defer(announceRunning(dataDir, { ownerDatabaseUrl: ownerUrl, redisUrl, baseUrl, pid: process.pid }))
  const env = { ...process.env, NODE_ENV: config.NODE_ENV, DATA_DIR: dataDir, BASE_URL: baseUrl, REDIS_URL: redisUrl ?? '' }
  await seed({ ...env, DATABASE_URL: ownerUrl }, stopping)
  await building
  stopping.throwIfAborted()

  const targets: Record<string, Target> = {}
  for (const { name } of deployables) targets[name] = { host: '127.0.0.1', port: await freePort() }
  const supervised = deployables.map(({ name, mainFile, role }) =>
    supervise({
      name,
      mainFile: join(root, mainFile),
      logFile: join(logDir, `${name}.log`),
      say,
      env: {
        ...env,
        HOST: '127.0.0.1',
        PORT: String(targets[name]?.port),
        DATABASE_URL: role === undefined ? '' : urlOf(role),
        RUN_TOKEN_SECRET: runTokenSecret,
        CRM_API_URL: `http://127.0.0.1:${targets['crm-api']?.port}`,
      },
    }),
  )
  started.defer(async () => void (await Promise.all(supervised.map((deployable) => deployable.stop()))))

  const edge = await startEdge({ targets, port: config.PORT }).catch(explainPort(config.PORT))
  started.defer(() => edge.close())
  await waitUntilReady(targets, stopping)
  say(welcomeText(baseUrl, readDemo(dataDir)))
}

/** What can be told before anything is made or started is told then. */
async function refuseEarly({ PORT, DATABASE_URL }: z.output<typeof startConfig>, dataDir: string): Promise<void> {
  requireUnlocked(dataDir)
  await requirePort(PORT)
  if (DATABASE_URL !== undefined) await requireDatabase(DATABASE_URL)
}

interface Servers {
  /** Connection string of the owner of the schema. */
  readonly ownerUrl: string
  readonly redisUrl: string | undefined
}

async function startServers(
  { DATABASE_URL, REDIS_URL }: z.output<typeof startConfig>,
  dataDir: string,
  logDir: string,
  started: AsyncDisposableStack,
): Promise<Servers> {
  const state = readState(dataDir)
  writeState(dataDir, state)
  const postgres =
    DATABASE_URL === undefined
      ? await startPostgres({
          clusterDir: join(dataDir, 'postgres'),
          preferredPort: state.postgres.port,
          password: state.postgres.password,
          logFile: join(logDir, 'postgres.log'),
          say,
        })
      : undefined
  started.defer(() => postgres?.stop())

  const program = REDIS_URL === undefined ? findOrInstallRedis() : undefined
  const redis =
    program === undefined
      ? undefined
      : await startRedis({
          program,
          dataDir: join(dataDir, 'redis'),
          preferredPort: state.redis.port,
          password: state.redis.password,
          logFile: join(logDir, 'redis.log'),
          say,
        })
  started.defer(() => redis?.stop())

  writeState(dataDir, {
    ...state,
    postgres: { ...state.postgres, port: postgres?.port },
    redis: { ...state.redis, port: redis?.port },
  })
  const ownerUrl = DATABASE_URL ?? (postgres === undefined ? '' : await ensureDatabase(postgres.url))
  return { ownerUrl, redisUrl: REDIS_URL ?? redis?.url }
}

function findOrInstallRedis(): string | undefined {
  const search = () => findRedisProgram(process.env['PATH'] ?? '')
  const program = search() ?? (installRedis(say), search())
  if (program === undefined) say(`${redisAdvice} Going on without: slower, and limits are counted by each process for itself.`)
  return program
}

async function waitUntilReady(targets: Readonly<Record<string, Target>>, stopping: AbortSignal): Promise<void> {
  const names = Object.keys(targets)
  const endsAt = Date.now() + readyWithinMs
  for (;;) {
    const { status, services } = await collectHealth(names, targets)
    if (status === 'ok') return
    if (Date.now() > endsAt) return say(`Not ready yet: ${names.filter((name) => services[name] !== 'ok').join(', ')}.`)
    await waitMs(50, undefined, { signal: stopping })
  }
}
