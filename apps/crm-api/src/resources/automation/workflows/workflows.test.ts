import { hiddenValue } from '@crm/contract'
import { schema } from '@crm/db'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'
import { unknownId } from '../../../../test/samples.ts'

const api = await ownApi({ outboundResolver: async () => [] })
const cookie = await api.workspace.session()
const settings = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  api.call({ method, path: `/api/settings/${path}`, cookie, body })

const webhook = { type: 'WEBHOOK' }
const create = (body: Record<string, unknown>) =>
  settings('POST', 'workflows', { name: 'Workflow', trigger: webhook, ...body })
const set = (key: string, values: unknown = {}) => ({ key, type: 'SET', values })
const turn = (among: unknown) => ({
  key: 'turn',
  type: 'ASSIGN_OWNER',
  entityType: 'LEAD',
  id: '{{trigger.entityId}}',
  among,
})
const start = (workflowId: string) => ({ key: 'start', type: 'START_WORKFLOW', workflowId })
const fork = (conditions: unknown[], yes: unknown[], no: unknown[] = []) => ({
  key: 'fork',
  type: 'CONDITION',
  if: conditions,
  then: yes,
  else: no,
})

describe('201', () => {
  it('gives the workflow with its defaults, run as the person who made it', async () => {
    const { status, body } = await create({ steps: [set('a')] })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        status: 'DRAFT',
        trigger: { type: 'WEBHOOK', method: 'POST' },
        steps: [{ key: 'a', name: '', type: 'SET' }],
        publishedVersion: null,
        url: null,
        runAsId: api.workspace.adminUserId,
        warnings: [],
      },
    })
    expect((await settings('GET', `workflows/${body.data.id}`)).body.data).toEqual(body.data)
    expect(
      (await settings('GET', 'workflows?search=workflow')).body.items.map((item: { id: string }) => item.id),
    ).toContain(body.data.id)
  })

  it('keeps header authentication with an empty name or value', async () => {
    expect(
      (await create({ trigger: { ...webhook, headerAuth: { name: '', value: '' } } })).body.data.trigger.headerAuth,
    ).toEqual({ name: '', value: '' })
    expect(
      (await create({ trigger: { ...webhook, headerAuth: { name: ' X-Sent ', value: ' by us ' } } })).body.data.trigger
        .headerAuth,
    ).toEqual({ name: 'X-Sent', value: hiddenValue })
    for (const headerAuth of [
      { name: 'no token', value: 'x' },
      { name: 'X-Sent', value: '鍵' },
    ]) {
      expect(await create({ trigger: { ...webhook, headerAuth } }), 'a header that no call can carry').toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      })
    }
  })

  it('warns of variables that nothing fills, and of addresses that cannot be found', async () => {
    const steps = [
      set('first', { a: '{{trigger.x}} {{steps.later.data.y}} {{customer.name}}' }),
      {
        key: 'send',
        type: 'HTTP_REQUEST',
        url: 'https://nobody.example/',
        bodyTemplate: '{"a":{{steps.first.data.a}}}',
      },
      set('later'),
    ]
    const { status, body } = await create({ steps })
    expect(status).toBe(201)
    expect(body.data.warnings).toEqual([
      { path: ['steps', 0, 'values'], message: 'Nothing is known under {{steps.later.data.y}}' },
      { path: ['steps', 0, 'values'], message: 'Nothing is known under {{customer.name}}' },
      { path: ['steps', 1, 'url'], message: 'No address was found for this host' },
    ])
  })
})

it('warns of fields that an event and an earlier step never have', async () => {
  const trigger = { type: 'EVENT', event: 'lead.created', conditions: [{ field: 'created', op: 'EQ', value: '' }] }
  const steps = [
    { key: 'task', type: 'CREATE_RECORD', entityType: 'TASK', values: { title: '{{trigger.created}}' } },
    set('text', { a: '{{trigger.data.createdAt}} {{steps.task.data.titel}} {{steps.task.data.title}}' }),
  ]
  const { status, body } = await create({ trigger, steps })
  expect(status).toBe(201)
  expect(body.data.warnings).toEqual([
    { path: ['trigger', 'conditions', 0, 'field'], message: 'Nothing is known under {{created}}' },
    { path: ['steps', 0, 'values'], message: 'Nothing is known under {{trigger.created}}' },
    { path: ['steps', 1, 'values'], message: 'Nothing is known under {{steps.task.data.titel}}' },
  ])
})

describe('400 VALIDATION_ERROR', () => {
  it.each([
    ['two steps with one key', { steps: [set('a'), fork([], [set('a')])] }, ['steps', 1, 'then', 0, 'key']],
    ['a broken template in a value', { steps: [set('a', { x: ['{{trigger.}}'] })] }, ['steps', 0, 'values', 'x', 0]],
    [
      'a broken body template',
      { steps: [{ key: 'a', type: 'HTTP_REQUEST', url: 'https://x.example', bodyTemplate: '{"a":}' }] },
      ['steps', 0, 'bodyTemplate'],
    ],
    [
      'a private address',
      { steps: [{ key: 'a', type: 'HTTP_REQUEST', url: 'http://10.0.0.1/' }] },
      ['steps', 0, 'url'],
    ],
    [
      'a header that the service sets',
      { steps: [{ key: 'a', type: 'HTTP_REQUEST', url: 'https://x.example', headers: { Host: 'y' } }] },
      ['steps', 0, 'headers', 'Host'],
    ],
    [
      'a kind of record that does not exist',
      { steps: [{ key: 'a', type: 'CREATE_RECORD', entityType: 'UNICORN', values: {} }] },
      ['steps', 0, 'entityType'],
    ],
    [
      'mail to nobody',
      { steps: [{ key: 'a', type: 'SEND_EMAIL', to: ' , ', subject: 's', body: 'b' }] },
      ['steps', 0, 'to'],
    ],
    [
      'a mail with a broken template',
      { steps: [{ key: 'a', type: 'SEND_EMAIL', to: 'a@b.example', subject: '{{trigger', body: 'b' }] },
      ['steps', 0, 'subject'],
    ],
    [
      'a condition whose field is no path',
      { steps: [{ key: 'a', type: 'CONDITION', if: [{ field: 'a b', op: 'EQ', value: 1 }] }] },
      ['steps', 0, 'if', 0, 'field'],
    ],
    [
      'turns of an unknown department',
      { steps: [turn({ departmentId: unknownId })] },
      ['steps', 0, 'among', 'departmentId'],
    ],
    [
      'turns of unknown people',
      { steps: [turn({ employeeIds: [unknownId] })] },
      ['steps', 0, 'among', 'employeeIds', 0],
    ],
    [
      'an owner for records that have none',
      { steps: [{ ...turn({ employeeIds: [api.workspace.adminUserId] }), entityType: 'EMPLOYEE' }] },
      ['steps', 0, 'entityType'],
    ],
    ['turns of nobody', { steps: [turn({ departmentId: '' })] }, ['steps', 0, 'among', 'departmentId']],
    ['a start of an unknown workflow', { steps: [start(unknownId)] }, ['steps', 0, 'workflowId']],
    ['a reserved key', { steps: [set('__proto__')] }, ['steps', 0, 'key']],
    ['an unknown event', { trigger: { type: 'EVENT', event: 'lead.exploded' } }, ['trigger', 'event']],
    ['an unknown member', { steps: [{ ...set('a'), colour: 'red' }] }, ['steps', 0, 'colour']],
  ])('for %s', async (_, body, path) => {
    const answer = await create(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues.map((issue: { path: unknown }) => issue.path)).toContainEqual(path)
  })

  it('for workflows that would start one another in a circle', async () => {
    const [first, second] = [(await create({})).body.data.id, (await create({})).body.data.id]
    const patch = (id: string, steps: unknown[]) => settings('PATCH', `workflows/${id}`, { steps })
    expect(await patch(second, [fork([], [], [start(first)])])).toMatchObject({ status: 200 })
    for (const to of [first, second]) {
      const { status, body } = await patch(first, [set('a'), start(to)])
      expect({ status, issues: body.issues }).toEqual({
        status: 400,
        issues: [{ path: ['steps', 1, 'workflowId'], message: 'The workflow would start itself again' }],
      })
    }
    expect(await create({ steps: [start(second)] })).toMatchObject({ status: 201 })
  })

  it('says where in a template the fault is', async () => {
    const { body } = await create({
      steps: [
        { key: 'a', type: 'HTTP_REQUEST', url: 'https://x.example', bodyTemplate: '{\n  "a": {{trigger.x | loud}}\n}' },
      ],
    })
    expect(body.issues).toMatchObject([
      {
        path: ['steps', 0, 'bodyTemplate'],
        code: 'TEMPLATE_INVALID',
        message: expect.stringMatching(/line 2, column 22/),
      },
    ])
  })
})

describe('publish', () => {
  it('gives the address and the secret once, and keeps both', async () => {
    const { id } = (await create({ steps: [set('a')] })).body.data
    const first = (await settings('POST', `workflows/${id}/publish`)).body.data
    expect(first).toEqual({
      url: `http://${api.workspace.host}/api/hooks/${first.path}`,
      path: expect.stringMatching(/^[\w-]{43}$/),
      secret: expect.stringMatching(/^[\w-]{43}$/),
      version: 1,
      warnings: [],
    })
    expect((await settings('POST', `workflows/${id}/unpublish`)).body.data).toMatchObject({
      status: 'UNPUBLISHED',
      url: first.url,
    })
    expect(await settings('POST', `workflows/${id}/unpublish`)).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
    expect((await settings('POST', `workflows/${id}/publish`)).body.data).toEqual({
      url: first.url,
      path: first.path,
      version: 2,
      warnings: [],
    })
    const { secret } = (await settings('POST', `workflows/${id}/regenerate-secret`)).body.data
    expect(secret).not.toBe(first.secret)
    expect((await settings('GET', `workflows/${id}/versions`)).body).toMatchObject({
      total: 2,
      items: [{ version: 2 }, { version: 1, publishedById: api.workspace.adminUserId }],
    })
    expect((await settings('GET', `workflows/${id}/last-request`)).body.data).toBeNull()
  })

  it('keeps with the address what it takes besides JSON, and forgets it when it is published without', async () => {
    const challenge = { in: 'QUERY', echo: 'hub.challenge', require: { name: 'hub.verify_token', equals: 'mine' } }
    const { id } = (await create({ trigger: { ...webhook, accept: 'FORM', challenge, cloudEvents: true } })).body.data
    const kept = async () => {
      expect((await settings('POST', `workflows/${id}/publish`)).status).toBe(200)
      const { rows } = await api.db.execute(sql`SELECT options FROM webhook_triggers WHERE workflow_id = ${id}`)
      return rows[0]?.['options']
    }
    expect(await kept()).toEqual({ accept: 'FORM', challenge: { ...challenge, as: 'TEXT' }, cloudEvents: true })
    expect(
      (await settings('PATCH', `workflows/${id}`, { trigger: { ...webhook, accept: 'JSON', challenge: null } })).status,
    ).toBe(200)
    expect(await kept()).toBeNull()
  })

  it.each([
    ['of a body that it does not know', { accept: 'XML' }],
    ['without what it gives back', { challenge: { in: 'BODY' } }],
    ['with a header that browsers obey', { challenge: { in: 'HEADER', echo: 'Set-Cookie', as: 'HEADER' } }],
    ['with a name that browsers obey', { challenge: { in: 'QUERY', echo: 'x-a', as: 'HEADER', name: 'Location' } }],
  ])('refuses a webhook %s', async (_, options) =>
    expect(await create({ trigger: { ...webhook, ...options } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    }),
  )

  it('gives no address to a workflow that no webhook starts', async () => {
    const { id } = (await create({ trigger: { type: 'EVENT', event: 'deal.won' } })).body.data
    expect((await settings('POST', `workflows/${id}/publish`)).body.data).toEqual({
      url: null,
      path: null,
      version: 1,
      warnings: [],
    })
    expect((await settings('POST', `workflows/${id}/regenerate-secret`)).body.code).toBe('INVALID_TRANSITION')
  })
})

describe('test', () => {
  it('fills the templates and takes the branch, and does nothing', async () => {
    const isGood = fork(
      [{ field: 'trigger.kind', op: 'EQ', value: 'good' }],
      [set('yes', { n: '{{trigger.n}}' })],
      [set('no')],
    )
    const { id } = (
      await create({
        steps: [
          isGood,
          { key: 'lead', type: 'CREATE_RECORD', entityType: 'LEAD', values: { lastName: '{{steps.yes.data.n}}' } },
        ],
      })
    ).body.data
    const { steps } = (await settings('POST', `workflows/${id}/test`, { data: { kind: 'good', n: 7 } })).body.data
    expect(steps.map(({ position, input }: { position: string; input: unknown }) => [position, input])).toEqual([
      ['0', true],
      ['0.then.0', { n: 7 }],
      ['1', { entityType: 'LEAD', values: { lastName: 7 } }],
    ])
    expect((await settings('GET', `workflow-runs?workflowId=${id}`)).body.total).toBe(0)
  })

  it('says whose turn is next, and leaves the turn where it is', async () => {
    const departmentId = await api.workspace.department('Support')
    const first = await api.workspace.employee({ departmentId })
    await api.workspace.employee({ departmentId, status: 'SUSPENDED' })
    const second = await api.workspace.employee({ departmentId })
    const { id } = (await create({ steps: [turn({ departmentId })] })).body.data
    const planned = async () =>
      (await settings('POST', `workflows/${id}/test`, { data: { entityId: unknownId } })).body.data.steps[0]
    const assigning = (ownerId: string | null, problem: string | null) => ({
      position: '0',
      key: 'turn',
      type: 'ASSIGN_OWNER',
      input: { entityType: 'LEAD', id: unknownId, values: { ownerId } },
      problem,
    })
    expect([await planned(), await planned()]).toEqual([assigning(first.id, null), assigning(first.id, null)])
    const place = { workspaceId: api.workspace.workspaceId, workflowId: id, stepKey: 'turn' }
    await api.db.insert(schema.assignmentTurns).values({ ...place, lastId: first.id })
    expect(await planned()).toEqual(assigning(second.id, null))
    await api.db
      .update(schema.employees)
      .set({ status: 'SUSPENDED' })
      .where(eq(schema.employees.departmentId, departmentId))
    expect(await planned()).toEqual(assigning(null, 'None of the people who take turns is active'))
  })

  it('shows which workflow would start, and that it must be published', async () => {
    const { id: target } = (await create({})).body.data
    const { id } = (await create({ steps: [start(target)] })).body.data
    const planned = async () => (await settings('POST', `workflows/${id}/test`, { data: { n: 1 } })).body.data.steps[0]
    const input = { workflowId: target, data: { n: 1 } }
    expect(await planned()).toMatchObject({ input, problem: 'The workflow to start is not published' })
    await settings('POST', `workflows/${target}/publish`)
    expect(await planned()).toMatchObject({ input, problem: null })
    expect((await settings('GET', `workflow-runs?workflowId=${target}`)).body.total).toBe(0)
  })

  it('tells whether the conditions of the event hold', async () => {
    const conditions = [{ field: 'data.status', op: 'EQ', value: 'NEW' }]
    const { id } = (await create({ trigger: { type: 'EVENT', event: 'lead.created', conditions } })).body.data
    const starts = async (status: string) =>
      (await settings('POST', `workflows/${id}/test`, { data: { event: 'lead.created', data: { status } } })).body.data
        .starts
    expect([await starts('NEW'), await starts('LOST')]).toEqual([true, false])
  })
})

describe('a time of day', () => {
  it('is kept as the next start while the workflow is published', async () => {
    const { id } = (await create({ trigger: { type: 'SCHEDULE', at: '09:30' } })).body.data
    const next = async () =>
      (await api.db.select().from(schema.workflows).where(eq(schema.workflows.id, id)))[0]?.nextRunAt ?? null
    expect(await next()).toBeNull()
    expect((await settings('POST', `workflows/${id}/publish`)).status).toBe(200)
    expect(await next()).toMatch(/T09:30:00.000Z$/)
    expect(Date.parse((await next()) ?? '')).toBeGreaterThan(Date.now())
    await settings('POST', `workflows/${id}/unpublish`)
    expect(await next()).toBeNull()
    for (const at of ['24:00', '9:30', 'noon'])
      expect(await create({ trigger: { type: 'SCHEDULE', at } })).toMatchObject({ status: 400 })
  })
})

describe('404', () => {
  it('for a workflow, run, rule or delivery of another workspace', async () => {
    const { id } = (await create({})).body.data
    const other = await api.newWorkspace()
    const theirs = await other.session()
    expect((await api.call({ path: `/api/settings/workflows/${id}`, cookie: theirs }, other)).status).toBe(404)
    for (const path of ['workflow-runs', 'automation-rules', 'deliveries'])
      expect((await settings('GET', `${path}/${unknownId}`)).body.code).toBe('NOT_FOUND')
  })
})

describe('403', () => {
  it('ACCESS_DENIED for changing what runs with more rights than one holds; the name is free', async () => {
    const { id } = (await create({ steps: [{ key: 'note', name: 'Note', type: 'SET', values: { a: 1 } }] })).body.data
    const { id: editor } = await api.workspace.employee({ grant: { permissions: ['MANAGE_WORKFLOWS', 'VIEW_LEAD'] } })
    const theirs = await api.workspace.session(editor)
    const patch = (body: unknown) =>
      api.call({ method: 'PATCH', path: `/api/settings/workflows/${id}`, cookie: theirs, body })
    expect(await patch({ steps: [] })).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
    expect((await patch({ name: 'Renamed' })).body.data.name).toBe('Renamed')
  })
})
