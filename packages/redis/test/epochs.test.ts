import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startRedisServer, testRedis } from '@crm/testkit'
import { connectRedis, createEpochs, createFixedWindow } from '../src/index.ts'

const shared = await testRedis()

describe('createEpochs', () => {
  it('gives the same value until it is bumped, in every process', async () => {
    const [one, other] = [
      await connectRedis(shared.url, { role: 'test' }),
      await connectRedis(shared.url, { role: 'test' }),
    ]
    const [reader, writer] = [createEpochs(one), createEpochs(other)]
    const before = await reader.read('acme')
    expect(await reader.read('acme')).toBe(before)
    await writer.bump('acme')
    const after = await reader.read('acme')
    expect(after).not.toBe(before)
    expect(await reader.read('acme')).toBe(after)
    await Promise.all([one.close(), other.close()])
  })

  it('keeps workspaces apart', async () => {
    const redis = await connectRedis(shared.url, { role: 'test' })
    const epochs = createEpochs(redis)
    const before = await epochs.read('one')
    await epochs.bump('other')
    expect(await epochs.read('one')).toBe(before)
    await redis.close()
  })

  it('changes when Redis is emptied', async () => {
    const server = await startRedisServer()
    const redis = await connectRedis(server.url, { role: 'test' })
    const epochs = createEpochs(redis)
    const before = await epochs.read('acme')
    await redis.client?.flushall()
    const after = await epochs.read('acme')
    expect(after).toEqual(expect.any(String))
    expect(after).not.toBe(before)
    await redis.close()
  })

  it('agrees on one value when many ask for a missing one at once', async () => {
    const redis = await connectRedis(shared.url, { role: 'test' })
    const epochs = createEpochs(redis)
    const values = await Promise.all(Array.from({ length: 50 }, () => epochs.read('crowded')))
    expect(new Set(values).size).toBe(1)
    await redis.close()
  })

  it('says null while Redis is away or not there at all', async () => {
    expect(await createEpochs(await connectRedis(undefined, { role: 'test' })).read('acme')).toBeNull()
    const server = await startRedisServer()
    const redis = await connectRedis(server.url, { role: 'test' })
    const epochs = createEpochs(redis)
    await server.kill()
    expect(await epochs.read('acme')).toBeNull()
    await redis.close()
  })

  it('never gives a value from before an outage again, and tells Redis what it missed', async () => {
    const server = await startRedisServer()
    const redis = await connectRedis(server.url, { role: 'test' })
    const epochs = createEpochs(redis)
    const before = await epochs.read('acme')
    const stored = await redis.client?.get('epoch:{acme}')
    await server.kill()
    await epochs.bump('acme')

    // The server returns with its earlier data, as from an append-only file that missed the last second.
    const back = await startRedisServer({ port: server.port, password: server.password })
    const restored = await connectRedis(back.url, { role: 'test' })
    await restored.client?.set('epoch:{acme}', stored ?? '')
    await expect.poll(() => epochs.read('acme'), { timeout: 30_000 }).toEqual(expect.any(String))
    expect(await epochs.read('acme')).not.toBe(before)
    expect(await restored.client?.get('epoch:{acme}')).not.toBe(stored)
    await Promise.all([redis.close(), restored.close()])
  })

  it('shares one round trip with a limit asked in the same tick', async () => {
    const target = new URL(shared.url)
    let packets = 0
    const proxy = createServer((incoming) => {
      const outgoing = createConnection({ port: Number(target.port), host: target.hostname })
      incoming.on('data', () => packets++)
      incoming.pipe(outgoing).pipe(incoming)
      incoming.on('error', () => outgoing.destroy())
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const throughProxy = new URL(shared.url)
    throughProxy.port = String((proxy.address() as AddressInfo).port)
    const redis = await connectRedis(throughProxy.href, { role: 'test' })
    const epochs = createEpochs(redis)
    const limit = createFixedWindow({ redis, name: 'together', points: 10, windowMs: 60_000 })
    await epochs.read('acme')

    packets = 0
    await Promise.all([epochs.read('acme'), limit.consume('{acme}:key')])
    expect(packets).toBe(1)
    await redis.close()
    proxy.close()
  })
})
