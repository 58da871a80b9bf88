import { createDatabase } from '@crm/db'
import {
  bundleOf,
  lockWaiters,
  startProcess,
  startRedisServer,
  testDatabase,
  type TestProcess,
  type TestRedisServer,
  eventually,
  stepsOf,
} from '@crm/testkit'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  callHook,
  ownerPool,
  runsOf,
  runTokenSecret,
  startInstallation,
  startReceiver,
  startSlowLine,
  type Installation,
  type Passing,
} from './installation.ts'
import { makeHook, makeWorkspace, type TestHook, type TestWorkspace } from './workspace.ts'

const database = await testDatabase()
const pool = ownerPool(database)
afterAll(() => pool.end())

let redis: TestRedisServer
let installation: Installation
let workspace: TestWorkspace
const dispatchers: TestProcess[] = []

beforeAll(async () => {
  redis = await startRedisServer()
  installation = await startInstallation(database, redis.url)
  workspace = await makeWorkspace(pool)
})

afterEach(async () => {
  await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.stop('SIGKILL')))
})

async function startDispatcher(env?: Record<string, string>): Promise<TestProcess> {
  const dispatcher = await installation.startDispatcher(env)
  dispatchers.push(dispatcher)
  return dispatcher
}

/** `npm run test:faults` runs more rounds. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? stepsOf(20))

const createLead = {
  key: 'lead',
  name: '',
  type: 'CREATE_RECORD',
  entityType: 'LEAD',
  values: { lastName: 'Fault', email: '{{trigger.email}}' },
}

/** Calls a webhook `n` times at once and asserts that every call is accepted; each call has an address of its own. */
async function acceptedCalls(hook: TestHook, n: number, { from = 0, caller = '203.0.113.9' } = {}): Promise<void> {
  const numbers = Array.from({ length: n }, (_, i) => from + i)
  const statuses = await Promise.all(
    numbers.map((i) =>
      callHook(installation.ingress, workspace.host, hook, { email: `${hook.workflowId}.${i}@fault.example` }, caller),
    ),
  )
  expect(statuses).toEqual(numbers.map(() => 202))
}

async function finishedRuns(hook: TestHook): Promise<number> {
  return (await runsOf(pool, hook.workflowId)).filter(({ state }) => state === 'SUCCEEDED').length
}

/** Returns the runs that are not finished, with the reasons. */
async function unfinishedRuns(hook: TestHook): Promise<unknown[]> {
  const runs = await runsOf(pool, hook.workflowId)
  return runs
    .filter(({ state }) => state !== 'SUCCEEDED')
    .map(({ state, epoch, failureCode, failureMessage, steps }) => ({
      state,
      epoch,
      failureCode,
      failureMessage,
      steps,
    }))
}

/** Cuts every connection to the database except our own, as a restart of the server does. */
const cutConnections = () =>
  pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'test'`,
  )

/** Asserts that every accepted call has exactly one finished run and exactly one lead. */
async function allIsDoneOnce(hook: TestHook, n: number): Promise<void> {
  await eventually(
    async () => {
      await Promise.all([letHandedOnPass(), letWaitingPass()])
      expect(await unfinishedRuns(hook)).toEqual([])
    },
    { timeout: 90_000, interval: 200 },
  )
  expect(await runsOf(pool, hook.workflowId)).toHaveLength(n)
  const { rows } = await pool.query<{ email: string }>('SELECT email FROM leads WHERE email LIKE $1', [
    `${hook.workflowId}.%`,
  ])
  expect([rows.length, new Set(rows.map(({ email }) => email)).size]).toEqual([n, n])
}

/** Acts as if the time limit of a handed-on row had passed. */
const letHandedOnPass = () =>
  pool.query(
    `UPDATE outbox SET relayed_at = now() - interval '61 seconds' WHERE done_at IS NULL AND relayed_at IS NOT NULL`,
  )

/**
 * Acts as if runs that wait for their next try had waited long enough, and idempotency keys of broken requests had
 * become free.
 */
const letWaitingPass = () =>
  Promise.all([
    pool.query(`UPDATE workflow_runs SET resume_at = now() WHERE state = 'WAITING'`),
    pool.query(
      `UPDATE idempotency_keys SET lease_until = now() WHERE status IS NULL AND lease_until < now() + interval '57 seconds'`,
    ),
  ])

it(
  'loses nothing and does nothing twice when one dispatcher after the other is killed among its runs',
  { timeout: 150_000 + rounds * 20_000 },
  async () => {
    const steps = [
      createLead,
      {
        key: 'again',
        name: '',
        type: 'UPDATE_RECORD',
        entityType: 'LEAD',
        id: '{{steps.lead.data.id}}',
        values: { temperature: 'HOT' },
      },
    ]
    const hooks: TestHook[] = []
    for (let round = 0; round < rounds; round += 1) {
      const [dispatcher, hook] = [await startDispatcher(), await makeHook(pool, workspace, { steps })]
      hooks.push(hook)
      await Promise.all([
        // No address may call as often as many rounds do.
        acceptedCalls(hook, 50, { caller: `198.51.100.${round}` }),
        eventually(async () => expect(await finishedRuns(hook)).toBeGreaterThan(2), { interval: 5 }).then(() =>
          dispatcher.stop('SIGKILL'),
        ),
      ])
      expect(50 - (await finishedRuns(hook))).toBeGreaterThan(0)
    }
    await startDispatcher()
    for (const hook of hooks) await allIsDoneOnce(hook, 50)
  },
)

it('loses nothing when the ingress is killed right after its answers', { timeout: 150_000 }, async () => {
  const hook = await makeHook(pool, workspace, { steps: [createLead] })
  // The answers are out, and the dispatcher has not been told of the last runs.
  await acceptedCalls(hook, 40)
  await installation.ingress.stop('SIGKILL')
  await installation.restartIngress()
  await acceptedCalls(hook, 5, { from: 40 })
  await letHandedOnPass()
  await startDispatcher()
  await allIsDoneOnce(hook, 45)
})

it(
  'goes on after every connection to PostgreSQL was cut, again and again',
  { timeout: 150_000 + rounds * 20_000 },
  async () => {
    await startDispatcher()
    const acceptedBy = new Map<TestHook, number>()
    for (let round = 0; round < rounds; round += 1) {
      const hook = await makeHook(pool, workspace, { steps: [createLead] })
      const calls = Array.from({ length: 30 }, (_, i) =>
        callHook(
          installation.ingress,
          workspace.host,
          hook,
          { email: `${hook.workflowId}.${i}@fault.example` },
          `203.0.113.${round + 20}`,
        ),
      )
      await cutConnections()
      const statuses = await Promise.all(calls)
      // A call that was cut before its commit is refused; the caller tries again later.
      expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([])
      acceptedBy.set(hook, statuses.filter((status) => status === 202).length)
      await cutConnections()
    }
    for (const [hook, accepted] of acceptedBy) {
      const runs = await runsOf(pool, hook.workflowId)
      // A connection that is cut between commit and answer leaves a run that its caller does not know of, as with any server.
      expect(runs.length).toBeGreaterThanOrEqual(accepted)
      await allIsDoneOnce(hook, runs.length)
    }
  },
)

it('does not send a request again whose worker was killed while it was under way', { timeout: 120_000 }, async () => {
  const arrived = Promise.withResolvers<void>()
  const receiver = await startReceiver(() => {
    arrived.resolve()
    return new Promise<number>(() => undefined)
  })
  const hook = await makeHook(pool, workspace, {
    steps: [
      createLead,
      {
        key: 'tell',
        name: '',
        type: 'HTTP_REQUEST',
        url: receiver.url,
        method: 'POST',
        headers: {},
        bodyTemplate: null,
      },
    ],
  })
  const dispatcher = await startDispatcher()
  await acceptedCalls(hook, 1)
  await arrived.promise
  await dispatcher.stop('SIGKILL')
  await startDispatcher()
  await eventually(async () => expect((await runsOf(pool, hook.workflowId))[0]?.state).toBe('FAILED'), {
    timeout: 30_000,
  })
  const [run] = await runsOf(pool, hook.workflowId)
  expect(run).toMatchObject({
    failureCode: 'OUTCOME_UNKNOWN',
    epoch: 2,
    steps: [
      { state: 'SUCCEEDED', epoch: 1 },
      { state: 'FAILED', failureCode: 'OUTCOME_UNKNOWN' },
    ],
  })
  const { rows } = await pool.query('SELECT state, error FROM deliveries WHERE run_id = $1', [run?.id])
  expect(rows).toEqual([{ state: 'FAILED', error: expect.stringMatching(/outcome is unknown/) }])
  expect(receiver.received).toHaveLength(1)
})

it('shuts a worker out that slept through its lease', { timeout: 120_000 }, async () => {
  const arrived = Promise.withResolvers<void>()
  const go = Promise.withResolvers<number>()
  const receiver = await startReceiver(() => {
    arrived.resolve()
    return go.promise
  })
  const steps = [
    { key: 'tell', name: '', type: 'HTTP_REQUEST', url: receiver.url, method: 'POST', headers: {}, bodyTemplate: null },
    createLead,
  ]
  const hook = await makeHook(pool, workspace, { steps })
  const sleeper = await startDispatcher()
  await acceptedCalls(hook, 1)
  await arrived.promise
  process.kill(sleeper.pid, 'SIGSTOP')
  await startDispatcher()
  await eventually(
    async () =>
      expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({
        state: 'FAILED',
        failureCode: 'OUTCOME_UNKNOWN',
      }),
    { timeout: 30_000 },
  )
  go.resolve(200)
  process.kill(sleeper.pid, 'SIGCONT')
  expect(await sleeper.stop()).toBe(0)
  expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({
    state: 'FAILED',
    epoch: 2,
    steps: [{ state: 'FAILED' }],
  })
  const { rows } = await pool.query('SELECT 1 FROM leads WHERE email LIKE $1', [`${hook.workflowId}.%`])
  expect(rows).toEqual([])
})

it('gives its runs back at once when it is asked to stop', { timeout: 120_000 }, async () => {
  const arrived = Promise.withResolvers<void>()
  const go = Promise.withResolvers<number>()
  const receiver = await startReceiver(() => {
    arrived.resolve()
    return go.promise
  })
  const hook = await makeHook(pool, workspace, {
    steps: [
      {
        key: 'tell',
        name: '',
        type: 'HTTP_REQUEST',
        url: receiver.url,
        method: 'POST',
        headers: {},
        bodyTemplate: null,
      },
      createLead,
    ],
  })
  const first = await startDispatcher({ RUN_LEASE_MS: '60000' })
  await acceptedCalls(hook, 1)
  await arrived.promise
  const stopped = first.stop()
  go.resolve(200)
  expect(await stopped).toBe(0)
  expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({
    state: 'QUEUED',
    epoch: 2,
    steps: [{ state: 'SUCCEEDED' }],
  })
  await startDispatcher({ RUN_LEASE_MS: '60000' })
  await allIsDoneOnce(hook, 1)
  expect(receiver.received).toHaveLength(1)
})

it('puts back what a flushed Redis has lost', { timeout: 120_000 }, async () => {
  const hook = await makeHook(pool, workspace, { steps: [createLead] })
  // A dispatcher that runs a single run at a time queues all others, and is then killed.
  const dispatcher = await startDispatcher({ RUN_CONCURRENCY: '1' })
  const client = new Redis(redis.url)
  const isQueued = () =>
    eventually(async () => expect(await client.llen('{crm-run}:run:wait')).toBeGreaterThan(5), {
      timeout: 30_000,
      interval: 1,
    })
  await Promise.all([acceptedCalls(hook, 40), isQueued().then(() => dispatcher.stop('SIGKILL'))])
  await client.flushall()
  client.disconnect()
  await letHandedOnPass()
  await startDispatcher()
  await allIsDoneOnce(hook, 40)
})

it('goes on while Redis is away and after its return', { timeout: 150_000 }, async () => {
  const hook = await makeHook(pool, workspace, { steps: [createLead] })
  await startDispatcher()
  await acceptedCalls(hook, 20)
  await redis.kill()
  await acceptedCalls(hook, 20, { from: 20 })
  await eventually(async () => expect(await finishedRuns(hook)).toBeGreaterThan(20), { timeout: 30_000 })
  redis = await startRedisServer({ port: redis.port, password: redis.password })
  await acceptedCalls(hook, 20, { from: 40 })
  // The references in the killed Redis are due again after their time.
  await letHandedOnPass()
  await allIsDoneOnce(hook, 60)
})

it('does without Redis altogether', { timeout: 120_000 }, async () => {
  const hook = await makeHook(pool, workspace, { steps: [createLead] })
  await startDispatcher({ REDIS_URL: '' })
  await acceptedCalls(hook, 30)
  await allIsDoneOnce(hook, 30)
})

it('waits for the CRM API to come back', { timeout: 150_000 }, async () => {
  const { port } = new URL(installation.crmApi.url)
  // The create of a product takes no idempotency key, so it is sent again only while it certainly had no effect.
  const createProduct = {
    key: 'product',
    name: '',
    type: 'CREATE_RECORD',
    entityType: 'PRODUCT',
    values: { name: 'P' },
  }
  const hook = await makeHook(pool, workspace, { steps: [createLead, createProduct] })
  const onlyProduct = await makeHook(pool, workspace, { steps: [createProduct] })
  const hooks = [hook, onlyProduct]
  await startDispatcher()
  await installation.crmApi.stop('SIGKILL')
  for (const each of hooks) await acceptedCalls(each, 5)
  const waiting = async (): Promise<unknown[]> =>
    (await Promise.all(hooks.map(unfinishedRuns))).flat().map((run) => (run as { state: string }).state)
  await eventually(async () => expect(await waiting()).toEqual(Array.from({ length: 10 }, () => 'WAITING')), {
    timeout: 30_000,
  })
  await startProcess(bundleOf('crm-api'), {
    PORT: port,
    DATABASE_URL: database.urlFor('crm_api'),
    RUN_TOKEN_SECRET: runTokenSecret,
  })
  await pool.query(`UPDATE workflow_runs SET resume_at = now() WHERE state = 'WAITING'`)
  await allIsDoneOnce(hook, 5)
  await eventually(async () => expect(await unfinishedRuns(onlyProduct)).toEqual([]), { timeout: 30_000 })
  const { rows } = await pool.query('SELECT FROM products WHERE workspace_id = $1', [workspace.workspaceId])
  expect(rows).toHaveLength(10)
})

/** Waits until the lease of the only run has been renewed past the end of a credential that it gave out earlier. */
const isRenewed = (hook: TestHook, { expiresAtMs }: Passing): Promise<void> =>
  eventually(
    async () => {
      const { rows } = await pool.query(
        `SELECT FROM workflow_runs WHERE workflow_id = $1 AND lease_until > now() AND now() > to_timestamp($2 / 1000.0)`,
        [hook.workflowId, expiresAtMs],
      )
      expect(rows).toHaveLength(1)
    },
    { timeout: 30_000, interval: 20 },
  )

const endLease = (hook: TestHook): Promise<unknown> =>
  pool.query(`UPDATE workflow_runs SET lease_until = now() - interval '1 second' WHERE workflow_id = $1`, [
    hook.workflowId,
  ])

const isTakenOver = (hook: TestHook): Promise<void> =>
  eventually(
    async () => expect((await runsOf(pool, hook.workflowId))[0]).toMatchObject({ state: 'RUNNING', epoch: 2 }),
    { timeout: 30_000, interval: 20 },
  )

it.each([
  { name: 'whose lease was renewed meanwhile', leaseMs: '2000', meanwhile: isRenewed },
  { name: 'whose lease has ended', leaseMs: '60000', meanwhile: endLease },
  {
    name: 'that was taken over',
    leaseMs: '60000',
    meanwhile: async (hook: TestHook) => {
      await endLease(hook)
      await isTakenOver(hook)
    },
  },
])('finishes a run $name when a request of it arrives late', { timeout: 120_000 }, async ({ leaseMs, meanwhile }) => {
  const hook = await makeHook(pool, workspace, { steps: [createLead] })
  let requests = 0
  const line = await startSlowLine(installation.crmApi, async (passing) => {
    requests += 1
    if (requests === 1) await meanwhile(hook, passing)
  })
  await startDispatcher({ RUN_LEASE_MS: leaseMs, CRM_API_URL: line.url })
  await acceptedCalls(hook, 1)
  await allIsDoneOnce(hook, 1)
  expect(line.statuses).toContain(401)
})

it('does not take a lost database for a lost worker', { timeout: 120_000 }, async () => {
  const hook = await makeHook(pool, workspace, { steps: [createLead] })
  const locker = await pool.connect()
  let requests = 0
  const line = await startSlowLine(installation.crmApi, async () => {
    requests += 1
    if (requests > 1) return
    // One more lost worker would end the run.
    await pool.query(
      `UPDATE outbox SET payload = '{"takeovers":5}' WHERE id = (SELECT id FROM workflow_runs WHERE workflow_id = $1)`,
      [hook.workflowId],
    )
    await locker.query('BEGIN')
    await locker.query('SELECT FROM workflow_runs WHERE workflow_id = $1 FOR UPDATE', [hook.workflowId])
  })
  await startDispatcher({ RUN_LEASE_MS: '60000', CRM_API_URL: line.url })
  await acceptedCalls(hook, 1)
  // The lead is created, and what tells so waits for the lock.
  const telling = async () =>
    (await lockWaiters(createDatabase(pool))).filter(
      ({ role, query }) => role === 'crm_dispatcher' && query.includes('workflow_step_runs'),
    )
  await expect.poll(telling, { timeout: 30_000, interval: 20 }).toHaveLength(1)
  await pool.query('SELECT pg_terminate_backend($1::int)', [(await telling())[0]?.pid])
  await locker.query('ROLLBACK')
  locker.release()
  await eventually(async () => expect(await unfinishedRuns(hook)).toMatchObject([{ state: 'WAITING' }]), {
    timeout: 30_000,
  })
  await letWaitingPass()
  await allIsDoneOnce(hook, 1)
  expect(line.statuses).toEqual([201, 201])
})

it('waits while the CRM API does not take its credentials, and fails after an hour', { timeout: 120_000 }, async () => {
  const hook = await makeHook(pool, workspace, { steps: [createLead] })
  const another = { RUN_TOKEN_SECRET: 'another secret of the same length at least' }
  const stranger = await startDispatcher(another)
  await acceptedCalls(hook, 2)
  const areWaiting = async (): Promise<void> =>
    expect((await runsOf(pool, hook.workflowId)).map(({ state }) => state)).toEqual(['WAITING', 'WAITING'])
  await eventually(areWaiting, { timeout: 30_000 })
  expect(await stranger.stop()).toBe(0)
  const [early, late] = await runsOf(pool, hook.workflowId)
  await pool.query(`UPDATE workflow_step_runs SET started_at = now() - interval '61 minutes' WHERE run_id = $1`, [
    late?.id,
  ])
  await pool.query(`UPDATE workflow_runs SET resume_at = now() WHERE id = $1`, [late?.id])
  const still = await startDispatcher(another)
  await eventually(
    async () => expect((await runsOf(pool, hook.workflowId))[1]).toMatchObject({ failureCode: 'ACCESS_DENIED' }),
    { timeout: 30_000 },
  )
  expect(await still.stop()).toBe(0)
  await letWaitingPass()
  await startDispatcher()
  await eventually(
    async () =>
      expect((await runsOf(pool, hook.workflowId)).find(({ id }) => id === early?.id)).toMatchObject({
        state: 'SUCCEEDED',
      }),
    { timeout: 30_000 },
  )
})
