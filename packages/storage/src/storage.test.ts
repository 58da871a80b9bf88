import { once } from 'node:events'
import { createServer, request as sendOn } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { productAgent } from '@crm/runtime'
import S3rver from 's3rver'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createStorage, MissingContentError, type Bytes, type Storage } from './index.ts'

const folder = await mkdtemp(join(tmpdir(), 'storage-'))
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 'buckets'),
  configureBuckets: [{ name: 'crm-files', configs: [] }],
})
const { port } = await server.run()
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const directory = join(folder, 'files')
const bucket = {
  endpoint: `http://127.0.0.1:${port}`,
  name: 'crm-files',
  region: 'us-east-1',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
}

async function* pieces(...given: readonly (Uint8Array | Error)[]): Bytes {
  for (const piece of given) {
    if (piece instanceof Error) throw piece
    yield piece
  }
}

async function readAll(storage: Storage, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(await storage.read(key, range)))
}

/** Returns bytes with a long period, so that a misplaced part is detected. */
function sampleOf(size: number): Buffer {
  return Buffer.from(Uint32Array.from({ length: Math.ceil(size / 4) }, (_, at) => at * 2_654_435_761).buffer).subarray(
    0,
    size,
  )
}

describe.each([
  ['a folder', await createStorage({ directory })],
  ['a bucket', await createStorage({ directory, bucket })],
])('%s', (_name, storage) => {
  it('gives back what was written, whole and in part', async () => {
    await storage.write('w1/f1', pieces(Buffer.from('hello '), Buffer.from('world')))
    expect((await readAll(storage, 'w1/f1')).toString()).toBe('hello world')
    expect((await readAll(storage, 'w1/f1', { start: 6, end: 8 })).toString()).toBe('wor')
    expect((await readAll(storage, 'w1/f1', { start: 10, end: 10 })).toString()).toBe('d')
  })

  it('keeps the bytes for a reader that begins late', async () => {
    await storage.write('w1/late', pieces(Buffer.from('hello')))
    const content = await storage.read('w1/late')
    for (const _ of Array(4)) {
      collectGarbage()
      await setImmediate()
    }
    expect(Buffer.concat(await Array.fromAsync(content)).toString()).toBe('hello')
  })

  it('keeps a file without bytes', async () => {
    await storage.write('w1/empty', pieces())
    expect(await readAll(storage, 'w1/empty')).toHaveLength(0)
  })

  it.each([8 * 1024 * 1024, 8 * 1024 * 1024 + 1, 20 * 1024 * 1024])('keeps %i bytes in order', async (size) => {
    const content = sampleOf(size)
    const inPieces = Array.from({ length: Math.ceil(size / 3_000_000) }, (_, at) =>
      content.subarray(at * 3_000_000, (at + 1) * 3_000_000),
    )
    await storage.write('w1/large', pieces(...inPieces))
    expect((await readAll(storage, 'w1/large')).equals(content)).toBe(true)
  })

  it('replaces what a key had', async () => {
    await storage.write('w1/again', pieces(Buffer.from('a longer first text')))
    await storage.write('w1/again', pieces(Buffer.from('short')))
    expect((await readAll(storage, 'w1/again')).toString()).toBe('short')
  })

  it.each([0, 9 * 1024 * 1024])('leaves nothing when the source breaks after %i bytes', async (size) => {
    await expect(storage.write('w1/broken', pieces(sampleOf(size), new Error('the line was cut')))).rejects.toThrow(
      'the line was cut',
    )
    await expect(readAll(storage, 'w1/broken')).rejects.toThrow(MissingContentError)
  })

  it('forgets a key, and one that is not there without a word', async () => {
    await storage.write('w1/gone', pieces(Buffer.from('x')))
    await storage.remove('w1/gone')
    await storage.remove('w1/gone')
    await expect(readAll(storage, 'w1/gone')).rejects.toThrow(MissingContentError)
  })

  it('lists the keys below a folder, without what is still being written', async () => {
    for (const key of ['w9/a', 'w9/deep/b', 'w99/c']) await storage.write(key, pieces(Buffer.from('x')))
    expect((await Array.fromAsync(storage.list('w9'))).toSorted()).toEqual(['w9/a', 'w9/deep/b'])
    expect(await Array.fromAsync(storage.list(''))).toEqual(expect.arrayContaining(['w9/a', 'w99/c']))
    expect(await Array.fromAsync(storage.list('nothing'))).toEqual([])
  })

  it.each(['../secret', '/etc/passwd', 'w1/../../x', 'w1//x', 'w1/.', 'w1\\x', 'W1/x', '', 'a\0b'])(
    'refuses the key %j',
    async (key) => {
      await expect(storage.write(key, pieces())).rejects.toThrow(TypeError)
      await expect(storage.read(key)).rejects.toThrow(TypeError)
      await expect(storage.remove(key)).rejects.toThrow(TypeError)
    },
  )
})

describe('a folder', () => {
  it('holds no unfinished files after a broken write', async () => {
    expect((await readdir(join(directory, 'w1'))).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('a bucket', () => {
  it('throws when the service refuses the credentials', async () => {
    const storage = await createStorage({ directory, bucket: { ...bucket, accessKeyId: 'NOBODY' } })
    await expect(storage.write('w1/refused', pieces(Buffer.from('x')))).rejects.toThrow(/403|InvalidAccessKeyId/)
    await expect(storage.read('w1/f1')).rejects.not.toThrow(MissingContentError)
  })

  it.each([503, 500, 'nothing'])('tries again when the service answers %s for a moment', async (failure) => {
    const { endpoint, failures } = await failingFront(failure)
    const storage = await createStorage({ directory, bucket: { ...bucket, endpoint } })
    failures.left = 2
    await storage.write('w1/tried', pieces(Buffer.from('kept')))
    failures.left = 2
    expect((await readAll(storage, 'w1/tried')).toString()).toBe('kept')
    failures.left = 2
    await storage.remove('w1/tried')
    expect(failures.left).toBe(0)
  })

  it('says to the service who asks', async () => {
    const { endpoint, senders } = await failingFront(503)
    const storage = await createStorage({ directory, bucket: { ...bucket, endpoint } })
    await storage.write('w1/named', pieces(Buffer.from('content')))
    expect((await readAll(storage, 'w1/named')).toString()).toBe('content')
    await storage.remove('w1/named')
    expect([...senders]).toEqual([productAgent])
  })

  it('throws when the service stays busy', async () => {
    const { endpoint, failures } = await failingFront(503)
    const storage = await createStorage({ directory, bucket: { ...bucket, endpoint } })
    failures.left = Infinity
    await expect(storage.remove('w1/f1')).rejects.toThrow('503')
  })
})

/** A server in front of the bucket that fails as long as it has failures left. */
async function failingFront(
  failure: number | string,
): Promise<{ endpoint: string; failures: { left: number }; senders: ReadonlySet<string> }> {
  const failures = { left: 0 }
  const senders = new Set<string>()
  const front = createServer((request, response) => {
    if (failures.left > 0) {
      failures.left--
      if (typeof failure === 'number') response.writeHead(failure).end()
      else request.socket.destroy()
      return
    }
    const { method, url, headers } = request
    senders.add(headers['user-agent'] ?? '')
    const passedOn = sendOn({ port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passedOn)
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void front.close())
  return { endpoint: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, failures, senders }
}
