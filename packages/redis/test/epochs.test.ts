import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startRedisServer, testRedis } from '@crm/testkit'
import { connectRedis, createEpochs, createFixedWindow } from '../src/index.ts'

const shared = await testRedis()

/** Leads to a server at an address of its own, which can be cut off and mended. */
async function wayTo(to: string) {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  let packets = 0
  const server = createServer((incoming) => {
    const outgoing = createConnection({ port: Number(port), host: hostname })
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket)
      socket.pipe(other)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    incoming.on('data', () => packets++)
  })
  const listen = async (at: number): Promise<number> => {
    await once(server.listen(at, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const url = new URL(to)
  const own = await listen(0)
  url.port = String(own)
  return {
    url: url.href,
    packets: () => packets,
    async cut() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
    mend: () => listen(own),
  }
}

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
    const way = await wayTo(shared.url)
    const redis = await connectRedis(way.url, { role: 'test' })
    const epochs = createEpochs(redis)
    const before = await epochs.read('away')
    const stored = await shared.redis.get('epoch:{away}')
    await way.cut()
    await epochs.bump('away')
    expect(await shared.redis.get('epoch:{away}')).toBe(stored)

    // Redis returns with its earlier data, as from an append-only file that missed the last second.
    await way.mend()
    await expect.poll(() => epochs.read('away'), { timeout: 30_000 }).toEqual(expect.any(String))
    expect(await epochs.read('away')).not.toBe(before)
    expect(await shared.redis.get('epoch:{away}')).not.toBe(stored)
    await redis.close()
    await way.cut()
  })

  it('shares one round trip with a limit asked in the same tick', async () => {
    const way = await wayTo(shared.url)
    const redis = await connectRedis(way.url, { role: 'test' })
    const epochs = createEpochs(redis)
    const limit = createFixedWindow({ redis, name: 'together', points: 10, windowMs: 60_000 })
    await epochs.read('acme')

    const before = way.packets()
    await Promise.all([epochs.read('acme'), limit.consume('{acme}:key')])
    expect(way.packets() - before).toBe(1)
    await redis.close()
    await way.cut()
  })
})
