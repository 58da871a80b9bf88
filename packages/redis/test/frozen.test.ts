import { startRedisServer } from '@crm/testkit'
import { expect, it } from 'vitest'
import { connectRedis, createAdmission, createEpochs, createFixedWindow } from '../src/index.ts'

it('a Redis that is frozen is waited for once, counts as away from then on, and is used again when it goes on', async () => {
  const server = await startRedisServer()
  const redis = await connectRedis(server.url, { role: 'test' })
  const epochs = createEpochs(redis)
  const limit = createFixedWindow({ redis, name: 'test', points: 5, windowMs: 60_000 })
  const admit = createAdmission(redis, epochs, limit)
  expect((await admit('acme', '{acme}:key')).epoch).toEqual(expect.any(String))
  process.kill(server.pid, 'SIGSTOP')
  try {
    // No request is refused, and the database answers about the workspace.
    expect(await admit('acme', '{acme}:key')).toMatchObject({ epoch: null, verdict: { allowed: true } })
    await expect.poll(() => redis.isReady()).toBe(false)
    await expect(redis.client?.get('any')).rejects.toThrow(/writeable|closed/)
    expect(await admit('acme', '{acme}:key')).toMatchObject({ epoch: null, verdict: { allowed: true } })
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
  await expect.poll(() => redis.isReady()).toBe(true)
  expect((await admit('acme', '{acme}:key')).epoch).toEqual(expect.any(String))
  await redis.close()
})

it('a database that the server does not have is refused, because the client would go on in database 0', async () => {
  const server = await startRedisServer()
  const urlOf = (database: string): string => new URL(database, server.url).href
  const known = await connectRedis(urlOf('/3'), { role: 'test' })
  expect(known.isReady()).toBe(true)
  await known.close()
  await expect(connectRedis(urlOf('/700'), { role: 'test' })).rejects.toThrow(
    'Redis has no database of the number in its URL (700)',
  )
})
