import { createDatabase, newId, schema } from '@crm/db'
import { queueRun } from '@crm/jobs'
import { testDatabase, testRedis, eventually } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callHook,
  createLead,
  ownerPool,
  runsOf,
  startInstallation,
  startReceiver,
  startSilentReceiver,
  type Installation,
} from './installation.ts'
import { makeHook, makeWorkspace, type TestWorkspace } from './workspace.ts'

const database = await testDatabase()
const pool = ownerPool(database)
const db = createDatabase(pool)
afterAll(() => pool.end())

let installation: Installation
let workspace: TestWorkspace

const perReceiver = 4
/** More deliveries to one receiver than are worked on at once. */
const crowd = 200

beforeAll(async () => {
  const redis = await testRedis()
  installation = await startInstallation(database, redis.url)
  await installation.startDispatcher({
    RECEIVER_CONCURRENCY: String(perReceiver),
    RECEIVER_TIMEOUTS_MAX: '2',
    RECEIVER_PAUSE_MS: '1000',
    RECEIVER_TIMEOUT_MS: '3000',
  })
  workspace = await makeWorkspace(pool)
})

async function makeRule(event: string, url: string, { workspaceId, adminUserId }: TestWorkspace = workspace) {
  const id = newId()
  const actions = [{ type: 'WEBHOOK' as const, url, method: 'POST' as const, headers: {}, bodyTemplate: null }]
  await db
    .insert(schema.automationRules)
    .values({ workspaceId, id, name: 'Rule', event, createdById: adminUserId, actions })
  return { id, actions }
}

/** Queues the rule's runs as many changes at once leave them. */
async function queueRuleRuns(
  { id: ruleId, actions }: Awaited<ReturnType<typeof makeRule>>,
  { workspaceId }: TestWorkspace = workspace,
  length = crowd,
): Promise<void> {
  const runs = Array.from({ length }, () => ({
    workspaceId,
    id: newId(),
    ruleId,
    eventId: newId(),
    event: 'lead.never',
    state: 'QUEUED' as const,
  }))
  await db.insert(schema.ruleRuns).values(runs)
  const payload = {
    ruleId,
    actions,
    subject: { entityType: 'LEAD', entityId: newId() },
    change: { event: 'lead.never' },
  }
  await db
    .insert(schema.outbox)
    .values(runs.map(({ id }) => ({ workspaceId, id, topic: 'rule' as const, event: 'rule.queued', payload })))
}

async function statesOf(table: 'rule_runs' | 'workflow_runs', ownerId: string): Promise<Record<string, number>> {
  const owner = table === 'rule_runs' ? 'rule_id' : 'workflow_id'
  const { rows } = await pool.query<{ state: string; n: number }>(
    `SELECT state, count(*)::int AS n FROM ${table} WHERE ${owner} = $1 GROUP BY state`,
    [ownerId],
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

const untilOpen = (received: () => number) =>
  eventually(() => expect(received()).toBeGreaterThanOrEqual(perReceiver), { timeout: 60_000 })

describe('a receiver that never answers', () => {
  it(
    'delays no other rule, is tried again when the log says so, and then gets what waited',
    { timeout: 180_000 },
    async () => {
      const [silent, healthy] = [await startSilentReceiver(), await startReceiver()]
      const stuck = await makeRule('lead.never', silent.url)
      await queueRuleRuns(stuck)
      await untilOpen(silent.received)
      const { id: ruleId } = await makeRule('lead.created', healthy.url)
      await createLead(installation, workspace, { lastName: 'Healthy' })
      await eventually(async () => expect(await statesOf('rule_runs', ruleId)).toEqual({ SUCCEEDED: 1 }), {
        timeout: 60_000,
      })
      expect(healthy.received).toHaveLength(1)
      const { FAILED = 0, SUCCEEDED = 0 } = await statesOf('rule_runs', stuck.id)
      // One after another, at the places of one receiver, all of them would have had to end first.
      expect(FAILED + SUCCEEDED).toBeLessThan(crowd / 2)

      await eventually(
        async () => {
          const { rows } = await pool.query(
            `SELECT error FROM deliveries WHERE rule_id = $1 AND error LIKE '%tried again after 1 second%'`,
            [stuck.id],
          )
          expect(rows).toHaveLength(1)
        },
        { timeout: 60_000 },
      )
      silent.recover()
      await eventually(
        async () =>
          expect(await statesOf('rule_runs', stuck.id)).toEqual({
            SUCCEEDED: expect.any(Number),
            FAILED: expect.any(Number),
          }),
        { timeout: 90_000, interval: 500 },
      )
      expect((await statesOf('rule_runs', stuck.id))['SUCCEEDED']).toBeGreaterThan(crowd / 2)
      expect(silent.mostOpen()).toBe(perReceiver)
      await db.delete(schema.automationRules)
    },
  )

  it(
    'is sent nothing more of a rule that is paused meanwhile: what waits for it is kept for a replay',
    { timeout: 180_000 },
    async () => {
      const silent = await startSilentReceiver()
      const stuck = await makeRule('lead.never', silent.url)
      await queueRuleRuns(stuck)
      await eventually(
        async () => {
          const { rows } = await pool.query(
            `SELECT error FROM deliveries WHERE rule_id = $1 AND error LIKE '%tried again after%'`,
            [stuck.id],
          )
          expect(rows).not.toEqual([])
        },
        { timeout: 60_000 },
      )
      await pool.query('UPDATE automation_rules SET is_active = false WHERE id = $1', [stuck.id])
      const before = silent.received()
      silent.recover()
      const states = await eventually(
        async () => {
          // Requests that were on their way may find a receiver that answers again.
          const { SUCCEEDED: late = 0, ...others } = await statesOf('rule_runs', stuck.id)
          expect(Object.keys(others).toSorted()).toEqual(['FAILED', 'SKIPPED'])
          return { late, skipped: others['SKIPPED'] }
        },
        { timeout: 90_000, interval: 500 },
      )
      expect(states.late).toBeLessThanOrEqual(perReceiver)
      expect(states.skipped).toBeGreaterThan(crowd / 2)
      // These are the requests that were on their way at that moment.
      expect(silent.received()).toBeLessThanOrEqual(before + perReceiver)
    },
  )

  it('has no more requests of a workspace at once than its share allows', async () => {
    const silent = await startSilentReceiver()
    const narrow = await makeWorkspace(pool)
    const { workspaceId } = narrow
    // One percent of the places is one place.
    await db
      .update(schema.workspaces)
      .set({ limits: { 'runs.share': 1 } })
      .where(eq(schema.workspaces.id, workspaceId))
    const rules = [await makeRule('lead.never', silent.url, narrow), await makeRule('lead.never', silent.url, narrow)]
    for (const rule of rules) await queueRuleRuns(rule, narrow, 5)
    const step = { key: 'tell', name: '', type: 'HTTP_REQUEST', url: silent.url, method: 'POST', headers: {} }
    const hook = await makeHook(pool, narrow, { steps: [{ ...step, bodyTemplate: null }] })
    for (let n = 0; n < 5; n++) expect(await callHook(installation.ingress, narrow.host, hook, {})).toBe(202)
    // One of the rules, and one of the workflow.
    await eventually(() => expect(silent.received()).toBe(2), { timeout: 60_000 })
    silent.recover()
    await eventually(
      async () => {
        for (const { id } of rules)
          expect(Object.keys(await statesOf('rule_runs', id))).not.toEqual(expect.arrayContaining(['QUEUED']))
        expect(Object.keys(await statesOf('workflow_runs', hook.workflowId))).not.toContain('QUEUED')
      },
      { timeout: 60_000 },
    )
    expect(silent.mostOpen()).toBe(2)
  })

  it('delays no other workflow', { timeout: 120_000 }, async () => {
    const silent = await startSilentReceiver()
    const step = {
      key: 'tell',
      name: '',
      type: 'HTTP_REQUEST',
      url: silent.url,
      method: 'POST',
      headers: {},
      bodyTemplate: null,
    }
    const stuck = await makeHook(pool, workspace, { steps: [step] })
    const healthy = await makeHook(pool, workspace, { steps: [{ key: 'set', name: '', type: 'SET', values: {} }] })
    const { workspaceId, adminUserId } = workspace
    await db.transaction(async (tx) => {
      for (let n = 0; n < crowd; n++) {
        const run = {
          workspaceId,
          id: newId(),
          workflowId: stuck.workflowId,
          version: 1,
          runAsId: adminUserId,
          trigger: {},
        }
        await tx.insert(schema.workflowRuns).values(run)
        await queueRun(tx, { workspaceId, runId: run.id, epoch: 1 })
      }
    })
    await untilOpen(silent.received)
    expect(await callHook(installation.ingress, workspace.host, healthy, {})).toBe(202)
    await eventually(
      async () => expect((await runsOf(pool, healthy.workflowId)).map(({ state }) => state)).toEqual(['SUCCEEDED']),
      { timeout: 60_000 },
    )
    const { FAILED = 0, SUCCEEDED = 0 } = await statesOf('workflow_runs', stuck.workflowId)
    expect(FAILED + SUCCEEDED).toBeLessThan(crowd / 2)
    expect(silent.mostOpen()).toBe(perReceiver)
  })
})
