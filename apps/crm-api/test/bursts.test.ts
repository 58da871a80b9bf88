import { createDatabase, createPool, newId, schema } from '@crm/db'
import { bundleOf, createTestWorkspace, startProcess, testDatabase, testRedis, type TestProcess } from '@crm/testkit'
import { readFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
afterAll(() => owner.end())
const db = createDatabase(owner)
const redis = await testRedis()

const heapMb = 256
const residentMbMax = 400

const startApi = (): Promise<TestProcess> =>
  startProcess(bundleOf('crm-api'), {
    DATABASE_URL: database.urlFor('crm_api'),
    REDIS_URL: redis.url,
    NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
  })

/** Makes a workspace with tasks; returns how to send a request for it. */
async function withTasks(count: number, description: string) {
  const workspace = await createTestWorkspace(db)
  const { key } = await workspace.apiKey()
  const { workspaceId, adminUserId: ownerId } = workspace
  const tasks = Array.from({ length: count }, (_, at) => ({
    workspaceId,
    ownerId,
    createdById: ownerId,
    id: newId(),
    number: at + 1,
    title: `Task ${at}`,
    status: 'TODO' as const,
    description,
  }))
  for (let at = 0; at < count; at += 500) await db.insert(schema.tasks).values(tasks.slice(at, at + 500))
  const headers = { host: workspace.host, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const send = async ({ url }: TestProcess, method: string, path: string, body?: unknown) => {
    const answered = Promise.withResolvers<IncomingMessage>()
    const sent = request(new URL(path, url), { agent: false, method, headers }, answered.resolve)
    sent.on('error', answered.reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const answer = await answered.promise
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await text(answer)) }
  }
  return { workspace, send }
}

/** The most memory that a process has had; where the system does not tell it, what it has. */
function residentMb({ pid }: TestProcess): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
const tellsMemory = process.platform === 'linux'

it('answers large lists in turn when many come at once, or refuses them, and stays small', async () => {
  const { send } = await withTasks(500, 'ä“x '.repeat(5_000))
  const api = await startApi()
  const asked = Array.from({ length: 24 }, () => send(api, 'GET', '/api/tasks?pageSize=500'))
  const answers = await Promise.all(asked)
  const whole = answers.filter(({ status }) => status === 200)
  for (const { body } of whole) expect(body.items).toHaveLength(500)
  for (const { status, headers } of answers.filter((each) => !whole.includes(each)))
    expect([status, headers['retry-after']]).toEqual([503, expect.any(String)])
  expect(whole.length).toBeGreaterThan(0)
  // It has come through, and serves the next one at once.
  expect((await send(api, 'GET', '/api/tasks?pageSize=500')).body.items).toHaveLength(500)
  if (tellsMemory) expect(residentMb(api)).toBeLessThan(residentMbMax)
})

it('changes the owner of five thousand records, and stays small', async () => {
  const count = 5_000
  const { workspace, send } = await withTasks(count, 'x'.repeat(2_000))
  const { id: ownerId } = await workspace.employee()
  const api = await startApi()
  const change = { all: true, expectedCount: count, set: { ownerId } }
  const { status, body } = await send(api, 'PATCH', '/api/tasks', change)
  expect(status).toBe(202)
  const stateOf = async () => (await send(api, 'GET', `/api/jobs/${body.data.jobId}`)).body.data
  await expect.poll(async () => (await stateOf()).state, { timeout: 110_000, interval: 500 }).toBe('DONE')
  const { body: list } = await send(api, 'GET', `/api/tasks?ownerId=${ownerId}&pageSize=1`)
  expect(list.total).toBe(count)
  if (tellsMemory) expect(residentMb(api)).toBeLessThan(residentMbMax)
}, 120_000)
