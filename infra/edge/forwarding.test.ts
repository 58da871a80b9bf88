// What every edge does alike: the one of this project, and the generated ones whose program is installed here.
import { once } from 'node:events'
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
} from 'node:http'
import { addressIn } from '@crm/runtime'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { edges, type EdgeSetting, type RunningEdge } from './edges.fixture.ts'
import type { Target } from './health.ts'
import { routingTable } from './routes.ts'

const long = JSON.stringify({ text: 'word '.repeat(1_000) })
const packed = brotliCompressSync(long)
const servers: Server[] = []
/** The requests that the second process got. */
const seen: string[] = []
let finishStream: () => void = () => undefined
let streamsOpen = 0

async function serve(listener: Parameters<typeof createServer>[1]): Promise<Target> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

/** A process that answers with what it was asked. */
const healthy = () =>
  serve((request, response) => {
    const { url = '', method = '', headers } = request
    if (url === '/readyz') return response.end()
    seen.push(`${method} ${url}`)
    if (url === '/api/events/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
      streamsOpen++
      response.once('close', () => streamsOpen--)
      finishStream = () => response.end(`data: ${'x'.repeat(2_000)}\n\n`)
      return
    }
    // As the console sends its files, which were compressed beforehand.
    if (url === '/assets/packed.js' && /\bbr\b/.test(headers['accept-encoding'] ?? ''))
      return response
        .writeHead(200, {
          'content-type': 'text/javascript; charset=utf-8',
          'content-encoding': 'br',
          'content-length': packed.length,
          vary: 'Accept-Encoding',
        })
        .end(packed)
    if (url === '/api/sliced') {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      response.write(long.slice(0, 3_000))
      return response.end(long.slice(3_000))
    }
    if (url.includes('/long') || url === '/api/batch')
      return response
        .writeHead(200, {
          'content-type': url.endsWith('.png') ? 'image/png' : 'application/json; charset=utf-8',
          'content-length': long.length,
          etag: '"tag"',
        })
        .end(method === 'HEAD' ? undefined : long)
    return response.end(JSON.stringify({ url, headers }))
  })

/** A process that is ready, takes a request and hangs up without an answer. */
const broken = () =>
  serve((request, response) =>
    request.url === '/readyz'
      ? response.end()
      : request.on('data', () => undefined).on('end', () => request.socket.destroy()),
  )

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

describe.each(Object.keys(edges))('the edge of %s', (kind) => {
  let well: Target
  let closed: Target
  const running: RunningEdge[] = []
  const start = async (crmApi: readonly Target[], setting: Partial<EdgeSetting> = {}): Promise<RunningEdge> => {
    const targets = Object.fromEntries(routingTable.services.map((name) => [name, [well]]))
    const edge = await edges[kind]!({ targets: { ...targets, 'crm-api': crmApi }, ...setting })
    running.push(edge)
    return edge
  }
  let usual: RunningEdge

  beforeAll(async () => {
    well = await healthy()
    closed = { host: '127.0.0.1', port: 1 }
    usual = await start([well])
  })

  afterAll(async () => {
    await Promise.all(running.map((edge) => edge.close()))
  })

  const ask = async (
    edge: RunningEdge,
    path: string,
    method = 'GET',
    headers: OutgoingHttpHeaders = {},
    body?: string,
  ) => {
    // Node announces no body of a DELETE by itself.
    const framed = body === undefined ? headers : { 'content-length': body.length, ...headers }
    const request = sendRequest({ host: '127.0.0.1', port: edge.port, path, method, headers: framed })
    request.end(body)
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    return { status: reply.statusCode, headers: reply.headers, body: await buffer(reply) }
  }

  it('goes to the next process when one takes no connection, whatever the method', async () => {
    const edge = await start([closed, well, closed])
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])
      for (let round = 0; round < 3; round++) {
        const body = method === 'GET' || method === 'HEAD' ? undefined : '{"a":1}'
        expect([method, (await ask(edge, '/api/leads', method, {}, body)).status]).toEqual([method, 200])
      }
  })

  it('sends a request again that hung up on it when that changes nothing, and only then', async () => {
    const edge = await start([await broken(), well])
    for (let round = 0; round < 4; round++) expect((await ask(edge, `/api/again/${round}`)).status).toBe(200)
    seen.length = 0
    const statuses = []
    for (let round = 0; round < 4; round++) statuses.push((await ask(edge, '/api/once', 'POST', {}, '{}')).status)
    expect(seen).toHaveLength(statuses.filter((status) => status === 200).length)
    expect(statuses.filter((status) => status !== 200).every((status) => status === 503)).toBe(true)
  })

  it.each([
    ['br', 'gzip, br'],
    ['gzip', 'gzip'],
    [undefined, 'identity'],
  ])('answers a long text as %s to a client that takes %s', async (encoding, accepted) => {
    const got = await ask(usual, '/api/long', 'GET', { 'accept-encoding': accepted })
    // Not every program has brotli.
    const given = got.headers['content-encoding']
    expect(kind === 'ours' ? given : (given ?? 'none')).toBe(
      kind === 'ours' ? encoding : encoding === 'br' && given === 'gzip' ? 'gzip' : (encoding ?? 'none'),
    )
    const plain = given === 'br' ? brotliDecompressSync(got.body) : given === 'gzip' ? gunzipSync(got.body) : got.body
    expect(plain.toString()).toBe(long)
    expect(got.headers['vary']).toMatch(/accept-encoding/i)
    if (given !== undefined) expect(got.headers['etag']).toMatch(/^W\/"tag"$|^"tag-/)
  })

  it('compresses the reads that a page sends together', async () => {
    const { headers, body } = await ask(usual, '/api/batch', 'POST', { 'accept-encoding': 'gzip' }, '{}')
    expect([headers['content-encoding'], gunzipSync(body).toString()]).toEqual(['gzip', long])
  })

  it('compresses an answer in slices, which tells no length', async () => {
    const { headers, body } = await ask(usual, '/api/sliced', 'GET', { 'accept-encoding': 'gzip' })
    expect([headers['content-encoding'], gunzipSync(body).toString()]).toEqual(['gzip', long])
  })

  it('hands on a file that was compressed by brotli beforehand, and compresses it no second time', async () => {
    const got = await ask(usual, '/assets/packed.js', 'GET', { 'accept-encoding': 'gzip, br' })
    expect([got.headers['content-encoding'], got.body.equals(packed)]).toEqual(['br', true])
  })

  it.each([
    ['a change', 'POST', '/api/long'],
    ['a route that shows secrets', 'GET', '/api/oauth-mcp/long'],
    ['a picture', 'GET', '/api/long.png'],
    ['a short text', 'GET', '/api/short'],
  ])('leaves the answer to %s as it is', async (_, method, path) => {
    const got = await ask(usual, path, method, { 'accept-encoding': 'gzip, br' }, method === 'POST' ? '{}' : undefined)
    expect(got.headers['content-encoding']).toBeUndefined()
  })

  /** Opens a stream, and reads its first event. */
  const follow = async () => {
    const request = sendRequest({
      host: '127.0.0.1',
      port: usual.port,
      path: '/api/events/stream',
      headers: { 'accept-encoding': 'gzip, br', accept: 'text/event-stream' },
    })
    request.end()
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    const [first] = (await once(reply, 'data')) as [Buffer]
    return { reply, first }
  }

  it('hands on each event of a stream at once', async () => {
    const { reply, first } = await follow()
    expect([reply.headers['content-encoding'], first.toString()]).toEqual([undefined, 'data: one\n\n'])
    finishStream()
    await once(reply.resume(), 'end')
  })

  it('ends a stream whose reader leaves', async () => {
    const { reply } = await follow()
    expect(streamsOpen).toBeGreaterThan(0)
    reply.destroy()
    await expect.poll(() => streamsOpen).toBe(0)
  })

  it.each(['/readyz', '/metrics', '/%6detrics'])('does not show %s', async (path) => {
    expect((await ask(usual, path)).status).toBe(404)
  })

  it('tells whether all are well', async () => {
    expect(JSON.parse((await ask(usual, '/healthz')).body.toString())).toMatchObject({ status: 'ok' })
  })

  // The client is 127.0.0.1, the proxy nearest to the edge.
  it.each([
    ['nobody in front, and a forged address', [], '6.6.6.6', '127.0.0.1'],
    ['one proxy', ['127.0.0.1/32'], '198.51.100.7', '198.51.100.7'],
    ['one proxy, and a forged address before it', ['127.0.0.1/32'], '6.6.6.6, 198.51.100.7', '198.51.100.7'],
    ['two proxies', ['127.0.0.1/32', '10.0.0.0/8'], '198.51.100.7, 10.1.2.3', '198.51.100.7'],
    [
      'two proxies, and a forged address before them',
      ['127.0.0.1/32', '10.0.0.0/8'],
      '6.6.6.6, 198.51.100.7, 10.1.2.3',
      '198.51.100.7',
    ],
    ['a proxy that is not named, behind one that is', ['127.0.0.1/32'], '198.51.100.7, 203.0.113.9', '203.0.113.9'],
  ])('takes the right address with %s', async (_, trustedProxies, claimed, address) => {
    const edge = await start([well], { trustedProxies })
    const { body } = await ask(edge, '/api/who', 'GET', {
      'x-forwarded-for': claimed,
      'x-forwarded-proto': 'https',
      'x-real-ip': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
    })
    const { headers } = JSON.parse(body.toString()) as { headers: Record<string, string> }
    expect(headers['x-forwarded-proto']).toBe(trustedProxies.length > 0 ? 'https' : 'http')
    // Caddy keeps trusted proxies in the list, which the deployables walk through.
    const way = headers['x-forwarded-for']?.split(', ') ?? []
    expect(way.findLast((stop) => !addressIn(trustedProxies)(stop))).toBe(address)
    if (trustedProxies.length === 0) expect(way).toHaveLength(1)
    expect(headers).not.toHaveProperty('forwarded')
    expect(headers).not.toHaveProperty('x-real-ip')
  })

  it.each([
    ['no proxy', [], '127.0.0.1'],
    ['a proxy', ['127.0.0.1/32'], '203.0.113.77'],
  ])('tells crm doctor whom it counts behind %s, and nobody else', async (_, trustedProxies, client) => {
    const edge = await start([well], { trustedProxies })
    const forged = { 'x-forwarded-for': '203.0.113.77' }
    const health = async (headers: Record<string, string>) =>
      JSON.parse((await ask(edge, '/healthz', 'GET', headers)).body.toString()) as object
    expect(await health({ ...forged, 'x-crm-doctor': '1' })).toMatchObject({ client })
    expect(await health(forged)).not.toHaveProperty('client')
  })
})
