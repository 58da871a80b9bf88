import { Client as ClientOfTwo, StreamableHTTPClientTransport as TransportOfTwo } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from './gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())
beforeEach(() => gateway.upstream.reset())

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${gateway.url}/api/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  return client
}

describe('the client of the SDK', () => {
  it('connects, lists, calls and reads', async () => {
    const client = await connect('sk-VIEW_LEAD,CREATE_LEAD')
    expect(client.getServerVersion()).toMatchObject({ name: 'workspace-crm' })
    await client.ping()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('leads_create')
    gateway.upstream.answer('POST /api/leads', { status: 201, body: { success: true, data: { firstName: 'Ada' } } })
    expect(
      (await client.callTool({ name: 'leads_create', arguments: { firstName: 'Ada' } })).structuredContent,
    ).toEqual({ success: true, data: { firstName: 'Ada' } })
    const { resources } = await client.listResources()
    expect(resources).toHaveLength(1)
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
    expect(contents).toHaveLength(1)
    await client.close()
  })

  it('accepts what search and fetch answer against their output schemas', async () => {
    const client = await connect('sk-VIEW_LEAD')
    await client.listTools()
    gateway.upstream.answer('GET /api/search', { body: { results: [] } })
    expect((await client.callTool({ name: 'search', arguments: { query: 'x' } })).structuredContent).toEqual({
      results: [],
    })
    const data = { id: 'lead:1', type: 'lead', title: 'Ada', url: 'https://crm.acme.example/leads/1', record: {} }
    gateway.upstream.answer('GET /api/search/lead%3A1', { body: { success: true, data } })
    expect((await client.callTool({ name: 'fetch', arguments: { id: 'lead:1' } })).structuredContent).toMatchObject({
      id: 'lead:1',
      text: '{}',
    })
    await client.close()
  })

  it('is refused with a credential that is not valid', async () => {
    await expect(connect('dead').then((client) => client.listTools())).rejects.toThrow(/401|Unauthorized|credential/)
  })
})

describe('the client of the second generation', () => {
  async function connectSecond(mode: 'auto' | 'legacy' | { pin: string }) {
    const client = new ClientOfTwo({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const requestInit = { headers: { authorization: 'Bearer sk-VIEW_LEAD,CREATE_LEAD' } }
    await client.connect(new TransportOfTwo(new URL(`${gateway.url}/api/mcp`), { requestInit }))
    return client
  }

  it.each([
    ['without a handshake', { pin: '2026-07-28' }, '2026-07-28'],
    ['as the server wishes', 'auto', '2026-07-28'],
    ['with a handshake', 'legacy', '2025-06-18'],
  ] as const)('connects %s, lists, calls, reads and hears of a refusal', async (_, mode, version) => {
    const client = await connectSecond(mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getServerVersion()).toMatchObject({ name: 'workspace-crm' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('leads_create')
    gateway.upstream.answer('POST /api/leads', { status: 201, body: { success: true, data: { firstName: 'Ada' } } })
    expect(
      (await client.callTool({ name: 'leads_create', arguments: { firstName: 'Ada' } })).structuredContent,
    ).toEqual({ success: true, data: { firstName: 'Ada' } })
    const { resources } = await client.listResources()
    expect((await client.readResource({ uri: resources[0]?.uri ?? '' })).contents).toHaveLength(1)
    gateway.upstream.answer('POST /api/leads', { status: 400, body: { error: 'No', code: 'VALIDATION_ERROR' } })
    expect(await client.callTool({ name: 'leads_create', arguments: {} })).toMatchObject({
      isError: true,
      structuredContent: { status: 400, code: 'VALIDATION_ERROR' },
    })
    await expect(client.readResource({ uri: 'crm://other' })).rejects.toThrow('There is no resource')
    await client.close()
  })
})
