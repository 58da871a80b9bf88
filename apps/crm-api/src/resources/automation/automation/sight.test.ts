import { newId, schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

const api = await apiUnderTest()
const { workspaceId, adminUserId } = api.workspace
const administrator = await api.workspace.session()
const { id: managerId } = await api.workspace.employee({
  grant: {
    permissions: ['MANAGE_WORKFLOWS', 'VIEW_LEAD'],
    access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }],
  },
})
const manager = await api.workspace.session(managerId)
const settings = (cookie: string, path: string, method: 'GET' | 'POST' = 'GET', body?: unknown) =>
  api.call({ method, path: `/api/settings${path}`, cookie, body })

const marker = 'planted-in-a-lead'

async function makeLead(ownerId = adminUserId): Promise<string> {
  return (await api.call({ method: 'POST', path: '/api/leads', key: api.key, body: { lastName: marker, ownerId } }))
    .body.data.id
}

async function giveLead(id: string, ownerId: string): Promise<void> {
  expect((await api.call({ method: 'PATCH', path: `/api/leads/${id}`, key: api.key, body: { ownerId } })).status).toBe(
    200,
  )
}

async function makeWorkflow(
  steps: Record<string, unknown>[],
  trigger: Record<string, unknown> = { type: 'MANUAL' },
): Promise<string> {
  const id = newId()
  await api.db.insert(schema.workflows).values({
    workspaceId,
    id,
    name: 'Flow',
    status: 'PUBLISHED',
    trigger,
    steps,
    publishedVersion: 1,
    runAsId: managerId,
  })
  await api.db.insert(schema.workflowVersions).values({ workspaceId, workflowId: id, version: 1, trigger, steps })
  return id
}

const findStep = { key: 'found', name: '', type: 'FIND_RECORDS', entityType: 'LEAD', filter: {}, limit: 20 }
const request = { method: 'POST', url: 'https://203.0.114.7/', headers: {}, body: JSON.stringify({ lastName: marker }) }

it('a run shows what is in it only to whoever may see every record in it, now', async () => {
  const leadId = await makeLead()
  const workflowId = await makeWorkflow([
    { key: 'fork', name: '', type: 'CONDITION', if: [], then: [findStep], else: [] },
  ])
  const runId = newId()
  await api.db.insert(schema.workflowRuns).values({
    workspaceId,
    id: runId,
    workflowId,
    version: 1,
    runAsId: managerId,
    state: 'FAILED',
    failureCode: 'STEP_FAILED',
    failureMessage: marker,
    trigger: {},
  })
  const output = { items: [{ id: leadId, lastName: marker }], total: 1, first: { id: leadId, lastName: marker } }
  await api.db.insert(schema.workflowStepRuns).values({
    workspaceId,
    runId,
    position: '0.then.0',
    stepKey: 'found',
    type: 'FIND_RECORDS',
    state: 'SUCCEEDED',
    epoch: 1,
    output,
  })
  await api.db
    .insert(schema.deliveries)
    .values({ workspaceId, runId, request, state: 'SUCCEEDED', status: 200, responseBody: marker })
  const shown = async (cookie: string) => [
    (await settings(cookie, `/workflow-runs/${runId}`)).body.data,
    (await settings(cookie, `/workflow-runs?workflowId=${workflowId}`)).body.items[0],
    (await settings(cookie, `/deliveries?runId=${runId}`)).body.items[0],
  ]
  const hidden = await shown(manager)
  expect(JSON.stringify(hidden)).not.toContain(marker)
  expect(hidden).toMatchObject([
    { isHidden: true, state: 'FAILED', failureCode: 'STEP_FAILED', steps: [{ key: 'found', output: null }] },
    { failureMessage: null },
    { isHidden: true, status: 200, request: { body: null } },
  ])
  expect(await shown(administrator)).toMatchObject([
    { isHidden: false, failureMessage: marker, steps: [{ output }] },
    { failureMessage: marker },
    { isHidden: false, request },
  ])
  await giveLead(leadId, managerId)
  expect(await shown(manager)).toMatchObject([
    { isHidden: false, steps: [{ output }] },
    { failureMessage: marker },
    { isHidden: false, request },
  ])
})

it('a run that a change started is hidden with the record of the change', async () => {
  const leadId = await makeLead()
  const workflowId = await makeWorkflow([], { type: 'EVENT', event: 'lead.created', conditions: [] })
  const runId = newId()
  await api.db.insert(schema.workflowRuns).values({
    workspaceId,
    id: runId,
    workflowId,
    version: 1,
    runAsId: managerId,
    state: 'SUCCEEDED',
    trigger: { data: { lastName: marker } },
    subjectType: 'LEAD',
    subjectId: leadId,
  })
  expect((await settings(manager, `/workflow-runs/${runId}`)).body.data).toMatchObject({
    isHidden: true,
    trigger: null,
  })
  expect((await settings(administrator, `/workflow-runs/${runId}`)).body.data).toMatchObject({
    isHidden: false,
    trigger: { data: { lastName: marker } },
  })
})

it('a run that a step of another run started is hidden with the records of that one, also when that one is deleted', async () => {
  const leadId = await makeLead()
  const workflowId = await makeWorkflow([])
  const [starterId, runId] = [newId(), newId()]
  const run = { workspaceId, workflowId, version: 1, runAsId: managerId, trigger: { lastName: marker } }
  await api.db.insert(schema.workflowRuns).values([
    { ...run, id: starterId, subjectType: 'LEAD', subjectId: leadId },
    { ...run, id: runId, startedByRunId: starterId },
  ])
  const isHidden = async (cookie: string) =>
    (await settings(cookie, `/workflow-runs/${runId}`)).body.data.isHidden as boolean
  expect([await isHidden(manager), await isHidden(administrator)]).toEqual([true, false])
  await giveLead(leadId, managerId)
  expect(await isHidden(manager)).toBe(false)
  await api.db.delete(schema.workflowRuns).where(eq(schema.workflowRuns.id, starterId))
  expect([await isHidden(manager), await isHidden(administrator)]).toEqual([true, true])
})

it('a delivery of a rule shows its bodies, and is sent again, only to whoever may see its record now', async () => {
  const leadId = await makeLead()
  const [ruleId, ruleRunId, id] = [newId(), newId(), newId()]
  await api.db
    .insert(schema.automationRules)
    .values({ workspaceId, id: ruleId, name: 'Rule', event: 'lead.created', actions: [], createdById: managerId })
  const about = { subjectType: 'LEAD', subjectId: leadId }
  await api.db.insert(schema.ruleRuns).values({
    workspaceId,
    id: ruleRunId,
    ruleId,
    eventId: newId(),
    event: 'lead.created',
    entityId: leadId,
    state: 'SUCCEEDED',
    ...about,
  })
  await api.db.insert(schema.deliveries).values({
    workspaceId,
    id,
    ruleId,
    ruleRunId,
    request,
    state: 'SUCCEEDED',
    status: 200,
    responseBody: marker,
    error: marker,
    ...about,
  })
  const delivery = async (cookie: string) => (await settings(cookie, `/deliveries/${id}`)).body.data
  expect(await delivery(manager)).toMatchObject({
    isHidden: true,
    status: 200,
    request: { method: 'POST', body: null },
    responseBody: null,
    error: null,
  })
  expect(await delivery(administrator)).toMatchObject({ isHidden: false, request, responseBody: marker })
  expect((await settings(manager, `/automation-rules/${ruleId}/runs`)).body.items).toMatchObject([
    { entityId: null, deliveryIds: [id] },
  ])
  expect((await settings(administrator, `/automation-rules/${ruleId}/runs`)).body.items).toMatchObject([
    { entityId: leadId },
  ])
  expect(await settings(manager, `/deliveries/${id}/redeliver`, 'POST')).toMatchObject({
    status: 403,
    body: { code: 'ACCESS_DENIED' },
  })
  await giveLead(leadId, managerId)
  expect(await delivery(manager)).toMatchObject({ isHidden: false, responseBody: marker })
  await giveLead(leadId, adminUserId)
  expect(await delivery(manager)).toMatchObject({ isHidden: true })
})

it('the last call of a webhook is hidden once it has become a record that the reader may not see', async () => {
  const createStep = {
    key: 'lead',
    name: '',
    type: 'CREATE_RECORD',
    entityType: 'LEAD',
    values: { lastName: '{{trigger.lastName}}' },
  }
  const workflowId = await makeWorkflow([createStep], { type: 'WEBHOOK', method: 'POST' })
  const body = { lastName: marker }
  const lastRequest = {
    method: 'POST',
    contentType: null,
    sizeBytes: 30,
    body,
    raw: JSON.stringify(body),
    rawEncoding: 'utf8',
  }
  await api.db.insert(schema.webhookTriggers).values({
    workspaceId,
    workflowId,
    path: newId(),
    pathHash: Buffer.from(newId()),
    secretHash: Buffer.from('x'),
    lastRequest,
    lastRequestAt: new Date().toISOString(),
  })
  const runId = newId()
  await api.db
    .insert(schema.workflowRuns)
    .values({ workspaceId, id: runId, workflowId, version: 1, runAsId: adminUserId, state: 'SUCCEEDED', trigger: body })
  await api.db.insert(schema.workflowStepRuns).values({
    workspaceId,
    runId,
    position: '0',
    stepKey: 'lead',
    type: 'CREATE_RECORD',
    state: 'SUCCEEDED',
    epoch: 1,
    output: { id: await makeLead() },
  })
  const last = (cookie: string) => settings(cookie, `/workflows/${workflowId}/last-request`)
  expect((await last(manager)).body.data).toMatchObject({ isHidden: true, body: null, raw: '', sizeBytes: 30 })
  expect((await last(administrator)).body.data).toMatchObject({ isHidden: false, body })
  expect(JSON.stringify((await settings(manager, `/workflows/${workflowId}/test`, 'POST', {})).body)).not.toContain(
    marker,
  )
  expect(JSON.stringify((await settings(administrator, `/workflows/${workflowId}/test`, 'POST', {})).body)).toContain(
    marker,
  )
})
