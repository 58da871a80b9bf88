import { automationEvents, changeEvents, eventBody } from '@crm/contract'
import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest, type Call } from './harness.ts'
import { bodyOf } from './targets.ts'

const api = await apiUnderTest()
const { call, key, workspace, db } = api
const cookie = await workspace.session()

async function done(request: Call): Promise<{ id: string; version: number }> {
  const answer = await call(request)
  expect([200, 201], `${request.method} ${request.path}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
  return answer.body.data
}

/** Returns the events in the outbox about one record, in their order. */
async function told(entityId: string) {
  const rows = await db
    .select()
    .from(schema.outbox)
    .where(eq(schema.outbox.entityId, entityId))
    .orderBy(schema.outbox.id)
  return rows.filter(({ topic }) => topic === 'change')
}

/** Expects that every event of a record fits its declaration, and contains nothing else. */
async function expectTold(entityId: string, names: readonly string[]): Promise<void> {
  const rows = await told(entityId)
  expect(rows.map(({ event }) => event)).toEqual(names)
  for (const { event, entityType, payload } of rows) {
    const declared = changeEvents.find(({ name }) => name === event)
    if (!declared) throw new Error(`${event} is not declared`)
    expect(entityType).toBe(declared.entityType)
    const { record, actor: _actor, at, ...more } = payload as { record: object; actor: object; at: string }
    const body = {
      event,
      entityType,
      entityId,
      tenantId: workspace.workspaceId,
      timestamp: at,
      data: { ...record, ...more },
    }
    const result = eventBody(declared).safeParse(body)
    expect(result.error?.issues ?? [], event).toEqual([])
    expect(
      Object.keys(body.data).filter((name) => !(name in eventBody(declared).shape.data.shape)),
      `${event} tells more than it declares`,
    ).toEqual([])
  }
}

describe('what rules and workflows are told', () => {
  it.each([
    ['lead', '/api/leads', { companyName: 'ACME' }, { description: 'x' }],
    ['contact', '/api/contacts', { lastName: 'Doe' }, { jobTitle: 'x' }],
    ['company', '/api/companies', { name: 'ACME' }, { description: 'x' }],
    ['deal', '/api/deals', { name: 'Deal' }, { description: 'x' }],
    ['task', '/api/tasks', { title: 'Task' }, { description: 'x' }],
    ['project', '/api/projects', { name: 'Project' }, { description: 'x' }],
    ['activity', '/api/activities', { type: 'NOTE', body: 'x' }, { subject: 'x' }],
    ['product', '/api/products', { name: 'Box' }, { description: 'x' }],
    ['quote', '/api/quotes', 'quotes.create', { notes: 'x' }],
    ['order', '/api/orders', 'orders.create', { notes: 'x' }],
    ['invoice', '/api/invoices', 'invoices.create', { notes: 'x' }],
  ] as const)('of a %s: created, updated, deleted', async (noun, path, sample, patch) => {
    const body = typeof sample === 'string' ? await bodyOf(api, sample) : sample
    const { id } = await done({ method: 'POST', path, key, body })
    await done({ method: 'PATCH', path: `${path}/${id}`, key, body: patch })
    await done({ method: 'DELETE', path: `${path}/${id}`, key })
    await expectTold(
      id,
      ['created', 'updated', 'deleted'].map((verb) => `${noun}.${verb}`),
    )
  })

  it('of payments of an invoice', async () => {
    const { id } = await done({
      method: 'POST',
      path: '/api/invoices',
      key,
      body: await bodyOf(api, 'invoices.create'),
    })
    await done({ method: 'POST', path: `/api/invoices/${id}/issue`, key, body: {} })
    const payment = await done({
      method: 'POST',
      path: `/api/invoices/${id}/payments`,
      key,
      body: { amount: '0.01', method: 'CASH' },
    })
    await done({ method: 'POST', path: `/api/invoices/${id}/payments/${payment.id}/reverse`, key, body: {} })
    const rows = await told(id)
    expect(rows.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['invoice.issued', 'invoice.payment_recorded', 'invoice.payment_reversed']),
    )
    await expectTold(
      id,
      rows.map(({ event }) => event),
    )
  })

  it('of people, without their secrets', async () => {
    const { id } = await done({
      method: 'POST',
      path: '/api/settings/users',
      cookie,
      body: { email: 'new@person.test', password: 'correct horse battery', firstName: 'New' },
    })
    await done({
      method: 'PATCH',
      path: `/api/settings/users/${id}`,
      cookie,
      body: { firstName: 'Newer', password: 'another horse battery' },
    })
    await done({ method: 'DELETE', path: `/api/settings/users/${id}`, cookie })
    await expectTold(id, ['employee.created', 'employee.updated', 'employee.deleted'])
    expect(JSON.stringify(await told(id))).not.toMatch(/password|horse/i)
  })
})

describe('an event that nothing emits', () => {
  const action = { type: 'WEBHOOK', url: 'https://203.0.114.7/hook' }
  const rule = (event: string) =>
    call({
      method: 'POST',
      path: '/api/settings/automation-rules',
      cookie,
      body: { name: 'Rule', trigger: { event }, actions: [action] },
    })
  const workflow = (event: string) =>
    call({
      method: 'POST',
      path: '/api/settings/workflows',
      cookie,
      body: { name: 'Flow', trigger: { type: 'EVENT', event }, steps: [] },
    })

  it.each([
    'leads.created',
    'nosuchthing.updated',
    'lead.stage_change',
    'vehicle.created',
    'LEAD.created',
    'booking.updated',
  ])('is refused with the list: %s', async (event) => {
    for (const answer of [await rule(event), await workflow(event)]) {
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: 'VALIDATION_ERROR',
          issues: [{ path: ['trigger', 'event'], values: expect.arrayContaining([...automationEvents]) }],
        },
      })
    }
  })

  it('is known once its custom entity is', async () => {
    await call({
      method: 'POST',
      path: '/api/custom-entities',
      cookie,
      body: { key: 'boat', labels: { singular: 'Boat', plural: 'Boats' } },
    })
    expect((await rule('boat.created')).status).toBe(201)
    expect((await rule('boat.sunk')).status).toBe(400)
    expect((await rule('order.created')).status).toBe(201)
  })
})
