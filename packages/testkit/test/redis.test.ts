import { expect, it } from 'vitest'
import { startRedisServer, testRedis } from '../src/index.ts'

const first = await testRedis()
const second = await testRedis()

it('gives each caller an empty database of its own', async () => {
  await first.redis.set('lead', '1')
  expect(await first.redis.dbsize()).toBe(1)
  expect(await second.redis.dbsize()).toBe(0)
  expect(first.url).not.toBe(second.url)
})

it('starts a server that a test may kill', async () => {
  const server = await startRedisServer()
  await server.kill()
  const again = await startRedisServer(server)
  expect(again.url).toBe(server.url)
})
