import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { IncomingMessage, RequestOptions, Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startEdge } from './edge.ts'
import type { Edge, EdgeOptions } from './edge.ts'
import type { Target } from './health.ts'
import { connectRaw, type RawAnswer, type RawClient } from './raw-client.fixture.ts'
import { routingTable } from './routes.ts'

interface Seen {
  service: string
  method: string
  url: string
  headers: Record<string, string>
  rawHeaders: string[]
  body: string
}

let edge: Edge
const servers = new Map<string, Server>()
const targets: Record<string, Target> = {}

/** Starts a deployable that returns the request that it received. */
async function startEcho(service: string): Promise<void> {
  const server = createServer(async (request, response) => {
    if (request.url === '/readyz') return response.end()
    if (request.url?.startsWith('/api/early') === true) return response.writeHead(413).end('too large')
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const { method, url, headers, rawHeaders } = request
    response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] })
    response.end(JSON.stringify({ service, method, url, headers, rawHeaders, body }))
  })
  server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    socket.pipe(socket)
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.set(service, server)
  targets[service] = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

beforeAll(async () => {
  for (const service of routingTable.services) await startEcho(service)
  edge = await startEdge({ targets, port: 0 })
})

afterAll(async () => {
  await edge.close()
  for (const server of servers.values()) {
    server.closeAllConnections()
    server.close()
  }
})

async function send(
  path: string,
  options: RequestOptions = {},
  body?: string,
): Promise<{ reply: IncomingMessage; body: string }> {
  const request = sendRequest({ host: '127.0.0.1', port: edge.port, path, ...options })
  request.end(body)
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  return { reply, body: await text(reply) }
}

async function seen(path: string, options?: RequestOptions, body?: string): Promise<Seen> {
  return JSON.parse((await send(path, options, body)).body) as Seen
}

describe('routing', () => {
  it.each([
    ['/api/public/booking/links/intro', 'booking'],
    ['/book/intro', 'booking'],
    ['/call/abc', 'booking'],
    ['/api/hooks/abc', 'webhooks'],
    ['/api/mcp', 'mcp-gateway'],
    ['/api/mcp/', 'mcp-gateway'],
    ['/api/mcp?session=1', 'mcp-gateway'],
    ['/api/mcp-other', 'crm-api'],
    ['/api/oauth-mcp/token', 'mcp-gateway'],
    ['/.well-known/oauth-protected-resource', 'mcp-gateway'],
    ['/api/leads?page=2', 'crm-api'],
    ['/api/public/other', 'crm-api'],
    ['/api', 'console'],
    ['/', 'console'],
    ['/leads/42', 'console'],
  ])('%s goes to %s', async (path, service) => {
    expect(await seen(path)).toMatchObject({ service, url: path })
  })

  it.each(['/metrics', '/readyz', '/%6detrics', '/metrics?x=1'])('does not show %s', async (path) => {
    expect((await send(path)).reply.statusCode).toBe(404)
  })

  it('refuses what is no path', async () => {
    expect((await send('http://other.test/api/leads')).reply.statusCode).toBe(400)
  })

  it.each([
    ['/%', 'console'],
    ['/api/hooks/%zz', 'webhooks'],
    ['/api/public/booking/%zz', 'booking'],
    ['/api/leads/%zz', 'crm-api'],
  ])('leaves it to the deployable to refuse %s', async (path, service) => {
    expect(await seen(path)).toMatchObject({ service, url: path })
  })
})

describe('passing on', () => {
  it('leaves method, query, body and Host as they are', async () => {
    const got = await seen(
      '/api/leads?q=a%20b&q=%C3%A9',
      { method: 'PATCH', headers: { host: 'acme.test:9', 'content-type': 'not a type' } },
      '{"broken": ',
    )
    expect(got).toMatchObject({ method: 'PATCH', url: '/api/leads?q=a%20b&q=%C3%A9', body: '{"broken": ' })
    expect(got.headers).toMatchObject({ host: 'acme.test:9', 'content-type': 'not a type' })
  })

  it('passes on the body of a GET and a chunked one', async () => {
    expect(await seen('/api/leads', { method: 'GET', headers: { 'content-length': 2 } }, '{}')).toMatchObject({
      method: 'GET',
      body: '{}',
    })
    const chunked = await seen(
      '/api/leads',
      { method: 'POST', headers: { 'transfer-encoding': 'chunked' } },
      'in pieces',
    )
    expect(chunked).toMatchObject({ body: 'in pieces' })
  })

  it('announces no body for a POST without one', async () => {
    const { headers } = await seen('/api/leads', { method: 'POST', headers: { 'content-length': 0 } })
    expect(headers['content-length']).toBe('0')
    expect(headers).not.toHaveProperty('transfer-encoding')
  })

  it('believes no client about proxies', async () => {
    const { headers } = await seen('/api/leads', {
      headers: {
        host: 'acme.test',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-prefix': '/x',
        forwarded: 'for=6.6.6.6',
        'X-Real-IP': '6.6.6.6',
      },
    })
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'acme.test',
    })
    expect(headers).not.toHaveProperty('forwarded')
    expect(headers).not.toHaveProperty('x-forwarded-prefix')
    expect(headers).not.toHaveProperty('x-real-ip')
  })

  it('believes a proxy that is trusted, as far as the way here is, and none that is not', async () => {
    const proxied = await startEdge({ targets, port: 0, trustedProxies: ['loopback', '10.0.0.0/8'] })
    const told = async (headers: Record<string, string>, port = proxied.port) =>
      (await seen('/api/leads', { port, headers })).headers
    const ofClient = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' }
    expect(await told(ofClient)).toMatchObject(ofClient)
    expect(await told({ 'x-forwarded-for': '6.6.6.6, 198.51.100.7, 10.1.2.3' })).toMatchObject({
      'x-forwarded-for': '198.51.100.7',
      'x-forwarded-proto': 'http',
    })
    expect(await told({ 'x-forwarded-for': '10.9.9.9' })).toMatchObject({ 'x-forwarded-for': '10.9.9.9' })
    expect(await told({ 'x-forwarded-for': 'unknown, 2001:db8::1' })).toMatchObject({
      'x-forwarded-for': '2001:db8::1',
    })
    for (const claimed of [undefined, 'nonsense'])
      expect(await told(claimed ? { 'x-forwarded-for': claimed } : {})).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
      })
    expect(await told(ofClient)).not.toHaveProperty('x-forwarded-untrusted')
    expect(await told(ofClient, edge.port)).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-untrusted': '1',
    })
    expect(await told({ 'x-forwarded-untrusted': '1' }, edge.port)).not.toHaveProperty('x-forwarded-untrusted')
    await proxied.close()
  })

  it('tells whoever came by https to come by https alone', async () => {
    const proxied = await startEdge({ targets, port: 0, trustedProxies: ['loopback'] })
    const strict = async (headers: Record<string, string>, port = proxied.port) =>
      (await send('/api/leads', { port, headers })).reply.headers['strict-transport-security']
    const byHttps = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' }
    expect(await strict(byHttps)).toBe('max-age=31536000')
    expect(await strict({ ...byHttps, 'x-forwarded-proto': 'http' })).toBeUndefined()
    expect(await strict(byHttps, edge.port)).toBeUndefined()
    await proxied.close()
  })

  it('gives back every header of the answer', async () => {
    const { reply } = await send('/api/leads')
    expect(reply.headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })

  it('gives back an answer that comes before the body was read', async () => {
    const { reply, body } = await send('/api/early', { method: 'POST' }, 'x'.repeat(1_000_000))
    expect([reply.statusCode, body]).toEqual([413, 'too large'])
    expect(await seen('/api/leads')).toMatchObject({ service: 'crm-api' })
  })

  it('listens on IPv4 and IPv6', async () => {
    expect(await seen('/api/leads', { host: '127.0.0.1' })).toMatchObject({ service: 'crm-api' })
    expect((await seen('/api/leads', { host: '::1' })).headers['x-forwarded-for']).toBe('::1')
  })
})

describe('what Node would answer by itself', () => {
  const tooLong = 'a'.repeat(20_000)

  /** Sends bytes that may not be an HTTP request. */
  async function sendRaw(request: string): Promise<{ head: string; body: unknown }> {
    const socket = connect(edge.port, '127.0.0.1')
    socket.write(request)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    return { head, body: JSON.parse(body) }
  }

  it.each([
    ['/api/leads', { error: 'Headers too large' }],
    ['/api/hooks/abc?x=1', { error: 'Headers too large' }],
    [
      '/api/public/booking/intro',
      { success: false, error: { code: 'VALIDATION_ERROR', message: 'Headers too large' } },
    ],
  ])('has the shape of the surface for too many headers to %s', async (path, body) => {
    const answered = await sendRaw(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-long: ${tooLong}\r\n\r\n`)
    expect(answered.head).toMatch(/^HTTP\/1.1 431 /)
    expect(answered.head.includes('access-control-allow-origin: *')).toBe(path.includes('booking'))
    expect(answered.body).toEqual(body)
  })

  it.each([
    ['/api/hooks/abc', { error: 'Bad request' }],
    ['/api/public/booking/intro', { success: false, error: { code: 'VALIDATION_ERROR', message: 'Bad request' } }],
  ])('has the shape of the surface for a request to %s that names no host', async (path, body) => {
    const answered = await sendRaw(`GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`)
    expect(answered).toEqual({ head: expect.stringMatching(/^HTTP\/1.1 400 /), body })
  })

  it('is 400 for a request that names two', async () => {
    const answered = await sendRaw('GET /api/leads HTTP/1.1\r\nHost: x\r\nhost: y\r\nconnection: close\r\n\r\n')
    expect(answered).toEqual({ head: expect.stringMatching(/^HTTP\/1.1 400 /), body: { error: 'Bad request' } })
  })

  it('has an error text for what is no HTTP', async () => {
    expect(await sendRaw('hello\r\n\r\n')).toEqual({
      head: expect.stringMatching(/^HTTP\/1.1 400 /),
      body: { error: 'Bad request' },
    })
  })

  it.each(['/api/hooks/abc', '/api/leads'])(
    'passes an expectation that nobody knows on to %s without it',
    async (path) => {
      const { headers } = await seen(path, { method: 'POST', headers: { expect: 'a-miracle' } }, '{}')
      expect(headers).not.toHaveProperty('expect')
    },
  )
})

describe('WebSocket', () => {
  async function talk(path: string, upgrade: string): Promise<string> {
    const socket = connect(edge.port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
      if (received.endsWith('\r\n\r\n')) socket.write('hello')
      if (received.endsWith('hello') || received.includes('"service"')) socket.end()
    })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: acme.test\r\nconnection: upgrade\r\nupgrade: ${upgrade}\r\n\r\n`)
    await once(socket, 'close')
    return received
  }

  it('passes through to a call', async () => {
    const received = await talk('/call/token/socket', 'websocket')
    expect(received).toContain('101 Switching Protocols')
    expect(received).toContain('hello')
  })

  it('ignores any other upgrade', async () => {
    expect(await talk('/api/leads', 'h2c')).toContain('"service":"crm-api"')
  })
})

describe('a client that takes too much', () => {
  const hello = (path = '/api/leads'): string => `GET ${path} HTTP/1.1\r\nhost: acme.test\r\n\r\n`
  /** Returns an upload of which only the head has arrived. */
  const begun = (path = '/api/leads'): string =>
    `POST ${path} HTTP/1.1\r\nhost: acme.test\r\ncontent-length: 10\r\n\r\n`
  const upgrade =
    'GET /call/token/socket HTTP/1.1\r\nhost: acme.test\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
  const tooMany = { error: 'Too many requests', code: 'RATE_LIMITED' }

  async function boundedEdge(
    options: Omit<EdgeOptions, 'targets' | 'port'>,
  ): Promise<{ connectFrom(address?: string): RawClient }> {
    const bounded = await startEdge({ targets, port: 0, ...options })
    onTestFinished(() => bounded.close())
    return {
      connectFrom: (address) => {
        const client = connectRaw(bounded.port, address)
        onTestFinished(client.close)
        return client
      },
    }
  }

  async function ask(client: RawClient, request = hello()): Promise<RawAnswer> {
    await client.send(request)
    return client.next()
  }

  it('is told 429 by the connection that is one too many, in the shape of the surface, until it ends a request', async () => {
    const { connectFrom } = await boundedEdge({ bounds: { connectionsPerAddress: 2 } })
    const kept = [connectFrom(), connectFrom()]
    for (const client of kept) expect((await ask(client)).status).toBe(200)
    for (const client of kept) await client.send(begun())
    await expect.poll(async () => (await ask(connectFrom())).status).toBe(429)
    const { status, head, body } = await ask(connectFrom())
    expect({ status, body: JSON.parse(body) }).toEqual({ status: 429, body: tooMany })
    expect(head).toMatch(/\r\nretry-after: 5\b/)
    expect(head).toMatch(/\r\nconnection: close\b/)
    expect(JSON.parse((await ask(connectFrom(), hello('/api/hooks/x'))).body)).toEqual({ error: 'Too many requests' })
    expect((await ask(connectFrom('127.0.0.2'))).status).toBe(200)
    await kept[0]?.send('0123456789')
    expect((await kept[0]?.next())?.status).toBe(200)
    await expect.poll(async () => (await ask(connectFrom())).status).toBe(200)
  })

  it('gives up the connection that waits longest for its next request, and no other', async () => {
    const { connectFrom } = await boundedEdge({ bounds: { connectionsPerAddress: 3 } })
    const [first, second, elsewhere] = [connectFrom(), connectFrom(), connectFrom('127.0.0.2')]
    for (const client of [first, second, elsewhere]) expect((await ask(client)).status).toBe(200)
    const slow = connectFrom()
    await slow.send(begun())
    // More than there are places, one after the other: each takes the place of the one that waits longest.
    for (const _ of [1, 2, 3, 4, 5]) expect((await ask(connectFrom())).status).toBe(200)
    await Promise.all([first.ended, second.ended])
    await slow.send('0123456789')
    expect((await slow.next()).status).toBe(200)
    expect((await ask(elsewhere)).status).toBe(200)
  })

  it('keeps a WebSocket that began on a connection which had waited', async () => {
    const { connectFrom } = await boundedEdge({ bounds: { connectionsPerAddress: 2, upgradesPerAddress: 1 } })
    const call = connectFrom()
    expect((await ask(call)).status).toBe(200)
    await call.send(upgrade, 'hello')
    await expect.poll(async () => (await ask(connectFrom(), upgrade)).status).toBe(429)
    // A refused connection may still be closing.
    for (const _ of [1, 2, 3]) await expect.poll(async () => (await ask(connectFrom())).status).toBe(200)
    await expect.poll(async () => (await ask(connectFrom(), upgrade)).status).toBe(429)
  })

  it('is cut off when it does not even wait for the refusals', async () => {
    const { connectFrom } = await boundedEdge({ bounds: { connectionsPerAddress: 2 } })
    const clients = Array.from({ length: 5 }, () => connectFrom())
    await Promise.race(clients.map(({ ended }) => ended))
    expect((await ask(connectFrom('127.0.0.2'))).status).toBe(200)
  })

  it('is told 429 by a request of its own while others of the same proxy go on', async () => {
    const { connectFrom } = await boundedEdge({ bounds: { connectionsPerAddress: 2 }, trustedProxies: ['loopback'] })
    const of = (address: string, request: string): string =>
      request.replace('\r\n\r\n', `\r\nx-forwarded-for: ${address}\r\n\r\n`)
    const slow = [connectFrom(), connectFrom()]
    for (const client of slow) await client.send(of('203.0.113.7', begun()))
    await expect.poll(async () => (await ask(connectFrom(), of('203.0.113.7', hello()))).status).toBe(429)
    expect((await ask(connectFrom(), of('203.0.113.8', hello()))).status).toBe(200)
    for (const client of slow) await client.send('0123456789')
    for (const client of slow) expect((await client.next()).status).toBe(200)
    expect((await ask(connectFrom(), of('203.0.113.7', hello()))).status).toBe(200)
  })

  it('is told 429 when its key or session has too much under way from many addresses', async () => {
    const { connectFrom } = await boundedEdge({ bounds: { connectionsPerAddress: 2 } })
    let address = 10
    const newcomer = () => connectFrom(`127.0.0.${address++}`)
    const as = (credential: string, request: string): string => request.replace('\r\n\r\n', `\r\n${credential}\r\n\r\n`)
    for (const credential of ['authorization: Bearer one', 'cookie: crm_session=one']) {
      const slow = [newcomer(), newcomer()]
      for (const client of slow) await client.send(as(credential, begun()))
      await expect.poll(async () => (await ask(newcomer(), as(credential, hello()))).status).toBe(429)
      expect((await ask(newcomer(), as('authorization: Bearer other', hello()))).status).toBe(200)
      for (const client of slow) await client.send('0123456789')
      for (const client of slow) expect((await client.next()).status).toBe(200)
      for (const client of slow) client.close()
      expect((await ask(newcomer(), as(credential, hello()))).status).toBe(200)
    }
  })

  it('is told 429 by the WebSocket that is one too many', async () => {
    const { connectFrom } = await boundedEdge({ bounds: { upgradesPerAddress: 1 } })
    const open = connectFrom()
    await open.send(upgrade, 'hello')
    // The deployable of this test returns it.
    await expect.poll(async () => (await ask(connectFrom(), upgrade)).status).toBe(429)
    expect((await ask(connectFrom('127.0.0.2'))).status).toBe(200)
  })

  it('is told 503 when all of them together have too many connections', async () => {
    const { connectFrom } = await boundedEdge({ bounds: { connectionsMax: 1 } })
    for (const address of ['127.0.0.1', '127.0.0.3']) expect((await ask(connectFrom(address))).status).toBe(200)
    await connectFrom('127.0.0.4').send(begun())
    await expect.poll(async () => (await ask(connectFrom('127.0.0.5'))).status).toBe(503)
    const { status, head, body } = await ask(connectFrom('127.0.0.2'))
    expect([status, JSON.parse(body)]).toEqual([503, { error: expect.any(String), code: 'SERVICE_UNAVAILABLE' }])
    expect(head).toMatch(/\r\nretry-after: 5\b/)
  })

  it('is hung up on when it sends its headers or nothing at all too slowly', async () => {
    const { connectFrom } = await boundedEdge({ deadlines: { headersMs: 50 } })
    const [silent, slow] = [connectFrom(), connectFrom()]
    await slow.send('GET /api/leads HTTP/1.1\r\nx-slow: ')
    expect((await slow.next()).status).toBe(408)
    await Promise.all([silent.ended, slow.ended])
  })

  it('is told 408 when its body does not go on', async () => {
    const { connectFrom } = await boundedEdge({ deadlines: { pieceMs: 50 } })
    const { status, head, body } = await ask(connectFrom(), `${begun('/api/public/booking/intro')}12`)
    expect([status, JSON.parse(body)]).toEqual([
      408,
      { success: false, error: { code: 'VALIDATION_ERROR', message: 'Request timeout' } },
    ])
    expect(head).toMatch(/\r\nconnection: close\b/)
  })
})

describe('when a deployable is down', () => {
  it.each([
    ['/api/leads', { error: expect.any(String), code: 'SERVICE_UNAVAILABLE' }],
    [
      '/api/public/booking/links/x',
      { success: false, error: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String) } },
    ],
    ['/api/hooks/x', { error: 'Service unavailable' }],
  ])('%s answers 503 in the shape of its surface', async (path, shape) => {
    const nobody = { host: '127.0.0.1', port: 1 }
    const lonely = await startEdge({
      port: 0,
      targets: Object.fromEntries(routingTable.services.map((name) => [name, nobody])),
    })
    const { reply, body } = await send(path, { port: lonely.port })
    expect(reply.statusCode).toBe(503)
    expect(JSON.parse(body)).toEqual(shape)
    const afterLongBody = await send(path, { port: lonely.port, method: 'POST' }, 'x'.repeat(1_000_000))
    expect(afterLongBody.reply.statusCode).toBe(503)
    expect((await send(path, { port: lonely.port })).reply.statusCode).toBe(503)
    await lonely.close()
  })
})

describe('/healthz', () => {
  it('says ok when all are ready', async () => {
    const { reply, body } = await send('/healthz')
    expect(reply.statusCode).toBe(200)
    expect(JSON.parse(body)).toEqual({
      status: 'ok',
      services: Object.fromEntries(routingTable.services.map((name) => [name, 'ok'])),
    })
  })

  it('names the one that is not', async () => {
    const partly = await startEdge({ port: 0, targets: { ...targets, webhooks: { host: '127.0.0.1', port: 1 } } })
    const { reply, body } = await send('/healthz', { port: partly.port })
    expect(reply.statusCode).toBe(503)
    expect(JSON.parse(body)).toMatchObject({
      status: 'unavailable',
      services: { webhooks: 'unavailable', booking: 'ok' },
    })
    await partly.close()
  })
})
