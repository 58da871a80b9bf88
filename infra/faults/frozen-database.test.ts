import { createSecrets, environmentKeys } from '@crm/secrets'
import { createDatabase, createPool, type Deadlines } from '@crm/db'
import { createWakeUp } from '@crm/jobs/wake-up'
import { connectRedis, createEpochs, createFixedWindow } from '@crm/redis'
import { createLogger, createMetrics, systemClock } from '@crm/runtime'
import { createStorage } from '@crm/storage'
import { createTestWorkspace, freezableDatabase, testRedis } from '@crm/testkit'
import type { FastifyInstance } from 'fastify'
import { request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mailerTo } from '@crm/testkit/mailer'
import { createBookingApp } from '../../apps/booking/src/app.ts'
import { createMailOutcomes } from '../../apps/booking/src/bookings/mail-outcomes.ts'
import { createCallProvider } from '../../apps/booking/src/rooms/call-provider.ts'
import { createRoomBus } from '../../apps/booking/src/rooms/room-bus.ts'
import { createCrmApi } from '../../apps/crm-api/src/app.ts'
import { buildApp } from '../../apps/mcp-gateway/src/app.ts'
import { openDeps } from '../../apps/mcp-gateway/src/deps.ts'
import { createIngress } from '../../apps/webhooks/src/ingress/app.ts'
import { createLastRequests } from '../../apps/webhooks/src/ingress/last-requests.ts'
import { createRunWriter } from '../../apps/webhooks/src/ingress/run-writer.ts'
import { makeHook, type TestHook } from '../../apps/webhooks/test/workspace.ts'

/** Short deadlines of the services under test, so that no test waits for seconds. */
const deadlines: Deadlines = { connectionMs: 1_000, statementMs: 1_000, lockMs: 500 }
const connections = 2

const database = await freezableDatabase()
const { url: redisUrl } = await testRedis()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
const pools = { api: poolOf('crm_api'), booking: poolOf('crm_booking'), hooks: poolOf('crm_hooks') }
const redis = await connectRedis(redisUrl, { role: 'test' })
const logger = createLogger({ name: 'test', level: 'silent' })
const clock = systemClock
const workspace = await createTestWorkspace(createDatabase(owner))
const { key } = await workspace.apiKey()
const slug = 'meet'
const opened: { close(): Promise<unknown> }[] = []
let hook: TestHook
let at: Record<'api' | 'booking' | 'hooks' | 'tools', string>

function poolOf(role: 'crm_api' | 'crm_booking' | 'crm_hooks') {
  return createPool({
    databaseUrl: database.urlFor(role),
    max: connections,
    applicationName: `test-${role}`,
    deadlines,
  })
}

async function listen(app: FastifyInstance): Promise<string> {
  opened.unshift(app)
  return app.listen({ host: '127.0.0.1', port: 0 })
}

function openTools(crmApiUrl: string): ReturnType<typeof openDeps> {
  return openDeps(
    {
      PORT: 0,
      HOST: '127.0.0.1',
      DATABASE_URL: database.urlFor('crm_gateway'),
      DATABASE_PREPARE: true,
      REDIS_URL: redisUrl,
      TRUSTED_PROXIES: ['loopback'],
      LOG_LEVEL: 'silent',
      LOG_CLIENT: 'none',
      DRAIN_SECONDS: 0,
      OUTBOUND_ALLOW_CIDRS: [],
      CRM_API_URL: crmApiUrl,
    },
    deadlines,
  )
}

beforeAll(async () => {
  const epochs = createEpochs(redis)
  const common = { redis, epochs, clock, logger, trustedProxies: ['loopback'] }
  const api = await listen(
    createCrmApi({
      ...common,
      pool: pools.api,
      db: createDatabase(pools.api),
      storage: await createStorage({ directory: tmpdir() }),
      requestsPerMinute: 1_000_000,
      secrets: createSecrets(environmentKeys(undefined)),
    }),
  )
  const rooms = createRoomBus(redis)
  const mailOutcomes = createMailOutcomes({ db: createDatabase(pools.booking), logger })
  const booking = await listen(
    createBookingApp({
      ...common,
      rooms,
      mailOutcomes,
      pool: pools.booking,
      db: createDatabase(pools.booking),
      mailer: mailerTo(() => undefined),
      callProvider: createCallProvider('builtin', { rooms }),
      limits: { writesPerAddress: 1e9, createsPerLink: 1e9, readsPerAddress: 1e9 },
    }),
  )
  const lastRequests = createLastRequests(pools.hooks, logger)
  const many = (name: string) => createFixedWindow({ redis, name, points: 1e9, windowMs: 60_000 })
  const hooks = await listen(
    createIngress({
      pool: pools.hooks,
      logger,
      metrics: createMetrics('hooks'),
      perAddress: many('address'),
      perUrl: many('url'),
      trustedProxies: ['loopback'],
      writer: createRunWriter({ pool: pools.hooks, wakeUp: createWakeUp(redis), lastRequests }),
    }),
  )
  const gateway = await openTools(api)
  opened.push(gateway)
  at = { api, booking, hooks, tools: await listen(buildApp(gateway.deps)) }
  opened.push({ close: async () => rooms.close() }, mailOutcomes, {
    close: async () => lastRequests.close().catch(() => undefined),
  })
  hook = await makeHook(owner, workspace)
  await call(at.api, { method: 'POST', path: '/api/leads', body: { lastName: 'Warm' } })
  await owner.query(
    `INSERT INTO booking_links (workspace_id, id, slug, name, organizer_id, duration_min, timezone, weekly_hours)
     VALUES ($1, gen_random_uuid(), $2, 'Meet', $3, 30, 'UTC', $4)`,
    [
      workspace.workspaceId,
      slug,
      workspace.adminUserId,
      JSON.stringify([0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))),
    ],
  )
})
afterEach(() => database.thaw())
afterAll(async () => {
  for (const one of opened) await one.close()
  await Promise.all([...Object.values(pools).map((pool) => pool.end()), owner.end(), redis.close()])
})

interface Call {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

function call(url: string, { method = 'GET', path, body, headers = {} }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      {
        method,
        headers: {
          host: workspace.host,
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) as unknown }),
        )
      },
    )
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
const slots = (): Call => ({
  path: `/api/public/booking/${slug}/availability?from=${day(2)}T00:00:00Z&to=${day(3)}T00:00:00Z`,
})
const rpc = (method: string, params: unknown): Call => ({
  method: 'POST',
  path: '/api/mcp',
  body: { jsonrpc: '2.0', id: 1, method, params },
})
const hookCall = (): Call => ({
  method: 'POST',
  path: `/api/hooks/${hook.path}`,
  body: { n: 1 },
  headers: { 'x-api-key': hook.secret },
})
const guest = { name: 'Guest', email: 'guest@guest.test', timezone: 'UTC', startAt: `${day(2)}T09:00:00.000Z` }

/** Waits until every service answers, with warm connections. */
async function isWarm(): Promise<void> {
  await expect.poll(async () => (await warmUp()).map(({ status }) => status)).toEqual([200, 200, 200, 202, 200, 200])
}

/** One call of each kind, to every service. */
const calls: readonly (readonly [name: string, service: keyof typeof at, call: () => Call])[] = [
  ['a list', 'api', () => ({ path: '/api/leads' })],
  ['a write', 'api', () => ({ method: 'POST', path: '/api/tasks', body: { title: 'Frozen' } })],
  [
    'a write with an Idempotency-Key',
    'api',
    () => ({
      method: 'POST',
      path: '/api/leads',
      body: { lastName: 'Frozen' },
      headers: { 'idempotency-key': 'frozen' },
    }),
  ],
  ['free slots', 'booking', slots],
  ['a booking', 'booking', () => ({ method: 'POST', path: `/api/public/booking/${slug}`, body: guest })],
  ['a hook', 'hooks', hookCall],
  ['a tool call', 'tools', () => rpc('tools/call', { name: 'leads_list', arguments: {} })],
]
const usual = { error: 'The service cannot answer now; please try again', code: 'SERVICE_UNAVAILABLE' }
const shapes: Readonly<Record<keyof typeof at, { readonly status: number; readonly body: unknown }>> = {
  api: { status: 503, body: usual },
  booking: { status: 503, body: { success: false, error: { code: 'SERVICE_UNAVAILABLE', message: usual.error } } },
  hooks: { status: 503, body: { error: 'Service unavailable' } },
  tools: {
    status: 200,
    body: expect.objectContaining({
      result: expect.objectContaining({
        isError: true,
        structuredContent: expect.objectContaining({
          status: 503,
          code: 'SERVICE_UNAVAILABLE',
          retryAfter: expect.any(Number),
        }),
      }),
    }),
  },
}

/** Requests sent before, so that each service has warm connections and knows its callers. */
const warmUp = (): Promise<Answer[]> =>
  Promise.all([
    call(at.api, { path: '/api/leads' }),
    call(at.api, { path: '/api/tasks' }),
    call(at.booking, slots()),
    call(at.hooks, hookCall()),
    call(at.tools, rpc('tools/call', { name: 'leads_list', arguments: {} })),
    call(at.tools, rpc('tools/list', {})),
  ])

describe('while PostgreSQL is frozen under warm connections', () => {
  it.each(calls)(
    '%s is answered 503 with Retry-After in the shape of its service, and works again afterwards',
    async (_, service, one) => {
      await isWarm()
      database.freeze()
      // More requests than connections: some wait for an answer, others for a connection.
      const answers = await Promise.all(Array.from({ length: 2 * connections + 1 }, () => call(at[service], one())))
      for (const { status, headers, body } of answers) {
        expect({ status, body }).toEqual(shapes[service])
        expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      }
      database.thaw()
      await expect.poll(async () => (await call(at[service], one())).body).not.toEqual(shapes[service].body)
      await isWarm()
    },
  )

  it('the tool server says so of its own questions too, as JSON-RPC', async () => {
    const gateway = await openTools(at.api)
    opened.push(gateway)
    const tools = await listen(buildApp(gateway.deps))
    database.freeze()
    const { status, headers, body } = await call(tools, rpc('tools/list', {}))
    expect({ status, body }).toEqual({
      status: 503,
      body: { jsonrpc: '2.0', id: 1, error: { code: -32005, message: usual.error, data: { ...usual, status: 503 } } },
    })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})
