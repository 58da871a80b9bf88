import { mkdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { setTimeout as waitMs } from 'node:timers/promises'
import { newestMigration } from '@crm/db/migrations'
import { ConfigError, createLogger, loadConfig, runProcess } from '@crm/runtime'
import type { z } from 'zod'
import { boundsOf } from '../edge/config.ts'
import { startEdge } from '../edge/edge.ts'
import type { Target } from '../edge/health.ts'
import { collectHealth } from '../edge/health.ts'
import { startConfig } from './config.ts'
import { DataDirError, announceRunning, lockDataDir, readState, requireUnlocked, writeState } from './data-dir.ts'
import { markVersion, requireNoNewerData } from './data-version.ts'
import type { DataVersion } from './data-version.ts'
import { ensureDatabase, prepareDatabase, requireDatabase, takeDatabase } from './database.ts'
import { freePort } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { createProgress } from './progress.mjs'
import type { Progress, Report } from './progress.mjs'
import { explainPort, requirePort } from './public-port.ts'
import { canInstallRedis, findRedisProgram, installRedis, redisAdvice, requireRedis, startRedis } from './redis.ts'
import type { DatabaseRole } from './roles.ts'
import { runStep } from './step.ts'
import { supervise } from './supervise.ts'

/** A process of the service. */
export interface Deployable {
  readonly name: string
  /** Its entry, relative to the root. */
  readonly mainFile: string
  /** Its PostgreSQL role; a deployable without a role gets no database. */
  readonly role: DatabaseRole | undefined
  /** Flags of Node before the entry, beside those of every installation. */
  readonly flags?: readonly string[]
}

/** The result of the build. None of it can run before the build. */
export interface Build {
  readonly deployables: readonly Deployable[]
  /** Makes the demo workspace in the migrated database, as its owner, unless it exists; returns the text for people about it. */
  seedDemo(env: NodeJS.ProcessEnv): Promise<string>
}

export interface Installation {
  readonly root: string
  /** The command, as people type it. */
  readonly command: string
  readonly withDemo: boolean
  /** Makes the build; runs while the servers start. */
  build(stopping: AbortSignal): Promise<Build>
}

/** Far longer than a start takes on a busy machine: a service that is not ready by then has a fault. */
const readyWithinMs = 300_000

const ownDataText = `Without the demo workspace. To begin with your own data, create a workspace:
  npm run -s crm -- workspace create --slug acme --name Acme --admin-email you@acme.example --admin-password 'at least ten characters' --host localhost`

/** Runs PostgreSQL, Redis, the deployables and the edge in the foreground until a signal, and stops them in order. */
export async function runInstallation(installation: Installation): Promise<void> {
  const progress = createProgress()
  await runProcess({
    name: installation.command,
    closeDeadlineMs: 90_000,
    logger: createLogger({ name: installation.command, level: 'error' }),
    start: async (stopping) => {
      // Started parts are stopped in the opposite order: edge, deployables, Redis, PostgreSQL; then the folder is unlocked.
      const started = new AsyncDisposableStack()
      try {
        await startAll(installation, { started, progress, stopping })
      } catch (error) {
        await started.disposeAsync()
        if (error instanceof DataDirError) throw new ConfigError([error.message])
        throw error
      }
      return {
        close: async () => {
          progress.say('\nStopping.')
          await started.disposeAsync()
          progress.say('Stopped.')
        },
      }
    },
  })
}

interface Start {
  /** Stops the parts started so far. */
  readonly started: AsyncDisposableStack
  readonly progress: Progress
  readonly stopping: AbortSignal
}

interface Folders {
  readonly dataDir: string
  readonly logDir: string
}

async function startAll({ root, withDemo, build }: Installation, start: Start): Promise<void> {
  const { started, progress, stopping } = start
  const config = loadConfig(startConfig, process.env)
  const dataDir = resolve(root, config.DATA_DIR)
  const folders = { dataDir, logDir: join(dataDir, 'logs') }
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`
  const version = await ownVersion(root)
  await refuseEarly(config, dataDir, version)
  started.defer(lockDataDir(dataDir))
  if (config.DATABASE_URL !== undefined) started.defer(await takeDatabase(config.DATABASE_URL))
  await runStep(
    progress,
    {
      title: 'Prepare the data folder',
      doing: `Preparing ${dataDir}`,
      remedy: 'set DATA_DIR to a folder that you may write to',
    },
    async () => {
      mkdirSync(folders.logDir, { recursive: true })
      markVersion(dataDir, version)
      writeState(dataDir, readState(dataDir))
    },
  )

  const building = runStep(
    progress,
    {
      title: 'Build pages and services',
      doing: 'Building pages and services',
      remedy: 'run `npm run build` to see all of it',
    },
    () => build(stopping),
  )
  building.catch(() => undefined)
  const { ownerUrl, redisUrl } = await startServers(config, folders, start)
  stopping.throwIfAborted()

  const { rolePasswords, runTokenSecret, secretsKey: ownSecretsKey } = readState(dataDir)
  const secretsKey = config.SECRETS_KEY ?? ownSecretsKey
  const urlOf = await runStep(
    progress,
    {
      title: 'Migrate the database',
      doing: 'Migrating the database',
      remedy: `see ${join(folders.logDir, 'postgres.log')}`,
    },
    () => prepareDatabase(ownerUrl, rolePasswords, progress.say),
  )
  started.defer(
    announceRunning(dataDir, { ownerDatabaseUrl: ownerUrl, redisUrl, baseUrl, secretsKey, pid: process.pid }),
  )
  const env = {
    ...process.env,
    NODE_ENV: config.NODE_ENV,
    DATA_DIR: dataDir,
    BASE_URL: baseUrl,
    REDIS_URL: redisUrl ?? '',
    SECRETS_KEY: secretsKey,
    SECRETS_KEY_FILE: '',
  }
  const { deployables, seedDemo } = await building
  stopping.throwIfAborted()
  const welcome = withDemo
    ? await runStep(
        progress,
        {
          title: 'Make the demo workspace',
          doing: 'Making the demo workspace',
          remedy: 'start again, or start without it by `npm start -- --no-demo`',
        },
        () => seedDemo({ ...env, DATABASE_URL: ownerUrl }),
      )
    : ownDataText
  stopping.throwIfAborted()

  await startServices({ root, deployables, config, logDir: folders.logDir, env, urlOf, runTokenSecret }, start)
  progress.say(readyText(baseUrl, welcome, root, process.env['DATA_DIR']))
}

interface Services {
  readonly root: string
  readonly deployables: readonly Deployable[]
  readonly config: ReturnType<typeof loadConfig<typeof startConfig>>
  readonly logDir: string
  /** The variables of all deployables. */
  readonly env: NodeJS.ProcessEnv
  readonly urlOf: Awaited<ReturnType<typeof prepareDatabase>>
  readonly runTokenSecret: string
}

/** Starts the deployables and the edge before them, and waits until they are ready. */
async function startServices(
  { root, deployables, config, logDir, env, urlOf, runTokenSecret }: Services,
  { started, progress, stopping }: Start,
): Promise<void> {
  await runStep(
    progress,
    { title: 'Start the services', doing: 'Starting the services', remedy: `see their logs in ${logDir}` },
    async (report) => {
      const targets: Record<string, Target> = {}
      for (const { name } of deployables) targets[name] = { host: '127.0.0.1', port: await freePort() }
      const supervised = deployables.map(({ name, mainFile, role, flags }) =>
        supervise({
          name,
          flags,
          mainFile: join(root, mainFile),
          logFile: join(logDir, `${name}.log`),
          say: progress.say,
          env: {
            ...env,
            HOST: '127.0.0.1',
            // The deployables learn their clients' addresses from the edge, which knows the proxies in front of it.
            TRUSTED_PROXIES: 'loopback',
            PORT: String(targets[name]?.port),
            DATABASE_URL: role === undefined ? '' : urlOf(role),
            RUN_TOKEN_SECRET: runTokenSecret,
            CRM_API_URL: `http://127.0.0.1:${targets['crm-api']?.port}`,
          },
        }),
      )
      started.defer(async () => void (await Promise.all(supervised.map((deployable) => deployable.stop()))))

      const edge = await startEdge({
        targets,
        port: config.PORT,
        trustedProxies: config.TRUSTED_PROXIES,
        bounds: boundsOf(config),
      }).catch(explainPort(config.PORT))
      started.defer(() => edge.close())
      await waitUntilReady(targets, stopping, report)
    },
  )
}

function readyText(baseUrl: string, welcome: string, root: string, dataDir: string | undefined): string {
  const folder = relative(process.cwd(), root)
  const crm = `${dataDir === undefined ? '' : `DATA_DIR='${dataDir}' `}npm run -s crm --`
  return `
Ready at ${baseUrl}

${welcome}

This terminal stays busy. In a second one${folder === '' ? ', in the same folder' : `, in ${root}`}:
  ${crm} demo      print the sign-in and the key again
  ${crm} --help    administer workspaces, people and keys

Press Ctrl-C to stop.`
}

async function ownVersion(root: string): Promise<DataVersion> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { version, schema: await newestMigration() }
}

/** Refuses a start for all reasons that are known before anything is made or started. */
async function refuseEarly(
  { PORT, DATABASE_URL, REDIS_URL }: z.output<typeof startConfig>,
  dataDir: string,
  version: DataVersion,
): Promise<void> {
  requireUnlocked(dataDir)
  requireNoNewerData(dataDir, version)
  await requirePort(PORT)
  if (DATABASE_URL !== undefined) await requireDatabase(DATABASE_URL)
  if (REDIS_URL !== undefined) await requireRedis(REDIS_URL)
}

interface Servers {
  /** The connection string of the schema's owner. */
  readonly ownerUrl: string
  readonly redisUrl: string | undefined
}

async function startServers(config: z.output<typeof startConfig>, folders: Folders, start: Start): Promise<Servers> {
  const { DATABASE_URL, REDIS_URL } = config
  const ownerUrl = DATABASE_URL ?? (await startOwnPostgres(folders, start))
  return { ownerUrl, redisUrl: REDIS_URL ?? (await startOwnRedis(folders, start)) }
}

async function startOwnPostgres({ dataDir, logDir }: Folders, { progress, started }: Start): Promise<string> {
  const logFile = join(logDir, 'postgres.log')
  return runStep(
    progress,
    { title: 'Start PostgreSQL', doing: 'Starting PostgreSQL', remedy: `see ${logFile}` },
    async () => {
      const { postgres: known } = readState(dataDir)
      const postgres = await startPostgres({
        clusterDir: join(dataDir, 'postgres'),
        preferredPort: known.port,
        password: known.password,
        logFile,
        say: progress.say,
      })
      started.defer(() => postgres.stop())
      writeState(dataDir, { ...readState(dataDir), postgres: { ...known, port: postgres.port } })
      return ensureDatabase(postgres.url)
    },
  )
}

async function startOwnRedis({ dataDir, logDir }: Folders, { progress, started }: Start): Promise<string | undefined> {
  const logFile = join(logDir, 'redis.log')
  const program = findRedis() ?? (await installAndFindRedis(progress))
  if (program === undefined) {
    progress.say(`${redisAdvice} Going on without: slower, and limits are counted by each process for itself.`)
    return undefined
  }
  return runStep(progress, { title: 'Start Redis', doing: 'Starting Redis', remedy: `see ${logFile}` }, async () => {
    const { redis: known } = readState(dataDir)
    const redis = await startRedis({
      program,
      dataDir: join(dataDir, 'redis'),
      preferredPort: known.port,
      password: known.password,
      logFile,
      say: progress.say,
    })
    started.defer(() => redis.stop())
    writeState(dataDir, { ...readState(dataDir), redis: { ...known, port: redis.port } })
    return redis.url
  })
}

function findRedis(): string | undefined {
  return findRedisProgram(process.env['PATH'] ?? '')
}

async function installAndFindRedis(progress: Progress): Promise<string | undefined> {
  if (!canInstallRedis()) return undefined
  const complaint = await progress.step('Install Redis with apt-get', installRedis)
  if (complaint !== undefined) progress.say(complaint)
  return findRedis()
}

async function waitUntilReady(
  targets: Readonly<Record<string, Target>>,
  stopping: AbortSignal,
  report: Report,
): Promise<void> {
  const names = Object.keys(targets)
  const endsAt = Date.now() + readyWithinMs
  for (;;) {
    const { status, services } = await collectHealth(names, targets)
    if (status === 'ok') return
    const waitingFor = names.filter((name) => services[name] !== 'ok')
    if (Date.now() > endsAt) throw new Error(`${waitingFor.join(', ')} did not become ready`)
    report(names.length - waitingFor.length, names.length)
    await waitMs(50, undefined, { signal: stopping })
  }
}
