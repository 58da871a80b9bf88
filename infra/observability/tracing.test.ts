import { createDatabase, createPool, newId, schema } from '@crm/db'
import { productAgent, startTracing } from '@crm/runtime'
import {
  bundleOf,
  createTestWorkspace,
  startProcess,
  startRedisServer,
  testDatabase,
  type TestProcess,
} from '@crm/testkit'
import Fastify from 'fastify'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startEdge } from '../edge/edge.ts'

interface Span {
  readonly service: string
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly text: string
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[]
    }
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service' | 'text'>[] }[]
  }[]
}

const database = await testDatabase()
const redis = await startRedisServer()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test' })
const db = createDatabase(owner)
// The only workspace of an installation owns every host.
const workspace = await createTestWorkspace(db)
afterAll(() => owner.end())

const spans: Span[] = []
/** The collector takes nothing from senders that do not show this, or do not say who they are. */
const credential = { OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20of%20the%20collector' }
const collector = Fastify({ bodyLimit: 16 * 1024 * 1024 })
collector.post('/v1/traces', async ({ body, headers }, reply) => {
  if (headers.authorization !== 'Bearer of the collector') return reply.code(401).send()
  if (!headers['user-agent']?.startsWith(productAgent)) return reply.code(403).send()
  for (const { resource, scopeSpans } of (body as Export).resourceSpans) {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
    for (const span of scopeSpans.flatMap((scope) => scope.spans))
      spans.push({ ...span, service, text: JSON.stringify(span) })
  }
  return {}
})
/** A customer's server, which keeps the headers of its requests. */
const receiver = Fastify()
const received: (string | undefined)[] = []
receiver.post('/hook', async ({ headers }) => {
  received.push(headers.traceparent as string | undefined)
  return {}
})
afterAll(() => Promise.all([collector.close(), receiver.close()]))

let endpoint: string
let hookUrl: string
let api: TestProcess
beforeAll(async () => {
  endpoint = await collector.listen({ port: 0, host: '127.0.0.1' })
  hookUrl = `${await receiver.listen({ port: 0, host: '127.0.0.1' })}/hook`
  api = await startProcess(bundleOf('crm-api'), { ...common(), DATABASE_URL: database.urlFor('crm_api') })
})

const common = () => ({
  REDIS_URL: redis.url,
  RUN_TOKEN_SECRET: 'a secret of the tests that is long enough',
  OUTBOUND_ALLOW_CIDRS: '127.0.0.1/32',
  TRUSTED_PROXIES: 'loopback',
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  ...credential,
})

const ofTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId)

/** Waits until a span of a trace has arrived. */
async function spanOf(traceId: string, service: string, name: string): Promise<Span> {
  const find = () => ofTrace(traceId).find((span) => span.service === service && span.name === name)
  await expect.poll(() => find()?.name, { message: `${service} ${name}` }).toBe(name)
  return find() as Span
}

const sender = () => {
  const [traceId, spanId] = [newId().replaceAll('-', ''), newId().replaceAll('-', '').slice(16)]
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` }
}

it('follows a change from the edge to the last request that it leads to, and tells no value', async () => {
  const { workspaceId, adminUserId } = workspace
  await startProcess(bundleOf('webhooks', 'main-dispatcher'), {
    ...common(),
    DATABASE_URL: database.urlFor('crm_dispatcher'),
    CRM_API_URL: api.url,
  })
  const action = { type: 'WEBHOOK' as const, url: hookUrl, method: 'POST' as const, headers: {}, bodyTemplate: null }
  await db.insert(schema.automationRules).values({
    workspaceId,
    id: newId(),
    name: 'Traced',
    event: 'lead.created',
    createdById: adminUserId,
    actions: [action],
  })
  const workflowId = newId()
  const trigger = { type: 'EVENT', event: 'lead.created', conditions: [] }
  const steps = [{ key: 'find', name: '', type: 'FIND_RECORDS', entityType: 'LEAD', filters: {}, limit: 1 }]
  const version = { trigger, steps }
  await db.insert(schema.workflows).values({
    workspaceId,
    id: workflowId,
    name: 'Traced',
    status: 'PUBLISHED',
    ...version,
    publishedVersion: 1,
    listensTo: 'lead.created',
    runAsId: adminUserId,
    createdById: adminUserId,
  })
  await db.insert(schema.workflowVersions).values({ workspaceId, workflowId, version: 1, ...version })

  const endTracing = await startTracing('edge', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...credential })
  onTestFinished(endTracing)
  const target = { host: '127.0.0.1', port: Number(new URL(api.url).port) }
  const services = ['crm-api', 'booking', 'webhooks', 'mcp-gateway', 'console']
  const edge = await startEdge({ targets: Object.fromEntries(services.map((name) => [name, target])), port: 0 })
  onTestFinished(() => edge.close())

  const { traceId, spanId, traceparent } = sender()
  const { key } = await workspace.apiKey()
  const answer = await fetch(`http://127.0.0.1:${edge.port}/api/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, traceparent, 'content-type': 'application/json' },
    body: JSON.stringify({ lastName: 'Unmistakable', email: 'unmistakable@mail.example' }),
  })
  expect(answer.status).toBe(201)

  const atEdge = await spanOf(traceId, 'edge', 'POST crm-api')
  const atApi = await spanOf(traceId, 'crm-api', 'POST /api/leads')
  expect([atEdge.parentSpanId, atApi.parentSpanId]).toEqual([spanId, atEdge.spanId])
  const below = (parent: Span) => ofTrace(traceId).filter(({ parentSpanId }) => parentSpanId === parent.spanId)
  const names = below(atApi).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['redis eval', 'postgresql BEGIN', 'postgresql INSERT']))

  const change = await spanOf(traceId, 'webhooks-dispatcher', 'lead.created')
  const rule = await spanOf(traceId, 'webhooks-dispatcher', 'rule')
  const outbound = await spanOf(traceId, 'webhooks-dispatcher', 'POST outbound')
  const run = await spanOf(traceId, 'webhooks-dispatcher', 'run')
  const step = await spanOf(traceId, 'webhooks-dispatcher', 'step FIND_RECORDS')
  const call = await spanOf(traceId, 'webhooks-dispatcher', 'GET crm-api')
  const search = await spanOf(traceId, 'crm-api', 'GET /api/leads')
  expect([change, rule, run].map(({ parentSpanId }) => parentSpanId)).toEqual([
    atApi.spanId,
    change.spanId,
    change.spanId,
  ])
  expect([outbound, step, call, search].map(({ parentSpanId }) => parentSpanId)).toEqual([
    rule.spanId,
    run.spanId,
    step.spanId,
    call.spanId,
  ])
  expect(received).toEqual([`00-${traceId}-${outbound.spanId}-01`])
  const told = ofTrace(traceId)
    .map(({ text }) => text)
    .join()
  for (const secret of ['nmistakable', workspaceId, workspace.host, key, new URL(hookUrl).host])
    expect(told).not.toContain(secret)
  await expect.poll(() => api.output()).toContain(`"traceId":"${traceId}"`)
})

it('follows a tool call through the gateway', async () => {
  const gateway = await startProcess(bundleOf('mcp-gateway'), {
    ...common(),
    DATABASE_URL: database.urlFor('crm_gateway'),
    CRM_API_URL: api.url,
  })
  const { traceId, traceparent } = sender()
  const { key } = await workspace.apiKey()
  const answer = await fetch(`${gateway.url}/api/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      traceparent,
      'x-forwarded-host': workspace.host,
      'x-forwarded-for': '203.0.113.9',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'leads_list', arguments: {} },
    }),
  })
  expect(answer.status).toBe(200)
  const atGateway = await spanOf(traceId, 'mcp-gateway', 'POST /api/mcp')
  const call = await spanOf(traceId, 'mcp-gateway', 'GET crm-api')
  const atApi = await spanOf(traceId, 'crm-api', 'GET /api/leads')
  expect([call.parentSpanId, atApi.parentSpanId]).toEqual([atGateway.spanId, call.spanId])
})

it('loads nothing for traces until they are asked for', () => {
  for (const file of [bundleOf('crm-api'), bundleOf('mcp-gateway'), bundleOf('webhooks', 'main-ingress')]) {
    const isThere = (path: string) => readFileSync(path, 'utf8').includes('OTLPTraceExporter')
    expect(isThere(file)).toBe(false)
    expect(globSync(`${dirname(file)}/*.js`).some(isThere)).toBe(true)
  }
})

it('goes on when the collector is away', async () => {
  const lonely = await startProcess(bundleOf('crm-api'), {
    ...common(),
    DATABASE_URL: database.urlFor('crm_api'),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  })
  expect((await fetch(`${lonely.url}/api/leads`)).status).toBe(401)
  expect(await lonely.stop()).toBe(0)
})
