// The end of a PostgreSQL in the middle of writes: what was answered as done is there, and everything else was refused for a while.
import { createDatabase, createPool } from '@crm/db'
import { bundleOf, createTestWorkspace, freezableDatabase, startProcess, testRedis, testScratchDir } from '@crm/testkit'
import { setTimeout as waitMs } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { makeHook } from '../../apps/webhooks/test/workspace.ts'

const database = await freezableDatabase()
const { url: redisUrl } = await testRedis()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-owner' })
afterAll(() => owner.end())
// Servers of tests answer before they have written, which a production server does not.
await owner.query('ALTER DATABASE postgres SET synchronous_commit = on')
const workspace = await createTestWorkspace(createDatabase(owner))
const { key } = await workspace.apiKey()
const hook = await makeHook(owner, workspace)
await owner.query('UPDATE workspaces SET limits = $1', [
  JSON.stringify({ 'api.per-minute': 1_000_000, 'hooks.per-minute': 1_000_000 }),
])

const common = {
  REDIS_URL: redisUrl,
  RUN_TOKEN_SECRET: 'a secret of the tests that is long enough',
  DATA_DIR: testScratchDir(),
  LOG_LEVEL: 'fatal',
}
const api = await startProcess(bundleOf('crm-api'), { ...common, DATABASE_URL: database.urlFor('crm_api') })
const hooks = await startProcess(bundleOf('webhooks', 'main-ingress'), {
  ...common,
  DATABASE_URL: database.urlFor('crm_hooks'),
  TRUSTED_PROXIES: '127.0.0.1',
})

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: { readonly data?: { readonly id?: string } }
}

async function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as Answer['body'],
  }
}

const writers = {
  lead: (n: number) => post(`${api.url}/api/leads`, { lastName: `Kept ${n}` }, { authorization: `Bearer ${key}` }),
  // Each call has an address of its own, so that no address reaches its limit of calls a minute.
  hook: (n: number) =>
    post(
      `${hooks.url}/api/hooks/${hook.path}`,
      { n },
      { 'x-api-key': hook.secret, 'x-forwarded-for': `10.0.${Math.floor(n / 250)}.${n % 250}` },
    ),
}

it.each([
  ['lead', 201],
  ['hook', 202],
] as const)('loses no %s that was answered, refuses the others with Retry-After, and goes on', async (kind, done) => {
  const write = writers[kind]
  let sent = 0
  const answers: Answer[] = []
  const isDone = ({ status }: Answer): boolean => status === done
  const goesOn = (): boolean => {
    const lastRefused = answers.findLastIndex((answer) => !isDone(answer))
    return lastRefused === -1 || answers.length - lastRefused <= 100
  }
  const keepWriting = async (): Promise<void> => {
    while (goesOn()) {
      const answer = await write(++sent)
      answers.push(answer)
      // As a client does that keeps to what it is told.
      if (!isDone(answer)) await waitMs(Number(answer.retryAfter) * 1_000)
    }
  }
  const writing = Promise.all(Array.from({ length: 8 }, keepWriting))
  await expect.poll(() => answers.filter(isDone).length).toBeGreaterThan(50)
  database.crash()
  await writing

  const refused = answers.filter((answer) => !isDone(answer))
  for (const { status, retryAfter } of refused) {
    expect(status).toBe(503)
    expect(Number(retryAfter)).toBeGreaterThan(0)
  }
  const kept = answers.filter(isDone)
  if (kind === 'lead') {
    const ids = kept.map(({ body }) => body.data?.id)
    const { rows } = await owner.query<{ n: number }>('SELECT count(*)::int AS n FROM leads WHERE id = ANY($1)', [ids])
    expect(rows[0]?.n).toBe(ids.length)
  } else {
    const { rows } = await owner.query<{ n: number }>('SELECT count(*)::int AS n FROM workflow_runs')
    expect(rows[0]?.n).toBeGreaterThanOrEqual(kept.length)
  }
})
