import { createDatabase, createPool, schema, type Database } from '@crm/db'
import { connectRedis, createEpochs, deleteKeys, keyPatterns, type Epochs, type RedisConnection } from '@crm/redis'
import { wrapperOf, type KeyWrapper } from '@crm/secrets'
import { bucketOf, createStorage, type Storage } from '@crm/storage'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@crm/runtime'
import type { Pool } from 'pg'
import type { CliConfig } from '../config.ts'
import { CommandError, type Terminal } from './output.ts'

/** The resources that a command works with. */
export interface Connection {
  readonly db: Database
  readonly pool: Pool
  /** The address of the database, without a pooler where one is given, for work on a connection of its own. */
  readonly databaseUrl: string
  readonly redis: RedisConnection
  /** Opens the contents of files, in the place where the CRM API keeps them. */
  readonly storage: () => Promise<Storage>
  /** The wrapper of the keys of stored secrets. */
  readonly keyWrapper: KeyWrapper
  /** The keys that sign the heads of audit logs, the one in use first. */
  readonly signingKeys: readonly Buffer[]
  readonly baseUrl: string
  readonly config: CliConfig
  /** The whole environment, for checks of the settings that other processes would get. */
  readonly environment: Environment
  /** Tells people something besides the outcome. */
  tell(sentence: string): void
  /** Makes every process forget its cached people and settings of a workspace. */
  forget(workspaceId: string): Promise<void>
  /** Makes every process forget which host belongs to which workspace. */
  forgetHosts(): Promise<void>
  /** Deletes the keys of the installation from Redis; PostgreSQL holds all of that data. */
  forgetRedis(): Promise<void>
}

interface Running {
  readonly ownerDatabaseUrl: string
  readonly redisUrl?: string
  readonly baseUrl: string
  readonly secretsKey?: string
}

/** Connects to the database of the services: DATABASE_DIRECT_URL, DATABASE_URL, or the database that `npm start` runs. */
export async function withConnection<T>(
  config: CliConfig,
  { environment, err }: Terminal,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const running = readRunning(config.DATA_DIR)
  const databaseUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL ?? running?.ownerDatabaseUrl
  if (!databaseUrl) throw new CommandError('No database: set DATABASE_URL, or run this while npm start runs')
  const pool = createPool({ databaseUrl, max: 4, applicationName: 'crm-cli', prepares: config.DATABASE_PREPARE })
  const secretsKey = config.SECRETS_KEY ?? runningKey(running)
  const redis = await connectRedis(config.REDIS_URL ?? running?.redisUrl, { role: 'cli' })
  try {
    const db = createDatabase(pool)
    return await work({
      db,
      pool,
      redis,
      databaseUrl,
      storage: () => storageOf(config),
      keyWrapper: wrapperOf({ ...config, SECRETS_KEY: secretsKey }),
      signingKeys: [...(secretsKey ? [secretsKey] : []), ...config.SECRETS_KEY_PREVIOUS],
      config,
      environment,
      tell: (sentence) => err(`${sentence}\n`),
      baseUrl: config.BASE_URL ?? running?.baseUrl ?? 'http://localhost:8080',
      ...forgetting(createEpochs(redis), db),
      forgetRedis: () => removeKeys(redis),
    })
  } finally {
    await Promise.all([pool.end(), redis.close()])
  }
}

function forgetting(epochs: Epochs, db: Database): Pick<Connection, 'forget' | 'forgetHosts'> {
  const forgetHosts = async (): Promise<void> => {
    // Any workspace may have been the only one until now, and then every host belonged to it.
    const workspaces = await db.select({ id: schema.workspaces.id }).from(schema.workspaces)
    await Promise.all(workspaces.map(({ id }) => epochs.bump(id)))
  }
  return { forget: (workspaceId) => epochs.bump(workspaceId), forgetHosts }
}

function runningKey(running: Running | undefined): Buffer | undefined {
  return running?.secretsKey === undefined ? undefined : Buffer.from(running.secretsKey, 'base64')
}

/** Backups may go to an S3 service that has no bucket for files: without a bucket the files are in the folder. */
function storageOf(config: CliConfig): Promise<Storage> {
  const bucket = config.S3_BUCKET === undefined ? undefined : bucketOf(config)
  return createStorage({ directory: join(config.DATA_DIR, 'files'), bucket })
}

/**
 * The keys of the queues, the keys that tell processes that callers and hosts are unchanged, positions in the log of the database, counted
 * requests, seats in calls, and who looks at records.
 */
const forgotten = ['{crm-*', ...keyPatterns]

async function removeKeys({ client }: RedisConnection): Promise<void> {
  if (client === undefined) return
  for (const match of forgotten) await deleteKeys(client, match)
}

function readRunning(dataDir: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as Running
  } catch {
    return undefined
  }
}
