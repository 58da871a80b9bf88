import { declaredOperations, publicContract, scimContract, settingsContract } from '@crm/contract'
import { createPool, schema, watchReplicas, type Replicas } from '@crm/db'
import { createChangeMarks } from '@crm/redis'
import { createLogger } from '@crm/runtime'
import { permissionNames } from '@crm/permissions'
import { asDeployable, replicatedDatabase, serviceLog } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, it, onTestFinished } from 'vitest'
import { noteSeen } from '../src/platform/late-reads.ts'
import { ownApi } from './harness.ts'
import { jobsUnderTest } from './jobs.ts'
import { openLive } from './live-reader.ts'
import { createLead } from './samples.ts'

const database = await replicatedDatabase()
const logger = createLogger({ name: 'crm-api', level: 'error', destination: serviceLog() })
const poolOf = (databaseUrl: string, max = 4) =>
  createPool({ databaseUrl, max, applicationName: 'test-replica', ...asDeployable })
const primary = poolOf(database.urlFor('crm_api'))
let clockMs = 0
const replicas = watchReplicas({
  primary,
  replicas: [poolOf(database.replicaUrlFor('crm_api'))],
  logger,
  everyMs: 50,
  nowMs: () => performance.now() + clockMs,
})
const replicaOwner = createPool({ databaseUrl: database.replicaOwnerUrl, max: 1, applicationName: 'test-owner' })
afterAll(() => Promise.all([replicas.close(), primary.end(), replicaOwner.end()]))

const api = await ownApi({ database, lateReads: (redis) => ({ replicas, marks: createChangeMarks(redis) }) })
const jobs = await jobsUnderTest(api, { lateReads: { replicas, marks: createChangeMarks(api.redis) } })
const { call, db, key, workspace } = api

const pause = () => replicaOwner.query('SELECT pg_wal_replay_pause()')
const resume = () => replicaOwner.query('SELECT pg_wal_replay_resume()')
afterEach(async () => {
  clockMs = 0
  await resume().catch(() => undefined)
})

/** Waits until the replica has everything. */
async function untilCurrent(): Promise<void> {
  await resume()
  const position = await replicas.mark()
  await expect.poll(() => replicas.upTo(position) !== undefined).toBe(true)
}

/** Waits until replay has really stopped. */
async function untilPaused(): Promise<void> {
  await pause()
  const stateOf = async () =>
    (await replicaOwner.query('SELECT pg_get_wal_replay_pause_state() AS state')).rows[0].state
  await expect.poll(stateOf).toBe('paused')
}

async function namesFor(credential: string, path = '/api/leads?pageSize=100'): Promise<string[]> {
  const { status, body } = await call({ path, key: credential })
  expect(status).toBe(200)
  return (body.items as { readonly lastName: string }[]).map(({ lastName }) => lastName)
}

const otherKey = async (): Promise<string> => (await workspace.apiKey()).key
const writeLead = (lastName: string, credential = key) =>
  call({ method: 'POST', path: '/api/leads', key: credential, body: { lastName } })

it('shows people their own changes while the replica stands still, and reads there for the others', async () => {
  const other = await otherKey()
  await namesFor(other)
  await untilCurrent()
  await untilPaused()
  expect((await writeLead('Written Now')).status).toBe(201)
  expect(await namesFor(key)).toContain('Written Now')
  // Proof that the other credential reads the replica: it lacks a lead that is committed.
  expect(await namesFor(other)).not.toContain('Written Now')
  const count = async (credential: string) =>
    (await call({ path: '/api/leads/summary?measures=count', key: credential })).body.totals.count
  expect(await count(key)).toBe((await count(other)) + 1)
  const found = async (credential: string) =>
    (await call({ path: '/api/search?q=Written%20Now', key: credential })).body.results.length
  expect([await found(key), await found(other)]).toEqual([1, 0])
  await untilCurrent()
  expect(await namesFor(other)).toContain('Written Now')
})

it('shows people whatever a stream of changes told them', async () => {
  const cookie = await workspace.session()
  const names = async (): Promise<string[]> =>
    (await call({ path: '/api/leads?pageSize=100', cookie })).body.items.map(
      ({ lastName }: { readonly lastName: string }) => lastName,
    )
  await names()
  await untilCurrent()
  await untilPaused()
  const reader = await openLive(api, { host: workspace.host, cookie, query: '?types=LEAD' })
  onTestFinished(() => reader.close())
  const id = (await writeLead('Told Now')).body.data.id as string
  await reader.until(({ data }) => (data.ids as readonly string[] | undefined)?.includes(id) === true)
  expect(await names()).toContain('Told Now')
})

it('reads a single record, and whatever decides about rights, from the primary', async () => {
  const other = await otherKey()
  await namesFor(other)
  await untilCurrent()
  await untilPaused()
  const id = (await writeLead('Read Alone')).body.data.id as string
  expect((await call({ path: `/api/leads/${id}`, key: other })).status).toBe(200)
  const { id: lateId } = await workspace.employee({ grant: { permissions: ['VIEW_DEAL'] } })
  const { key: late } = await workspace.apiKey({ ownerId: lateId })
  expect((await call({ path: '/api/deals', key: late })).status).toBe(200)
  await db.update(schema.employees).set({ status: 'SUSPENDED' }).where(eq(schema.employees.id, lateId))
  await api.epochs.bump(workspace.workspaceId)
  expect(await call({ path: '/api/deals', key: late })).toMatchObject({
    status: 403,
    body: { code: 'ACCOUNT_DISABLED' },
  })
})

it('keeps nothing in memory that a replica said, and believes no refusal that is based on it', async () => {
  const { key: other } = await workspace.apiKey({ scopes: [...permissionNames, 'VIEW_GLIDER'] })
  await namesFor(other)
  await untilCurrent()
  await untilPaused()
  const cookie = await workspace.session()
  const body = { key: 'glider', labels: { singular: 'Glider', plural: 'Gliders' } }
  const made = await call({ method: 'POST', path: '/api/settings/custom-entities', cookie, body })
  expect(made.status).toBe(201)
  for (let n = 0; n < 2; n += 1)
    expect(await call({ path: '/api/custom-entities/glider/records', key: other })).toMatchObject({
      status: 200,
      body: { total: 0 },
    })
})

it('exports what was there when the export was asked for', async () => {
  await createLead(api)
  await untilCurrent()
  await untilPaused()
  await writeLead('Exported Late')
  const cookie = await workspace.session()
  const ordered = await call({ method: 'POST', path: '/api/settings/exports', cookie, body: { entityType: 'LEAD' } })
  await resume()
  await jobs.settled()
  const { id } = ordered.body.data
  expect((await call({ path: `/api/settings/exports/${id}`, cookie })).body.data).toMatchObject({ state: 'DONE' })
  const content = await call({ path: `/api/settings/exports/${id}/file`, cookie })
  expect(content.body).toContain('Exported Late')
})

it('leaves a replica out that is more than ten seconds behind, and says by how much', async () => {
  const other = await otherKey()
  await namesFor(other)
  await untilCurrent()
  await untilPaused()
  await writeLead('Behind')
  expect(await namesFor(other)).not.toContain('Behind')
  await expect.poll(() => replicas.lags()[0]).toBeGreaterThan(0)
  clockMs = 11_000
  await replicas.look()
  expect(replicas.lags()[0]).toBeGreaterThan(10)
  expect(await namesFor(other)).toContain('Behind')
  await untilCurrent()
  await expect.poll(() => replicas.lags()[0]).toBeLessThan(1)
})

it('declares only reads of records that show nothing of people’s reach', () => {
  const lagging = [publicContract, settingsContract, scimContract].flatMap((contract) =>
    declaredOperations(contract as never).filter(({ operation }) => operation.mayLag),
  )
  expect(lagging.length).toBeGreaterThan(20)
  for (const { id, resource, operation } of lagging)
    expect([id, resource.surface, operation.method, operation.reach]).toEqual([id, 'public', 'GET', undefined])
})

it('answers a change whose position nobody can read, and reads the primary afterwards', async () => {
  const marks = createChangeMarks(api.redis)
  const away: Replicas = { ...replicas, position: () => Promise.reject(new Error('The primary is away')) }
  await noteSeen({ replicas: away, marks }, workspace.workspaceId, ['somebody'])
  await untilCurrent()
  expect(replicas.upTo((await marks.read(workspace.workspaceId, 'somebody')) ?? 0n)).toBe(undefined)
})

it('asks the primary without Redis, because nobody knows who changed something', async () => {
  const marks = createChangeMarks({ ...api.redis, isReady: () => false })
  expect(await marks.read(workspace.workspaceId, 'anybody')).toBe(undefined)
})

it('goes back to the primary when the replica dies', async () => {
  const other = await otherKey()
  await namesFor(other)
  await untilCurrent()
  await database.killReplica()
  await writeLead('Without Replica', other)
  expect(await namesFor(key)).toContain('Without Replica')
  expect(await namesFor(other)).toContain('Without Replica')
  clockMs = 60_000
  await replicas.look()
  expect(replicas.lags()[0]).toBeGreaterThan(59)
})
