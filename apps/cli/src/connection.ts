import { createDatabase, createPool, schema, type Database } from '@crm/db'
import { connectRedis, createEpochs, type Epochs } from '@crm/redis'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { CliConfig } from './config.ts'
import { CommandError } from './output.ts'

/** What a command works with. */
export interface Connection {
  readonly db: Database
  readonly pool: Pool
  readonly databaseUrl: string
  readonly baseUrl: string
  readonly config: CliConfig
  /** Makes every process forget what it knew of a workspace's people and settings. */
  forget(workspaceId: string): Promise<void>
  /** Makes every process forget which host belongs to which workspace. */
  forgetHosts(): Promise<void>
}

interface Running {
  readonly ownerDatabaseUrl: string
  readonly redisUrl?: string
  readonly baseUrl: string
}

/** Connects to the database of the services: DATABASE_URL, or the one that `npm start` runs. */
export async function withConnection<T>(config: CliConfig, work: (connection: Connection) => Promise<T>): Promise<T> {
  const running = readRunning(config.DATA_DIR)
  const databaseUrl = config.DATABASE_URL ?? running?.ownerDatabaseUrl
  if (!databaseUrl) throw new CommandError('No database: set DATABASE_URL, or run this while npm start runs')
  const pool = createPool({ databaseUrl, max: 4, applicationName: 'crm-cli' })
  const redis = await connectRedis(config.REDIS_URL ?? running?.redisUrl, { role: 'cli' })
  try {
    const db = createDatabase(pool)
    return await work({
      db,
      pool,
      databaseUrl,
      config,
      baseUrl: config.BASE_URL ?? running?.baseUrl ?? 'http://localhost:8080',
      ...forgetting(createEpochs(redis), db),
    })
  } finally {
    await Promise.all([pool.end(), redis.close()])
  }
}

function forgetting(epochs: Epochs, db: Database): Pick<Connection, 'forget' | 'forgetHosts'> {
  const forgetHosts = async (): Promise<void> => {
    // Any workspace may have been the only one until now, and then every host was its.
    const workspaces = await db.select({ id: schema.workspaces.id }).from(schema.workspaces)
    await Promise.all(workspaces.map(({ id }) => epochs.bump(id)))
  }
  return { forget: (workspaceId) => epochs.bump(workspaceId), forgetHosts }
}

function readRunning(dataDir: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as Running
  } catch {
    return undefined
  }
}
