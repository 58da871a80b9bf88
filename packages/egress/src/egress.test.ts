import { execFile } from 'node:child_process'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { productVersion } from '@crm/runtime'
import { afterEach, describe, expect, it } from 'vitest'
import type { EgressOptions, OutboundRequest } from './index.ts'
import type { LocalServer } from '../test/servers.ts'
import { certificate, certificateKey } from '../test/certificate.ts'
import { emptyLog, listen, startHttp, startRaw } from '../test/servers.ts'
import { createEgress, DELIVERY_ERRORS, judgeAddress } from './index.ts'

const started: LocalServer[] = []
afterEach(async () => {
  for (const server of started.splice(0)) await server.close()
})

async function local(server: Promise<LocalServer>): Promise<LocalServer> {
  started.push(await server)
  return server
}

/** The time of a delivery of which a part still has to succeed on a busy machine before it is over. */
const roomyMs = 1_500

const ok = () => startHttp((response) => response.end('{"done":true}'))

async function send(request: Partial<OutboundRequest> & { url: string }, options: EgressOptions = {}) {
  const egress = createEgress({ allowCidrs: ['127.0.0.1'], ...options })
  try {
    return await egress.send({ method: 'POST', body: '{"a":1}', ...request })
  } finally {
    await egress.close()
  }
}

const at = (server: LocalServer, host = '127.0.0.1') => `http://${host}:${server.port}/`

describe('a delivery', () => {
  it('sends the method, path, headers and body as they are', async () => {
    const server = await local(ok())
    const delivered = await send({
      url: `${at(server)}a%20b?x=1#part`,
      method: 'PUT',
      headers: { 'X-Token': 'secret', authorization: 'Bearer x' },
      body: '{"ä":1}',
    })
    expect(delivered).toEqual({
      ok: true,
      status: 200,
      durationMs: expect.any(Number) as number,
      responseBody: '{"done":true}',
      truncated: false,
      error: null,
    })
    expect(server.seen).toMatchObject([{ method: 'PUT', path: '/a%20b?x=1', body: '{"ä":1}' }])
    expect(server.seen[0]!.headers).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: 'keep-alive',
      'user-agent': `workspace-crm/${productVersion}`,
      'accept-encoding': 'gzip, br',
      'content-type': 'application/json',
      'content-length': '8',
      'x-token': 'secret',
      authorization: 'Bearer x',
    })
  })
  it('lets a configured Content-Type take the place of ours', async () => {
    const server = await local(ok())
    await send({ url: at(server), headers: { 'Content-Type': 'application/vnd.api+json' } })
    expect(server.seen[0]!.headers['content-type']).toBe('application/vnd.api+json')
  })
  it.each(['User-Agent', 'ACCEPT-ENCODING'])('lets a configured %s take the place of ours', async (name) => {
    const server = await local(ok())
    await send({ url: at(server), headers: { [name]: 'mine' } })
    expect(server.seen[0]!.headers[name.toLowerCase()]).toBe('mine')
  })
  it.each([
    ['GET', '{"a":1}'],
    ['GET', null],
    ['DELETE', null],
    ['POST', null],
  ] as const)('sends neither body nor content type with %s and %j', async (method, body) => {
    const server = await local(ok())
    await send({ url: at(server), method, body })
    expect(server.seen).toMatchObject([{ method, body: '' }])
    expect(server.seen[0]!.headers).not.toHaveProperty('content-type')
    expect(server.seen[0]!.headers['content-length']).toBe(method === 'POST' ? '0' : undefined)
  })
  it('sends the body of a DELETE with its length', async () => {
    const server = await local(ok())
    await send({ url: at(server), method: 'DELETE', body: '{"a":"ä"}' })
    expect(server.seen).toMatchObject([{ method: 'DELETE', body: '{"a":"ä"}', headers: { 'content-length': '10' } }])
  })
  it.each([
    [200, true],
    [201, true],
    [204, true],
    [299, true],
    [301, false],
    [304, false],
    [400, false],
    [404, false],
    [500, false],
  ])('with status %i is ok: %s', async (status, isOk) => {
    const server = await local(startHttp((response) => response.writeHead(status).end()))
    expect(await send({ url: at(server) })).toMatchObject({
      ok: isOk,
      status,
      error: isOk ? null : DELIVERY_ERRORS.notSuccess,
    })
  })
  it('keeps the answer of a failure', async () => {
    const server = await local(startHttp((response) => response.writeHead(422).end('no such channel')))
    expect(await send({ url: at(server) })).toMatchObject({ status: 422, responseBody: 'no such channel' })
  })
  it('does not follow a redirect', async () => {
    const second = await local(ok())
    for (const status of [301, 302, 303, 307, 308]) {
      const first = await local(startHttp((response) => response.writeHead(status, { location: at(second) }).end()))
      expect(await send({ url: at(first) })).toMatchObject({ ok: false, status })
    }
    expect(second.connections).toBe(0)
  })
  describe('that may be led on', () => {
    const get = (url: string, redirectsMax = 5, options: EgressOptions = {}) =>
      send({ url, method: 'GET', redirectsMax }, options)
    /** Leads from /0 to /1 and so on by these statuses; what comes after them is the file. */
    const chain = (...statuses: number[]) =>
      local(
        startHttp((response, { path }) => {
          const status = statuses[Number(path.slice(1))]
          if (status === undefined) response.end('the file')
          else response.writeHead(status, { location: `${Number(path.slice(1)) + 1}#part` }).end()
        }),
      )

    it.each<[number[], string | undefined]>([
      [[301], '1'],
      [[308], '1'],
      [[302], undefined],
      [[303], undefined],
      [[307], undefined],
      [[301, 308], '2'],
      [[308, 302, 301], '1'],
      [[302, 301], undefined],
      [[302, 302, 302, 302, 302], undefined],
    ])('goes on after %j, and says where the address has moved for good', async (statuses, movedTo) => {
      const server = await chain(...statuses)
      const delivered = await get(`${at(server)}0`)
      expect(delivered).toMatchObject({ ok: true, status: 200, responseBody: 'the file', error: null })
      expect(delivered.movedTo).toBe(movedTo && at(server) + movedTo)
      expect(server.seen.map(({ path }) => path)).toEqual(
        ['0', ...statuses.map((_, n) => `${n + 1}`)].map((n) => `/${n}`),
      )
    })
    it('ends after so many, also in a circle', async () => {
      const server = await local(startHttp((response) => response.writeHead(301, { location: '/' }).end()))
      expect(await get(at(server))).toMatchObject({ ok: false, status: 301, error: DELIVERY_ERRORS.redirects })
      expect(server.connections).toBe(6)
    })
    it.each([
      ['http://169.254.169.254/latest/meta-data/', DELIVERY_ERRORS.refused],
      ['http://10.0.0.1/', DELIVERY_ERRORS.refused],
      ['http://localhost/', DELIVERY_ERRORS.refused],
      ['//metadata.example.com/', DELIVERY_ERRORS.refused],
      ['http://user:password@127.0.0.1/', DELIVERY_ERRORS.invalid],
      ['file:///etc/passwd', DELIVERY_ERRORS.invalid],
      ['gopher://127.0.0.1/', DELIVERY_ERRORS.invalid],
    ])('by %s ends there', async (location, error) => {
      const server = await local(startHttp((response) => response.writeHead(302, { location }).end()))
      const resolver = async (name: string) => [name === 'metadata.example.com' ? '10.0.0.7' : '127.0.0.1']
      expect(await get(at(server, 'feed.example.com'), 5, { resolver })).toMatchObject({ ok: false, error })
      expect(server.connections).toBe(1)
    })
    it.each(['http://', undefined])('by Location %s is an answer like others', async (location) => {
      const server = await local(
        startHttp((response) => response.writeHead(302, location === undefined ? {} : { location }).end()),
      )
      expect(await get(at(server))).toMatchObject({ ok: false, status: 302, error: DELIVERY_ERRORS.notSuccess })
    })
    it('has one time for all addresses together', async () => {
      let [hops, release] = [0, () => {}]
      const server = await local(
        startHttp((response) => {
          hops += 1
          if (hops < 3) response.writeHead(302, { location: '/' }).end()
          else release = () => void response.end()
        }),
      )
      expect(await get(at(server), 5, { timeoutMs: roomyMs })).toMatchObject({ error: DELIVERY_ERRORS.timedOut })
      release()
      expect(hops).toBe(3)
    })
    it('does not go on with anything but GET', async () => {
      const server = await chain(307)
      expect(await send({ url: `${at(server)}0`, redirectsMax: 5 })).toMatchObject({ ok: false, status: 307 })
    })
  })
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://metadata.example.com/',
  ])('that is led on to %s ends there', async (location) => {
    const names: string[] = []
    const resolver = async (name: string) => {
      names.push(name)
      return ['127.0.0.1']
    }
    const server = await local(startHttp((response) => response.writeHead(302, { location }).end()))
    expect(await send({ url: at(server, 'hook.example.com') }, { resolver })).toMatchObject({
      ok: false,
      status: 302,
      error: DELIVERY_ERRORS.notSuccess,
    })
    expect([names, server.connections]).toEqual([['hook.example.com'], 1])
  })
  it('is tried once, also when the other end hangs up', async () => {
    const server = await local(startRaw((socket) => socket.once('data', () => socket.destroy())))
    for (const method of ['POST', 'GET'] as const)
      expect(await send({ url: at(server), method })).toMatchObject({
        ok: false,
        status: null,
        error: DELIVERY_ERRORS.hungUp,
      })
    expect(server.connections).toBe(2)
  })
  it('fails when nobody listens', async () => {
    const server = await ok()
    await server.close()
    expect(await send({ url: at(server) })).toMatchObject({
      status: null,
      responseBody: '',
      error: DELIVERY_ERRORS.unreachable,
    })
  })
  it('takes no proxy, whatever the environment names', async () => {
    const proxy = await local(startHttp((response) => response.writeHead(502).end()))
    const server = await local(ok())
    const env = {
      ...process.env,
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: at(proxy),
      http_proxy: at(proxy),
      HTTPS_PROXY: at(proxy),
      ALL_PROXY: at(proxy),
      NO_PROXY: '',
    }
    const script = fileURLToPath(new URL('../test/send-once.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script, at(server)], { env })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, status: 200 })
    expect(proxy.connections).toBe(0)
  })
})

describe('an answer', () => {
  const answering = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    local(startHttp((response) => response.writeHead(200, headers).end(body)))

  it.each([
    [16_384, false],
    [16_385, true],
    [20_000, true],
  ])('of %i bytes is kept up to its limit, and says whether it is cut: %s', async (bytes, truncated) => {
    const server = await answering('x'.repeat(bytes))
    const delivered = await send({ url: at(server) })
    expect(delivered.responseBody).toHaveLength(16_384)
    expect(delivered).toMatchObject({ ok: true, truncated })
    expect((await send({ url: at(server) }, { answerBytesMax: 10 })).responseBody).toBe('x'.repeat(10))
  })
  it('without an end is left after its beginning', async () => {
    let sent = 0
    const server = await local(
      startHttp((response) => {
        response.writeHead(200)
        const pour = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536
        }
        response.on('drain', pour)
        pour()
      }),
    )
    const delivered = await send({ url: at(server) })
    expect(delivered).toMatchObject({ ok: true, status: 200 })
    expect(delivered.responseBody).toHaveLength(16_384)
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('packed with %s is unpacked', async (coding, pack) => {
    const server = await answering(pack('{"id":"ä"}'), { 'content-encoding': coding })
    expect(await send({ url: at(server) })).toMatchObject({ ok: true, responseBody: '{"id":"ä"}', truncated: false })
  })
  it('is unpacked up to its limit only', async () => {
    const server = await answering(gzipSync(Buffer.alloc(20 * 1024 * 1024, 'x')), { 'content-encoding': 'gzip' })
    const delivered = await send({ url: at(server) })
    expect(delivered).toMatchObject({ ok: true, truncated: true })
    expect(delivered.responseBody).toBe('x'.repeat(16_384))
  })
  it.each([
    ['in a coding that was not asked for', 'zstd', 'anything'],
    ['that is damaged', 'gzip', 'anything'],
    ['that ends within its packing', 'gzip', gzipSync('x'.repeat(100)).subarray(0, 15)],
  ])('%s is a failure with its status', async (_what, coding, body) => {
    const server = await answering(body, { 'content-encoding': coding })
    expect(await send({ url: at(server) })).toMatchObject({ ok: false, status: 200, error: DELIVERY_ERRORS.coding })
  })
  it.each(['gzip', 'zstd', 'utf-8'])('without content is one, though its head speaks of %s', async (coding) => {
    const server = await answering('', { 'content-encoding': coding })
    expect(await send({ url: at(server) })).toMatchObject({ ok: true, responseBody: '', truncated: false })
  })
  it('is read in the charset that its type names', async () => {
    const server = await answering(Buffer.from('Grüße', 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' })
    expect((await send({ url: at(server) })).responseBody).toBe('Grüße')
  })
  it('is cut between characters and holds no NUL', async () => {
    const server = await answering('a\0ä€')
    expect((await send({ url: at(server) }, { answerBytesMax: 6 })).responseBody).toBe('a\uFFFDä')
  })
  it('that breaks off keeps its status and what came', async () => {
    const server = await local(
      startRaw((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npartial')),
      ),
    )
    expect(await send({ url: at(server) })).toMatchObject({
      ok: true,
      status: 200,
      responseBody: 'partial',
      truncated: true,
    })
  })
  it('that drips keeps its status when the time is over', async () => {
    const server = await local(
      startHttp((response) => {
        response.writeHead(200).write('a')
        const drip = setInterval(() => response.write('a'), 20)
        response.on('close', () => clearInterval(drip))
      }),
    )
    const delivered = await send({ url: at(server) }, { timeoutMs: roomyMs })
    expect(delivered).toMatchObject({ ok: true, status: 200, truncated: true })
    expect(delivered.responseBody).toMatch(/^a+$/)
  })
})

/** RFC 9110, section 15.2: a client can parse one or more 1xx answers before the final one, even when it expects none. */
describe('an interim answer', () => {
  const final = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone'
  const sending = (bytes: string) => local(startRaw((socket) => socket.once('data', () => socket.end(bytes))))

  it.each([
    ['100 unasked, as Express can send it', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103 with headers', 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\ncontent-length: 9\r\n\r\n'],
    ['199 that nobody knows', 'HTTP/1.1 199 Later\r\n\r\n'],
    ['several', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('of %s is passed over', async (_what, interim) => {
    const server = await sending(`${interim}${final}`)
    expect(await send({ url: at(server) })).toMatchObject({ ok: true, status: 200, responseBody: 'done' })
    expect(server.connections).toBe(1)
  })
  it('that changes the protocol, for which nobody asked, is no answer', async () => {
    const server = await sending('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
    expect(await send({ url: at(server) })).toMatchObject({ status: null, error: DELIVERY_ERRORS.notHttp })
  })
  it('after a hundred others ends the request', async () => {
    const server = await sending(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(101)}${final}`)
    expect(await send({ url: at(server) })).toMatchObject({ status: null, error: DELIVERY_ERRORS.notHttp })
  })
})

describe('a sender that is kept waiting', () => {
  const dripping = (bytes: string) =>
    local(
      startRaw((socket) => {
        const drip = setInterval(() => socket.write(bytes), 20)
        socket.on('close', () => clearInterval(drip))
      }),
    )

  it.each([
    ['silence', () => local(startRaw(() => {}))],
    ['a status line that drips', () => dripping('H')],
    [
      'headers that drip',
      async () =>
        local(
          startRaw((socket) => {
            socket.write('HTTP/1.1 200 OK\r\n')
            const drip = setInterval(() => socket.write('x: y\r\n'), 20)
            socket.on('close', () => clearInterval(drip))
          }),
        ),
    ],
    ['endless interim answers', () => dripping('HTTP/1.1 102 Processing\r\n\r\n')],
  ])('gives up in time at %s', async (_, start) => {
    const server = await start()
    const delivered = await send({ url: at(server) }, { timeoutMs: 300 })
    expect(delivered).toMatchObject({ ok: false, status: null })
    expect([DELIVERY_ERRORS.timedOut, DELIVERY_ERRORS.notHttp]).toContain(delivered.error)
  })
  it('says that no answer came in time', async () => {
    const server = await local(startRaw(() => {}))
    expect(await send({ url: at(server) }, { timeoutMs: 200 })).toMatchObject({ error: DELIVERY_ERRORS.timedOut })
  })
  it('counts a resolver that never answers', async () => {
    const delivered = await send(
      { url: 'http://slow.example.com/' },
      { timeoutMs: 200, resolver: () => new Promise(() => {}) },
    )
    expect(delivered).toMatchObject({ status: null, error: DELIVERY_ERRORS.timedOut })
  })
  it('refuses endless headers long before the time is over', async () => {
    const server = await local(
      startRaw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const pour = () => {
          while (!socket.destroyed && socket.write(`x: ${'y'.repeat(4096)}\r\n`));
        }
        socket.on('drain', pour)
        pour()
      }),
    )
    expect(await send({ url: at(server) })).toMatchObject({ status: null, error: DELIVERY_ERRORS.headTooLarge })
  })
  it('refuses what is not HTTP', async () => {
    const server = await local(startRaw((socket) => socket.end('220 mail.example.com ESMTP\r\n')))
    expect(await send({ url: at(server) })).toMatchObject({ status: null, error: DELIVERY_ERRORS.notHttp })
  })
  it('leaves no connection open', async () => {
    let isOpen = true
    const server = await local(
      startRaw((socket) =>
        socket.resume().on('close', () => {
          isOpen = false
        }),
      ),
    )
    await send({ url: at(server) }, { timeoutMs: 100 })
    await expect.poll(() => isOpen).toBe(false)
  })
})

describe('where requests may go', () => {
  it('is nowhere private by default', async () => {
    const server = await local(ok())
    expect(await send({ url: at(server) }, { allowCidrs: [] })).toMatchObject({
      ok: false,
      status: null,
      responseBody: '',
      error: DELIVERY_ERRORS.refused,
    })
    expect(
      await send({ url: at(server, 'hook.example.com') }, { allowCidrs: [], resolver: async () => ['127.0.0.1'] }),
    ).toMatchObject({ error: DELIVERY_ERRORS.refused })
    expect(server.connections).toBe(0)
  })
  it('is the checked address of a name, under that name', async () => {
    const server = await local(ok())
    let lookUps = 0
    const resolver = async () => {
      lookUps++
      return ['127.0.0.1']
    }
    expect(await send({ url: at(server, 'hook.example.com') }, { resolver })).toMatchObject({ ok: true })
    expect(server.seen[0]!.headers.host).toBe(`hook.example.com:${server.port}`)
    expect(lookUps).toBe(1)
  })
  it('is judged anew for every request, so a name that moves inside is refused before anybody connects', async () => {
    const server = await local(ok())
    const answers = [
      ['127.0.0.1'],
      ['10.0.0.1'],
      ['169.254.169.254'],
      ['127.0.0.1', '10.0.0.1'],
      ['::1'],
      ['127.0.0.1'],
    ]
    const egress = createEgress({ allowCidrs: ['127.0.0.1'], resolver: async () => answers.shift()! })
    const results = []
    while (answers.length > 0)
      results.push(await egress.send({ url: at(server, 'rebind.example.com'), method: 'POST', body: '{}' }))
    await egress.close()
    const refused = [null, DELIVERY_ERRORS.refused]
    expect(results.map(({ status, error }) => [status, error])).toEqual([
      [200, null],
      refused,
      refused,
      refused,
      refused,
      [200, null],
    ])
    expect(server.connections).toBe(2)
  })
  it('is nowhere for a name that has no address or does not resolve', async () => {
    expect(await send({ url: 'http://none.example.com/' }, { resolver: async () => [] })).toMatchObject({
      error: DELIVERY_ERRORS.refused,
    })
    expect(
      await send(
        { url: 'http://none.example.com/' },
        {
          resolver: async () => {
            throw new Error('ENOTFOUND 10.0.0.53')
          },
        },
      ),
    ).toMatchObject({ error: DELIVERY_ERRORS.refused })
    expect(await send({ url: 'http://none.example.com/' }, { resolver: async () => ['not an address'] })).toMatchObject(
      { error: DELIVERY_ERRORS.refused },
    )
  })
  it('is the next address when the first one does not answer', async () => {
    const server = await local(ok())
    expect(
      await send(
        { url: at(server, 'hook.example.com') },
        { allowCidrs: ['127.0.0.1', '127.0.0.3'], resolver: async () => ['127.0.0.3', '127.0.0.1'] },
      ),
    ).toMatchObject({ ok: true })
  })
  it('never shows an address in its result', async () => {
    const server = await ok()
    await server.close()
    const results = [
      await send({ url: at(server, 'hook.example.com') }, { resolver: async () => ['127.0.0.1'] }),
      await send({ url: at(server, 'hook.example.com') }, { resolver: async () => ['10.1.2.3'] }),
    ]
    expect(JSON.stringify(results)).not.toMatch(/\d+\.\d+\.\d+\.\d+|ECONN/)
  })
  it.each<[string, Partial<OutboundRequest>]>([
    ['a reserved header', { headers: { Host: 'other.example.com' } }],
    ['a line break in a header', { headers: { 'x-a': 'a\r\nx-b: c' } }],
    ['an unknown method', { method: 'TRACE' as 'POST' }],
    ['another protocol', { url: 'file:///etc/passwd' }],
  ])('is nowhere for a request with %s', async (_, request) => {
    const server = await local(ok())
    expect(await send({ url: at(server), ...request })).toMatchObject({ status: null, error: DELIVERY_ERRORS.invalid })
    expect(server.connections).toBe(0)
  })
})

describe('TLS', () => {
  const secure = async (names: string[]) => {
    const server = createTlsServer({ cert: certificate, key: certificateKey }, (socket) => {
      names.push(String(socket.servername))
      socket.on('error', () => {})
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    })
    return local(listen(server, emptyLog(), '127.0.0.1'))
  }
  const resolver = async () => ['127.0.0.1']

  it('proves the name of the URL, not the address', async () => {
    const trusted = getCACertificates()
    setDefaultCACertificates([certificate])
    try {
      const names: string[] = []
      const server = await secure(names)
      expect(await send({ url: `https://hooks.example.com:${server.port}/` }, { resolver })).toMatchObject({
        ok: true,
        responseBody: 'ok',
      })
      expect(names).toEqual(['hooks.example.com'])
      expect(await send({ url: `https://other.example.com:${server.port}/` }, { resolver })).toMatchObject({
        status: null,
        error: DELIVERY_ERRORS.certificate,
      })
      expect(await send({ url: `https://127.0.0.1:${server.port}/` })).toMatchObject({
        status: null,
        error: DELIVERY_ERRORS.certificate,
      })
    } finally {
      setDefaultCACertificates(trusted)
    }
  })
  it('refuses a certificate that nobody vouches for', async () => {
    const server = await secure([])
    expect(await send({ url: `https://hooks.example.com:${server.port}/` }, { resolver })).toMatchObject({
      ok: false,
      error: DELIVERY_ERRORS.certificate,
    })
  })
  it.each([
    ['speaks HTTP/2 alone', { ALPNProtocols: ['h2'] }, DELIVERY_ERRORS.notHttp],
    [
      'wants a client certificate (TLS 1.3)',
      { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' },
      DELIVERY_ERRORS.clientCertificate,
    ],
    ['speaks an older TLS alone', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }, DELIVERY_ERRORS.handshake],
  ] as const)('says in words that the receiver %s', async (_what, options, error) => {
    const trusted = getCACertificates()
    setDefaultCACertificates([certificate])
    try {
      const tls = createTlsServer({ cert: certificate, key: certificateKey, ...options } as TlsOptions, (socket) =>
        socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')),
      )
      const server = await local(listen(tls, emptyLog(), '127.0.0.1'))
      expect(await send({ url: `https://hooks.example.com:${server.port}/` }, { resolver })).toMatchObject({
        status: null,
        error,
      })
    } finally {
      setDefaultCACertificates(trusted)
    }
  })
  it('says in words that the receiver speaks none', async () => {
    const server = await local(ok())
    expect(await send({ url: `https://hooks.example.com:${server.port}/` }, { resolver })).toMatchObject({
      error: DELIVERY_ERRORS.notSecure,
    })
  })
  it('gives up in time when the handshake is never answered', async () => {
    const server = await local(startRaw(() => {}))
    expect(
      await send({ url: `https://hooks.example.com:${server.port}/` }, { resolver, timeoutMs: 200 }),
    ).toMatchObject({ error: DELIVERY_ERRORS.timedOut })
  })
})

describe('close', () => {
  it('ends what is under way and lets nothing new out', async () => {
    const server = await local(startRaw(() => {}))
    const egress = createEgress({ allowCidrs: ['127.0.0.1'] })
    const pending = egress.send({ url: at(server), method: 'POST', body: '{}' })
    await expect.poll(() => server.connections).toBe(1)
    await egress.close()
    expect(await pending).toMatchObject({ ok: false, status: null, error: DELIVERY_ERRORS.failed })
    expect(await egress.send({ url: at(server), method: 'POST', body: '{}' })).toMatchObject({
      error: DELIVERY_ERRORS.failed,
    })
    expect(server.connections).toBe(1)
  })
})

describe('judgeAddress', () => {
  it('finds a name good with public addresses alone', async () => {
    expect(await judgeAddress('https://example.com/', { resolver: async () => ['1.1.1.1', '2606:4700::1111'] })).toBe(
      'good',
    )
  })
  it.each<[string, string[]]>([
    ['one bad address among good ones', ['1.1.1.1', '10.0.0.1']],
    ['a metadata address', ['169.254.169.254']],
    ['itself', ['::1']],
  ])('refuses a name with %s', async (_, addresses) => {
    expect(await judgeAddress('https://example.com/', { resolver: async () => addresses })).toBe('refused')
  })
  it('knows nothing of a name without an address, or one that cannot be looked up', async () => {
    expect(await judgeAddress('https://example.com/', { resolver: async () => [] })).toBe('unknown')
    expect(
      await judgeAddress('https://example.com/', {
        resolver: async () => {
          throw new Error('SERVFAIL')
        },
      }),
    ).toBe('unknown')
    expect(await judgeAddress('https://example.com/', { resolver: () => new Promise(() => {}), timeoutMs: 50 })).toBe(
      'unknown',
    )
  })
  it('judges literals without a look-up', async () => {
    const resolver = async (): Promise<string[]> => {
      throw new Error('asked')
    }
    expect(await judgeAddress('https://8.8.8.8/', { resolver })).toBe('good')
    expect(await judgeAddress('https://[::1]/', { resolver })).toBe('refused')
  })
})
