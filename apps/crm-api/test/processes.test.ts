import { createDatabase, createPool, schema } from '@crm/db'
import {
  bundleOf,
  createTestWorkspace,
  eventually,
  startProcess,
  startRedisServer,
  testDatabase,
  type TestWorkspace,
} from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { request } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'

const database = await testDatabase()
const redis = await startRedisServer()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
afterAll(() => owner.end())
const db = createDatabase(owner)
const env = { DATABASE_URL: database.urlFor('crm_api'), REDIS_URL: redis.url }
const [first, second] = await Promise.all([
  startProcess(bundleOf('crm-api'), env),
  startProcess(bundleOf('crm-api'), env),
])
const processes = [first, second] as const

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Record<string, unknown>
}

/** Sends a request with the workspace's host, which fetch does not allow to set. */
function send(
  n: number,
  host: string,
  key: string | null,
  options: { method?: string; path?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { method = 'GET', path = '/api/me', body, headers = {} } = options
  const text = body === undefined ? undefined : JSON.stringify(body)
  const described =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  const { hostname, port } = new URL(processes[n % 2]?.url ?? '')
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        headers: { host, ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...described, ...headers },
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: JSON.parse(text) as Record<string, unknown>,
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

/** Returns how the administrator of a workspace sends requests in a session. */
async function personOf({ host, session }: TestWorkspace) {
  const cookie = await session()
  return (n: number, method: string, path: string) =>
    send(n, host, null, { method, path, headers: { cookie, origin: `http://${host}` } })
}

const countOf = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

describe('two processes', () => {
  it('let exactly 600 of 700 parallel requests of one key pass, and say when to come back', async () => {
    const workspace = await createTestWorkspace(db)
    const { key } = await workspace.apiKey()
    const other = await workspace.apiKey()
    const answers = await Promise.all(Array.from({ length: 700 }, (_, n) => send(n, workspace.host, key)))
    expect(countOf(answers, 200)).toBe(600)
    expect(countOf(answers, 429)).toBe(100)
    const refused = answers.find((answer) => answer.status === 429)
    expect(refused?.body).toMatchObject({ error: expect.any(String), code: 'RATE_LIMITED' })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await send(0, workspace.host, other.key)).status).toBe(200)
  })

  it('count a request whatever becomes of it', async () => {
    const workspace = await createTestWorkspace(db)
    const { key } = await workspace.apiKey({ scopes: [] })
    const paths = ['/api/leads', '/api/nothing', '/api/leads/not-an-id']
    const answers = await Promise.all(
      Array.from({ length: 603 }, (_, n) => send(n, workspace.host, key, { path: paths[n % 3] ?? '' })),
    )
    expect(countOf(answers, 429)).toBe(3)
  })

  it('make one lead of 20 parallel creates with one Idempotency-Key', async () => {
    const workspace = await createTestWorkspace(db)
    const { key } = await workspace.apiKey()
    const create = (n: number) =>
      send(n, workspace.host, key, {
        method: 'POST',
        path: '/api/leads',
        body: { lastName: 'Once' },
        headers: { 'idempotency-key': 'drill' },
      })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create(n)))
    expect(countOf(answers, 201) + countOf(answers, 409)).toBe(20)
    expect(countOf(answers, 201)).toBeGreaterThan(0)
    const rows = await db
      .select({ id: schema.leads.id })
      .from(schema.leads)
      .where(eq(schema.leads.workspaceId, workspace.workspaceId))
    expect(rows).toHaveLength(1)
    expect((await create(0)).status).toBe(201)
  })

  it('do what an agent proposed once, or not at all when its key is revoked at the same time', async () => {
    const workspace = await createTestWorkspace(db)
    const { id, key } = await workspace.apiKey()
    await db.update(schema.apiKeys).set({ writes: 'PROPOSE' }).where(eq(schema.apiKeys.id, id))
    const person = await personOf(workspace)
    const propose = async (lastName: string): Promise<string> => {
      const { status, body } = await send(0, workspace.host, key, {
        method: 'POST',
        path: '/api/leads',
        body: { lastName },
      })
      expect(status).toBe(202)
      return (body['data'] as { proposalId: string }).proposalId
    }
    const approve = (n: number, one: string) => person(n, 'POST', `/api/settings/proposals/${one}/approve`)
    const once = await propose('Once')
    const approvals = await Promise.all(Array.from({ length: 4 }, (_, n) => approve(n, once)))
    expect(countOf(approvals, 200)).toBe(1)
    expect(approvals.filter(({ body }) => body['code'] === 'PROPOSAL_CLOSED')).toHaveLength(3)
    const raced = await propose('Raced')
    const [revoked, approved] = await Promise.all([
      person(0, 'DELETE', `/api/settings/api-keys/${id}`),
      approve(1, raced),
    ])
    expect(revoked.status).toBe(200)
    expect([200, 409]).toContain(approved.status)
    const made = await db
      .select({ name: schema.leads.lastName })
      .from(schema.leads)
      .where(eq(schema.leads.workspaceId, workspace.workspaceId))
    const expected = approved.status === 200 ? ['Once', 'Raced'] : ['Once']
    expect(new Set(made.map(({ name }) => name))).toEqual(new Set(expected))
    expect(made).toHaveLength(expected.length)
  })

  it('keep one budget and one session of an agent, and begin one undo of it', async () => {
    const workspace = await createTestWorkspace(db)
    const { id, key } = await workspace.apiKey()
    await db
      .update(schema.apiKeys)
      .set({ limits: { deletesPerDay: 5 } })
      .where(eq(schema.apiKeys.id, id))
    const ask = (n: number, method: string, path: string, body?: unknown) =>
      send(n, workspace.host, key, { method, path, body })
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask(n, 'POST', '/api/leads', { lastName: `Lead ${n}` })),
    )
    const ids = made.map(({ body }) => (body['data'] as { id: string }).id)
    const six = await ask(0, 'DELETE', '/api/leads', { ids: ids.slice(0, 6) })
    expect(six).toMatchObject({ status: 403, body: { code: 'BUDGET_EXCEEDED' } })
    const deleted = await Promise.all(ids.map((lead, n) => ask(n, 'DELETE', `/api/leads/${lead}`)))
    expect(countOf(deleted, 200)).toBe(5)
    expect(deleted.filter(({ body }) => body['code'] === 'BUDGET_EXCEEDED')).toHaveLength(15)
    const person = await personOf(workspace)
    const session = await eventually(async () => {
      const { body } = await person(0, 'GET', '/api/settings/agent-sessions')
      expect(body['items']).toEqual([expect.objectContaining({ writes: 25, refusals: 16, records: 20 })])
      return (body['items'] as readonly { id: string }[])[0]?.id
    })
    const undo = (n: number) => person(n, 'POST', `/api/settings/agent-sessions/${session}/undo`)
    const undone = await Promise.all([undo(0), undo(1)])
    expect(undone.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409])
    await eventually(async () =>
      expect((await person(1, 'GET', '/api/leads')).body).toMatchObject({ items: [], total: 0 }),
    )
  })

  it('go on without Redis: credentials are asked of the database, so a revoked key is refused at once', async () => {
    const workspace = await createTestWorkspace(db)
    const { id, key } = await workspace.apiKey()
    expect((await send(0, workspace.host, key)).status).toBe(200)
    await redis.kill()
    expect((await send(0, workspace.host, key)).status).toBe(200)
    await db.update(schema.apiKeys).set({ revokedAt: new Date().toISOString() }).where(eq(schema.apiKeys.id, id))
    expect((await send(0, workspace.host, key)).status).toBe(401)
    expect((await send(1, workspace.host, key)).status).toBe(401)
  })
})
