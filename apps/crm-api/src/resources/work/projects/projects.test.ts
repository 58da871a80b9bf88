import { unique } from '@crm/testkit'
import { newId, schema } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createDeal, createProject, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const create = (body: unknown, credential = key) =>
  call({ method: 'POST', path: '/api/projects', key: credential, body })
const patch = (id: string, body: unknown, credential = key) =>
  call({ method: 'PATCH', path: `/api/projects/${id}`, key: credential, body })
const list = (query: string, credential = key) => call({ path: `/api/projects?${query}`, key: credential })
const activity = (id: string, query = '', credential = key) =>
  call({ path: `/api/projects/${id}/activity?${query}`, key: credential })
const narrow = async (permissions: readonly string[], access: unknown = []) => {
  const person = await workspace.employee({ grant: { permissions, access: access as never } })
  return { id: person.id, key: (await workspace.apiKey({ ownerId: person.id })).key }
}

describe('POST /api/projects', () => {
  it('201 with the next number and every default', async () => {
    const first = await create({ name: 'One' })
    const second = await create({ name: 'Two' })
    expect(first).toMatchObject({
      status: 201,
      body: {
        data: {
          name: 'One',
          status: 'PLANNED',
          progress: 0,
          memberIds: [],
          currency: 'EUR',
          budget: null,
          ownerId: workspace.adminUserId,
          version: 1,
        },
      },
    })
    expect(second.body.data.number).toBe(first.body.data.number + 1)
  })

  it('leaves out no number when a creation is refused or many come at once', async () => {
    const { number } = (await create({ name: 'Before' })).body.data
    await create({ name: 'Refused', memberIds: [unknownId] })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => create({ name: `At once ${at}` })))
    expect(answers.map(({ body }) => body.data.number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 8 }, (_, at) => number + 1 + at),
    )
  })

  it('takes members, references, days and a budget', async () => {
    const [companyId, dealId, member] = await Promise.all([createCompany(api), createDeal(api), workspace.employee()])
    const body = {
      name: 'Full',
      status: 'ACTIVE',
      companyId,
      dealId,
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      budget: '1000.5',
      currency: 'CHF',
      progress: 30,
      description: 'x',
      tags: ['a'],
    }
    expect((await create({ ...body, memberIds: [member.id, member.id] })).body.data).toMatchObject({
      ...body,
      budget: '1000.50',
      memberIds: [member.id],
    })
  })

  it.each([
    ['no name', { name: undefined }, 'VALIDATION_ERROR'],
    ['an end before the start', { startDate: '2026-02-01', endDate: '2026-01-01' }, 'VALIDATION_ERROR'],
    ['a progress over 100', { progress: 101 }, 'VALIDATION_ERROR'],
    ['a number of its own', { number: 7 }, 'VALIDATION_ERROR'],
    ['an unknown currency', { currency: 'XQQ' }, 'INVALID_CURRENCY'],
    ['an unknown member', { memberIds: [unknownId] }, 'INVALID_REFERENCE'],
    ['an unknown company', { companyId: unknownId }, 'INVALID_REFERENCE'],
    ['an unknown deal', { dealId: unknownId }, 'INVALID_REFERENCE'],
    ['an unknown owner', { ownerId: unknownId }, 'INVALID_REFERENCE'],
  ])('400 for %s', async (_what, body, code) => {
    expect(await create({ name: 'Refused', ...body })).toMatchObject({ status: 400, body: { code } })
  })

  it('400 for a company that the caller may not see', async () => {
    const { key: theirs } = await narrow(['VIEW_PROJECT', 'CREATE_PROJECT'])
    expect(await create({ name: 'Curious', companyId: await createCompany(api) }, theirs)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'companyId' } },
    })
  })
})

describe('PATCH and DELETE /api/projects/{id}', () => {
  it('changes what is sent; what is completed is done in full', async () => {
    const id = await createProject(api, { progress: 40, startDate: '2026-01-01' })
    expect((await patch(id, { status: 'COMPLETED' })).body.data).toMatchObject({
      status: 'COMPLETED',
      progress: 100,
      version: 2,
    })
    expect((await patch(id, { status: 'ACTIVE', progress: 90 })).body.data).toMatchObject({
      status: 'ACTIVE',
      progress: 90,
    })
    expect(await patch(id, { endDate: '2025-01-01' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    })
    expect(await patch(id, { name: 'Stale', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT', details: { version: 3 } },
    })
    expect(await patch(id, { currency: 'XQQ' })).toMatchObject({ status: 400, body: { code: 'INVALID_CURRENCY' } })
  })

  it('hides a deleted project', async () => {
    const id = await createProject(api)
    expect((await call({ method: 'DELETE', path: `/api/projects/${id}`, key })).body.data).toEqual({ id })
    expect((await call({ path: `/api/projects/${id}`, key })).status).toBe(404)
    expect((await activity(id)).status).toBe(404)
  })
})

describe('GET /api/projects', () => {
  it('is strict, and cuts the page size at 100', async () => {
    expect(await list('colour=red')).toMatchObject({ status: 400, body: { code: 'UNKNOWN_QUERY_PARAM' } })
    expect(await list('sortBy=secret')).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM' } })
    expect((await list('pageSize=500')).body.pageSize).toBe(100)
  })

  it('filters by status, member, company and days; finds by name and number', async () => {
    const member = await workspace.employee()
    const companyId = await createCompany(api)
    const id = await createProject(api, {
      name: 'Brücke',
      status: 'ON_HOLD',
      memberIds: [member.id],
      companyId,
      startDate: '2031-01-01',
      endDate: '2031-02-01',
      budget: '5',
    })
    const { number } = (await call({ path: `/api/projects/${id}`, key })).body.data
    for (const query of [
      'status=ON_HOLD',
      `memberId=${member.id}`,
      `companyId=${companyId}`,
      'startFrom=2031-01-01',
      'endFrom=2031-02-01&endTo=2031-02-01',
      'search=brucke',
      `search=${number}%20br`,
      'sortBy=budget&status=ON_HOLD',
    ]) {
      const { body } = await list(query)
      expect({ query, ids: body.items.map((item: { id: string }) => item.id), total: body.total }).toEqual({
        query,
        ids: [id],
        total: 1,
      })
    }
  })

  it('OWN reaches what one owns and what one is a member of', async () => {
    const access = [{ entityType: 'PROJECT', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'NONE' }]
    const person = await narrow(['VIEW_PROJECT', 'UPDATE_PROJECT', 'DELETE_PROJECT'], access)
    const mine = await createProject(api, { ownerId: person.id })
    const shared = await createProject(api, { memberIds: [person.id] })
    const other = await createProject(api)
    const { body } = await list('sortBy=number&sortOrder=asc', person.key)
    expect({ ids: body.items.map(({ id }: { id: string }) => id), total: body.total }).toEqual({
      ids: [mine, shared],
      total: 2,
    })
    expect((await patch(shared, { progress: 10 }, person.key)).status).toBe(200)
    expect((await patch(other, { progress: 10 }, person.key)).status).toBe(404)
    expect(await call({ method: 'DELETE', path: `/api/projects/${mine}`, key: person.key })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'DELETE_PROJECT' },
    })
    expect((await activity(other, '', person.key)).status).toBe(404)
  })
})

describe('GET /api/projects/{id}/activity', () => {
  /** Creates a task with one entry in its history, as the task operations write it. */
  async function taskOf(projectId: string, values: Partial<typeof schema.tasks.$inferInsert> = {}): Promise<string> {
    const { workspaceId } = workspace
    const id = newId()
    await api.db.insert(schema.tasks).values({
      workspaceId,
      id,
      number: Number(unique()),
      title: 'Task',
      status: 'TODO',
      projectId,
      ...values,
    })
    await api.db.insert(schema.timeline).values({
      workspaceId,
      id: newId(),
      entityType: 'TASK',
      entityId: id,
      kind: 'CREATED',
      actorType: 'SYSTEM',
      actorName: 'Test',
      source: 'SYSTEM',
    })
    return id
  }

  it('goes page by page from the newest to the oldest entry, of the project and its tasks', async () => {
    const id = await createProject(api)
    const taskId = await taskOf(id)
    for (const progress of [10, 20, 30]) await patch(id, { progress })
    const first = (await activity(id, 'limit=3')).body
    expect(first).toMatchObject({
      hasMore: true,
      items: [
        {
          kind: 'UPDATED',
          changes: [{ field: 'progress', from: 20, to: 30 }],
          actor: { type: 'EMPLOYEE' },
          source: 'API',
        },
        {},
        {},
      ],
    })
    const second = (await activity(id, `limit=3&cursor=${first.nextCursor}`)).body
    expect(second).toMatchObject({
      hasMore: false,
      nextCursor: null,
      items: [
        { entityType: 'TASK', entityId: taskId, kind: 'CREATED' },
        { entityType: 'PROJECT', kind: 'CREATED' },
      ],
    })
  })

  it('leaves out the tasks that the caller may not see, and those that are gone', async () => {
    const id = await createProject(api)
    await taskOf(id, { deletedAt: new Date().toISOString() })
    const hidden = await taskOf(id)
    const access = [{ entityType: 'TASK', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }]
    const person = await narrow(['VIEW_PROJECT', 'VIEW_TASK'], access)
    const own = await taskOf(id, { assigneeId: person.id })
    const idsFor = async (credential?: string) =>
      (await activity(id, '', credential)).body.items.map(({ entityId }: { entityId: string }) => entityId)
    expect(await idsFor()).toEqual([own, hidden, id])
    expect(await idsFor(person.key)).toEqual([own, id])
    expect(await idsFor((await narrow(['VIEW_PROJECT'])).key)).toEqual([id])
  })

  it('400 for a cursor that is none, 404 for no project; the limit is cut at 100', async () => {
    const id = await createProject(api)
    expect(await activity(id, 'cursor=nonsense')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param: 'cursor' } },
    })
    expect((await activity(id, 'limit=0')).body.code).toBe('INVALID_QUERY_PARAM')
    expect((await activity(id, 'limit=500')).status).toBe(200)
    expect((await activity(unknownId)).status).toBe(404)
  })
})
