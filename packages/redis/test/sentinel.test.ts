import { freePort, requireRedisProgram, startRedisServer } from '@crm/testkit'
import { Redis } from 'ioredis'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { connectRedis, openRedis } from '../src/index.ts'

/** Starts a sentinel that watches one primary, named `crm`. */
async function startSentinel(primaryPort: number, password: string): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'crm-test-sentinel-'))
  const port = await freePort()
  const config = join(dir, 'sentinel.conf')
  writeFileSync(
    config,
    `port ${port}
bind 127.0.0.1
dir ${dir}
sentinel monitor crm 127.0.0.1 ${primaryPort} 1
sentinel auth-pass crm ${password}
sentinel down-after-milliseconds crm 300
sentinel failover-timeout crm 2000
`,
  )
  const child = spawn(await requireRedisProgram(), [config, '--sentinel'], { stdio: 'ignore' })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
    rmSync(dir, { recursive: true })
  })
  return port
}

it('a connection by sentinels follows the primary to another server', async () => {
  const first = await startRedisServer()
  const second = await startRedisServer({ port: await freePort(), password: first.password })
  const replica = new Redis(second.url)
  onTestFinished(() => replica.disconnect())
  await replica.config('SET', 'masterauth', first.password)
  await replica.replicaof('127.0.0.1', first.port)
  const sentinel = await startSentinel(first.port, first.password)
  const gone = await freePort()
  const redis = await connectRedis(`redis+sentinel://:${first.password}@127.0.0.1:${gone},127.0.0.1:${sentinel}/crm`, {
    role: 'test',
  })
  onTestFinished(() => redis.close())
  await expect.poll(() => redis.isReady(), { timeout: 30_000 }).toBe(true)
  await redis.client?.set('kept', 'yes')
  const asked = new Redis({ port: sentinel })
  onTestFinished(() => asked.disconnect())
  const replicas = async () => ((await asked.call('SENTINEL', 'REPLICAS', 'crm')) as unknown[]).length
  await expect.poll(replicas, { timeout: 30_000 }).toBe(1)
  await expect.poll(() => replica.get('kept'), { timeout: 30_000 }).toBe('yes')

  await first.kill()
  const read = () => redis.client?.get('kept').catch(() => undefined)
  await expect.poll(read, { timeout: 30_000 }).toBe('yes')
  await expect.poll(() => redis.client?.set('after', 'yes').catch(() => undefined), { timeout: 30_000 }).toBe('OK')
  expect(await replica.get('after')).toBe('yes')
})

it.each([
  ['redis+sentinel://a/crm', [{ host: 'a', port: 26_379 }], { name: 'crm', db: 0, password: null }],
  [
    'redis+sentinel://me:p%40ss@a:1,[::1]:2/crm/3',
    [
      { host: 'a', port: 1 },
      { host: '::1', port: 2 },
    ],
    { name: 'crm', db: 3, username: 'me', password: 'p@ss' },
  ],
])('%s is read', (url, sentinels, others) => {
  const client = openRedis(url, { lazyConnect: true })
  expect(client.options).toMatchObject({ sentinels, ...others })
  client.disconnect()
})
