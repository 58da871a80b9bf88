import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
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

const key = { authorization: 'Bearer sk-VIEW_LEAD' }
const challenge = `Bearer resource_metadata="${workspace.baseUrl}/.well-known/oauth-protected-resource/api/mcp"`
const dead = `${challenge}, error="invalid_token"`
const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const seenLines = () => gateway.upstream.seen.map(({ method, url }) => `${method} ${url}`)

/** `fetch` may not send a Host header of its own. */
async function postWithHost(host: string, body: unknown, headers: Record<string, string> = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const request = httpRequest(
    `${gateway.url}/api/mcp`,
    { method: 'POST', headers: { host, 'content-type': 'application/json', ...headers } },
    (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    },
  )
  request.on('error', reject)
  request.end(JSON.stringify(body))
  return promise
}

describe('the handshake', () => {
  it.each(['2025-06-18', '2025-11-25', '2024-11-05', '2030-01-01'])(
    'answers 2025-06-18 to a client that asks for %s, without a credential',
    async (version) => {
      const response = await gateway.post(initialize(version))
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {}, resources: {} },
          serverInfo: { name: 'workspace-crm' },
        },
      })
      expect(gateway.upstream.seen).toEqual([])
    },
  )

  it.each([null, {}, { _meta: null }, { _meta: { progressToken: null } }, { cursor: null }])(
    'takes null for absence in params: %j',
    async (params) => {
      const response = await gateway.post({ jsonrpc: '2.0', id: 'n', method: 'ping', params })
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 'n', result: {} })
    },
  )

  it.each([{ _meta: 'x' }, { _meta: [] }, { _meta: { progressToken: {} } }])(
    'answers a request that the protocol layer refuses at once: %j',
    async (params) => {
      const response = await gateway.post({ jsonrpc: '2.0', id: 9, method: 'tools/list', params }, key)
      expect(await response.json()).toMatchObject({ id: 9, error: { code: -32602 } })
    },
  )

  it('lists no templates of resources, which its capability implies', async () => {
    const response = await gateway.post({ jsonrpc: '2.0', id: 1, method: 'resources/templates/list' }, key)
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { resourceTemplates: [] } })
  })

  it('refuses a packed body with 415', async () => {
    const response = await gateway.post(list, { ...key, 'content-encoding': 'gzip' })
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity'])
  })

  it('leaves ping open', async () => {
    expect(await (await gateway.post({ jsonrpc: '2.0', id: 'p', method: 'ping' })).json()).toEqual({
      jsonrpc: '2.0',
      id: 'p',
      result: {},
    })
  })
})

/** Announces a large body and sends none of it. */
async function announceLarge(path: string, headers: Record<string, string> = {}) {
  const request = httpRequest(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '2000000', ...headers },
  })
  request.on('error', () => undefined)
  request.flushHeaders()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = await json(response)
  request.destroy()
  return { status: response.statusCode, challenge: response.headers['www-authenticate'], body }
}

describe('401', () => {
  it('answers a large body without a credential before it is there', async () => {
    expect(await announceLarge('/api/mcp')).toMatchObject({
      status: 401,
      challenge,
      body: { jsonrpc: '2.0', id: null, error: { code: -32001 } },
    })
  })

  it.each(['tools/list', 'tools/call', 'resources/list', 'resources/read', 'no/such'])(
    'answers %s without a credential, and asks the API nothing',
    async (method) => {
      const { status, headers, error } = await gateway.rpc(method, { name: 'leads_list', uri: 'x' }, { key: null })
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toBe(challenge)
      expect(error).toMatchObject({ code: -32001 })
      expect(gateway.upstream.seen).toEqual([])
    },
  )

  it.each(['tools/list', 'tools/call', 'resources/list', 'resources/read', 'no/such'])(
    'answers %s with a dead credential',
    async (method) => {
      const { status, headers } = await gateway.rpc(
        method,
        { name: 'leads_list', uri: 'crm://openapi' },
        { key: 'dead' },
      )
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toBe(dead)
    },
  )

  it('answers a notification without a credential, or with a dead one', async () => {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await gateway.post(initialized)).status).toBe(401)
    expect((await gateway.post(initialized, { authorization: 'Bearer dead' })).headers.get('www-authenticate')).toBe(
      dead,
    )
  })
})

describe('the address with a slash at its end', () => {
  it('is answered as the one without', async () => {
    const send = (init: Pick<RequestInit, 'method' | 'body'>, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${gateway.url}/api/mcp/`, { ...init, headers: { 'content-type': 'application/json', ...headers } })
    const refused = await send({ method: 'POST', body: JSON.stringify(list) })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, challenge.replace(/"$/, '/"')])
    expect((await send({ method: 'POST', body: JSON.stringify(list) }, key)).status).toBe(200)
    expect((await send({ method: 'GET' })).status).toBe(405)
  })
})

describe('202', () => {
  it('answers a notification with a valid credential, and an answer to nothing', async () => {
    const response = await gateway.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, key)
    expect(response.status).toBe(202)
    expect(await response.text()).toBe('')
    expect((await gateway.post({ jsonrpc: '2.0', id: 3, result: {} }, key)).status).toBe(202)
  })
})

describe('400', () => {
  it.each([
    ['{"jsonrpc":', -32700],
    ['', -32700],
    ['[]', -32600],
    [JSON.stringify([list]), -32600],
    ['"text"', -32600],
    ['{"id":7,"method":"tools/list"}', -32600],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
  ])('answers the body %s with %i', async (body, code) => {
    const response = await gateway.post(body, key)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } })
  })

  it('answers in the words of JSON-RPC whatever the framework refuses', async () => {
    const unreadable = await gateway.post(list, { ...key, 'content-type': ';' })
    expect([unreadable.status, await unreadable.json()]).toMatchObject([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32700 } },
    ])
    const tooLarge = await gateway.post(
      JSON.stringify({ ...list, params: { text: 'x'.repeat(16 * 1024 * 1024) } }),
      key,
    )
    expect([tooLarge.status, await tooLarge.json()]).toMatchObject([
      413,
      { jsonrpc: '2.0', id: null, error: { code: -32600 } },
    ])
  })

  it('gives null as the id of what cannot be read', async () => {
    expect(await (await gateway.post('{', key)).json()).toMatchObject({ id: null })
  })

  it('answers a protocol version that was never released', async () => {
    expect((await gateway.post(list, { ...key, 'mcp-protocol-version': '2020-01-01' })).status).toBe(400)
    for (const version of ['2025-06-18', '2025-03-26', '2025-11-25']) {
      expect((await gateway.post(list, { ...key, 'mcp-protocol-version': version })).status, version).toBe(200)
    }
  })
})

describe('requests of many senders at once', () => {
  it('are answered apart, although all of them have the same id', async () => {
    const scopes = ['VIEW_LEAD', 'VIEW_DEAL', '']
    const names = await Promise.all(
      Array.from({ length: 30 }, async (_unused, at) => {
        const response = await gateway.post(list, { authorization: `Bearer sk-${scopes[at % 3]}` })
        const { id, result } = (await response.json()) as { id: number; result: { tools: { name: string }[] } }
        return [id, result.tools.map(({ name }) => name).find((name) => name.endsWith('s_list')) ?? null]
      }),
    )
    expect(names).toEqual(Array.from({ length: 30 }, (_unused, at) => [7, ['leads_list', 'deals_list', null][at % 3]]))
  })

  it('do not end those of others by a cancellation of their own', async () => {
    const listing = gateway.rpc('tools/list')
    const cancel = gateway.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, key)
    expect([(await cancel).status, (await listing).status]).toEqual([202, 200])
  })
})

describe('a request that asks for what is not there', () => {
  it('is answered with -32601 for a method and -32602 for a tool or parameters, once the credential is known to be valid', async () => {
    expect(await gateway.rpc('prompts/list')).toMatchObject({ status: 200, error: { code: -32601 } })
    expect(await gateway.rpc('tools/call', { name: 'openapi_get' })).toMatchObject({
      status: 200,
      error: { code: -32602 },
    })
    expect(await gateway.rpc('tools/call', { arguments: {} })).toMatchObject({
      status: 200,
      error: { code: -32602, message: 'name must be text and arguments an object' },
    })
    expect(await gateway.rpc('resources/read', { uri: 1 })).toMatchObject({
      status: 200,
      error: { code: -32602, message: 'uri must be text' },
    })
    expect(gateway.door.asked()).toBe(4)
    expect(gateway.upstream.seen).toEqual([])
  })

  it('is 404 at a host that is no workspace, whatever the method', async () => {
    gateway.door.say({ workspace: null, caller: null })
    gateway.upstream.answer('GET /api/leads', { status: 404, body: { error: 'x', code: 'NOT_FOUND' } })
    expect(await postWithHost('nobody.example', initialize('2025-06-18'))).toBe(404)
    expect(await postWithHost('nobody.example', list)).toBe(404)
    expect(await postWithHost('nobody.example', list, key)).toBe(404)
    expect(
      await postWithHost('nobody.example', { ...list, method: 'tools/call', params: { name: 'leads_list' } }, key),
    ).toBe(404)
  })
})

describe('a page that calls its own address', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it.each([
    ['evil.example', 'http://evil.example', 403],
    ['evil.example:8080', 'http://evil.example:8080', 403],
    ['second.example', 'http://second.example', 200],
    ['crm.acme.example', 'https://crm.acme.example', 200],
    ['localhost:8080', 'http://localhost:8080', 200],
    ['[::1]:8080', 'http://[::1]:8080', 200],
    ['evil.example', 'https://chat.example', 200],
  ])('at %s from %s is answered with %i', async (host, origin, status) => {
    expect(await postWithHost(host, ping, { origin })).toBe(status)
  })
})

describe('other methods of HTTP', () => {
  it.each(['GET', 'DELETE', 'PUT'])('%s is 405 and names POST', async (method) => {
    const response = await fetch(`${gateway.url}/api/mcp`, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  it('a body makes no difference', async () => {
    const response = await fetch(`${gateway.url}/api/mcp`, {
      method: 'PUT',
      body: 'no JSON',
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(405)
  })

  it('OPTIONS lets any origin call with a credential of its own', async () => {
    const response = await fetch(`${gateway.url}/api/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://chat.example', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    const refused = await gateway.post(list, { origin: 'https://chat.example' })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  })
})

describe('tools/list', () => {
  const namesOf = (result: Readonly<Record<string, unknown>> = {}) =>
    (result['tools'] as { name: string }[]).map(({ name }) => name)

  it('lists what the credential is offered, on one page, and counts as one request', async () => {
    const { result } = await gateway.rpc('tools/list')
    expect(namesOf(result).slice(0, 3)).toEqual(['search', 'fetch', 'leads_list'])
    expect(namesOf(result)).not.toContain('pipelines_list')
    expect(result).not.toHaveProperty('nextCursor')
    expect(gateway.door.asked()).toBe(1)
    expect(gateway.upstream.seen).toEqual([])
  })

  it('is the same bytes whatever the id, for every credential with the same permissions', async () => {
    const ids = [1, 'ä “x”', -5]
    const texts = await Promise.all(
      ids.map(async (id, at) => {
        const response = await gateway.post(
          { ...list, id },
          { authorization: `Bearer sk-${at % 2 ? 'VIEW_LEAD,VIEW_DEAL' : 'VIEW_DEAL,VIEW_LEAD'}` },
        )
        const text = await response.text()
        expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
        expect(response.headers.get('x-request-id')).not.toBeNull()
        expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id })
        return text.slice(text.indexOf('"result"'))
      }),
    )
    expect(new Set(texts).size).toBe(1)
  })

  it('lists nothing to a key without scopes', async () => {
    expect((await gateway.rpc('tools/list', {}, { key: 'sk-' })).result).toEqual({ tools: [] })
  })

  it('can be narrowed in the address, and then the others cannot be called either', async () => {
    const narrow = { path: '/api/mcp?toolsets=leads,me&readonly=true' }
    const names = namesOf((await gateway.rpc('tools/list', {}, narrow)).result)
    expect(names).toEqual([
      'leads_list',
      'leads_get',
      'leads_summary',
      'leads_stage_times',
      'leads_conversion_options',
      'leads_duplicates',
      'leads_duplicates_of',
      'leads_duplicates_of_new',
      'me_get',
      'me_scopes',
      'me_workspace',
    ])
    expect(await gateway.rpc('tools/call', { name: 'leads_create', arguments: {} }, narrow)).toMatchObject({
      error: { code: -32602 },
    })
  })

  it.each([
    'readonly=1',
    'readonly=yes',
    'readonly=TRUE',
    'readonly=',
    'readonly',
    'readonly=false&readonly=true',
    'readOnly=1',
    'read_only=on',
  ])('is read only with ?%s', async (query) => {
    const at = { path: `/api/mcp?toolsets=leads&${query}`, key: 'sk-VIEW_LEAD,CREATE_LEAD,UPDATE_LEAD,DELETE_LEAD' }
    const names = namesOf((await gateway.rpc('tools/list', {}, at)).result)
    expect([names.includes('leads_list'), names.includes('leads_create')]).toEqual([true, false])
    expect(await gateway.rpc('tools/call', { name: 'leads_delete', arguments: {} }, at)).toMatchObject({
      error: { code: -32602 },
    })
  })

  it.each(['readonly=false', 'readonly=0', 'readonly=False', 'readonly=no'])('is whole with ?%s', async (query) => {
    expect(namesOf((await gateway.rpc('tools/list', {}, { path: `/api/mcp?${query}` })).result)).toContain(
      'leads_create',
    )
  })

  it.each(['toolsets=leeds', 'toolsets=leads,leeds', 'toolsets=', 'toolset=leeds', 'toolsets=leads&toolsets=leeds'])(
    'is refused where no such toolset is: ?%s',
    async (query) => {
      for (const method of ['tools/list', 'tools/call']) {
        expect(await gateway.rpc(method, { name: 'leads_list' }, { path: `/api/mcp?${query}` })).toMatchObject({
          error: { code: -32602, message: expect.stringMatching(/^There is no toolset .*leads/) },
        })
      }
      expect(gateway.upstream.seen).toEqual([])
    },
  )

  it('is HTTP 429 with Retry-After over the limit', async () => {
    gateway.door.say({ budget: { allowed: false, retryAfterS: 41 } })
    const { status, headers, error } = await gateway.rpc('tools/list')
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('41')
    expect(error).toMatchObject({ code: -32004, data: { status: 429, code: 'RATE_LIMITED' } })
  })

  it('is 403 for the credential of a suspended person, and 503 while the workspace is updated', async () => {
    gateway.door.say({ caller: { employee: { status: 'SUSPENDED' }, effective: new Set(['VIEW_LEAD']) } })
    expect(await gateway.rpc('tools/list')).toMatchObject({
      status: 403,
      error: { code: -32003, data: { code: 'ACCOUNT_DISABLED' } },
    })
    gateway.door.say({ workspace: { inMaintenance: true } })
    expect(await gateway.rpc('tools/list')).toMatchObject({
      status: 503,
      error: { code: -32005, data: { code: 'SCHEMA_OUT_OF_DATE' } },
    })
  })
})

describe('resources', () => {
  it('hold the OpenAPI document with the address of the workspace, and count once each', async () => {
    const { result } = await gateway.rpc('resources/list')
    expect(result).toMatchObject({
      resources: [{ name: 'openapi', uri: 'crm://openapi', mimeType: 'application/json' }],
    })
    gateway.upstream.answer('GET /api/openapi.json', {
      body: { openapi: '3.1.0', servers: [{ url: '/' }], paths: { '/api/leads': {} } },
    })
    const { result: read = {} } = await gateway.rpc('resources/read', { uri: 'crm://openapi' })
    const [content] = read['contents'] as { uri: string; text: string }[]
    expect(JSON.parse(content?.text ?? '')).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: workspace.baseUrl }],
      paths: { '/api/leads': {} },
    })
    expect(gateway.door.asked()).toBe(2)
    expect(seenLines()).toEqual(['GET /api/openapi.json'])
    expect(gateway.upstream.seen[0]?.headers).not.toHaveProperty('authorization')
  })

  it('are no others', async () => {
    expect(await gateway.rpc('resources/read', { uri: 'crm://other' })).toMatchObject({
      status: 200,
      error: { code: -32002 },
    })
  })
})
