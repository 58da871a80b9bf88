import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createLead, createProject, createTask, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const me = workspace.adminUserId

const post = (body: Record<string, unknown>, as = key) =>
  call({ method: 'POST', path: '/api/tasks', key: as, body: { title: 'Call back', ...body } })
const patch = (id: string, body: unknown, as = key) =>
  call({ method: 'PATCH', path: `/api/tasks/${id}`, key: as, body })
const read = async (id: string) => (await call({ path: `/api/tasks/${id}`, key })).body.data
const history = async (entityType: string, entityId: string) =>
  (await call({ path: `/api/crm/timeline?entityType=${entityType}&entityId=${entityId}`, key })).body.items as {
    kind: string
    relatedId: string
    data: object
    changes: object[]
  }[]
const kinds = async (entityType: string, entityId: string) =>
  (await history(entityType, entityId)).map(({ kind }) => kind)
const events = async (id: string) => {
  const { outbox } = schema
  const rows = await api.db
    .select({ event: outbox.event })
    .from(outbox)
    .where(and(eq(outbox.workspaceId, workspace.workspaceId), eq(outbox.entityId, id)))
    .orderBy(outbox.id)
  return rows.map(({ event }) => event)
}

const grantOf = (level: string, permissions = ['VIEW_TASK', 'UPDATE_TASK', 'DELETE_TASK', 'CREATE_TASK']) =>
  ({ permissions, access: [{ entityType: 'TASK', VIEW: level, UPDATE: level, DELETE: level }] }) as never
const personWith = async (grant: never) => {
  const { id } = await workspace.employee({ grant })
  return { id, key: (await workspace.apiKey({ ownerId: id })).key }
}

describe('201', () => {
  it('answers the task with its number, defaults, checklist and links', async () => {
    const leadId = await createLead(api)
    const links = [{ entityType: 'LEAD', entityId: leadId }]
    const { status, body } = await post({
      title: '  Call back ',
      dueAt: '2030-01-02T10:00:00+02:00',
      links,
      checklist: [{ title: 'Dial' }, { title: 'Talk', isDone: true }],
      tags: ['a', 'a'],
    })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        number: expect.any(Number),
        title: 'Call back',
        status: 'TODO',
        priority: 'NORMAL',
        ownerId: me,
        assigneeId: null,
        memberIds: [],
        dueAt: '2030-01-02T08:00:00.000Z',
        completedAt: null,
        tags: ['a'],
        version: 1,
        links,
        checklist: [
          { title: 'Dial', isDone: false, position: 0 },
          { title: 'Talk', isDone: true, position: 1 },
        ],
      },
    })
    expect(await read(body.data.id)).toEqual(body.data)
    expect(await events(body.data.id)).toEqual(['task.created'])
  })

  it('numbers tasks one after the other, without gaps, also at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => post({})))
    const numbers = made.map(({ body }) => body.data.number as number).toSorted((a, b) => a - b)
    expect(numbers).toEqual(numbers.map((_number, at) => (numbers[0] as number) + at))
  })

  it('tells its project and what it hangs on that it came, and gives its words to who may see it alone', async () => {
    const [leadId, projectId] = [await createLead(api), await createProject(api)]
    const { id, number } = (await post({ projectId, links: [{ entityType: 'LEAD', entityId: leadId }] })).body.data
    const [entry] = await history('LEAD', leadId)
    expect(entry).toMatchObject({ kind: 'TASK_ADDED', relatedId: id, data: { number, status: 'TODO' } })
    expect(entry).toMatchObject({ links: [{ entityType: 'TASK', id, title: 'Call back' }] })
    const { key: theirs } = await personWith({ permissions: ['VIEW_LEAD'], access: [] } as never)
    const seen = await api.call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${leadId}`, key: theirs })
    expect(seen.body.items[0]).toMatchObject({ kind: 'TASK_ADDED', relatedId: id, links: [] })
    expect(JSON.stringify(seen.body)).not.toContain('Call back')
    expect(await kinds('PROJECT', projectId)).toEqual(['TASK_ADDED', 'CREATED'])
  })
})

describe('completing', () => {
  it('sets completedAt, tells task.completed and the records; reopening takes it back', async () => {
    const [leadId, projectId] = [await createLead(api), await createProject(api)]
    const { id } = (await post({ projectId, links: [{ entityType: 'LEAD', entityId: leadId }] })).body.data
    expect((await patch(id, { status: 'DONE' })).body.data).toMatchObject({
      status: 'DONE',
      completedAt: expect.any(String),
    })
    expect(await events(id)).toEqual(['task.created', 'task.updated', 'task.completed'])
    expect(await kinds('LEAD', leadId)).toEqual(['TASK_COMPLETED', 'TASK_ADDED', 'CREATED'])
    expect(await kinds('PROJECT', projectId)).toEqual(['TASK_COMPLETED', 'TASK_ADDED', 'CREATED'])
    expect(await kinds('TASK', id)).toEqual(['STATUS_CHANGED', 'CREATED'])
    await patch(id, { status: 'DONE', priority: 'LOW' })
    expect(await kinds('LEAD', leadId)).toHaveLength(3)
    expect((await patch(id, { status: 'IN_REVIEW' })).body.data).toMatchObject({
      status: 'IN_REVIEW',
      completedAt: null,
    })
  })

  it('holds for a task that comes in done', async () => {
    const { id, completedAt } = (await post({ status: 'DONE' })).body.data
    expect(completedAt).toEqual(expect.any(String))
    expect(await events(id)).toEqual(['task.created', 'task.completed'])
  })
})

describe('links', () => {
  it('are replaced as a whole; those the caller does not see stay and are not shown', async () => {
    const [seen, unseen] = [await createLead(api), await createLead(api)]
    const person = await personWith({
      permissions: ['VIEW_TASK', 'UPDATE_TASK', 'VIEW_LEAD'],
      access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
    } as never)
    await call({ method: 'PATCH', path: `/api/leads/${seen}`, key, body: { ownerId: person.id } })
    const both = [seen, unseen].map((entityId) => ({ entityType: 'LEAD', entityId }))
    const { id } = (await post({ links: both })).body.data
    expect((await call({ path: `/api/tasks/${id}`, key: person.key })).body.data.links).toEqual([
      { entityType: 'LEAD', entityId: seen },
    ])
    expect((await patch(id, { links: [] }, person.key)).body.data.links).toEqual([])
    expect((await read(id)).links).toEqual([{ entityType: 'LEAD', entityId: unseen }])
    expect(await patch(id, { links: [{ entityType: 'LEAD', entityId: unseen }] }, person.key)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'links' } },
    })
  })

  it('are told with the titles of their records to who may see them, and briefly in compact answers', async () => {
    const [leadId, companyId] = [
      await createLead(api, { firstName: 'Rita', lastName: 'New' }),
      await createCompany(api, { name: 'Newcomer' }),
    ]
    const links = [
      { entityType: 'COMPANY', entityId: companyId },
      { entityType: 'LEAD', entityId: leadId },
    ]
    const { id } = (await post({ type: 'CALL', links })).body.data
    const get = async (query: string, as = key) =>
      (await call({ path: `/api/tasks/${id}?${query}`, key: as })).body.data as { links?: object }
    const [first, second] = ['company: Newcomer', 'lead: Rita New']
    expect((await get('expand=links')).links).toEqual([
      { ...links[0], title: 'Newcomer' },
      { ...links[1], title: 'Rita New' },
    ])
    expect(await get('fields=type&expand=links&compact=true')).toEqual({ id, type: 'CALL', links: [first, second] })
    const seller = await personWith({ permissions: ['VIEW_TASK', 'VIEW_COMPANY'], access: [] } as never)
    expect((await get('expand=links&compact=true', seller.key)).links).toEqual([first])
    const list = await call({ path: '/api/tasks?type=CALL,MEETING&expand=links&compact=true', key })
    expect(list.body.items).toMatchObject([{ id, links: [first, second] }])
  })

  it('add to the history of the new ones only', async () => {
    const [one, other] = [await createLead(api), await createLead(api)]
    const { id } = (await post({ links: [{ entityType: 'LEAD', entityId: one }] })).body.data
    await patch(id, { links: [one, other].map((entityId) => ({ entityType: 'LEAD', entityId })) })
    expect(await kinds('LEAD', one)).toEqual(['TASK_ADDED', 'CREATED'])
    expect(await kinds('LEAD', other)).toEqual(['TASK_ADDED', 'CREATED'])
  })
})

describe('400', () => {
  it.each([
    ['no title', { title: '' }, 'title'],
    ['an unknown status', { status: 'WAITING' }, 'status'],
    ['a due date before the start', { startAt: '2030-01-02T00:00:00Z', dueAt: '2030-01-01T00:00:00Z' }, 'dueAt'],
    ['a due date that is none', { dueAt: 'tomorrow' }, 'dueAt'],
    ['a negative estimate', { estimateMin: -1 }, 'estimateMin'],
  ])('VALIDATION_ERROR for %s', async (_what, body, field) => {
    const answer = await post(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues[0].path[0]).toBe(field)
  })

  it.each([
    ['assigneeId', { assigneeId: unknownId }],
    ['memberIds', { memberIds: [unknownId] }],
    ['projectId', { projectId: unknownId }],
    ['parentTaskId', { parentTaskId: unknownId }],
    ['ownerId', { ownerId: unknownId }],
    ['links', { links: [{ entityType: 'LEAD', entityId: unknownId }] }],
    ['links', { links: [{ entityType: 'NOTHING', entityId: unknownId }] }],
  ])('INVALID_REFERENCE for %s that is not there, on create and on change', async (field, body) => {
    const refused = { status: 400, body: { code: 'INVALID_REFERENCE', details: { field } } }
    expect(await post(body)).toMatchObject(refused)
    expect(await patch(await createTask(api), body)).toMatchObject(refused)
  })
})

describe('subtasks', () => {
  it('409 PARENT_CYCLE for a task below itself, at any depth, also when two moves meet', async () => {
    const top = await createTask(api)
    const middle = await createTask(api, { parentTaskId: top })
    const bottom = await createTask(api, { parentTaskId: middle })
    for (const parentTaskId of [top, middle, bottom])
      expect(await patch(top, { parentTaskId })).toMatchObject({ status: 409, body: { code: 'PARENT_CYCLE' } })
    expect((await patch(bottom, { parentTaskId: top })).status).toBe(200)
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await createTask(api), await createTask(api)]
      const statuses = (
        await Promise.all([patch(one, { parentTaskId: other }), patch(other, { parentTaskId: one })])
      ).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
    }
  })
})

describe('PATCH', () => {
  it('409 VERSION_CONFLICT for a stale version; null clears', async () => {
    const { id } = (await post({ assigneeId: me, description: 'Text', dueAt: '2030-01-01T00:00:00Z' })).body.data
    expect((await patch(id, { version: 1, assigneeId: null, description: null, dueAt: null })).body.data).toMatchObject(
      { version: 2, assigneeId: null, description: null, dueAt: null },
    )
    expect(await patch(id, { version: 1, title: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT' },
    })
    expect((await patch(id, { dueAt: '2030-01-01T01:00:00+01:00' })).body.data.version).toBe(3)
    expect((await patch(id, { dueAt: '2030-01-01T00:00:00Z' })).body.data.version).toBe(3)
  })
})

describe('the list', async () => {
  const fresh = await api.newWorkspace()
  const { key: freshKey } = await fresh.apiKey()
  const there = { ...api, workspace: fresh, key: freshKey, call: (one: Parameters<typeof call>[0]) => call(one, fresh) }
  const person = await fresh.employee({ roles: ['Manager'] })
  const leadId = await createLead(there)
  const projectId = await createProject(there)
  const early = await createTask(there, {
    title: 'Ärger melden',
    dueAt: '2030-01-01T00:00:00Z',
    priority: 'LOW',
    assigneeId: person.id,
    links: [{ entityType: 'LEAD', entityId: leadId }],
  })
  const late = await createTask(there, {
    title: 'Second',
    dueAt: '2030-06-01T00:00:00Z',
    priority: 'URGENT',
    status: 'DONE',
    memberIds: [person.id],
    projectId,
    parentTaskId: early,
  })
  const list = async (query = '') => there.call({ path: `/api/tasks${query}`, key: freshKey })
  const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id)

  it.each([
    ['', [late, early]],
    ['?status=DONE', [late]],
    ['?priority=LOW', [early]],
    [`?assigneeId=${person.id}`, [early]],
    [`?memberId=${person.id}`, [late]],
    [`?projectId=${projectId}`, [late]],
    [`?parentTaskId=${early}`, [late]],
    ['?dueFrom=2030-02-01', [late]],
    ['?dueTo=2030-02-01', [early]],
    ['?dueFrom=2030-01-01T00:00:00Z&dueTo=2030-12-31', [late, early]],
    [`?entityType=LEAD&entityId=${leadId}`, [early]],
    ['?search=arger', [early]],
    ['?search=2', [late]],
    ['?sortBy=dueAt&sortOrder=asc', [early, late]],
    ['?sortBy=priority', [late, early]],
    ['?sortBy=number&sortOrder=asc', [early, late]],
    ['?createdTo=2000-01-01', []],
  ])('%s', async (query, expected) => {
    const answer = await list(query)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(ids(answer)).toEqual(expected)
    expect(answer.body.total).toBe(expected.length)
  })

  it('is 50 a page, up to 500, and cuts more', async () => {
    expect((await list()).body.pageSize).toBe(50)
    expect((await list('?pageSize=500')).body.pageSize).toBe(500)
    expect((await list('?pageSize=501')).body.pageSize).toBe(500)
  })

  it.each([
    ['sortBy=description', 'INVALID_QUERY_PARAM'],
    ['status=WAITING', 'INVALID_QUERY_PARAM'],
    ['dueFrom=soon', 'INVALID_QUERY_PARAM'],
    ['entityType=LEAD', 'INVALID_QUERY_PARAM'],
    ['assigneeId=you', 'INVALID_ID'],
    ['status=TODO,WAITING', 'INVALID_QUERY_PARAM'],
    ['assigneeId=me,you', 'INVALID_ID'],
    ['colour=red', 'UNKNOWN_QUERY_PARAM'],
    ['status=DONE&status=TODO', 'DUPLICATE_QUERY_PARAM'],
    ['cf_size=1', 'UNKNOWN_QUERY_PARAM'],
  ])('400 for %s', async (query, code) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { code } })
  })

  it('404 for the tasks of a record that is not there', async () => {
    expect(await list(`?entityType=LEAD&entityId=${unknownId}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })
})

describe('visibility', () => {
  it('at level OWN reaches what one owns, is assigned to or is a member of, in list, total, read and write', async () => {
    const person = await personWith(grantOf('OWN'))
    const hidden = await createTask(api)
    const own = [
      await createTask(api, { ownerId: person.id }),
      await createTask(api, { assigneeId: person.id }),
      await createTask(api, { memberIds: [person.id] }),
    ]
    const { body } = await call({ path: '/api/tasks', key: person.key })
    expect(body.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(own.toSorted())
    expect(body.total).toBe(3)
    for (const id of own) expect((await patch(id, { priority: 'HIGH' }, person.key)).status).toBe(200)
    for (const path of ['', '/checklist', '/comments', '/activity'])
      expect(await call({ path: `/api/tasks/${hidden}${path}`, key: person.key })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
    expect((await patch(hidden, { title: 'Mine' }, person.key)).status).toBe(404)
    const addTo = (path: string, sent: object) =>
      call({ method: 'POST', path: `/api/tasks/${hidden}/${path}`, key: person.key, body: sent })
    expect((await addTo('checklist', { title: 'X' })).status).toBe(404)
    expect((await addTo('comments', { body: 'X' })).status).toBe(404)
    expect(await post({ parentTaskId: hidden }, person.key)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE' },
    })
    const bulk = await call({
      method: 'PATCH',
      path: '/api/tasks',
      key: person.key,
      body: { ids: [hidden, own[0]], set: { status: 'DONE' } },
    })
    expect(bulk.body.data).toMatchObject({
      matched: 2,
      updated: 1,
      failed: 1,
      results: [
        { id: hidden, status: 'ERROR', code: 'NOT_FOUND' },
        { id: own[0], status: 'OK' },
      ],
    })
  })

  it('403 ACCESS_LEVEL_NONE names the permission', async () => {
    const person = await personWith(grantOf('NONE'))
    expect(await call({ path: '/api/tasks', key: person.key })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'VIEW_TASK' },
    })
  })
})

describe('bulk', () => {
  it('completes and deletes tasks, with what follows', async () => {
    const leadId = await createLead(api)
    const links = [{ entityType: 'LEAD', entityId: leadId }]
    const ids = [await createTask(api, { links }), await createTask(api, { links })]
    const changed = await call({
      method: 'PATCH',
      path: '/api/tasks',
      key,
      body: { ids, set: { status: 'DONE' }, addTags: ['done'] },
    })
    expect(changed.body.data).toMatchObject({ matched: 2, updated: 2, failed: 0 })
    expect(await read(ids[0] as string)).toMatchObject({
      status: 'DONE',
      completedAt: expect.any(String),
      tags: ['done'],
      links,
    })
    expect((await kinds('LEAD', leadId)).filter((kind) => kind === 'TASK_COMPLETED')).toHaveLength(2)
    const rehearsed = await call({ method: 'DELETE', path: '/api/tasks', key, body: { ids, dryRun: true } })
    expect(rehearsed.body.data).toMatchObject({ deleted: 2 })
    expect((await call({ method: 'DELETE', path: '/api/tasks', key, body: { ids } })).body.data).toMatchObject({
      deleted: 2,
    })
    expect((await call({ path: `/api/tasks/${ids[0]}`, key })).status).toBe(404)
  })
})

describe('the checklist', () => {
  const at = (id: string, itemId = '') => `/api/tasks/${id}/checklist${itemId && `/${itemId}`}`
  const add = async (id: string, body: Record<string, unknown>) => call({ method: 'POST', path: at(id), key, body })
  const titles = async (id: string) =>
    (await call({ path: at(id), key })).body.items.map(({ title }: { title: string }) => title)

  it('keeps its order while items come, move and go', async () => {
    const id = await createTask(api)
    const first = (await add(id, { title: 'A' })).body.data
    expect(first).toMatchObject({ title: 'A', isDone: false, position: 0, createdById: me })
    await add(id, { title: 'B' })
    expect((await add(id, { title: 'C', position: 1 })).body.data.position).toBe(1)
    expect((await add(id, { title: 'D', position: 99 })).body.data.position).toBe(3)
    expect(await titles(id)).toEqual(['A', 'C', 'B', 'D'])
    const moved = await call({ method: 'PATCH', path: at(id, first.id), key, body: { position: 2, isDone: true } })
    expect(moved.body.data).toMatchObject({ title: 'A', isDone: true, position: 2 })
    expect(await titles(id)).toEqual(['C', 'B', 'A', 'D'])
    expect((await call({ method: 'DELETE', path: at(id, first.id), key })).body).toEqual({
      success: true,
      data: { id: first.id },
    })
    const { body } = await call({ path: at(id), key })
    expect(body).toMatchObject({
      total: 3,
      items: [
        { title: 'C', position: 0 },
        { title: 'B', position: 1 },
        { title: 'D', position: 2 },
      ],
    })
    expect((await read(id)).checklist).toEqual(body.items)
    expect((await read(id)).version).toBe(1)
    const told = await history('TASK', id)
    expect(told.filter(({ kind }) => kind === 'UPDATED')).toHaveLength(6)
    expect(told[0]?.changes).toEqual([
      { field: 'checklist', from: { title: 'A', isDone: true, position: 2 }, to: null },
    ])
  })

  it('keeps every item when many come at once', async () => {
    const id = await createTask(api)
    await Promise.all(Array.from({ length: 10 }, (_, n) => add(id, { title: `Item ${n}`, position: 0 })))
    const { items } = (await call({ path: at(id), key })).body
    expect(items.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('404 for an item of another task, 400 without a title and over 200 items', async () => {
    const [id, other] = [
      await createTask(api, { checklist: Array.from({ length: 200 }, (_, n) => ({ title: `${n}` })) }),
      await createTask(api),
    ]
    const itemId = (await read(id)).checklist[0].id
    for (const method of ['PATCH', 'DELETE'] as const)
      expect(
        await call({ method, path: at(other, itemId), key, ...(method === 'PATCH' ? { body: { isDone: true } } : {}) }),
      ).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await add(other, { title: ' ' })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(await add(id, { title: 'One more' })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  it('403 for whoever may see the task only', async () => {
    const person = await personWith({ permissions: ['VIEW_TASK'] } as never)
    const id = await createTask(api, { checklist: [{ title: 'A' }] })
    expect((await call({ path: at(id), key: person.key })).body.total).toBe(1)
    expect(await call({ method: 'POST', path: at(id), key: person.key, body: { title: 'X' } })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
  })
})

describe('comments and activity', () => {
  it('are those of any record', async () => {
    const id = await createTask(api)
    const made = await call({
      method: 'POST',
      path: `/api/tasks/${id}/comments`,
      key,
      body: { body: 'A remark', visibility: 'SHARED' },
    })
    expect(made).toMatchObject({
      status: 201,
      body: { data: { entityType: 'TASK', entityId: id, body: 'A remark', visibility: 'SHARED' } },
    })
    const own = (await call({ path: `/api/tasks/${id}/comments`, key })).body
    expect(own).toMatchObject({ total: 1, items: [made.body.data] })
    expect((await call({ path: `/api/crm/comments?entityType=TASK&entityId=${id}`, key })).body).toEqual(own)
    expect((await call({ path: `/api/tasks/${id}/comments?visibility=INTERNAL`, key })).body.total).toBe(0)
    const external = { body: 'Hi', author: { type: 'EXTERNAL', name: 'Guest' }, externalSource: 'desk', externalId: id }
    const twice = [
      await call({ method: 'POST', path: `/api/tasks/${id}/comments`, key, body: external }),
      await call({ method: 'POST', path: `/api/tasks/${id}/comments`, key, body: external }),
    ]
    expect(twice.map(({ status }) => status)).toEqual([201, 200])
  })

  it('activity is read page by page, newest first', async () => {
    const id = await createTask(api)
    for (const priority of ['LOW', 'HIGH', 'URGENT']) await patch(id, { priority })
    const all = (await call({ path: `/api/tasks/${id}/activity`, key })).body
    expect(all).toMatchObject({
      hasMore: false,
      nextCursor: null,
      items: [{ kind: 'UPDATED' }, { kind: 'UPDATED' }, { kind: 'UPDATED' }, { kind: 'CREATED' }],
    })
    const first = (await call({ path: `/api/tasks/${id}/activity?limit=3`, key })).body
    expect(first.hasMore).toBe(true)
    const rest = (await call({ path: `/api/tasks/${id}/activity?limit=3&cursor=${first.nextCursor}`, key })).body
    expect([...first.items, ...rest.items]).toEqual(all.items)
    expect((await call({ path: `/api/tasks/${id}/activity?page=1`, key })).body.code).toBe('UNKNOWN_QUERY_PARAM')
  })
})
