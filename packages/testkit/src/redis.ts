import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startRedis } from '../../../infra/local/redis.ts'
import type { RedisServer } from '../../../infra/local/redis.ts'
import { requireRedisProgram } from '../../../infra/local/test-services.ts'

export { requireRedisProgram }
import { afterThisFile } from './cleanup.ts'
import { testRedisUrl } from './services.ts'

/** A numbered Redis database that belongs to one test file. */
export interface TestRedis {
  /** Connection string with the number of the database. */
  readonly url: string
  /** A connected client, closed after the file. */
  readonly redis: Redis
}

/**
 * Gives the calling test file an empty Redis database of its own.
 *
 * FLUSHALL also empties the databases of other files; a test that needs it, or that stops Redis, uses `startRedisServer`.
 */
export async function testRedis(): Promise<TestRedis> {
  const url = new URL(testRedisUrl())
  url.pathname = `/${await takeDatabaseNumber()}`
  const redis = new Redis(url.href)
  await redis.flushdb()
  afterThisFile(() => redis.disconnect())
  return { url: url.href, redis }
}

/** Takes the next database number, which database 0 counts; the numbers start again after the last one. */
async function takeDatabaseNumber(): Promise<number> {
  const counter = new Redis(testRedisUrl())
  try {
    const [, databases] = (await counter.config('GET', 'databases')) as [string, string]
    return 1 + ((await counter.incr('crm:test:databases')) % (Number(databases) - 1))
  } finally {
    counter.disconnect()
  }
}

/** A Redis server that the calling test file may stop, kill and start again. */
export type TestRedisServer = RedisServer

/** Starts a server; with the port and the password of a killed one it returns, empty, at the same address. */
export async function startRedisServer(at?: {
  readonly port: number
  readonly password: string
}): Promise<TestRedisServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crm-test-redis-'))
  const server = await startRedis({
    program: await requireRedisProgram(),
    dataDir,
    preferredPort: at?.port,
    password: at?.password ?? randomBytes(12).toString('hex'),
    logFile: join(dataDir, 'redis.log'),
    settings: { appendonly: 'no' },
  })
  afterThisFile(async () => {
    await server.kill()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return server
}
