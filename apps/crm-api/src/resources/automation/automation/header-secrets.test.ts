import { hiddenValue } from '@crm/contract'
import { newId, schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { headerDigest, openHeaders, ruleHeaders, workflowHeaders } from '@crm/secrets'
import { ownApi, secrets } from '../../../../test/harness.ts'

const api = await ownApi({ outboundAllowCidrs: ['127.0.0.1/32'] })
const cookie = await api.workspace.session()
const settings = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  api.call({ method, path: `/api/settings${path}`, cookie, body })

const secret = 'a-secret-of-the-receiver'
const url = 'http://127.0.0.1:9/hook'
const request = { url, method: 'POST', headers: { 'X-Key': secret }, bodyTemplate: null }
const shown = { ...request, headers: { 'X-Key': hiddenValue } }

describe('the header values of a rule', () => {
  const make = async () =>
    (
      await settings('POST', '/automation-rules', {
        name: 'Rule',
        trigger: { event: 'lead.created' },
        actions: [{ type: 'WEBHOOK', ...request }],
      })
    ).body.data
  const stored = async (id: string) => {
    const [rule] = await api.db.select().from(schema.automationRules).where(eq(schema.automationRules.id, id))
    expect(JSON.stringify(rule)).not.toContain(secret)
    const place = ruleHeaders(api.workspace.workspaceId, id)
    return ((await openHeaders(secrets, api.db, place, rule?.actions)) ?? []).map((action) => action['headers'])
  }
  const change = (id: string, ...actions: object[]) =>
    settings('PATCH', `/automation-rules/${id}`, {
      actions: actions.map((action) => ({ type: 'WEBHOOK', url, ...action })),
    })

  it('are never shown again', async () => {
    const made = await make()
    expect(made.actions).toEqual([{ type: 'WEBHOOK', ...shown }])
    const answers = [
      await settings('GET', '/automation-rules'),
      await settings('GET', `/automation-rules/${made.id}`),
      await settings('POST', `/automation-rules/${made.id}/test`, {}),
      await settings('GET', `/deliveries?ruleId=${made.id}`),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(secret)
    }
    expect(answers[3]?.body.items[0].request.headers).toEqual({
      'content-type': 'application/json',
      'x-key': hiddenValue,
    })
    expect(await stored(made.id)).toEqual([{ 'X-Key': secret }])
  })

  it('stay when a change omits them or sends them as they are shown, wherever in the list the action then is', async () => {
    const { id } = await make()
    for (const actions of [[{}], [{ headers: null }], [{ headers: { 'x-key': hiddenValue } }]]) {
      expect((await change(id, ...actions)).status).toBe(200)
      expect(Object.values((await stored(id))[0] as object)).toEqual([secret])
    }
    expect(
      (
        await change(
          id,
          { url: 'http://127.0.0.1:8/other', headers: { a: 'b' } },
          { headers: { 'X-Key': hiddenValue } },
        )
      ).status,
    ).toBe(200)
    expect(await stored(id)).toEqual([{ a: 'b' }, { 'X-Key': secret }])
  })

  it('are changed and taken away by whoever says so', async () => {
    const { id } = await make()
    await change(id, { headers: { 'X-Key': 'another', 'X-More': 'm' } })
    expect(await stored(id)).toEqual([{ 'X-Key': 'another', 'X-More': 'm' }])
    await change(id, { headers: {} })
    expect(await stored(id)).toEqual([{}])
  })

  it('go to no other host by themselves', async () => {
    const { id } = await make()
    const refused = await change(id, { url: 'http://127.0.0.1:10/mine', headers: { 'X-Key': hiddenValue } })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['actions', 0, 'headers', 'X-Key'] }] },
    })
    expect((await change(id, { url: 'http://127.0.0.1:10/mine' })).status).toBe(200)
    expect(await stored(id)).toEqual([{}])
    expect(
      (
        await settings('POST', '/automation-rules', {
          name: 'New',
          trigger: { event: 'lead.created' },
          actions: [{ type: 'WEBHOOK', ...shown }],
        })
      ).status,
    ).toBe(400)
  })
})

describe('the header values of a workflow', () => {
  const inner = { key: 'inner', name: '', type: 'HTTP_REQUEST', ...request }
  const trigger = { type: 'WEBHOOK', method: 'POST', headerAuth: { name: 'X-Call', value: secret } }
  const steps = [
    { key: 'fork', name: '', type: 'CONDITION', if: [], then: [inner], else: [] },
    { ...inner, key: 'outer' },
  ]
  const make = async () => (await settings('POST', '/workflows', { name: 'Flow', trigger, steps })).body.data
  const stored = async (id: string) => {
    const [row] = await api.db.select().from(schema.workflows).where(eq(schema.workflows.id, id))
    expect(JSON.stringify(row)).not.toContain(secret)
    const place = workflowHeaders(api.workspace.workspaceId, id)
    return JSON.stringify(await openHeaders(secrets, api.db, place, [row?.trigger, row?.steps]))
  }

  it('are never shown again: in the workflow, its versions, its dry run and its runs', async () => {
    const made = await make()
    expect(made).toMatchObject({
      trigger: { headerAuth: { name: 'X-Call', value: hiddenValue } },
      steps: [{ then: [{ headers: shown.headers }] }, { headers: shown.headers }],
    })
    await settings('POST', `/workflows/${made.id}/publish`)
    const [webhook] = await api.db
      .select({ kept: schema.webhookTriggers.headerAuth })
      .from(schema.webhookTriggers)
      .where(eq(schema.webhookTriggers.workflowId, made.id))
    expect(webhook?.kept).toEqual({ name: 'X-Call', digest: headerDigest(made.id, secret) })
    const runId = newId()
    const { workspaceId, adminUserId } = api.workspace
    await api.db.insert(schema.workflowRuns).values({
      workspaceId,
      id: runId,
      workflowId: made.id,
      version: 1,
      runAsId: adminUserId,
      state: 'SUCCEEDED',
      trigger: {},
    })
    await api.db.insert(schema.workflowStepRuns).values({
      workspaceId,
      runId,
      position: '1',
      stepKey: 'outer',
      type: 'HTTP_REQUEST',
      state: 'SUCCEEDED',
      epoch: 1,
      input: { deliveryId: newId(), request },
    })
    const paths = ['/workflows', `/workflows/${made.id}`, `/workflows/${made.id}/versions`, `/workflow-runs/${runId}`]
    for (const answer of [
      ...(await Promise.all(paths.map((path) => settings('GET', path)))),
      await settings('POST', `/workflows/${made.id}/test`, {}),
    ]) {
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toContain(secret)
    }
    expect((await stored(made.id)).split(secret)).toHaveLength(4)
  })

  it('stay when they are sent as they are shown, step by step', async () => {
    const made = await make()
    const before = await stored(made.id)
    const sent = await settings('PATCH', `/workflows/${made.id}`, { trigger: made.trigger, steps: made.steps })
    expect([sent.status, (await stored(made.id)).split(secret).length]).toEqual([200, before.split(secret).length])
    const moved = await settings('PATCH', `/workflows/${made.id}`, {
      steps: [{ ...shown, key: 'outer', type: 'HTTP_REQUEST', url: 'http://127.0.0.1:10/mine' }],
    })
    expect(moved).toMatchObject({ status: 400, body: { issues: [{ path: ['steps', 0, 'headers', 'X-Key'] }] } })
    const unknown = await settings('POST', '/workflows', { name: 'Flow', trigger: made.trigger, steps: [] })
    expect(unknown).toMatchObject({ status: 400, body: { issues: [{ path: ['trigger', 'headerAuth', 'value'] }] } })
  })
})
