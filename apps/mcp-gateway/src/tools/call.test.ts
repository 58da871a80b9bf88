import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startGateway, workspace, type TestGateway } from '../../test/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.upstream.reset()
  gateway.door.reset()
})

const id = '0197b2f0-0000-7000-8000-000000000001'
const call = (name: string, args: Record<string, unknown> = {}) => gateway.rpc('tools/call', { name, arguments: args })
const refuse = (line: string, status: number, body: unknown, headers?: Record<string, string>) =>
  gateway.upstream.answer(line, { status, body, headers })

describe('a call', () => {
  it('is exactly one request to the API, with the caller’s own credential and address', async () => {
    await fetch(`${gateway.url}/api/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer sk-CREATE_LEAD',
        'x-forwarded-for': '203.0.113.9',
        'x-request-id': 'request-1234',
        cookie: 'crm_session=x',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'leads_create', arguments: { firstName: 'Ada', idempotencyKey: 'k-1' } },
      }),
    })
    expect(gateway.upstream.seen).toHaveLength(1)
    const [request] = gateway.upstream.seen
    expect(request).toMatchObject({ method: 'POST', url: '/api/leads', body: '{"firstName":"Ada"}' })
    expect(request?.headers).toMatchObject({
      host: new URL(gateway.url).host,
      authorization: 'Bearer sk-CREATE_LEAD',
      'x-forwarded-for': '203.0.113.9',
      'x-request-id': 'request-1234',
      'x-crm-source': 'MCP',
      'idempotency-key': 'k-1',
      'content-type': 'application/json',
    })
    expect(request?.headers).not.toHaveProperty('cookie')
  })

  it('gives the body of the API as text and as structured content', async () => {
    const body = { success: true, data: { id, firstName: 'Ada “the first” \u2028' } }
    gateway.upstream.answer(`GET /api/leads/${id}`, { body })
    const { status, result } = await call('leads_get', { id })
    expect(status).toBe(200)
    expect(result).toEqual({ content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body })
  })

  it('puts a list into items, because structured content is an object', async () => {
    gateway.upstream.answer('GET /api/leads', { body: [1, 2] })
    expect((await call('leads_list')).result).toEqual({
      content: [{ type: 'text', text: '[1,2]' }],
      structuredContent: { items: [1, 2] },
    })
  })

  it.each(['\0', '鍵', 'x'.repeat(256)])(
    'refuses an idempotency key that cannot be sent, and asks the API nothing: %j',
    async (idempotencyKey) => {
      const { status, result } = await call('leads_create', { firstName: 'Ada', idempotencyKey })
      expect({ status, ...result }).toMatchObject({
        status: 200,
        isError: true,
        structuredContent: { status: 400, code: 'IDEMPOTENCY_KEY_INVALID' },
      })
      expect(gateway.upstream.seen).toEqual([])
    },
  )

  it('gives search and fetch the shape of a search connector', async () => {
    const hit = {
      id: `lead:${id}`,
      type: 'lead',
      title: 'Ada',
      snippet: '',
      url: 'https://crm.acme.example/leads/1',
      score: 1,
    }
    gateway.upstream.answer('GET /api/search', { body: { results: [hit] } })
    const { result } = await call('search', { query: 'ada' })
    const expected = { results: [{ id: hit.id, title: 'Ada', url: hit.url }] }
    expect(result).toEqual({ content: [{ type: 'text', text: JSON.stringify(expected) }], structuredContent: expected })
    expect(gateway.upstream.seen[0]?.url).toBe('/api/search?q=ada')
  })

  it('carries a small file and names a large one', async () => {
    const path = `/api/invoices/${id}/pdf`
    const pdf = (body: Buffer, headers: Record<string, string> = {}) =>
      gateway.upstream.answer(`GET ${path}`, { body, headers: { 'content-type': 'application/pdf', ...headers } })
    const uri = `${workspace.baseUrl}${path}`
    pdf(Buffer.from('%PDF'))
    expect((await call('invoices_pdf', { id })).result).toEqual({
      content: [
        {
          type: 'resource',
          resource: { uri, mimeType: 'application/pdf', blob: Buffer.from('%PDF').toString('base64') },
        },
      ],
    })
    const size = 1024 * 1024 + 1
    pdf(Buffer.alloc(size), { 'content-length': String(size) })
    expect((await call('invoices_pdf', { id })).result).toMatchObject({
      structuredContent: { size, mimeType: 'application/pdf', uri },
    })
    pdf(Buffer.alloc(size), { 'transfer-encoding': 'chunked' })
    expect((await call('invoices_pdf', { id })).result).toMatchObject({ structuredContent: { size } })
  })
})

const blobType = 'application/octet-stream'

describe('a file', () => {
  const file = async (body: Buffer | string, contentType: string) => {
    gateway.upstream.answer(`GET /api/files/${id}/content`, {
      body: Buffer.from(body),
      headers: { 'content-type': contentType },
    })
    return (await call('files_content', { id })).result
  }
  const uri = `${workspace.baseUrl}/api/files/${id}/content`

  it.each(['text/plain', 'text/csv; charset=utf-8', 'application/json', 'application/xml', 'image/svg+xml'])(
    'of the type %s comes as text',
    async (mimeType) => {
      const isText = mimeType !== 'image/svg+xml'
      const text = '{"größe": 1}'
      expect(await file(text, mimeType)).toEqual({
        content: [
          {
            type: 'resource',
            resource: { uri, mimeType, ...(isText ? { text } : { blob: Buffer.from(text).toString('base64') }) },
          },
        ],
      })
    },
  )

  it('of text is named from 64 KB on', async () => {
    const most = 'x'.repeat(64 * 1024)
    expect(await file(most, 'text/plain')).toMatchObject({ content: [{ resource: { text: most } }] })
    for (const size of [64 * 1024 + 1, 2 * 1024 * 1024])
      for (const mimeType of ['text/plain', 'application/json'])
        expect(await file(Buffer.alloc(size, 32), mimeType)).toMatchObject({
          structuredContent: { size, mimeType, uri },
        })
  })

  it('that is no UTF-8 comes as bytes, whatever its type says', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x41, 0x00])
    for (const mimeType of ['text/plain', 'text/plain; charset=utf-16le', blobType])
      expect(await file(bytes, mimeType)).toMatchObject({ content: [{ resource: { blob: bytes.toString('base64') } }] })
  })
})

describe('a refusal', () => {
  it.each([
    ['ACCESS_DENIED', { requiredPermission: 'UPDATE_LEAD' }, 'UPDATE_LEAD'],
    ['ACCESS_LEVEL_NONE', { requiredPermission: 'UPDATE_LEAD' }, 'UPDATE_LEAD'],
    ['ACCOUNT_DISABLED', {}, 'UPDATE_LEAD'],
  ])('%s is HTTP 403 with the body of the API', async (code, extra, permission) => {
    refuse(`PATCH /api/leads/${id}`, 403, { error: 'No', code, ...extra })
    const { status, headers, error } = await call('leads_update', { id })
    expect(status).toBe(403)
    expect(error).toEqual({
      code: -32003,
      message: 'No',
      data: { error: 'No', code, ...extra, status: 403, permission },
    })
    expect(headers.get('www-authenticate')).toBeNull()
  })

  it('asks for a wider scope when the API says that the person holds the right', async () => {
    const wider = 'Bearer error="insufficient_scope", scope="UPDATE_LEAD"'
    refuse(`PATCH /api/leads/${id}`, 403, { error: 'No', code: 'ACCESS_DENIED' }, { 'www-authenticate': wider })
    const { headers } = await call('leads_update', { id })
    expect(headers.get('www-authenticate')).toBe(
      `${wider}, resource_metadata="${workspace.baseUrl}/.well-known/oauth-protected-resource/api/mcp"`,
    )
  })

  it('of a module or a quota, and any other, is a result that a model can read', async () => {
    refuse('POST /api/leads', 403, { error: 'Off', code: 'MODULE_DISABLED', key: 'SALES', reason: 'plan' })
    const off = { status: 403, error: 'Off', code: 'MODULE_DISABLED', key: 'SALES', reason: 'plan' }
    expect(await call('leads_create')).toMatchObject({
      status: 200,
      result: { isError: true, structuredContent: off, content: [{ type: 'text', text: JSON.stringify(off) }] },
    })
    const invalid = { error: 'Not valid', code: 'VALIDATION_ERROR', issues: [{ path: ['phone'], message: 'x' }] }
    refuse('POST /api/leads', 400, invalid)
    expect((await call('leads_create')).result).toMatchObject({
      isError: true,
      structuredContent: { status: 400, ...invalid },
    })
    refuse('POST /api/leads', 500, { error: 'Internal server error', code: 'INTERNAL_ERROR', errorId: 'e-1' })
    expect((await call('leads_create')).result).toMatchObject({
      isError: true,
      structuredContent: { status: 500, errorId: 'e-1' },
    })
    refuse('POST /api/leads', 502, '<html>')
    expect((await call('leads_create')).result).toMatchObject({
      isError: true,
      structuredContent: { status: 502, error: '<html>' },
    })
  })

  it('for the rate is a result with the seconds to wait', async () => {
    refuse('GET /api/leads', 429, { error: 'Too many requests', code: 'RATE_LIMITED' }, { 'retry-after': '17' })
    const answer = await call('leads_list')
    expect(answer).toMatchObject({
      status: 200,
      result: { isError: true, structuredContent: { status: 429, code: 'RATE_LIMITED', retryAfter: 17 } },
    })
    expect(answer.headers.get('retry-after')).toBe('17')
  })

  it('with an unknown argument is refused, and nothing is asked of the API', async () => {
    const answer = await call('leads_list', { stauts: 'NEW' })
    expect(answer).toMatchObject({
      status: 200,
      result: {
        isError: true,
        structuredContent: {
          status: 400,
          code: 'UNKNOWN_QUERY_PARAM',
          details: {
            unknownParams: ['stauts'],
            acceptedParams: expect.arrayContaining(['status', 'cf_<name>']),
            suggestions: { stauts: 'status' },
          },
        },
      },
    })
    expect(await call('leads_create', { fristName: 'Ada', lastName: 'L' })).toMatchObject({
      result: {
        isError: true,
        structuredContent: {
          status: 400,
          code: 'VALIDATION_ERROR',
          issues: [{ path: ['fristName'], values: expect.arrayContaining(['firstName']) }],
          details: { suggestions: { fristName: 'firstName' } },
        },
      },
    })
    expect(gateway.upstream.seen).toEqual([])
  })

  it('for an id of another kind is INVALID_ID, and nothing is asked of the API', async () => {
    for (const [name, args] of [
      ['leads_get', { id: `deal:${id}` }],
      ['tasks_list', { projectId: `company:${id}` }],
      ['deals_create', { name: 'D', companyId: `contact:${id}` }],
      ['tasks_create', { title: 'T', links: [{ entityType: 'DEAL', entityId: `lead:${id}` }] }],
      ['leads_merge', { id: `lead:${id}`, sourceIds: [`contact:${id}`] }],
    ] as const)
      expect(await call(name, args)).toMatchObject({
        status: 200,
        result: { isError: true, structuredContent: { status: 400, code: 'INVALID_ID' } },
      })
    expect(gateway.upstream.seen).toEqual([])
  })

  it('of a tool that there is not names the nearest one', async () => {
    for (const [wrong, nearest] of [
      ['lead_list', 'leads_list'],
      ['list_deals', 'deals_list'],
    ] as const)
      expect(await call(wrong)).toMatchObject({
        status: 200,
        error: { code: -32602, data: { suggestions: expect.arrayContaining([nearest]) } },
      })
  })

  it('of an unknown record is a result', async () => {
    refuse(`GET /api/leads/${id}`, 404, { error: 'Not found', code: 'NOT_FOUND' })
    expect(await call('leads_get', { id })).toMatchObject({
      status: 200,
      result: { isError: true, structuredContent: { status: 404, code: 'NOT_FOUND' } },
    })
  })

  it('for a missing id names the argument, counts once and reaches no other path', async () => {
    const { result } = await call('leads_get', {})
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: 400, code: 'VALIDATION_ERROR', issues: [{ path: ['id'] }] },
    })
    expect(gateway.door.asked()).toBe(1)
    expect(gateway.upstream.seen).toEqual([])
  })
})

describe('an answer of more than 1 MB', () => {
  const items = Array.from({ length: 400 }, (_, n) => ({
    id: n,
    text: `“${n}” \u2028 \ud83d\ude80 \\ "\n${'ä'.repeat(2_000)}`,
  }))

  it('comes as it is, as text alone', async () => {
    gateway.upstream.answer('GET /api/leads', { body: { items } })
    const { status, result } = await call('leads_list')
    expect(status).toBe(200)
    expect(Object.keys(result ?? {})).toEqual(['content'])
    const [content] = (result?.['content'] ?? []) as readonly { readonly text: string }[]
    expect(JSON.parse(content?.text ?? '')).toEqual({ items })
  })

  it('is never held: what is not read yet stays with the API', async () => {
    const chunk = `{"text":"${'x'.repeat(64 * 1024)}"},`
    const sent = { bytes: 0, isClosed: false }
    const endless = createServer((request, response) => {
      if (request.url === '/healthz') return response.end()
      response.on('close', () => (sent.isClosed = true)).writeHead(200, { 'content-type': 'application/json' })
      const more = (): void => {
        do sent.bytes += chunk.length
        while (response.write(chunk))
      }
      response.on('drain', more).write('{"items":[')
      return more()
    })
    await once(endless.listen(0, '127.0.0.1'), 'listening')
    const one = await startGateway({ crmApiUrl: `http://127.0.0.1:${(endless.address() as AddressInfo).port}` })
    const socket = connect(Number(new URL(one.url).port), '127.0.0.1')
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'leads_list' } })
    socket.write(
      `POST /api/mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-VIEW_LEAD\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await once(socket, 'readable')
    // The caller reads nothing more. The sent bytes are limited to the buffers of sockets and streams, so they stop growing.
    let before = -1
    await expect
      .poll(
        () => {
          const isStill = before === sent.bytes
          before = sent.bytes
          return isStill
        },
        { interval: 500 },
      )
      .toBe(true)
    expect(sent.bytes).toBeLessThan(32 * 1024 * 1024)
    socket.destroy()
    await expect.poll(() => sent.isClosed).toBe(true)
    await one.close()
    endless.close()
  })

  it('that ends in the middle cuts the connection', async () => {
    const broken = createServer((request, response) => {
      if (request.url === '/healthz') return response.end()
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .write(`{"text":"${'x'.repeat(2 * 1024 * 1024)}`, () => response.destroy())
      return response
    })
    await once(broken.listen(0, '127.0.0.1'), 'listening')
    const one = await startGateway({ crmApiUrl: `http://127.0.0.1:${(broken.address() as AddressInfo).port}` })
    await expect(one.rpc('tools/call', { name: 'leads_list' })).rejects.toThrow(/terminated/)
    await one.close()
    broken.close()
  })

  it('that a tool would have to give another shape is refused with a way out', async () => {
    gateway.upstream.answer('GET /api/search', { body: { results: items } })
    expect((await call('search', { query: 'ada' })).result).toMatchObject({
      isError: true,
      structuredContent: { status: 413, code: 'PAYLOAD_TOO_LARGE', error: expect.stringMatching(/1 MB/) },
    })
  })
})

describe('an API that is frozen', () => {
  it('is given up when it does not even say that it is alive', async () => {
    const frozen = createServer(() => undefined)
    await once(frozen.listen(0, '127.0.0.1'), 'listening')
    const one = await startGateway({
      crmApiUrl: `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`,
      patience: { aliveAfterMs: 200, aliveWithinMs: 200 },
    })
    const refused = await one.rpc('tools/call', { name: 'leads_list' })
    expect(refused).toMatchObject({
      status: 200,
      result: { isError: true, structuredContent: { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: 5 } },
    })
    expect(await one.rpc('resources/read', { uri: 'crm://openapi' })).toMatchObject({ status: 503 })
    frozen.closeAllConnections()
    frozen.close()
    await one.close()
  })

  it('is waited for as long as it is alive', async () => {
    const asked = Promise.withResolvers<void>()
    const slow = createServer(async (request, response) => {
      if (request.url !== '/healthz') await asked.promise
      else asked.resolve()
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    await once(slow.listen(0, '127.0.0.1'), 'listening')
    const one = await startGateway({
      crmApiUrl: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
      patience: { aliveAfterMs: 200, aliveWithinMs: 5_000 },
    })
    expect((await one.rpc('tools/call', { name: 'leads_list' })).result).toMatchObject({ structuredContent: {} })
    slow.closeAllConnections()
    slow.close()
    await one.close()
  })
})

describe('an API that is being replaced', () => {
  it('is asked a question again when it closed its connection, and is told a change once', async () => {
    const seen: string[] = []
    const replaced = createServer((request, response) => {
      if (request.url === '/healthz') return response.end()
      seen.push(request.method ?? '')
      // The first request of each kind finds a connection that its process has just closed.
      if (seen.filter((method) => method === request.method).length === 1) return response.destroy()
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    await once(replaced.listen(0, '127.0.0.1'), 'listening')
    const one = await startGateway({ crmApiUrl: `http://127.0.0.1:${(replaced.address() as AddressInfo).port}` })
    expect((await one.rpc('tools/call', { name: 'leads_list' })).result).toMatchObject({ structuredContent: {} })
    expect(await one.rpc('tools/call', { name: 'leads_create', arguments: { firstName: 'Ada' } })).toMatchObject({
      result: { isError: true, structuredContent: { status: 503 } },
    })
    expect(seen).toEqual(['GET', 'GET', 'POST'])
    replaced.closeAllConnections()
    replaced.close()
    await one.close()
  })
})

describe('an API that is reached', () => {
  it('makes the gateway ready', async () => {
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
  })
})

describe('an API that cannot be reached', () => {
  it('makes a call an error and reading the document HTTP 503, but tools are listed', async () => {
    const alone = await startGateway({ crmApiUrl: 'http://127.0.0.1:9' })
    const refused = await alone.rpc('tools/call', { name: 'leads_list' })
    expect(refused).toMatchObject({
      status: 200,
      result: { isError: true, structuredContent: { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: 5 } },
    })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await alone.rpc('resources/read', { uri: 'crm://openapi' })).toMatchObject({
      status: 503,
      error: { code: -32005, data: { code: 'SERVICE_UNAVAILABLE' } },
    })
    expect(await alone.rpc('tools/list')).toMatchObject({ status: 200 })
    expect((await fetch(`${alone.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${alone.url}/readyz`)).status).toBe(503)
    await alone.close()
  })
})
