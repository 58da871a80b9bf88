import { startRedisCluster } from '@crm/testkit'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import {
  connectRedis,
  createAdmission,
  createChangeMarks,
  createEpochs,
  createFixedWindow,
  deleteKeys,
  openAnother,
  openRedis,
  workspaceTag,
} from '../src/index.ts'

const { url, nodes } = await startRedisCluster()
const redis = await connectRedis(url, { role: 'test' })
afterAll(() => redis.close())

const workspaces = Array.from({ length: 20 }, (_, n) => `workspace-${n}`)
const keysOf = async (match: string) =>
  (await Promise.all(nodes.map((node) => node.keys(match)))).map((keys) => keys.length)

it('keeps the keys of a workspace on one node, and those of many workspaces on all', async () => {
  expect(redis.isReady()).toBe(true)
  const epochs = createEpochs(redis)
  const limit = createFixedWindow({ redis, name: 'cluster', points: 1, windowMs: 60_000 })
  const admit = createAdmission(redis, epochs, limit)
  const marks = createChangeMarks(redis)
  for (const id of workspaces) {
    await epochs.bump(id)
    const first = await admit(id, `${workspaceTag(id)}:key`)
    expect(first).toMatchObject({ epoch: await epochs.read(id), verdict: { allowed: true } })
    expect((await admit(id, `${workspaceTag(id)}:key`)).verdict.allowed).toBe(false)
    await marks.note(id, 'key', 7n)
    expect(await marks.read(id, 'key')).toBe(7n)
  }
  const perNode = await keysOf('epoch:*')
  expect(perNode.every((n) => n > 0)).toBe(true)
  expect(perNode.reduce((sum, n) => sum + n, 0)).toBe(workspaces.length)
  await deleteKeys(redis.client!, 'epoch:*')
  expect(await keysOf('epoch:*')).toEqual(nodes.map(() => 0))
})

it('carries messages from one node to the listeners at another', async () => {
  const listener = openAnother(redis.client!)
  onTestFinished(() => listener.disconnect())
  const heard: string[] = []
  listener.on('message', (_channel: string, text: string) => heard.push(text))
  await listener.connect().catch(() => undefined)
  await listener.subscribe('room')
  await redis.client!.publish('room', 'hello')
  await expect.poll(() => heard).toEqual(['hello'])
})

it.each([
  ['redis+cluster://a', [{ host: 'a', port: 6_379 }], {}],
  [
    'redis+cluster://me:p%40ss@a:1,[::1]:2/',
    [
      { host: 'a', port: 1 },
      { host: '::1', port: 2 },
    ],
    { username: 'me', password: 'p@ss' },
  ],
])('%s is read', (address, startNodes, login) => {
  const client = openRedis(address, { lazyConnect: true })
  expect(client).toMatchObject({ startupNodes: startNodes, options: { redisOptions: login } })
  client.disconnect()
})
