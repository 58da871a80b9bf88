import { createDatabase, createPool, schema } from '@crm/db'
import { bundleOf, createTestWorkspace, eventually, startProcess, testDatabase, testRedis } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'

const [database, { url: redisUrl }] = await Promise.all([testDatabase(), testRedis()])
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
afterAll(() => owner.end())
const db = createDatabase(owner)
const start = () => startProcess(bundleOf('crm-api'), { DATABASE_URL: database.urlFor('crm_api'), REDIS_URL: redisUrl })

it('an undo whose worker is killed goes on within a minute, and takes no step twice', async () => {
  const first = await start()
  // The address of the workspace is that of the process, because fetch sends no other host.
  const workspace = await createTestWorkspace(db, { baseUrl: first.url })
  const [makers, { id: agent, key }, cookie] = await Promise.all([
    Promise.all([workspace.apiKey(), workspace.apiKey()]),
    workspace.apiKey(),
    workspace.session(),
  ])
  const send = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await fetch(`${first.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.status, text).toBeLessThan(300)
    return JSON.parse(text)
  }
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
  const ids: string[] = []
  for (let n = 0; n < 500; n += 10) {
    const made = Array.from({ length: 10 }, (_, at) =>
      send('POST', '/api/leads', bearer(makers[at % 2]?.key ?? ''), { lastName: `Before ${n + at}` }),
    )
    ids.push(...(await Promise.all(made)).map(({ data }) => data.id as string))
  }
  await send('PATCH', '/api/leads', bearer(key), { ids, set: { temperature: 'HOT' }, addTags: ['agent'] })
  const session = { cookie, origin: first.url }
  const { items } = await send('GET', `/api/settings/agent-sessions?viaId=${agent}`, session)
  const { data } = await send('POST', `/api/settings/agent-sessions/${items[0].id}/undo`, session)
  const jobOf = async () => (await db.select().from(schema.jobs).where(eq(schema.jobs.id, data.jobId)))[0]
  await eventually(async () => expect((await jobOf())?.processed).toBeGreaterThan(0), { interval: 5 })
  await first.stop('SIGKILL')
  expect((await jobOf())?.state).toBe('RUNNING')
  await start()
  await eventually(async () => expect((await jobOf())?.state).toBe('DONE'), { timeout: 70_000 })
  expect(await jobOf()).toMatchObject({ processed: 500, result: { undone: 500, kept: [] } })
  const entries = await db.select().from(schema.timeline).where(eq(schema.timeline.groupId, data.jobId))
  expect(new Set(entries.map(({ entityId }) => entityId)).size).toBe(500)
  expect(entries).toHaveLength(500)
}, 180_000)
