import { createDatabase, createPool, inTransaction, newId, runBackfills, schema, type Database } from '@crm/db'
import { createTestWorkspace, testDatabase, type TestWorkspace } from '@crm/testkit'
import { eq, sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import {
  calendarUrl,
  createSecrets,
  environmentKeys,
  openHeaders,
  openOncePlain,
  rotateSecrets,
  ruleHeaders,
  sealHeaders,
  sealingBackfill,
  sealOncePlain,
  secretsStatus,
  workflowHeaders,
} from '../src/index.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 8, applicationName: 'test' })
const db: Database = createDatabase(pool)
afterAll(() => pool.end())

const [first, second] = [randomBytes(32), randomBytes(32)]
const planted = 'planted-secret-value'
const request = {
  url: 'https://example.com/',
  method: 'POST',
  headers: { 'x-key': planted, 'content-type': 'text/plain' },
}

/** Stores a secret in each column that earlier versions wrote plain. */
async function plant({ workspaceId, adminUserId }: TestWorkspace) {
  const [ruleId, workflowId, runId, calendarId] = [newId(), newId(), newId(), newId()]
  const base = { workspaceId, createdById: adminUserId }
  const actions = [{ type: 'WEBHOOK', ...request, bodyTemplate: null }]
  const call = { key: 'call', name: 'Call', type: 'HTTP_REQUEST', ...request }
  const steps = [{ key: 'if', name: 'If', type: 'CONDITION', if: [], then: [call], else: [] }]
  const trigger = { type: 'WEBHOOK', method: 'POST', headerAuth: { name: 'x-auth', value: planted } }
  const version = { workspaceId, workflowId, version: 1, trigger, steps }
  await db.insert(schema.automationRules).values({ ...base, id: ruleId, name: 'Rule', event: 'lead.created', actions })
  await db.insert(schema.ruleRuns).values({
    workspaceId,
    ruleId,
    eventId: newId(),
    event: 'lead.created',
    state: 'SKIPPED' as const,
    skipped: { ruleId, actions },
  })
  await db
    .insert(schema.workflows)
    .values({ ...base, id: workflowId, name: 'Flow', trigger, steps, runAsId: adminUserId })
  await db.insert(schema.workflowVersions).values(version)
  await db.insert(schema.workflowRuns).values({ workspaceId, id: runId, workflowId, version: 1, runAsId: adminUserId })
  await db.insert(schema.workflowStepRuns).values({
    workspaceId,
    runId,
    position: '0.then.0',
    stepKey: 'call',
    type: 'HTTP_REQUEST',
    state: 'SUCCEEDED',
    epoch: 1,
    input: { deliveryId: newId(), request: { ...request, body: null } },
  })
  for (const owner of [{ ruleId }, { runId }])
    await db.insert(schema.deliveries).values({
      workspaceId,
      ...owner,
      state: 'SUCCEEDED' as const,
      request: { ...request, body: null },
    })
  await db.insert(schema.webhookTriggers).values({
    workspaceId,
    workflowId,
    path: 'p',
    pathHash: randomBytes(32),
    secretHash: randomBytes(32),
    headerAuth: { name: 'x-auth', value: planted },
  })
  await db.insert(schema.calendarSubscriptions).values({
    ...base,
    id: calendarId,
    employeeId: adminUserId,
    name: 'Mine',
    url: `https://example.com/${planted}.ics`,
  })
  return { ruleId, workflowId, calendarId }
}

const tables = [
  'automation_rules',
  'rule_runs',
  'workflows',
  'workflow_versions',
  'workflow_step_runs',
  'deliveries',
  'webhook_triggers',
  'calendar_subscriptions',
]

async function tablesWith(word: string): Promise<string[]> {
  const found: string[] = []
  for (const table of tables) {
    const { rows } = await db.execute(sql.raw(`SELECT 1 FROM ${table} t WHERE t::text LIKE '%${word}%' LIMIT 1`))
    if (rows.length > 0) found.push(table)
  }
  return found
}

it('seals what earlier versions stored plain, once none of them runs, and rotates all of it while others write', async () => {
  const workspace = await createTestWorkspace(db)
  const { workspaceId } = workspace
  const ids = await plant(workspace)
  const keys = environmentKeys(first)
  const secrets = createSecrets(keys)
  expect(await secretsStatus(db, keys)).toEqual({ plain: 11, previous: 0, current: 0 })

  // A process of an earlier version runs: it reads plain values only.
  await db.execute(sql`INSERT INTO processes (id, kind, version, migration) VALUES (${newId()}, 'crm-api', '0', 1)`)
  const place = calendarUrl(workspaceId, ids.calendarId)
  await runBackfills(db, [sealingBackfill(secrets)])
  expect(await tablesWith(planted)).toEqual(tables)
  expect(await sealOncePlain(secrets, db, place, 'plain')).toBe('plain')
  await db.execute(sql`DELETE FROM processes`)

  await runBackfills(db, [sealingBackfill(secrets)])
  expect(await tablesWith(planted)).toEqual([])
  expect(await secretsStatus(db, keys)).toEqual({ plain: 0, previous: 0, current: 10 })
  const [done] = await db.select().from(schema.backfills).where(eq(schema.backfills.name, 'seal-stored-secrets'))
  expect(done?.doneAt).not.toBeNull()

  // The key changes. A transaction that seals by the data key of before ends after the rotation.
  const changed = environmentKeys(second, [first])
  const rotating = createSecrets(changed)
  expect(await secretsStatus(db, changed)).toEqual({ plain: 0, previous: 10, current: 0 })
  const late = await secrets.seal(db, place, 'https://example.com/late.ics')
  const outcome = await rotateSecrets(db, rotating, changed)
  expect(outcome).toEqual({ resealed: 10, unreadable: 0, plain: 0, previous: 0, current: 10 })
  await db.update(schema.calendarSubscriptions).set({ url: late })

  const after = createSecrets(environmentKeys(second))
  expect(await openOncePlain(after, db, place, late)).toBe('https://example.com/late.ics')
  expect(await secretsStatus(db, environmentKeys(second))).toEqual({ plain: 0, previous: 1, current: 9 })
  const [rule] = await db.select().from(schema.automationRules)
  expect(await openHeaders(after, db, ruleHeaders(workspaceId, ids.ruleId), rule?.actions)).toMatchObject([request])
  const flow = workflowHeaders(workspaceId, ids.workflowId)
  const [version] = await db.select().from(schema.workflowVersions)
  expect(await openHeaders(after, db, flow, version?.steps)).toMatchObject([{ then: [request] }])
  expect(await openHeaders(after, db, flow, version?.trigger)).toMatchObject({ headerAuth: { value: planted } })
  for (const { ruleId, request: sent } of await db.select().from(schema.deliveries))
    expect(await openHeaders(after, db, ruleId === null ? flow : ruleHeaders(workspaceId, ruleId), sent)).toMatchObject(
      request,
    )
})

it('loses nothing while keys are rotated in the middle of work', async () => {
  const { workspaceId, adminUserId } = await createTestWorkspace(db)
  const keys = environmentKeys(second)
  const secrets = createSecrets(keys)
  const ids = Array.from({ length: 8 }, newId)
  const work = { isDone: false }
  const write = async (id: string, n: number): Promise<void> => {
    for (let round = 0; !work.isDone || round < 2; round += 1)
      await inTransaction(db, undefined, async (tx) => {
        const values = { workspaceId, id, name: 'Rule', event: 'lead.created', createdById: adminUserId }
        const actions = await sealHeaders(createSecrets(keys), tx, ruleHeaders(workspaceId, id), [
          { ...request, headers: { 'x-key': `value ${n}` } },
        ])
        await tx
          .insert(schema.automationRules)
          .values({ ...values, actions })
          .onConflictDoUpdate({
            target: [schema.automationRules.workspaceId, schema.automationRules.id],
            set: { actions },
          })
      })
  }
  const writing = Promise.all(ids.map(write))
  for (let n = 0; n < 3; n += 1) expect((await rotateSecrets(db, secrets, keys)).unreadable).toBe(0)
  work.isDone = true
  await writing
  const rules = await db
    .select()
    .from(schema.automationRules)
    .where(eq(schema.automationRules.workspaceId, workspaceId))
  expect(rules).toHaveLength(ids.length)
  for (const { id, actions } of rules)
    expect(await openHeaders(createSecrets(keys), db, ruleHeaders(workspaceId, id), actions)).toMatchObject([
      { headers: { 'x-key': `value ${ids.indexOf(id)}` } },
    ])
})

it('refuses to rotate past a key that is lost, unless it is told to', async () => {
  const { workspaceId, adminUserId } = await createTestWorkspace(db)
  const id = newId()
  const lost = createSecrets(environmentKeys(first))
  const url = await lost.seal(db, calendarUrl(workspaceId, id), 'https://example.com/a.ics')
  await db
    .insert(schema.calendarSubscriptions)
    .values({ workspaceId, id, employeeId: adminUserId, name: 'Mine', url, createdById: adminUserId })
  const keys = environmentKeys(second)
  await expect(rotateSecrets(db, createSecrets(keys), keys)).rejects.toThrow(/SECRETS_KEY_PREVIOUS/)
  const { unreadable } = await rotateSecrets(db, createSecrets(keys), keys, { giveUpUnreadable: true })
  expect(unreadable).toBe(1)
  const again = await createSecrets(keys).seal(db, calendarUrl(workspaceId, id), 'https://example.com/b.ics')
  expect(await createSecrets(keys).open(db, calendarUrl(workspaceId, id), again)).toBe('https://example.com/b.ics')
})
