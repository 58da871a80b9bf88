import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'

const { workspace, baseUrl } = await startInstallation()
const { key } = await workspace.apiKey()

const meta = 'io.modelcontextprotocol/'

/** What clients send that npm does not have, as they were seen to send it (docs/guide/tools.md). */
const dialects = {
  'mcp 2.3.0 of Python': { ofRequest: {}, ofCall: () => ({}) },
  'FastMCP 4.0.10': {
    ofRequest: { [`${meta}logLevel`]: 'debug' },
    ofCall: (id: number) => ({ progressToken: id }),
  },
} as const

interface Result {
  readonly resultType: string
  readonly isError?: boolean
  readonly structuredContent?: { readonly code?: string; readonly data: Readonly<Record<string, unknown>> }
  readonly tools?: readonly object[]
  readonly supportedVersions?: readonly string[]
}

it.each(Object.entries(dialects))('understands %s', async (_name, { ofRequest, ofCall }) => {
  let id = 0
  const send = async (method: string, params: object = {}, headers: object = {}, more: object = {}) => {
    const base = {
      [`${meta}protocolVersion`]: '2026-07-28',
      [`${meta}clientInfo`]: { name: 'mcp', version: '0.1.0' },
      [`${meta}clientCapabilities`]: {},
    }
    const response = await fetch(`${baseUrl}/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'user-agent': 'python-httpx2/2.13.1',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta: { ...base, ...more } } }),
    })
    const answer = (await response.json()) as { readonly id: number; readonly result: Result }
    expect({ status: response.status, id: answer.id, type: answer.result.resultType }).toEqual({
      status: 200,
      id,
      type: 'complete',
    })
    return answer.result
  }
  const call = async (name: string, args: object) => {
    const more = { ...ofRequest, ...ofCall(id + 1) }
    const { isError, structuredContent } = await send(
      'tools/call',
      { name, arguments: args },
      { 'mcp-name': name },
      more,
    )
    return { isError, ...structuredContent }
  }

  expect((await send('server/discover')).supportedVersions).toContain('2026-07-28')
  expect((await send('tools/list', {}, {}, ofRequest)).tools?.length).toBeGreaterThan(250)
  const lead = { firstName: 'Ada', jobTitle: 'Admiral', address: { city: 'London' } }
  const made = (await call('leads_create', lead)).data
  expect((await call('leads_update', { id: made?.['id'], clear: ['jobTitle'] })).isError).toBeUndefined()
  expect((await call('leads_get', { id: made?.['id'] })).data).toMatchObject({ jobTitle: null, address: lead.address })
  expect(await call('leads_get', { id: '0197b2f0-0000-7000-8000-000000000001' })).toMatchObject({
    isError: true,
    code: 'NOT_FOUND',
  })
})
