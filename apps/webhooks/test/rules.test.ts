import { createDatabase, newId, schema } from '@crm/db'
import { createSecrets, environmentKeys, ruleHeaders, sealHeaders, unreadableHeaders } from '@crm/secrets'
import { testDatabase, testRedis, eventually } from '@crm/testkit'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCrmApi } from '../src/dispatcher/sending/crm-api.ts'
import {
  createLead,
  ownerPool,
  runsOf,
  secretsKey,
  startInstallation,
  startReceiver,
  type Installation,
} from './installation.ts'
import { makeWorkspace, type TestWorkspace } from './workspace.ts'

const database = await testDatabase()
const pool = ownerPool(database)
const db = createDatabase(pool)
afterAll(() => pool.end())

let installation: Installation
let workspace: TestWorkspace

beforeAll(async () => {
  const redis = await testRedis()
  installation = await startInstallation(database, redis.url)
  await installation.startDispatcher()
})

const post = (url: string, bodyTemplate: string | null = null) => ({
  type: 'WEBHOOK',
  url,
  method: 'POST',
  headers: {},
  bodyTemplate,
})

async function makeRule(rule: {
  id?: string
  createdById?: string
  event?: string
  conditions?: Record<string, unknown>[]
  actions: Record<string, unknown>[]
}): Promise<string> {
  const id = rule.id ?? newId()
  const { workspaceId, adminUserId } = workspace
  await db
    .insert(schema.automationRules)
    .values({ workspaceId, name: 'Rule', event: 'lead.created', createdById: adminUserId, ...rule, id })
  return id
}

async function rowsOf<T>(text: string, id: string): Promise<T[]> {
  return (await pool.query(text, [id])).rows as T[]
}

const ruleRuns = (ruleId: string) =>
  rowsOf<{ id: string; state: string; event: string }>(
    'SELECT id, state, event FROM rule_runs WHERE rule_id = $1 ORDER BY id',
    ruleId,
  )
const deliveries = (ruleId: string) =>
  rowsOf<{ state: string; status: number | null; error: string | null; request: { body: string } }>(
    'SELECT state, status, error, request FROM deliveries WHERE rule_id = $1 ORDER BY id',
    ruleId,
  )

/** Calls the CRM API with a session and returns the status of the answer. */
function postAs(cookie: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { host } = workspace
    const call = request(
      `${installation.crmApi.url}${path}`,
      { method: 'POST', headers: { host, cookie, origin: `http://${host}` } },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    call.on('error', reject).end()
  })
}

const finished = (ruleId: string, n: number, state: string) =>
  eventually(
    async () =>
      expect((await ruleRuns(ruleId)).map((run) => run.state)).toEqual(Array.from({ length: n }, () => state)),
    { timeout: 30_000 },
  )

beforeAll(async () => void (workspace = await makeWorkspace(pool)))

describe('a rule', () => {
  it('sends exactly the usual body without a template', async () => {
    const receiver = await startReceiver()
    const ruleId = await makeRule({ actions: [post(receiver.url)] })
    const lead = await createLead(installation, workspace, { email: 'rule@example.com' })
    await finished(ruleId, 1, 'SUCCEEDED')
    expect(receiver.received).toHaveLength(1)
    const body = JSON.parse(receiver.received[0]!.body) as Record<string, unknown>
    expect(body).toEqual({
      event: 'lead.created',
      entityType: 'LEAD',
      entityId: lead['id'],
      tenantId: workspace.workspaceId,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: expect.objectContaining({ email: 'rule@example.com', status: 'NEW', changes: [] }),
    })
    expect(receiver.received[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(await deliveries(ruleId)).toMatchObject([
      { state: 'SUCCEEDED', status: 200, error: null, request: { body: receiver.received[0]?.body } },
    ])
    await db.delete(schema.automationRules)
  })

  it('sends the values of its headers, of which the database holds no plain one', async () => {
    const receiver = await startReceiver()
    const ruleId = newId()
    const keys = environmentKeys(Buffer.from(secretsKey, 'base64'))
    const action = { ...post(receiver.url), headers: { 'X-Key': 'opened-for-the-receiver' } }
    const place = ruleHeaders(workspace.workspaceId, ruleId)
    await makeRule({ id: ruleId, actions: await sealHeaders(createSecrets(keys), db, place, [action]) })
    await createLead(installation, workspace, { email: 'sealed@example.com' })
    await finished(ruleId, 1, 'SUCCEEDED')
    expect(receiver.received[0]?.headers).toMatchObject({ 'x-key': 'opened-for-the-receiver' })
    const [sent] = await deliveries(ruleId)
    expect(JSON.stringify(sent)).toContain('sealed:1:')
    expect(JSON.stringify(sent)).not.toContain('opened-for')

    // Somebody who moves the rule's headers to another rule gets nothing out of it.
    const thief = await makeRule({ actions: await sealHeaders(createSecrets(keys), db, place, [action]) })
    await createLead(installation, workspace, { email: 'moved@example.com' })
    await finished(thief, 1, 'FAILED')
    expect(await deliveries(thief)).toMatchObject([{ state: 'FAILED', error: unreadableHeaders }])
    await db.delete(schema.automationRules)
  })

  it('fires only when its conditions hold, fills its template and tries every action once', async () => {
    const [good, bad] = [await startReceiver(), await startReceiver(() => 302)]
    const conditions = [
      { field: 'data.companyName', op: 'EQ', value: 'Analytical' },
      { field: 'status', op: 'EQ', value: 'NEW' },
    ]
    const ruleId = await makeRule({
      conditions,
      actions: [post(bad.url), post(good.url, '{"who":"{{data.firstName}} {{data.lastName}}","id":{{entityId}}}')],
    })
    await createLead(installation, workspace, { companyName: 'Other' })
    const { id } = await createLead(installation, workspace, {
      companyName: 'Analytical',
      firstName: 'Ada "A"',
      lastName: 'L',
    })
    await finished(ruleId, 1, 'FAILED')
    expect(JSON.parse(good.received[0]!.body)).toEqual({ who: 'Ada "A" L', id })
    expect([good.received.length, bad.received.length]).toEqual([1, 1])
    expect(await deliveries(ruleId)).toMatchObject([
      { state: 'FAILED', status: 302 },
      { state: 'SUCCEEDED', status: 200 },
    ])
    await db.delete(schema.automationRules)
  })

  it('costs nothing more than a look when its conditions do not hold', async () => {
    const ruleId = await makeRule({
      conditions: [{ field: 'companyName', op: 'EQ', value: 'Nobody' }],
      actions: [post('http://127.0.0.1:1/')],
    })
    const { id } = await createLead(installation, workspace, { companyName: 'Somebody' })
    await eventually(async () =>
      expect(
        await rowsOf('SELECT done_at IS NOT NULL AS done, attempts FROM outbox WHERE entity_id = $1', String(id)),
      ).toEqual([{ done: true, attempts: 0 }]),
    )
    expect(await ruleRuns(ruleId)).toEqual([])
    await db.delete(schema.automationRules)
  })

  it('is paused after 20 failures in a row, and its maker is told', async () => {
    const ruleId = await makeRule({ actions: [post('http://127.0.0.1:1/nobody')] })
    await pool.query('UPDATE automation_rules SET failures_in_row = 18 WHERE id = $1', [ruleId])
    await createLead(installation, workspace, { lastName: 'First' })
    await finished(ruleId, 1, 'FAILED')
    expect(await rowsOf('SELECT is_active FROM automation_rules WHERE id = $1', ruleId)).toEqual([{ is_active: true }])
    await createLead(installation, workspace, { lastName: 'Second' })
    await finished(ruleId, 2, 'FAILED')
    await createLead(installation, workspace, { lastName: 'Third' })
    expect(
      await rowsOf(
        'SELECT is_active, failures_in_row, paused_at IS NOT NULL AS paused FROM automation_rules WHERE id = $1',
        ruleId,
      ),
    ).toEqual([{ is_active: false, failures_in_row: 20, paused: true }])
    expect(await rowsOf("SELECT kind, employee_id FROM notifications WHERE data->>'ruleId' = $1", ruleId)).toEqual([
      { kind: 'RULE_PAUSED', employee_id: workspace.adminUserId },
    ])
  })

  it('tells its maker of the first failure in a row', async () => {
    const ruleId = await makeRule({
      conditions: [{ field: 'companyName', op: 'EQ', value: 'Failing' }],
      actions: [post('http://127.0.0.1:1/nobody')],
    })
    for (const n of [1, 2]) {
      await createLead(installation, workspace, { companyName: 'Failing' })
      await finished(ruleId, n, 'FAILED')
    }
    expect(await rowsOf("SELECT kind, employee_id FROM notifications WHERE data->>'ruleId' = $1", ruleId)).toEqual([
      { kind: 'RULE_FAILED', employee_id: workspace.adminUserId },
    ])
    await db.delete(schema.automationRules)
  })

  it('sends nothing that still waits when it is paused, and keeps it for a replay', async () => {
    const [isAsked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const receiver = await startReceiver(async () => (isAsked.resolve(), await mayAnswer.promise, 200))
    const ruleId = await makeRule({
      conditions: [{ field: 'companyName', op: 'EQ', value: 'Half-way' }],
      actions: [post(receiver.url), post(receiver.url)],
    })
    await createLead(installation, workspace, { companyName: 'Half-way' })
    await isAsked.promise
    await pool.query('UPDATE automation_rules SET is_active = false WHERE id = $1', [ruleId])
    mayAnswer.resolve()
    await finished(ruleId, 1, 'SKIPPED')
    expect(receiver.received).toHaveLength(1)

    const cookie = await workspace.session()
    const [run] = await ruleRuns(ruleId)
    const replay = () => postAs(cookie, `/api/settings/automation-rules/${ruleId}/runs/${run?.id}/replay`)
    expect(await replay()).toBe(409)
    await pool.query('UPDATE automation_rules SET is_active = true WHERE id = $1', [ruleId])
    expect(await replay()).toBe(200)
    await finished(ruleId, 1, 'SUCCEEDED')
    expect(receiver.received).toHaveLength(2)
    expect(await replay()).toBe(409)
    await db.delete(schema.automationRules)
  })

  it('may be deleted while events of it are handled, without an error', async () => {
    const receiver = await startReceiver()
    for (let round = 0; round < 5; round += 1) {
      const ruleId = await makeRule({ actions: [post(receiver.url)] })
      const leads = [1, 2, 3, 4].map((n) => createLead(installation, workspace, { lastName: `Deleted ${round} ${n}` }))
      await Promise.race(leads)
      await pool.query('DELETE FROM automation_rules WHERE id = $1', [ruleId])
      await Promise.all(leads)
    }
    await eventually(
      async () =>
        expect(
          (await pool.query("SELECT FROM outbox WHERE topic IN ('change', 'rule') AND done_at IS NULL")).rowCount,
        ).toBe(0),
      { timeout: 30_000 },
    )
    expect((await pool.query("SELECT FROM outbox WHERE topic = 'change' AND attempts > 0")).rowCount).toBe(0)
  })

  it('calls a request unknown whose sender was lost, and goes on with the next action', async () => {
    const receiver = await startReceiver()
    const ruleId = await makeRule({ event: 'lead.never', actions: [] })
    const runId = newId()
    const { workspaceId } = workspace
    const actions = [post(receiver.url), post(receiver.url)]
    await db
      .insert(schema.ruleRuns)
      .values({ workspaceId, id: runId, ruleId, eventId: newId(), event: 'lead.never', state: 'RUNNING' })
    await db.insert(schema.deliveries).values({
      workspaceId,
      ruleId,
      ruleRunId: runId,
      state: 'SENDING',
      attemptedAt: new Date(Date.now() - 60_000).toISOString(),
      request: { method: 'POST', url: receiver.url, headers: {}, body: null },
    })
    const subject = { entityType: 'LEAD', entityId: newId() }
    await db.insert(schema.outbox).values({
      workspaceId,
      id: runId,
      topic: 'rule',
      event: 'rule.queued',
      payload: { ruleId, actions, subject, change: { event: 'lead.never' } },
    })
    await finished(ruleId, 1, 'FAILED')
    expect(await deliveries(ruleId)).toMatchObject([
      { state: 'FAILED', error: expect.stringMatching(/unknown/) },
      { state: 'SUCCEEDED' },
    ])
    expect(receiver.received).toHaveLength(1)
  })
})

describe('nobody is told by their own automation of a record that they may not see', () => {
  const seesOwn = {
    permissions: ['VIEW_LEAD', 'VIEW_TASK', 'MANAGE_WORKFLOWS'],
    access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const,
  }
  /** Makes a rule of the administrator that fires last: after its run, everybody has been told of the change. */
  const witness = async (event: string) => makeRule({ event, actions: [post((await startReceiver()).url)] })

  it('a rule fires for the records of its maker, and for no others', async () => {
    const receiver = await startReceiver()
    const { id: createdById } = await workspace.employee({ grant: seesOwn })
    const ruleId = await makeRule({ createdById, actions: [post(receiver.url)] })
    const witnessed = await witness('lead.created')
    await createLead(installation, workspace, { lastName: 'Hidden' })
    await createLead(installation, workspace, { lastName: 'Mine', ownerId: createdById })
    await finished(witnessed, 2, 'SUCCEEDED')
    await finished(ruleId, 1, 'SUCCEEDED')
    expect(
      receiver.received.map(({ body }) => (JSON.parse(body) as { data: { lastName: string } }).data.lastName),
    ).toEqual(['Mine'])
    await db.delete(schema.automationRules)
  })

  it.each(['SUSPENDED', 'TERMINATED'] as const)('the rule of a %s maker sends nothing', async (status) => {
    const receiver = await startReceiver()
    const { id: createdById } = await workspace.employee({ roles: ['Administrator'], status })
    const ruleId = await makeRule({ createdById, actions: [post(receiver.url)] })
    const nobodys = await makeRule({ createdById: undefined, actions: [post(receiver.url)] })
    await pool.query('UPDATE automation_rules SET created_by_id = NULL WHERE id = $1', [nobodys])
    const witnessed = await witness('lead.created')
    await createLead(installation, workspace, { lastName: 'Anybody' })
    await finished(witnessed, 1, 'SUCCEEDED')
    expect([await ruleRuns(ruleId), await ruleRuns(nobodys), receiver.received]).toEqual([[], [], []])
    await db.delete(schema.automationRules)
  })

  it('a rule that waits for its turn does not send once its maker has lost sight of the record', async () => {
    const receiver = await startReceiver()
    const { id: createdById } = await workspace.employee({ grant: seesOwn })
    const ruleId = await makeRule({ createdById, event: 'lead.never', actions: [] })
    const runId = newId()
    const { workspaceId } = workspace
    await db
      .insert(schema.ruleRuns)
      .values({ workspaceId, id: runId, ruleId, eventId: newId(), event: 'lead.never', state: 'QUEUED' })
    const subject = { entityType: 'LEAD', entityId: newId(), ownerId: workspace.adminUserId }
    await db.insert(schema.outbox).values({
      workspaceId,
      id: runId,
      topic: 'rule',
      event: 'rule.queued',
      payload: { ruleId, subject, actions: [post(receiver.url)], change: { event: 'lead.never' } },
    })
    await finished(ruleId, 1, 'FAILED')
    expect([receiver.received, await deliveries(ruleId)]).toEqual([[], []])
    await db.delete(schema.automationRules)
  })

  it('a condition compares only fields that the API shows', async () => {
    const hidden = await makeRule({
      conditions: [{ field: 'data.searchText', op: 'CONTAINS', value: 'oracle' }],
      actions: [post('http://127.0.0.1:1/')],
    })
    const witnessed = await witness('lead.created')
    await createLead(installation, workspace, { lastName: 'Oracle' })
    await finished(witnessed, 1, 'SUCCEEDED')
    expect(await ruleRuns(hidden)).toEqual([])
    await db.delete(schema.automationRules)
  })

  it('a rule on comments fires where its maker sees the record that the comment hangs on', async () => {
    const receiver = await startReceiver()
    const { id: createdById } = await workspace.employee({ grant: seesOwn })
    const ruleId = await makeRule({ event: 'comment.created', createdById, actions: [post(receiver.url)] })
    const witnessed = await witness('comment.created')
    const hidden = await createLead(installation, workspace, { lastName: 'Hidden' })
    const mine = await createLead(installation, workspace, { lastName: 'Mine', ownerId: createdById })
    for (const { id } of [hidden, mine]) await comment(String(id))
    await finished(witnessed, 2, 'SUCCEEDED')
    await finished(ruleId, 1, 'SUCCEEDED')
    expect(
      receiver.received.map(({ body }) => (JSON.parse(body) as { data: { entityId: string } }).data.entityId),
    ).toEqual([mine['id']])
    await db.delete(schema.automationRules)
  })

  it('an event workflow starts for the records of the person it runs as, and for no others', async () => {
    const { id: runAsId } = await workspace.employee({ grant: seesOwn })
    const workflowId = await makeListener('lead.created', [{ key: 'set', name: '', type: 'SET', values: {} }], runAsId)
    const witnessed = await witness('lead.created')
    await createLead(installation, workspace, { lastName: 'Hidden' })
    const mine = await createLead(installation, workspace, { lastName: 'Mine', ownerId: runAsId })
    await finished(witnessed, 2, 'SUCCEEDED')
    expect((await runsOf(pool, workflowId)).map(({ trigger }) => (trigger as { entityId: string }).entityId)).toEqual([
      mine['id'],
    ])
    await db.delete(schema.automationRules)
    await pool.query('UPDATE workflows SET listens_to = NULL')
  })
})

async function comment(entityId: string): Promise<void> {
  const api = createCrmApi(installation.crmApi.url, 1)
  const { key } = await workspace.apiKey()
  const { status } = await api.send({
    method: 'POST',
    path: '/api/crm/comments',
    host: workspace.host,
    token: key,
    body: { entityType: 'LEAD', entityId, body: 'A word' },
  })
  await api.close()
  expect(status).toBe(201)
}

async function makeListener(
  event: string,
  steps: Record<string, unknown>[],
  runAsId = workspace.adminUserId,
): Promise<string> {
  const workflowId = newId()
  const { workspaceId } = workspace
  const trigger = { type: 'EVENT', event, conditions: [] }
  const workflow = {
    workspaceId,
    id: workflowId,
    name: 'Listener',
    status: 'PUBLISHED' as const,
    trigger,
    steps,
    publishedVersion: 1,
    listensTo: event,
    runAsId,
  }
  await db.insert(schema.workflows).values(workflow)
  await db.insert(schema.workflowVersions).values({ workspaceId, workflowId, version: 1, trigger, steps })
  return workflowId
}

describe('a workflow that listens to an event', () => {
  it('runs with the change as its trigger, and stops a circle after five runs', async () => {
    const values = { lastName: 'Circle', companyName: '{{trigger.data.companyName}}' }
    const workflowId = await makeListener('lead.created', [
      { key: 'next', name: '', type: 'CREATE_RECORD', entityType: 'LEAD', values },
    ])
    await createLead(installation, workspace, { lastName: 'Circle', companyName: 'Round' })
    await eventually(
      async () => {
        const { rows } = await pool.query(
          `SELECT count(*)::int AS n FROM outbox WHERE event = 'lead.created' AND payload->'actor'->>'depth' = '5' AND done_at IS NOT NULL`,
        )
        expect(rows).toEqual([{ n: 1 }])
      },
      { timeout: 30_000 },
    )
    const runs = await runsOf(pool, workflowId)
    expect(runs.map(({ state, depth }) => [state, depth])).toEqual([0, 1, 2, 3, 4].map((depth) => ['SUCCEEDED', depth]))
    expect(await rowsOf('SELECT count(*)::int AS n FROM leads WHERE company_name = $1', 'Round')).toEqual([{ n: 6 }])
  })
})

it('bumps the epoch of a workspace whose rights have changed', async () => {
  const id = newId()
  await db
    .insert(schema.outbox)
    .values({ workspaceId: workspace.workspaceId, id, topic: 'access', event: 'access.changed' })
  await eventually(async () =>
    expect(await rowsOf('SELECT done_at IS NOT NULL AS done FROM outbox WHERE id = $1', id)).toEqual([{ done: true }]),
  )
})
