import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { EgressOptions, OutboundFetch } from './index.ts'
import type { LocalServer, Seen } from '../test/servers.ts'
import { startHttp, startRaw } from '../test/servers.ts'
import { createEgress, DELIVERY_ERRORS, OutboundError } from './index.ts'

const started: LocalServer[] = []
afterEach(async () => {
  for (const server of started.splice(0)) await server.close()
})

async function local(server: Promise<LocalServer>): Promise<LocalServer> {
  started.push(await server)
  return server
}

const answering = (body: string | Uint8Array, status = 200, headers: Record<string, string> = {}) =>
  local(startHttp((response) => response.writeHead(status, headers).end(body)))

async function fetchFrom(url: string, init: Partial<OutboundFetch> = {}, options: EgressOptions = {}) {
  const egress = createEgress({ allowCidrs: ['127.0.0.1'], ...options })
  try {
    return await egress.fetch(url, { method: 'GET', ...init })
  } finally {
    await egress.close()
  }
}

/** Returns the sentence with which a request is refused. */
const refusalOf = async (...args: Parameters<typeof fetchFrom>): Promise<string> => {
  const error: unknown = await fetchFrom(...args).then(
    () => new Error('It was answered'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OutboundError)
  return (error as OutboundError).message
}

const at = (server: LocalServer, host = '127.0.0.1') => `http://${host}:${server.port}/`

describe('an answer', () => {
  it('comes whole, with its status and type, whatever the status', async () => {
    const body = JSON.stringify({ text: 'ä'.repeat(5_000) })
    const server = await answering(body, 400, { 'content-type': 'application/json', 'x-more': 'kept back' })
    const answer = await fetchFrom(at(server), { method: 'POST', headers: { 'x-token': 'secret' }, body: 'a=1' })
    expect([answer.status, await answer.text()]).toEqual([400, body])
    expect(Object.fromEntries(answer.headers)).toEqual({ 'content-type': 'application/json' })
    expect(server.seen).toMatchObject([
      { method: 'POST', body: 'a=1', headers: { 'x-token': 'secret' } } as Partial<Seen>,
    ])
  })

  it('without content is one, too', async () => {
    const answer = await fetchFrom(at(await answering('', 204)))
    expect([answer.status, await answer.text()]).toEqual([204, ''])
  })

  it('of the size limit is taken, and of one byte more is refused', async () => {
    const limit = { answerBytesMax: 1_000 }
    const answer = await fetchFrom(at(await answering('x'.repeat(1_000))), {}, limit)
    expect(await answer.text()).toHaveLength(1_000)
    expect(await refusalOf(at(await answering('x'.repeat(1_001))), {}, limit)).toBe(DELIVERY_ERRORS.tooLarge)
  })

  it('without an end is left at the limit', async () => {
    let isOpen = true
    const server = await local(
      startHttp((response) => {
        response.on('close', () => (isOpen = false))
        const pour = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', pour)
        pour()
      }),
    )
    expect(await refusalOf(at(server))).toBe(DELIVERY_ERRORS.tooLarge)
    await expect.poll(() => isOpen).toBe(false)
  })

  it('that breaks off is none', async () => {
    const server = await local(
      startRaw((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npartial')),
      ),
    )
    expect(await refusalOf(at(server))).toBe(DELIVERY_ERRORS.hungUp)
  })

  it('that is packed comes unpacked', async () => {
    const server = await answering(gzipSync('{"keys":[]}'), 200, { 'content-encoding': 'gzip' })
    expect(await (await fetchFrom(at(server))).json()).toEqual({ keys: [] })
  })

  it.each([
    ['never comes', () => startRaw(() => {})],
    [
      'drips',
      () =>
        startHttp((response) => {
          response.writeHead(200).write('a')
          const drip = setInterval(() => response.write('a'), 20)
          response.on('close', () => clearInterval(drip))
        }),
    ],
  ])('that %s ends with the time', async (_what, start) => {
    expect(await refusalOf(at(await local(start())), {}, { timeoutMs: 200 })).toBe(DELIVERY_ERRORS.timedOut)
  })
})

describe('a redirect', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://inside.example.com/',
  ])('to %s is an answer, and is not followed', async (location) => {
    const names: string[] = []
    const resolver = async (name: string) => {
      names.push(name)
      return ['127.0.0.1']
    }
    const server = await answering('', 302, { location })
    const answer = await fetchFrom(at(server, 'provider.example.com'), {}, { resolver })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBeNull()
    expect([names, server.connections]).toEqual([['provider.example.com'], 1])
  })
})

describe('an address', () => {
  it.each([
    'http://169.254.169.254/',
    'http://10.0.0.1/',
    'https://192.168.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://127.0.0.2/',
  ])('%s is refused', async (url) => expect(await refusalOf(url)).toBe(DELIVERY_ERRORS.refused))

  it.each(['ftp://example.com/', 'https://user:secret@example.com/', 'not a url'])('%s is not valid', async (url) =>
    expect(await refusalOf(url)).toBe(DELIVERY_ERRORS.invalid),
  )

  it.each([
    ['private', ['10.0.0.1']],
    ['of the metadata service', ['169.254.169.254']],
    ['public and private', ['1.1.1.1', '10.0.0.1']],
  ])('of a name that is %s is refused', async (_what, addresses) =>
    expect(await refusalOf('https://provider.example.com/', {}, { resolver: async () => addresses })).toBe(
      DELIVERY_ERRORS.refused,
    ),
  )

  it('gets http only within the allowed blocks', async () => {
    const server = await answering('{}')
    const url = at(server, 'provider.example.com')
    const to = (...addresses: string[]) => ({ resolver: async () => addresses })
    expect((await fetchFrom(url, {}, to('127.0.0.1'))).status).toBe(200)
    for (const addresses of [['1.1.1.1'], ['127.0.0.1', '1.1.1.1']])
      expect(await refusalOf(url, {}, to(...addresses))).toBe(DELIVERY_ERRORS.refused)
    expect(await refusalOf('http://1.1.1.1/')).toBe(DELIVERY_ERRORS.refused)
    expect(await refusalOf(at(server), {}, { allowCidrs: [] })).toBe(DELIVERY_ERRORS.refused)
    expect(server.connections).toBe(1)
  })
})

it('a request with a header of the transport is not valid', async () => {
  const server = await answering('{}')
  expect(await refusalOf(at(server), { headers: { host: 'elsewhere.example' } })).toBe(DELIVERY_ERRORS.invalid)
  expect(server.connections).toBe(0)
})

it('closing ends a request that waits', async () => {
  const server = await local(startRaw(() => {}))
  const egress = createEgress({ allowCidrs: ['127.0.0.1'] })
  const waiting = egress.fetch(at(server), { method: 'GET' }).catch((error: unknown) => error)
  await egress.close()
  expect(await waiting).toMatchObject({ name: 'OutboundError', message: DELIVERY_ERRORS.failed })
  await expect(egress.fetch(at(server), { method: 'GET' })).rejects.toThrow(DELIVERY_ERRORS.failed)
})
