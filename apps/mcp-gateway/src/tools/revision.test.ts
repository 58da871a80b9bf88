import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../test/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.upstream.reset()
  gateway.door.reset()
})

const key = { authorization: 'Bearer sk-VIEW_LEAD,CREATE_LEAD' }
const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
type Members = Record<string, unknown>

interface Sending {
  readonly params?: Members
  readonly meta?: Members | null
  readonly headers?: Record<string, string | undefined>
  readonly credential?: Record<string, string>
}

async function post(method: string, { params = {}, meta: given = meta, headers = {}, credential = key }: Sending = {}) {
  const usual = { 'mcp-protocol-version': version, 'mcp-method': method, ...nameIn(method, params) }
  const all = Object.entries({ ...usual, ...headers, ...credential }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const body = { jsonrpc: '2.0', id: 'q', method, params: { ...params, ...(given ? { _meta: given } : {}) } }
  const response = await gateway.post(body, Object.fromEntries(all))
  return { status: response.status, headers: response.headers, body: (await response.json()) as Members }
}

function nameIn(method: string, { name, uri }: Members): Record<string, string> {
  const named = method === 'tools/call' ? name : method === 'resources/read' ? uri : undefined
  return typeof named === 'string' ? { 'mcp-name': named } : {}
}

const complete = {
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'workspace-crm', title: 'Workspace CRM' } },
}
const kept = { ttlMs: 60_000, cacheScope: 'private' }

describe('without a handshake', () => {
  it('the server says what it speaks', async () => {
    const { status, body } = await post('server/discover')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: 'q',
      result: {
        ...complete,
        ...kept,
        supportedVersions: [version],
        capabilities: { tools: {}, resources: {} },
        instructions: expect.stringContaining('CRM'),
      },
    })
  })

  it.each([
    ['tools/list', 'tools'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ])('%s says how long its answer is good, with the members of each answer once', async (method, member) => {
    const { status, body } = await post(method)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { result: { ...complete, ...kept, [member]: expect.any(Array) } },
    })
    expect(await post(method)).toMatchObject({ body })
  })

  it('a list is the same with a handshake and without', async () => {
    const { body } = await post('tools/list')
    const old = await gateway.post({ jsonrpc: '2.0', id: 'q', method: 'tools/list' }, key)
    const { result } = (await old.json()) as { result: { tools: unknown[] } }
    expect((body['result'] as Members)['tools']).toEqual(result.tools)
    expect(Object.keys(result)).toEqual(['tools'])
  })

  it('a tool is called, and its result is complete', async () => {
    gateway.upstream.answer('POST /api/leads', { status: 201, body: { success: true, data: { firstName: 'Ada' } } })
    const params = { name: 'leads_create', arguments: { firstName: 'Ada' } }
    const { status, body } = await post('tools/call', { params })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { result: { ...complete, structuredContent: { data: { firstName: 'Ada' } } } },
    })
    expect(Object.keys(body['result'] as Members)).not.toContain('ttlMs')
  })

  it('a resource is read', async () => {
    gateway.upstream.answer('GET /api/openapi.json', { body: { openapi: '3.1.0' } })
    const { body } = await post('resources/read', { params: { uri: 'crm://openapi' } })
    expect(body).toMatchObject({ result: { ...complete, ...kept, contents: [{ uri: 'crm://openapi' }] } })
  })

  it('a client that does not name itself is served', async () => {
    const { 'io.modelcontextprotocol/clientInfo': _, ...unnamed } = meta
    expect((await post('tools/list', { meta: unnamed })).status).toBe(200)
  })

  it('the names of headers and their outer blanks make no difference, nor does Base64', async () => {
    gateway.upstream.answer('GET /api/leads', { body: { items: [] } })
    const params = { name: 'leads_list', arguments: {} }
    const headers = {
      'mcp-protocol-version': undefined,
      'MCP-Protocol-Version': ` ${version} `,
      'mcp-name': ' leads_list ',
    }
    expect((await post('tools/call', { params, headers })).status).toBe(200)
    const packed = `=?base64?${Buffer.from('leads_list').toString('base64')}?=`
    expect((await post('tools/call', { params, headers: { 'mcp-name': packed } })).status).toBe(200)
  })

  it('a notification is accepted', async () => {
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: meta } }
    const response = await gateway.post(body, { ...key, 'mcp-protocol-version': version })
    expect(response.status).toBe(202)
  })
})

const versionOf = (value: string) => ({ ...meta, 'io.modelcontextprotocol/protocolVersion': value })

describe('what does not agree is refused', () => {
  it.each<[string, string, Sending, number, number]>([
    ['a header with another version', 'tools/list', { headers: { 'mcp-protocol-version': '2025-06-18' } }, 400, -32020],
    ['no header with the version', 'tools/list', { headers: { 'mcp-protocol-version': undefined } }, 400, -32020],
    ['_meta with another version', 'tools/list', { meta: versionOf('1900-01-01') }, 400, -32020],
    [
      'a version that is not supported',
      'tools/list',
      { meta: versionOf('1900-01-01'), headers: { 'mcp-protocol-version': '1900-01-01' } },
      400,
      -32022,
    ],
    ['another method', 'tools/list', { headers: { 'mcp-method': 'tools/call' } }, 400, -32020],
    ['a method in capitals', 'tools/list', { headers: { 'mcp-method': 'Tools/List' } }, 400, -32020],
    ['no method', 'tools/list', { headers: { 'mcp-method': undefined } }, 400, -32020],
    [
      'the name of another tool',
      'tools/call',
      { params: { name: 'leads_list' }, headers: { 'mcp-name': 'leads_get' } },
      400,
      -32020,
    ],
    ['no name', 'tools/call', { params: { name: 'leads_list' }, headers: { 'mcp-name': undefined } }, 400, -32020],
    [
      'another resource',
      'resources/read',
      { params: { uri: 'crm://openapi' }, headers: { 'mcp-name': 'crm://other' } },
      400,
      -32020,
    ],
    ['no _meta', 'tools/list', { meta: null }, 400, -32602],
    ['no capabilities', 'tools/list', { meta: { 'io.modelcontextprotocol/protocolVersion': version } }, 400, -32602],
    ['a handshake', 'initialize', { params: { protocolVersion: version } }, 404, -32601],
    ['a handshake without _meta', 'initialize', { meta: null }, 404, -32601],
    ['a ping', 'ping', {}, 404, -32601],
    ['a subscription', 'subscriptions/listen', { params: { notifications: {} } }, 404, -32601],
    ['a method that was removed', 'resources/subscribe', { params: { uri: 'crm://openapi' } }, 404, -32601],
    ['an unknown method', 'leads/list', {}, 404, -32601],
    ['a name that is no text', 'tools/call', { params: { name: 7 } }, 400, -32602],
    ['a resource that is not there', 'resources/read', { params: { uri: 'crm://x' } }, 200, -32602],
  ])('%s', async (_, method, sending, status, code) => {
    const answer = await post(method, sending)
    expect(answer).toMatchObject({ status, body: { id: 'q', error: { code } } })
    const stranger = await post(method, { ...sending, credential: {} })
    expect(stranger).toMatchObject({ status: 401, body: { error: { code: -32001 } } })
  })

  it('with the versions that are supported', async () => {
    const answer = await post('tools/list', {
      meta: versionOf('1900-01-01'),
      headers: { 'mcp-protocol-version': '1900-01-01' },
    })
    expect(answer.body).toMatchObject({ error: { data: { supported: [version], requested: '1900-01-01' } } })
  })

  it('with HTTP 403 only where a wider scope would do', async () => {
    const refusal = { error: 'Needs VIEW_DEAL', code: 'ACCESS_DENIED', requiredPermission: 'VIEW_DEAL' }
    gateway.upstream.answer('GET /api/leads', { status: 403, body: refusal })
    const params = { name: 'leads_list', arguments: {} }
    expect(await post('tools/call', { params })).toMatchObject({
      status: 200,
      body: { result: { ...complete, isError: true, structuredContent: { status: 403, code: 'ACCESS_DENIED' } } },
    })
    gateway.upstream.answer('GET /api/leads', {
      status: 403,
      body: refusal,
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="VIEW_DEAL"' },
    })
    const asked = await post('tools/call', { params })
    expect(asked).toMatchObject({ status: 403, body: { id: 'q', error: { code: -32003 } } })
    expect(asked.headers.get('www-authenticate')).toContain('insufficient_scope')
  })
})
