import { sealEntries } from '@crm/audit'
import { createDatabase, createPool, newId, schema } from '@crm/db'
import { createLogger, fixedClock } from '@crm/runtime'
import { asDeployable, provePeriodicWork, stepsOf, testDatabase, type PlantDue, type TestWorkspace } from '@crm/testkit'
import { and, count, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { periodicJobs } from '../src/dispatcher/periodic-jobs.ts'
import { makeHook, makeWorkspace } from './workspace.ts'

const database = await testDatabase()
const owner = createPool({ databaseUrl: database.ownerUrl, max: 4, applicationName: 'test-owner' })
const pool = createPool({
  ...asDeployable,
  databaseUrl: database.urlFor('crm_dispatcher'),
  max: 4,
  applicationName: 'test-rounds',
})
const db = createDatabase(owner)
afterAll(() => Promise.all([owner.end(), pool.end()]))

const clock = fixedClock(new Date())
const jobs = periodicJobs({
  db: createDatabase(pool),
  clock,
  logger: createLogger({ name: 'rounds', level: 'silent' }),
  purgePool: pool,
  queued: () => undefined,
  failed: (table, error) => {
    throw new Error(table, { cause: error })
  },
  retention: {
    runs: 90,
    deliveries: 30,
    refusedCalls: 30,
    notifications: 90,
    audit: 730,
    timeline: 400,
    sessions: 30,
    jobs: 7,
    outbox: 1,
  },
})

const { auditLog, deliveries, idempotencyKeys, outbox, workflowRuns, workflows, workflowVersions } = schema
const ago = (days: number): string => new Date(clock.now().getTime() - days * 86_400_000).toISOString()

/** Publishes a workflow that is due to start. */
async function schedule(workspace: TestWorkspace, at = '09:00'): Promise<string> {
  const { workflowId } = await makeHook(owner, workspace)
  const trigger = { type: 'SCHEDULE', at }
  await db.update(workflowVersions).set({ trigger }).where(eq(workflowVersions.workflowId, workflowId))
  await db
    .update(workflows)
    .set({ nextRunAt: ago(1) })
    .where(eq(workflows.id, workflowId))
  return workflowId
}

const startedBy = (workflowId: string) => async () =>
  (await db.$count(workflowRuns, eq(workflowRuns.workflowId, workflowId))) === 1

const scheduled: PlantDue = async (workspace) => startedBy(await schedule(workspace))

const waitingRun: PlantDue = async (workspace) => {
  const { workflowId } = await makeHook(owner, workspace)
  const { workspaceId, adminUserId: runAsId } = workspace
  const id = newId()
  await db
    .insert(workflowRuns)
    .values({ workspaceId, id, workflowId, version: 1, runAsId, state: 'WAITING', resumeAt: ago(0.01) })
  return async () =>
    (await db.$count(workflowRuns, and(eq(workflowRuns.id, id), eq(workflowRuns.state, 'QUEUED')))) === 1
}

const lostDelivery: PlantDue = async ({ workspaceId }) => {
  const id = newId()
  await db.insert(deliveries).values({
    workspaceId,
    id,
    request: { url: 'http://a.example', method: 'POST', headers: {}, body: null } as never,
    state: 'SENDING',
    attemptedAt: ago(0.1),
  })
  return async () => (await db.$count(deliveries, and(eq(deliveries.id, id), eq(deliveries.state, 'FAILED')))) === 1
}

const oldRow: PlantDue = async ({ workspaceId }) => {
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO outbox (workspace_id, id, topic, event, done_at) VALUES ($1, uuidv7(interval '-9000 days'), 'job', 'test', now() - interval '9 days') RETURNING id`,
    [workspaceId],
  )
  return async () => (await db.$count(outbox, eq(outbox.id, rows[0]!.id))) === 0
}

const oldKey: PlantDue = async ({ workspaceId, adminUserId: employeeId }) => {
  const key = newId()
  await db.insert(idempotencyKeys).values({
    workspaceId,
    employeeId,
    key,
    claimId: newId(),
    leaseUntil: ago(1),
    expiresAt: ago(1),
    fingerprint: 'x',
  })
  return async () => (await db.$count(idempotencyKeys, eq(idempotencyKeys.key, key))) === 0
}

const oldEntries: PlantDue = async ({ workspaceId }) => {
  const add = (at: string) =>
    db.insert(auditLog).values({
      workspaceId,
      id: newId(),
      at,
      actorType: 'SYSTEM',
      actorName: 'Test',
      action: 'test.done',
      subjectType: 'TEST',
      summary: 'Done',
    })
  await add(ago(900))
  await add(ago(1))
  await sealEntries(db, workspaceId)
  return async () =>
    (await db.$count(auditLog, and(eq(auditLog.workspaceId, workspaceId), sql`${auditLog.at} < ${ago(800)}`))) === 0
}

describe('the periodic work of the dispatcher', () => {
  provePeriodicWork({
    atOnce: stepsOf(2_000),
    jobs,
    db,
    ownerUrl: database.ownerUrl,
    newWorkspace: () => makeWorkspace(owner),
    advance: (ms) => clock.advance(ms),
    due: {
      schedules: [scheduled],
      'due-runs': [waitingRun],
      'lost-deliveries': [lostDelivery],
      'old-history': [oldRow, oldKey, oldEntries],
    },
  })
})

describe('runs', () => {
  it('that wait tell in how many milliseconds the first of them is due', async () => {
    const due = jobs.find(({ name }) => name === 'due-runs')!
    const workspace = await makeWorkspace(owner)
    const { workspaceId, adminUserId: runAsId } = workspace
    const { workflowId } = await makeHook(owner, workspace)
    const run = { workspaceId, workflowId, version: 1, runAsId } as const
    expect(await due.dueInMs?.()).toBeUndefined()
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    await db.insert(workflowRuns).values([
      { ...run, id: newId(), state: 'WAITING', resumeAt: inAnHour },
      { ...run, id: newId(), state: 'QUEUED' },
    ])
    const waitsMs = await due.dueInMs?.()
    expect(waitsMs).toBeGreaterThan(3_000_000)
    const leaseUntil = new Date(Date.now() + 1_800_000).toISOString()
    await db.insert(workflowRuns).values({ ...run, id: newId(), state: 'RUNNING', leaseUntil })
    expect(await due.dueInMs?.()).toBeLessThan(1_800_000)
    await db.delete(workflowRuns).where(eq(workflowRuns.workspaceId, workspaceId))
  })
})

const startDue = () => jobs.find(({ name }) => name === 'schedules')?.perform()

describe('schedules', () => {
  it('of a workspace with a zone that is none wait, and all others start', async () => {
    const [wrong, right] = [await makeWorkspace(owner), await makeWorkspace(owner)]
    await db
      .update(schema.workspaces)
      .set({ timezone: 'No/Such_Zone' })
      .where(eq(schema.workspaces.id, wrong.workspaceId))
    const isWrongStarted = startedBy(await schedule(wrong))
    const isRightStarted = startedBy(await schedule(right))
    await startDue()
    expect([await isWrongStarted(), await isRightStarted()]).toEqual([false, true])
    await db.delete(workflows).where(eq(workflows.workspaceId, wrong.workspaceId))
  })

  it.each([
    // Summer time, which the name CET has where it is a zone and lacks where it is an abbreviation.
    ['CET', '2026-07-15T06:30:00.000Z', '2026-07-15T07:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25T08:00:00.000Z'],
    ['America/Edmonton', '2026-12-10T06:30:00.000Z', undefined],
  ])('in %s start when the clocks show their time', async (timezone, now, next) => {
    const workspace = await makeWorkspace(owner)
    await db.update(schema.workspaces).set({ timezone }).where(eq(schema.workspaces.id, workspace.workspaceId))
    const workflowId = await schedule(workspace)
    const before = clock.now().getTime()
    clock.advance(Date.parse(now) - before)
    await db.update(workflows).set({ nextRunAt: now }).where(eq(workflows.id, workflowId))
    await startDue()
    clock.advance(before - Date.parse(now))
    const [row] = await db.select({ at: workflows.nextRunAt }).from(workflows).where(eq(workflows.id, workflowId))
    const shown = Temporal.Instant.from(row!.at!).toZonedDateTimeISO(timezone)
    expect(shown.toPlainTime().toString()).toBe('09:00:00')
    if (next) expect(row!.at).toBe(next)
    await db.delete(workflows).where(eq(workflows.id, workflowId))
  })

  it('of 2,000 workflows that are due at the same minute start in one round, each once', async () => {
    const workspace = await makeWorkspace(owner)
    const { workspaceId } = workspace
    const first = await schedule(workspace)
    await owner.query(
      `WITH more AS (
        INSERT INTO workflows (workspace_id, id, name, status, trigger, steps, published_version, run_as_id, next_run_at)
        SELECT workspace_id, gen_random_uuid(), name, status, trigger, steps, published_version, run_as_id, next_run_at
        FROM workflows, generate_series(1, 1999) WHERE id = $1 RETURNING workspace_id, id
      )
      INSERT INTO workflow_versions (workspace_id, workflow_id, version, trigger, steps)
      SELECT more.workspace_id, more.id, v.version, v.trigger, v.steps FROM more, workflow_versions v WHERE v.workflow_id = $1`,
      [first],
    )
    await startDue()
    const runs = await db
      .select({ n: count() })
      .from(workflowRuns)
      .where(eq(workflowRuns.workspaceId, workspaceId))
      .groupBy(workflowRuns.workflowId)
    expect(runs).toHaveLength(2_000)
    expect(runs.every(({ n }) => n === 1)).toBe(true)
    const isLater = and(isNotNull(workflows.nextRunAt), gt(workflows.nextRunAt, clock.now().toISOString()))
    expect(await db.$count(workflows, and(eq(workflows.workspaceId, workspaceId), isLater))).toBe(2_000)
  })
})
