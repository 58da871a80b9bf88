import { testDatabase, testRedis, eventually } from '@crm/testkit'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callHook, ownerPool, startInstallation, startReceiver, type Installation } from './installation.ts'
import { makeWorkspace, type TestWorkspace } from './workspace.ts'

const database = await testDatabase()
const pool = ownerPool(database)
afterAll(() => pool.end())

let installation: Installation
let workspace: TestWorkspace
let cookie: string

beforeAll(async () => {
  const redis = await testRedis()
  installation = await startInstallation(database, redis.url)
  await installation.startDispatcher()
  workspace = await makeWorkspace(pool)
  cookie = await workspace.session()
})

// The assertions describe the contents of an answer.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any }

/** Calls the settings API over the wire, as the console does. */
function settings(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = {
    host: workspace.host,
    cookie,
    origin: `http://${workspace.host}`,
    'content-type': 'application/json',
  }
  return new Promise((resolve, reject) => {
    const call = request(`${installation.crmApi.url}/api/settings/${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
        )
    })
    call.on('error', reject).end(body === undefined ? '' : JSON.stringify(body))
  })
}

it('goes from a webhook to a lead to a rule to a customer, and every part of it can be read', async () => {
  const receiver = await startReceiver()
  const rule = await settings('POST', 'automation-rules', {
    name: 'Tell them',
    trigger: { event: 'lead.created', conditions: [{ field: 'data.lastName', op: 'EQ', value: 'Story' }] },
    actions: [
      {
        type: 'WEBHOOK',
        url: receiver.url,
        headers: { 'X-Secret': 's' },
        bodyTemplate: '{"lead":{{entityId}},"hello":"{{data.firstName}}"}',
      },
    ],
  })
  expect(rule.status, JSON.stringify(rule.body)).toBe(201)

  const steps = [
    {
      key: 'lead',
      type: 'CREATE_RECORD',
      entityType: 'LEAD',
      values: { firstName: '{{trigger.name}}', lastName: 'Story', email: '{{trigger.email}}' },
    },
  ]
  const workflow = await settings('POST', 'workflows', { name: 'Website form', trigger: { type: 'WEBHOOK' }, steps })
  expect(workflow.status, JSON.stringify(workflow.body)).toBe(201)
  const { id } = workflow.body.data
  const published = await settings('POST', `workflows/${id}/publish`)
  const { url, path, secret } = published.body.data
  expect(url).toBe(`http://${workspace.host}/api/hooks/${path}`)

  expect(
    await callHook(installation.ingress, workspace.host, { path, secret }, { name: 'Ada', email: 'ada@story.example' }),
  ).toBe(202)
  const [run] = await eventually(
    async () => {
      const { body } = await settings('GET', `workflow-runs?workflowId=${id}&state=SUCCEEDED`)
      expect(body.total).toBe(1)
      return body.items
    },
    { timeout: 30_000 },
  )
  const history = await settings('GET', `workflow-runs/${run.id}`)
  expect(history.body.data).toMatchObject({
    workflowName: 'Website form',
    trigger: { name: 'Ada' },
    steps: [{ key: 'lead', state: 'SUCCEEDED', output: { firstName: 'Ada', lastName: 'Story' } }],
  })
  const leadId = history.body.data.steps[0].output.id

  const [ruleRun] = await eventually(
    async () => {
      const { body } = await settings('GET', `automation-rules/${rule.body.data.id}/runs`)
      expect(body.items).toMatchObject([{ state: 'SUCCEEDED', event: 'lead.created', entityId: leadId }])
      return body.items
    },
    { timeout: 30_000 },
  )
  expect(receiver.received).toMatchObject([
    { body: JSON.stringify({ lead: leadId, hello: 'Ada' }), headers: { 'x-secret': 's' } },
  ])
  const delivery = await settings('GET', `deliveries/${ruleRun.deliveryIds[0]}`)
  expect(delivery.body.data).toMatchObject({
    ruleId: rule.body.data.id,
    status: 200,
    error: null,
    responseBody: '{"received":true}',
    redeliveryOf: null,
  })

  const again = await settings('POST', `deliveries/${ruleRun.deliveryIds[0]}/redeliver`)
  expect(again).toMatchObject({
    status: 201,
    body: { data: { status: 200, redeliveryOf: ruleRun.deliveryIds[0], request: delivery.body.data.request } },
  })
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  expect((await settings('GET', `workflows/${id}/last-request`)).body.data).toMatchObject({
    method: 'POST',
    body: { name: 'Ada', email: 'ada@story.example' },
  })
  // A dry run without data takes the last request.
  expect((await settings('POST', `workflows/${id}/test`, {})).body.data.steps).toMatchObject([
    { input: { values: { firstName: 'Ada', email: 'ada@story.example' } }, problem: null },
  ])
})

it('goes on with a failed run from its failed step', async () => {
  let status = 500
  const receiver = await startReceiver(() => status)
  const steps = [
    {
      key: 'lead',
      type: 'CREATE_RECORD',
      entityType: 'LEAD',
      values: { lastName: 'Retry', email: '{{trigger.email}}' },
    },
    { key: 'tell', type: 'HTTP_REQUEST', url: receiver.url, bodyTemplate: '{"id":{{steps.lead.data.id}}}' },
  ]
  const { id } = (await settings('POST', 'workflows', { name: 'Retry', trigger: { type: 'WEBHOOK' }, steps })).body.data
  const hook = (await settings('POST', `workflows/${id}/publish`)).body.data
  await callHook(installation.ingress, workspace.host, hook, { email: 'retry@story.example' })
  const [failed] = await eventually(
    async () => {
      const { body } = await settings('GET', `workflow-runs?workflowId=${id}&state=FAILED`)
      expect(body.total).toBe(1)
      return body.items
    },
    { timeout: 30_000 },
  )
  status = 204
  expect((await settings('POST', `workflow-runs/${failed.id}/retry`)).body.data).toMatchObject({
    id: failed.id,
    state: 'QUEUED',
    failureCode: null,
  })
  await eventually(
    async () => expect((await settings('GET', `workflow-runs/${failed.id}`)).body.data.state).toBe('SUCCEEDED'),
    { timeout: 30_000 },
  )
  expect(
    (await settings('GET', `deliveries?runId=${failed.id}`)).body.items.map((item: { status: number }) => item.status),
  ).toEqual([204, 500])
  const { rows } = await pool.query(`SELECT 1 FROM leads WHERE email = 'retry@story.example'`)
  expect(rows).toHaveLength(1)
})

it('refuses the old secret at once, keeps the address over unpublishing, and runs the version that was published', async () => {
  const workflowOf = (step: string) => [{ key: step, type: 'SET', values: {} }]
  const { id } = (
    await settings('POST', 'workflows', { name: 'Versions', trigger: { type: 'WEBHOOK' }, steps: workflowOf('first') })
  ).body.data
  const hook = (await settings('POST', `workflows/${id}/publish`)).body.data
  const call = (secret: string) => callHook(installation.ingress, workspace.host, { path: hook.path, secret }, {})
  await settings('PATCH', `workflows/${id}`, { steps: workflowOf('second') })
  expect(await call(hook.secret)).toBe(202)
  const { secret } = (await settings('POST', `workflows/${id}/regenerate-secret`)).body.data
  expect([await call(hook.secret), await call(secret)]).toEqual([404, 202])
  await settings('POST', `workflows/${id}/unpublish`)
  expect(await call(secret)).toBe(404)
  const again = (await settings('POST', `workflows/${id}/publish`)).body.data
  expect(again).toMatchObject({ path: hook.path, version: 2 })
  expect(again).not.toHaveProperty('secret')
  expect(await call(secret)).toBe(202)
  await eventually(
    async () => {
      const { rows } = await pool.query(
        'SELECT step_key FROM workflow_step_runs s JOIN workflow_runs r ON r.id = s.run_id WHERE r.workflow_id = $1 ORDER BY r.created_at',
        [id],
      )
      expect(rows.map((row: { step_key: string }) => row.step_key)).toEqual(['first', 'first', 'second'])
    },
    { timeout: 30_000 },
  )
  expect(
    (await settings('GET', `workflows/${id}/refused-calls`)).body.items.map((item: { reason: string }) => item.reason),
  ).toContain('The secret is missing or wrong')
})

it('cancels a run that waits', async () => {
  const { id } = (
    await settings('POST', 'workflows', {
      name: 'Waits',
      trigger: { type: 'MANUAL' },
      steps: [{ key: 'wait', type: 'DELAY', minutes: 5 }],
    })
  ).body.data
  expect((await settings('POST', `workflows/${id}/run`)).status).toBe(409)
  await settings('POST', `workflows/${id}/publish`)
  const { runId } = (await settings('POST', `workflows/${id}/run`, { data: { a: 1 } })).body.data
  await eventually(
    async () => expect((await settings('GET', `workflow-runs/${runId}`)).body.data.state).toBe('WAITING'),
    { timeout: 30_000 },
  )
  expect((await settings('POST', `workflow-runs/${runId}/cancel`)).body.data.state).toBe('CANCELLED')
  expect((await settings('POST', `workflow-runs/${runId}/cancel`)).status).toBe(409)
  expect((await settings('POST', `workflow-runs/${runId}/retry`)).body.code).toBe('INVALID_TRANSITION')
})
