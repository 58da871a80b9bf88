import { createDatabase, createPool, schema } from '@crm/db'
import { bundleOf, createTestWorkspace, startProcess, startRedisServer, testDatabase } from '@crm/testkit'
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
  key: string,
  options: { method?: string; path?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { method = 'GET', path = '/api/me', body, headers = {} } = options
  const { hostname, port } = new URL(processes[n % 2]?.url ?? '')
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        headers: { host, authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
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
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
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
