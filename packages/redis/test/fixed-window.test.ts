import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startRedisServer, testRedis } from '@crm/testkit'
import { connectRedis, createFixedWindow } from '../src/index.ts'

const shared = await testRedis()
const fixture = fileURLToPath(new URL('limit.fixture.ts', import.meta.url))

async function countInOwnProcess(requests: number): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [fixture, shared.url, String(requests)])
  return Number(stdout)
}

describe('createFixedWindow', () => {
  it('allows exactly 600 of 700 requests that two processes make at once', async () => {
    const allowed = await Promise.all([countInOwnProcess(350), countInOwnProcess(350)])
    expect(allowed[0] + allowed[1]).toBe(600)
  })

  it('opens again when the window that began with the first request ends', async () => {
    const redis = await connectRedis(shared.url, { role: 'test' })
    const limit = createFixedWindow({ redis, name: 'short', points: 1, windowMs: 150 })
    // They go out together, so that no pause of the machine lies between them.
    expect(await Promise.all([limit.consume('{acme}:key'), limit.consume('{acme}:key')])).toEqual([
      { allowed: true, retryAfterS: 1 },
      { allowed: false, retryAfterS: 1 },
    ])
    await expect.poll(async () => (await limit.consume('{acme}:key')).allowed, { interval: 50 }).toBe(true)
    await redis.close()
  })

  it('counts each key for itself and says how long to wait', async () => {
    const redis = await connectRedis(shared.url, { role: 'test' })
    const limit = createFixedWindow({ redis, name: 'long', points: 1, windowMs: 60_000 })
    await limit.consume('{acme}:one')
    expect(await limit.consume('{acme}:two')).toEqual({ allowed: true, retryAfterS: 60 })
    await redis.close()
  })

  it('counts in memory without Redis', async () => {
    const limit = createFixedWindow({
      redis: await connectRedis(undefined, { role: 'test' }),
      name: 'none',
      points: 2,
      windowMs: 60_000,
    })
    const verdicts = await Promise.all([1, 2, 3].map(() => limit.consume('{acme}:key')))
    expect(verdicts.map((verdict) => verdict.allowed)).toEqual([true, true, false])
  })

  it('goes on in memory when Redis is killed, and in Redis when it is back', async () => {
    const server = await startRedisServer()
    const redis = await connectRedis(server.url, { role: 'test' })
    const limit = createFixedWindow({ redis, name: 'killed', points: 2, windowMs: 60_000 })
    const take = async () => (await limit.consume('{acme}:key')).allowed
    expect([await take(), await take(), await take()]).toEqual([true, true, false])

    await server.kill()
    expect([await take(), await take(), await take()]).toEqual([true, true, false])

    await startRedisServer({ port: server.port, password: server.password })
    await expect.poll(() => redis.isReady(), { timeout: 30_000 }).toBe(true)
    expect([await take(), await take(), await take()]).toEqual([true, true, false])
    expect(await redis.client?.keys('limit*')).toEqual(['limit.1:killed:{acme}:key'])
    await redis.close()
  })
})
