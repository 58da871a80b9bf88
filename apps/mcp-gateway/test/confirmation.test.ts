import { schema } from '@crm/db'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'

const { db, workspace, baseUrl, gateways, apis } = await startInstallation()
const { key: plain } = await workspace.apiKey()
const version = '2026-07-28'

/** A key whose destructive calls a person confirms. */
async function askingKey(ownerId?: string): Promise<string> {
  const { id, key } = await workspace.apiKey(ownerId ? { ownerId } : {})
  await db.update(schema.apiKeys).set({ confirm: true }).where(eq(schema.apiKeys.id, id))
  return key
}
const key = await askingKey()

interface Answer {
  readonly status: number
  // The assertions of the tests describe the contents of an answer.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

async function send(url: string, credential: string, method: string, body?: unknown, headers = {}): Promise<Answer> {
  const { host } = new URL(baseUrl)
  const answer = await fetch(url, {
    method,
    headers: {
      host,
      authorization: `Bearer ${credential}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

const atApi = (method: string, path: string, body?: unknown, credential = plain, headers = {}) =>
  send(`${apis[1].url}${path}`, credential, method, body, headers)

async function newLead(lastName = 'Ada'): Promise<string> {
  const { status, body } = await atApi('POST', '/api/leads', { lastName })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}
const isThere = async (id: string): Promise<boolean> => (await atApi('GET', `/api/leads/${id}`)).status === 200

interface Calling {
  readonly name?: string
  readonly credential?: string
  readonly capabilities?: object
  /** What a client sends with the answer of its person. */
  readonly answer?: object
  readonly through?: 0 | 1
}

/** Calls a tool without a handshake, as a client that can ask its person. */
function callTool(
  args: object,
  {
    name = 'leads_delete',
    credential = key,
    capabilities = { elicitation: {} },
    answer = {},
    through = 0,
  }: Calling = {},
): Promise<Answer> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const params = { name, arguments: args, ...answer, _meta }
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  return send(`${gateways[through].url}/api/mcp`, credential, 'POST', body, headers)
}

/** Asks for the deletion of a lead, and returns the text that its client carries to the answer. */
async function asked(id: string, credential = key): Promise<string> {
  const { body } = await callTool({ id }, { credential })
  expect(body.result, JSON.stringify(body)).toMatchObject({ resultType: 'input_required' })
  return body.result.requestState
}
const answered = (requestState: string, action = 'accept') => ({
  requestState,
  inputResponses: { confirm: { action, ...(action === 'accept' ? { content: {} } : {}) } },
})
const refused = { status: 200, body: { result: { isError: true, structuredContent: { code: 'CONFIRMATION_NEEDED' } } } }

describe('a destructive call of a client that can ask', () => {
  it('shows its person what it would do, and is made once, whichever process hears the answer', async () => {
    const id = await newLead('Lovelace')
    const { status, body } = await callTool({ id })
    expect({ status, result: body.result }).toMatchObject({
      status: 200,
      result: {
        resultType: 'input_required',
        requestState: expect.any(String),
        inputRequests: {
          confirm: {
            method: 'elicitation/create',
            params: { mode: 'form', message: expect.stringContaining('Deleted: lead “Lovelace”') },
          },
        },
      },
    })
    expect(await isThere(id)).toBe(true)
    const answer = answered(body.result.requestState)
    const both = await Promise.all(([0, 1] as const).map((through) => callTool({ id }, { answer, through })))
    const done = both.filter(({ body: one }) => one.result.isError === undefined)
    expect(done).toHaveLength(1)
    expect(done[0]?.body.result).toMatchObject({ resultType: 'complete', structuredContent: { success: true } })
    expect(both.find((one) => one !== done[0])).toMatchObject(refused)
    expect(await isThere(id)).toBe(false)
    expect(await callTool({ id }, { answer })).toMatchObject(refused)
  })

  it('does nothing when the person says no, whatever is sent afterwards', async () => {
    const id = await newLead()
    for (const action of ['decline', 'cancel']) {
      const state = await asked(id)
      expect(await callTool({ id }, { answer: answered(state, action) })).toMatchObject(refused)
      expect(await callTool({ id }, { answer: answered(state) })).toMatchObject(refused)
    }
    const state = await asked(id)
    expect(await callTool({ id }, { answer: { requestState: state } })).toMatchObject(refused)
    expect(await isThere(id)).toBe(true)
  })

  it('takes the answer to another call, of another person, of another key, or after five minutes for none', async () => {
    const [id, other] = [await newLead(), await newLead()]
    const state = await asked(id)
    const answer = answered(state)
    expect(await callTool({ id: other }, { answer })).toMatchObject(refused)
    expect(await callTool({ ids: [id] }, { name: 'leads_bulk_delete', answer })).toMatchObject(refused)
    const person = await workspace.employee({ roles: ['Administrator'] })
    for (const credential of [await askingKey(person.id), await askingKey()])
      expect(await callTool({ id }, { credential, answer })).toMatchObject(refused)
    expect(await callTool({ id }, { answer: answered('made up') })).toMatchObject(refused)
    await db.update(schema.confirmations).set({ expiresAt: new Date(Date.now() - 1).toISOString() })
    expect(await callTool({ id }, { answer })).toMatchObject(refused)
    expect([await isThere(id), await isThere(other)]).toEqual([true, true])
  })

  it('asks about nothing that would be refused, and not about what can be taken back', async () => {
    const gone = await callTool({ id: '01890000-0000-7000-8000-000000000000' })
    expect(gone.body.result).toMatchObject({ isError: true, structuredContent: { status: 404, code: 'NOT_FOUND' } })
    const made = await callTool({ lastName: 'New' }, { name: 'leads_create' })
    expect(made.body.result).toMatchObject({ resultType: 'complete' })
    expect(made.body.result.isError).toBeUndefined()
  })

  it('is confirmed through the official client, and through execute_tool', async () => {
    for (const action of ['accept', 'decline'] as const) {
      const id = await newLead()
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: version } } },
      )
      const messages: string[] = []
      client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
        messages.push(message)
        return action === 'accept' ? { action, content: {} } : { action }
      })
      const requestInit = { headers: { authorization: `Bearer ${key}` } }
      const address = new URL(`${baseUrl}/api/mcp?mode=core`)
      await client.connect(new StreamableHTTPClientTransport(address, { requestInit }))
      const { isError } = await client.callTool({
        name: 'execute_tool',
        arguments: { name: 'leads_delete', arguments: { id } },
      })
      expect({ isError: isError ?? false, there: await isThere(id) }).toEqual({
        isError: action === 'decline',
        there: action === 'decline',
      })
      expect(messages).toHaveLength(1)
      await client.close()
    }
  })
})

describe('a destructive call that nobody can be asked about', () => {
  it('is refused without elicitation, in the words of the revision', async () => {
    const id = await newLead()
    expect(await callTool({ id }, { capabilities: {} })).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } } },
    })
    const params = { name: 'leads_delete', arguments: { id } }
    const old = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    expect(await send(`${gateways[0].url}/api/mcp`, key, 'POST', old)).toMatchObject(refused)
    expect(await isThere(id)).toBe(true)
  })

  it('is refused by the API itself: no header made up, and no question without its answer, lets it pass', async () => {
    const id = await newLead()
    await asked(id)
    const [question] = await db
      .select()
      .from(schema.confirmations)
      .where(eq(schema.confirmations.workspaceId, workspace.workspaceId))
    for (const headers of [
      {},
      { 'x-confirmation': 'yes' },
      { 'x-confirmation': '01890000-0000-7000-8000-000000000000' },
      { 'x-confirmation': String(question?.id) },
    ])
      expect(await atApi('DELETE', `/api/leads/${id}`, undefined, key, headers)).toMatchObject({
        status: 403,
        body: { code: 'CONFIRMATION_NEEDED' },
      })
    // Nothing is destroyed by these.
    expect((await atApi('PATCH', `/api/leads/${id}`, { lastName: 'Changed' }, key)).status).toBe(200)
    expect((await atApi('DELETE', '/api/leads', { ids: [id], dryRun: true }, key)).status).toBe(200)
    expect(await isThere(id)).toBe(true)
  })
})
