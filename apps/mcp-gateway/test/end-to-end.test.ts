import { createDatabase, createPool } from '@crm/db'
import { bundleOf, createTestWorkspace, startProcess, testDatabase, testRedis, type TestWorkspace } from '@crm/testkit'
import { request } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'

const database = await testDatabase()
const { url: redisUrl } = await testRedis()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
afterAll(() => owner.end())
const db = createDatabase(owner)

const api = await startProcess(bundleOf('crm-api'), { DATABASE_URL: database.urlFor('crm_api'), REDIS_URL: redisUrl })
const gateway = await startProcess(bundleOf('mcp-gateway'), {
  DATABASE_URL: database.urlFor('crm_gateway'),
  REDIS_URL: redisUrl,
  CRM_API_URL: api.url,
})
const workspace = await createTestWorkspace(db)
const { key } = await workspace.apiKey()

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // The assertions of the tests describe the contents of an answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly at?: TestWorkspace
}

/** `fetch` may not send a Host header of its own. */
function send(url: string, { method = 'GET', body, headers = {}, at = workspace }: Sent = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(
    url,
    {
      method,
      headers: { host: at.host, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text === '' ? undefined : JSON.parse(text),
        }),
      )
    },
  )
  sent.on('error', reject)
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })
const atApi = (path: string, credential = key, at = workspace) =>
  send(api.url + path, { headers: bearer(credential), at })
const rpc = (method: string, params?: unknown, credential: string | null = key, at = workspace) =>
  send(`${gateway.url}/api/mcp`, {
    method: 'POST',
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: credential === null ? {} : bearer(credential),
    at,
  })
const callTool = (name: string, args: unknown, credential = key, at = workspace) =>
  rpc('tools/call', { name, arguments: args }, credential, at)
const toolNames = async (credential: string): Promise<string[]> =>
  (await rpc('tools/list', {}, credential)).body.result.tools.map(({ name }: { name: string }) => name)

describe('the handshake', () => {
  it('needs no credential, nor does ping; everything else does', async () => {
    const asked = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    expect(await rpc('initialize', asked, null)).toMatchObject({
      status: 200,
      body: { id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'workspace-crm' } } },
    })
    expect(await rpc('ping', undefined, null)).toMatchObject({
      status: 200,
      body: { jsonrpc: '2.0', id: 1, result: {} },
    })
    for (const method of ['tools/list', 'resources/list']) {
      const refused = await rpc(method, {}, null)
      expect(refused).toMatchObject({ status: 401, body: { error: { code: -32001 } } })
      expect(refused.headers['www-authenticate']).toContain(
        `http://${workspace.host}/.well-known/oauth-protected-resource`,
      )
    }
  })

  it('is by POST alone: GET answers 405', async () => {
    expect(await send(`${gateway.url}/api/mcp`, { headers: bearer(key) })).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
    })
  })
})

describe('tools', () => {
  it('are offered by path and refused by permission: 403 with -32003', async () => {
    const reader = (await workspace.apiKey({ scopes: ['VIEW_LEAD'] })).key
    expect(await toolNames(reader)).toEqual(
      expect.arrayContaining(['leads_list', 'leads_get', 'leads_create', 'search', 'fetch']),
    )
    const refused = await callTool('leads_create', { lastName: 'Refused' }, reader)
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: -32003, data: { status: 403, code: 'ACCESS_DENIED', permission: 'CREATE_LEAD' } } },
    })
    expect((await callTool('leads_list', { search: 'Refused' }, reader)).body.result.structuredContent.total).toBe(0)
  })

  it('are none for a key without scopes', async () => {
    expect(await toolNames((await workspace.apiKey({ scopes: [] })).key)).toEqual([])
  })

  it('create a lead, find it and read it; its history says MCP', async () => {
    const created = (
      await callTool('leads_create', { firstName: 'Grace', lastName: 'Höpper', email: 'grace@navy.example' })
    ).body.result
    expect(created.isError).toBeUndefined()
    const { id } = created.structuredContent.data
    expect(created.structuredContent).toMatchObject({
      success: true,
      data: { lastName: 'Höpper', ownerId: workspace.adminUserId },
    })
    for (const query of ['', '   ', 'x'.repeat(201)])
      expect((await callTool('search', { query })).body.result, query).toMatchObject({
        isError: true,
        structuredContent: {
          status: 400,
          code: 'INVALID_QUERY_PARAM',
          error: expect.stringMatching(/^query: /),
          details: { param: 'query' },
        },
      })
    const { results } = (await callTool('search', { query: 'hopper' })).body.result.structuredContent
    expect(results).toEqual([{ id: `lead:${id}`, title: 'Grace Höpper', url: `http://${workspace.host}/leads/${id}` }])
    const fetched = (await callTool('fetch', { id: results[0].id })).body.result.structuredContent
    expect(fetched).toMatchObject({ id: `lead:${id}`, title: 'Grace Höpper', metadata: { type: 'lead' } })
    expect(JSON.parse(fetched.text)).toMatchObject({ id, email: 'grace@navy.example' })
    expect((await atApi(`/api/crm/timeline?entityType=LEAD&entityId=${id}`)).body.items).toMatchObject([
      { kind: 'CREATED', source: 'MCP' },
    ])
  })

  it('answer what is wrong as a result that a model can read', async () => {
    const { result } = (await callTool('leads_create', { phone: '12345' })).body
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: 400, code: 'VALIDATION_ERROR', issues: [{ path: ['phone'] }] },
    })
    expect((await callTool('fetch', { id: 'lead:01890000-0000-7000-8000-000000000000' })).body.result).toMatchObject({
      isError: true,
      structuredContent: { status: 404, code: 'NOT_FOUND' },
    })
  })
})

describe('a credential', () => {
  it('that works only elsewhere lists no tools', async () => {
    const { key: far } = await workspace.apiKey({ allowedCidrs: ['192.0.2.0/24'] })
    expect(await rpc('tools/list', {}, far)).toMatchObject({ status: 403, body: { error: { code: -32003 } } })
    const { key: near } = await workspace.apiKey({ allowedCidrs: ['127.0.0.0/8', '::1/128'] })
    expect((await rpc('tools/list', {}, near)).status).toBe(200)
  })

  it('that was revoked is refused on the very next request', async () => {
    const { id, key: revoked } = await workspace.apiKey()
    expect((await rpc('tools/list', {}, revoked)).status).toBe(200)
    const cookie = await workspace.session()
    const origin = `http://${workspace.host}`
    expect(
      (await send(`${api.url}/api/settings/api-keys/${id}`, { method: 'DELETE', headers: { cookie, origin } })).status,
    ).toBe(200)
    expect(await callTool('leads_list', {}, revoked)).toMatchObject({ status: 401, body: { error: { code: -32001 } } })
    expect((await rpc('tools/list', {}, revoked)).status).toBe(401)
  })

  it('of one workspace is none in another', async () => {
    const other = await createTestWorkspace(db)
    expect((await callTool('leads_list', {}, key, other)).status).toBe(401)
  })
})

it('the resource openapi is the document of this workspace', async () => {
  const { resources } = (await rpc('resources/list')).body.result
  expect(resources).toMatchObject([{ uri: 'crm://openapi', name: 'openapi' }])
  const { contents } = (await rpc('resources/read', { uri: 'crm://openapi' })).body.result
  const read = JSON.parse(contents[0].text)
  const served = (await atApi('/api/openapi.json')).body
  expect(read).toMatchObject({ openapi: served.openapi, servers: [{ url: `http://${workspace.host}` }] })
  expect(read.paths).toEqual(served.paths)
})

describe('the rate limit of a key', () => {
  const me = (credential: string, n: number) =>
    Promise.all(Array.from({ length: n }, () => atApi('/api/me', credential)))
  const passed = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length

  it('counts a tool call as the one request that it makes', async () => {
    const counted = (await workspace.apiKey()).key
    expect((await callTool('leads_list', {}, counted)).body.result.isError).toBeUndefined()
    const answers = await me(counted, 600)
    expect(passed(answers)).toBe(599)
    expect(answers.find(({ status }) => status === 429)?.body.code).toBe('RATE_LIMITED')
  })

  it('counts a list of tools, and a list of resources, as one request each', async () => {
    const counted = (await workspace.apiKey()).key
    expect((await rpc('tools/list', {}, counted)).status).toBe(200)
    expect((await rpc('resources/list', {}, counted)).status).toBe(200)
    expect(passed(await me(counted, 600))).toBe(598)
  })

  it('is told to the caller of a tool, and of a list of tools as 429', async () => {
    const spent = (await workspace.apiKey()).key
    expect(passed(await me(spent, 600))).toBe(600)
    const { result } = (await callTool('leads_list', {}, spent)).body
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: 429, code: 'RATE_LIMITED', retryAfter: expect.any(Number) },
    })
    const refused = await rpc('tools/list', {}, spent)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: -32004 } } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
})
