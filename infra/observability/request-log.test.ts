// Every service has one line for each request, with what became of it, and no line of any service holds what a request, a run or a mail carried.
import { createDatabase, createPool } from '@crm/db'
import {
  bundleOf,
  createTestWorkspace,
  startProcess,
  startRedisServer,
  testDatabase,
  testScratchDir,
  eventually,
} from '@crm/testkit'
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeHook, type TestHook } from '../../apps/webhooks/test/workspace.ts'

type TestProcess = Awaited<ReturnType<typeof startProcess>>

/** In every text that is sent, and in no line. */
const marked = 'plantedword'
const database = await testDatabase()
const redis = await startRedisServer()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test' })
const db = createDatabase(owner)
afterAll(() => owner.end())
// The only workspace of an installation owns every host.
const workspace = await createTestWorkspace(db, { timezone: 'UTC' })
const { workspaceId, adminUserId, adminEmail, slug } = workspace
const { key } = await workspace.apiKey()
const cookie = await workspace.session()

const services = {} as Record<'api' | 'booking' | 'hooks' | 'dispatcher' | 'tools' | 'console', TestProcess>
let hook: TestHook

beforeAll(async () => {
  const dataDir = testScratchDir()
  const common = {
    REDIS_URL: redis.url,
    RUN_TOKEN_SECRET: 'a secret of the tests that is long enough',
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: 'loopback',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.1/32',
    LOG_LEVEL: 'debug',
    // Mail fails: nobody listens there.
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  services.api = await startProcess(bundleOf('crm-api'), { ...common, DATABASE_URL: database.urlFor('crm_api') })
  const more = { ...common, CRM_API_URL: services.api.url }
  const start = (file: string, role: Parameters<typeof database.urlFor>[0]) =>
    startProcess(file, { ...more, DATABASE_URL: database.urlFor(role) })
  ;[services.booking, services.hooks, services.dispatcher, services.tools, services.console] = await Promise.all([
    start(bundleOf('booking'), 'crm_booking'),
    start(bundleOf('webhooks', 'main-ingress'), 'crm_hooks'),
    start(bundleOf('webhooks', 'main-dispatcher'), 'crm_dispatcher'),
    start(bundleOf('mcp-gateway'), 'crm_gateway'),
    startProcess(bundleOf('console'), { LOG_LEVEL: 'debug' }),
  ])
  const link = ['booking-link', 'create', '--workspace', slug, '--organizer', adminEmail, '--slug', 'meet']
  execFileSync(process.execPath, [bundleOf('cli'), ...link, '--timezone', 'UTC', '--hours', 'MON-SUN 00:00-23:00'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.ownerUrl, DATA_DIR: dataDir },
  })
  hook = await makeHook(owner, workspace, {
    steps: [
      { key: 'lead', name: '', type: 'CREATE_RECORD', entityType: 'LEAD', values: { lastName: '{{trigger.name}}' } },
      { key: 'mail', name: '', type: 'SEND_EMAIL', to: [`${marked}@mail.example`], subject: marked, body: marked },
      {
        key: 'ask',
        name: '',
        type: 'HTTP_REQUEST',
        url: `http://127.0.0.1:1/${marked}`,
        method: 'POST',
        headers: { 'x-secret': marked },
        bodyTemplate: `{"a":"${marked}"}`,
      },
    ],
  })
})

interface Line {
  readonly msg?: string
  readonly route?: string
  readonly status?: number
  readonly [name: string]: unknown
}

/** Returns the whole lines of a service so far; each has to be JSON. */
const linesOf = (service: TestProcess): readonly Line[] =>
  service
    .output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)

/** Waits for the line of a request. */
async function lineOf(service: TestProcess, route: string, status: number): Promise<Line> {
  const find = () =>
    linesOf(service).find((line) => line.msg === 'request' && line.route === route && line.status === status)
  await expect.poll(() => find()?.route, { message: `${route} ${status}` }).toBe(route)
  return find() as Line
}

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function send(
  service: TestProcess,
  path: string,
  { method = 'POST', body, headers = {} }: Sent = {},
): Promise<number> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      'x-forwarded-for': '203.0.113.77',
      'x-marked': marked,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const withKey = { authorization: `Bearer ${key}` }
const rpc = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })

it('has one line for each request of every service, with whose it was and why it was refused', async () => {
  const { hooks, tools, console: pages } = services
  expect(
    await send(hooks, `/api/hooks/${hook.path}`, { body: { name: 'x' }, headers: { 'x-api-key': hook.secret } }),
  ).toBe(202)
  expect(await lineOf(hooks, '/api/hooks/*', 202)).toMatchObject({
    workspaceId,
    client: '203.0.113.0/24',
    bytesIn: 12,
    bytesOut: expect.any(Number),
    requestId: expect.stringMatching(/^[\w-]{36}$/),
  })
  expect(await send(hooks, `/api/hooks/${hook.path}`, { body: {}, headers: { 'x-api-key': marked } })).toBe(404)
  expect(await lineOf(hooks, '/api/hooks/*', 404)).toMatchObject({ workspaceId, code: 'NOT_FOUND' })

  expect(await send(tools, '/api/mcp', { body: rpc('tools/list'), headers: withKey })).toBe(200)
  const listed = await lineOf(tools, '/api/mcp', 200)
  expect(listed).toMatchObject({ workspaceId, actorType: 'api-key', actorId: adminUserId })
  // An answer in parts has a size as well.
  expect(listed['bytesOut']).toBeGreaterThan(1_000)
  expect(
    await send(tools, '/api/mcp', { body: rpc('tools/list'), headers: { authorization: 'Bearer crm_key_x' } }),
  ).toBe(401)
  expect(await lineOf(tools, '/api/mcp', 401)).toMatchObject({ code: 'AUTHENTICATION_ERROR' })
  expect(await send(tools, '/api/mcp', { body: [] })).toBe(400)
  expect(await lineOf(tools, '/api/mcp', 400)).toMatchObject({ code: 'INVALID_REQUEST' })
  expect(await send(tools, '/api/mcp', { method: 'GET' })).toBe(405)
  expect(await lineOf(tools, '/api/mcp', 405)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })

  expect(await send(pages, '/leads', { method: 'GET' })).toBe(200)
  expect(await lineOf(pages, 'unknown', 200)).toMatchObject({
    method: 'GET',
    client: '203.0.113.0/24',
    bytesOut: expect.any(Number),
  })
  expect(await send(pages, '/assets/nothing.js', { method: 'GET' })).toBe(404)
  expect(await lineOf(pages, 'unknown', 404)).toMatchObject({ code: 'NOT_FOUND' })

  const figuresOf = async ({ url }: TestProcess) => (await fetch(`${url}/metrics`)).text()
  expect(await figuresOf(hooks)).toContain('crm_refused_total{reason="NOT_FOUND",service="webhooks"} 1')
  for (const reason of ['AUTHENTICATION_ERROR', 'INVALID_REQUEST', 'METHOD_NOT_ALLOWED'])
    expect(await figuresOf(tools)).toContain(`crm_refused_total{reason="${reason}",service="mcp-gateway"} 1`)
  expect(await figuresOf(pages)).toMatch(/^http_request_duration_seconds_count\{[^}]*service="console"[^}]*\} /m)
})

it('holds nothing that a request, a run, a mail or a fault carried, in any line of any service', async () => {
  const { api, booking, hooks, tools, console: pages } = services
  const lead = { lastName: marked, firstName: marked, email: `${marked}@mail.example` }
  const ask = async (service: TestProcess, path: string, statuses: readonly number[], sent: Sent = {}): Promise<void> =>
    expect(statuses, path).toContain(await send(service, path, sent))

  await ask(api, '/api/leads', [201], { body: lead, headers: withKey })
  await ask(api, `/api/leads?search=${marked}`, [200], { method: 'GET', headers: withKey })
  await ask(api, `/api/leads/${marked}`, [400, 404], { method: 'GET', headers: withKey })
  await ask(api, `/${marked}`, [401], { method: 'GET' })
  await ask(api, '/api/leads', [401], { body: lead, headers: { authorization: `Bearer crm_key_${marked}` } })
  await ask(api, '/api/auth/login', [401], {
    body: { email: `${marked}@mail.example`, password: marked },
    headers: { origin: `http://${workspace.host}` },
  })
  await ask(api, '/api/settings/exports', [201, 400], {
    body: { entityType: 'LEAD', filters: { search: marked } },
    headers: { cookie, origin: new URL(api.url).origin },
  })
  await ask(hooks, `/api/hooks/${hook.path}`, [202], { body: { name: marked }, headers: { 'x-api-key': hook.secret } })
  await ask(hooks, `/api/hooks/${marked}`, [404], { body: { name: marked }, headers: { 'x-api-key': marked } })
  const start = new Date(Date.now() + 3 * 86_400_000)
  start.setUTCHours(12, 0, 0, 0)
  const guest = { name: marked, email: `${marked}@guest.example`, startAt: start.toISOString(), timezone: 'UTC' }
  await ask(booking, '/api/public/booking/meet', [201], { body: guest })
  await ask(booking, `/api/public/booking/meet/availability?from=${marked}`, [400], { method: 'GET' })
  await ask(booking, `/book/meet/manage/${marked}`, [200, 404], { method: 'GET' })
  const called = { name: 'leads_create', arguments: lead }
  await ask(tools, '/api/mcp', [200], { body: rpc('tools/call', called), headers: withKey })
  await ask(tools, '/api/mcp', [401], {
    body: rpc('tools/call', called),
    headers: { authorization: `Bearer ${marked}` },
  })
  await ask(tools, '/api/oauth-mcp/register', [201, 400], {
    body: { client_name: marked, redirect_uris: [`https://${marked}.example/cb`] },
  })
  await ask(tools, `/api/oauth-mcp/authorize?client_id=${marked}&state=${marked}`, [400], { method: 'GET' })
  await ask(pages, `/invite?token=${marked}`, [200], { method: 'GET' })

  // Faults: a database that refuses, and constraints that name what they refuse.
  await owner.query(`
    REVOKE SELECT ON bookings FROM crm_booking; REVOKE INSERT ON workflow_runs FROM crm_hooks; REVOKE INSERT ON oauth_clients FROM crm_gateway;
    ALTER TABLE leads ADD CONSTRAINT planted CHECK (last_name NOT LIKE '%fault%')`)
  await ask(api, '/api/leads', [500], { body: { ...lead, lastName: `${marked} fault` }, headers: withKey })
  await ask(hooks, `/api/hooks/${hook.path}`, [503], { body: { name: marked }, headers: { 'x-api-key': hook.secret } })
  await ask(booking, '/api/public/booking/meet', [500, 503], { body: guest })
  await ask(tools, '/api/oauth-mcp/register', [500, 503], {
    body: { client_name: marked, redirect_uris: [`https://${marked}.example/cb`] },
  })

  // The work in the background comes to its end: the lead, the mail that waits for its server and the request that nobody takes.
  await eventually(
    async () => {
      const { rows } = await owner.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM workflow_runs WHERE state NOT IN ('SUCCEEDED', 'FAILED', 'WAITING')",
      )
      expect(rows[0]?.n).toBe(0)
    },
    { timeout: 50_000, interval: 200 },
  )
  for (const [name, service] of Object.entries(services)) {
    expect(linesOf(service).length, name).toBeGreaterThan(1)
    expect(
      service
        .output()
        .split('\n')
        .filter((line) => line.includes(marked)),
      name,
    ).toEqual([])
  }
  // What was logged besides requests: the faults of the services.
  for (const service of [api, hooks, booking, tools])
    await expect.poll(() => linesOf(service).some(({ level }) => level === 'error')).toBe(true)
})
