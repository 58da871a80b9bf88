import { hiddenValue } from '@crm/contract'
import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'

/** A resolver that knows two names: one with a public address, one with a private address. */
const outboundResolver = async (name: string) =>
  ({ 'hooks.example.com': ['203.0.114.7'], 'metadata.example.com': ['203.0.114.7', '169.254.169.254'] })[name] ?? []
const api = await ownApi({ outboundResolver, outboundAllowCidrs: ['127.0.0.1/32'] })
const cookie = await api.workspace.session()
const settings = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  api.call({ method, path: `/api/settings/automation-rules${path}`, cookie, body })

const action = {
  type: 'WEBHOOK',
  url: 'https://203.0.114.7/hook',
  method: 'PUT',
  headers: { 'X-Key': 'k' },
  bodyTemplate: '{"who":"{{data.lastName}}"}',
}
const shown = { ...action, headers: { 'X-Key': hiddenValue } }
const rule = {
  name: 'Rule',
  trigger: { event: 'lead.stage_changed', conditions: [{ field: 'data.stageId', op: 'CHANGED_TO', value: 'x' }] },
  actions: [action],
}

describe('a rule', () => {
  it('is made, listed, changed and deleted', async () => {
    const { status, body } = await settings('POST', '', rule)
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: { ...rule, actions: [shown], isActive: true, failuresInRow: 0, pausedAt: null, warnings: [] },
    })
    const { id } = body.data
    expect((await settings('GET', '?event=lead.stage_changed')).body).toMatchObject({ total: 1, items: [{ id }] })
    expect((await settings('PATCH', `/${id}`, { isActive: false, name: 'Other' })).body.data).toMatchObject({
      isActive: false,
      name: 'Other',
      actions: [shown],
    })
    expect((await settings('DELETE', `/${id}`)).body.data).toEqual({ id })
    expect((await settings('GET', `/${id}`)).status).toBe(404)
  })

  it('is shown when it was stored without a template, as the demo once did', async () => {
    const { bodyTemplate: _, ...plain } = action
    await api.db.insert(schema.automationRules).values({
      workspaceId: api.workspace.workspaceId,
      name: 'Older',
      isActive: false,
      event: 'lead.created',
      actions: [plain],
    })
    const { status, body } = await settings('GET', '')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        items: expect.arrayContaining([
          expect.objectContaining({ name: 'Older', actions: [{ ...plain, headers: shown.headers }], warnings: [] }),
        ]),
      },
    })
  })

  it('goes to a name with a public address, and with a warning to one that has none now', async () => {
    const to = async (url: string) =>
      (await settings('POST', '', { ...rule, actions: [{ ...action, url }] })).body.data.warnings
    expect(await to('https://hooks.example.com/')).toEqual([])
    expect(await to('https://nowhere.example.com/')).toEqual([
      { path: ['actions', 0, 'url'], message: 'No address was found for this host' },
    ])
  })

  it('begins to count its failures anew when it is switched on again', async () => {
    const { id } = (await settings('POST', '', rule)).body.data
    await api.db
      .update(schema.automationRules)
      .set({ isActive: false, failuresInRow: 20, pausedAt: new Date().toISOString() })
      .where(eq(schema.automationRules.id, id))
    expect((await settings('PATCH', `/${id}`, { isActive: true })).body.data).toMatchObject({
      isActive: true,
      failuresInRow: 0,
      pausedAt: null,
    })
  })
})

describe('the test of a rule', () => {
  const received: { method: string; headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      received.push({ method: request.method ?? '', headers: request.headers, body })
      response.writeHead(request.url === '/broken' ? 500 : 200).end('{"seen":true}')
    })
  })
  const at = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`
  const made = async (changed: object) => (await settings('POST', '', { ...rule, ...changed })).body.data.id as string

  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
  })
  afterAll(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  beforeEach(() => void (received.length = 0))

  it('sends its requests once, with the given data, and keeps what was answered in the log', async () => {
    const id = await made({
      trigger: { event: 'lead.created', conditions: [{ field: 'status', op: 'EQ', value: 'NEW' }] },
      actions: [{ ...action, url: at('/hook') }],
    })
    const {
      status,
      body: { data },
    } = await settings('POST', `/${id}/test`, { data: { lastName: 'Ada', status: 'NEW' } })
    expect({ status, fires: data.fires }).toEqual({ status: 200, fires: true })
    expect(received).toMatchObject([
      { method: 'PUT', headers: { 'x-key': 'k', 'content-type': 'application/json' }, body: '{"who":"Ada"}' },
    ])
    const request = {
      method: 'PUT',
      url: at('/hook'),
      headers: { 'content-type': 'application/json', 'x-key': hiddenValue },
      body: '{"who":"Ada"}',
    }
    expect(data.deliveries).toMatchObject([
      {
        ruleId: id,
        state: 'SUCCEEDED',
        status: 200,
        responseBody: '{"seen":true}',
        error: null,
        isTest: true,
        redeliveryOf: null,
        request,
      },
    ])
    const [delivery] = data.deliveries
    const deliveries = (method: 'GET' | 'POST', path: string) =>
      api.call({ method, path: `/api/settings/deliveries${path}`, cookie })
    expect((await deliveries('GET', `/${delivery.id}`)).body.data).toEqual(delivery)
    expect((await deliveries('POST', `/${delivery.id}/redeliver`)).body.data).toMatchObject({
      state: 'SUCCEEDED',
      redeliveryOf: delivery.id,
      isTest: false,
      request,
    })
    expect(received).toHaveLength(2)
  })

  it('says that the rule would not fire, and sends all the same', async () => {
    const id = await made({
      trigger: { event: 'lead.created', conditions: [{ field: 'status', op: 'EQ', value: 'NEW' }] },
      actions: [{ ...action, url: at('/hook') }],
    })
    expect((await settings('POST', `/${id}/test`, { data: { status: 'LOST' } })).body.data).toMatchObject({
      fires: false,
      deliveries: [{ state: 'SUCCEEDED' }],
    })
  })

  it('sends a sample in the usual body when nothing is given, and no body with GET', async () => {
    const actions = [
      { type: 'WEBHOOK', url: at('/post') },
      { type: 'WEBHOOK', url: at('/get'), method: 'GET' },
    ]
    const id = await made({ trigger: { event: 'deal.won' }, actions })
    await settings('POST', `/${id}/test`, {})
    const [post, get] = received.toSorted((a, b) => b.method.localeCompare(a.method))
    const sent = JSON.parse(post?.body ?? '')
    expect(Object.keys(sent)).toEqual(['event', 'entityType', 'entityId', 'tenantId', 'timestamp', 'data'])
    expect(sent).toMatchObject({
      event: 'deal.won',
      entityType: 'DEAL',
      entityId: sent.data.id,
      tenantId: api.workspace.workspaceId,
      data: { email: 'ada@example.com' },
    })
    expect(get).toMatchObject({ method: 'GET', body: '' })
  })

  it('tells of a failure without counting it against the rule', async () => {
    const id = await made({ actions: [{ ...action, url: at('/broken') }] })
    expect((await settings('POST', `/${id}/test`, {})).body.data.deliveries).toMatchObject([
      { state: 'FAILED', status: 500 },
    ])
    expect((await settings('GET', `/${id}`)).body.data).toMatchObject({ failuresInRow: 0, isActive: true })
    expect((await settings('GET', `/${id}/runs`)).body.total).toBe(0)
  })

  it('reaches no address that is refused, even when it was saved before it was', async () => {
    const id = await made({ actions: [{ ...action, url: 'https://hooks.example.com/' }] })
    const actions = [
      { ...action, url: 'https://metadata.example.com/' },
      { ...action, url: 'http://169.254.169.254/latest' },
    ]
    await api.db.update(schema.automationRules).set({ actions }).where(eq(schema.automationRules.id, id))
    const { data } = (await settings('POST', `/${id}/test`, {})).body
    expect(
      data.deliveries.map(({ state, status, responseBody }: Record<string, unknown>) => ({
        state,
        status,
        responseBody,
      })),
    ).toEqual(Array.from({ length: 2 }, () => ({ state: 'FAILED', status: null, responseBody: '' })))
  })
})

describe('400 VALIDATION_ERROR', () => {
  it.each([
    ['an unknown event', { trigger: { event: 'moon.rose' } }, ['trigger', 'event']],
    ['a machine of its own', { actions: [{ ...action, url: 'http://localhost:9200/' }] }, ['actions', 0, 'url']],
    ['a metadata address', { actions: [{ ...action, url: 'http://169.254.169.254/latest' }] }, ['actions', 0, 'url']],
    [
      'a name that resolves to a metadata address',
      { actions: [{ ...action, url: 'https://metadata.example.com/' }] },
      ['actions', 0, 'url'],
    ],
    [
      'an address with a variable',
      { actions: [{ ...action, url: 'https://{{data.host}}.example.com/' }] },
      ['actions', 0, 'url'],
    ],
    ['another protocol', { actions: [{ ...action, url: 'ftp://x.example/' }] }, ['actions', 0, 'url']],
    ['an unknown method', { actions: [{ ...action, method: 'HEAD' }] }, ['actions', 0, 'method']],
    [
      'a header in two lines',
      { actions: [{ ...action, headers: { A: 'b\r\nC: d' } }] },
      ['actions', 0, 'headers', 'A'],
    ],
    ['a broken template', { actions: [{ ...action, bodyTemplate: '{"a": {{data.x' }] }, ['actions', 0, 'bodyTemplate']],
    ['no action', { actions: [] }, ['actions']],
    [
      'IN without a list',
      { trigger: { event: 'lead.created', conditions: [{ field: 'a', op: 'IN', value: 'x' }] } },
      ['trigger', 'conditions', 0, 'value'],
    ],
  ])('for %s', async (_, change, path) => {
    const answer = await settings('POST', '', { ...rule, ...change })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues.map((issue: { path: unknown }) => issue.path)).toContainEqual(path)
  })
})
