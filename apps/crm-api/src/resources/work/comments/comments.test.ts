import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const path = '/api/crm/comments'
const leadId = await createLead(api)

const post = (body: Record<string, unknown>, as = key) =>
  call({ method: 'POST', path, key: as, body: { entityType: 'LEAD', entityId: leadId, body: 'A remark', ...body } })
const patch = (id: string, body: unknown, as = key) => call({ method: 'PATCH', path: `${path}/${id}`, key: as, body })
const remove = (id: string, as = key) => call({ method: 'DELETE', path: `${path}/${id}`, key: as })
const listed = async (entityId: string, query = '') =>
  (await call({ path: `${path}?entityType=LEAD&entityId=${entityId}${query}`, key })).body
const history = (entityId: string, query = '') =>
  call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${entityId}${query}`, key })

const colleague = await workspace.employee({ roles: ['Manager'] })
const colleagueKey = (await workspace.apiKey({ ownerId: colleague.id })).key

describe('comments', () => {
  it('are written, read, listed newest first, changed and deleted', async () => {
    const entityId = await createLead(api)
    const first = await post({ entityId, body: '  First  ' })
    expect({ status: first.status, data: first.body.data }).toMatchObject({
      status: 201,
      data: {
        entityType: 'LEAD',
        entityId,
        body: 'First',
        visibility: 'INTERNAL',
        externalSource: null,
        externalId: null,
        parentId: null,
        mentions: [],
        fileIds: [],
        author: { type: 'EMPLOYEE', id: workspace.adminUserId, name: 'Ada Admin', email: `admin@${workspace.host}` },
      },
    })
    const { id } = first.body.data
    const second = (await post({ entityId, body: 'Second', visibility: 'SHARED' })).body.data
    expect((await call({ path: `${path}/${id}`, key })).body.data).toEqual(first.body.data)
    expect(await listed(entityId)).toMatchObject({ total: 2, items: [{ id: second.id }, { id }] })
    expect(await listed(entityId, '&visibility=SHARED')).toMatchObject({ total: 1, items: [{ id: second.id }] })
    expect(await listed(entityId, '&page=2&pageSize=1')).toMatchObject({ total: 2, pageCount: 2, items: [{ id }] })
    expect((await patch(id, { body: 'Better', visibility: 'SHARED' })).body.data).toMatchObject({
      body: 'Better',
      visibility: 'SHARED',
    })
    expect((await remove(id)).body).toEqual({ success: true, data: { id } })
    expect((await call({ path: `${path}/${id}`, key })).status).toBe(404)
    expect((await listed(entityId)).total).toBe(1)
  })

  it('403 ACCESS_DENIED for whoever is not the author, who may read them', async () => {
    const { id } = (await post({})).body.data
    expect((await call({ path: `${path}/${id}`, key: colleagueKey })).status).toBe(200)
    const denied = { status: 403, body: { code: 'ACCESS_DENIED' } }
    expect(await patch(id, { body: 'Mine now' }, colleagueKey)).toMatchObject(denied)
    expect(await remove(id, colleagueKey)).toMatchObject(denied)
    expect((await call({ path: `${path}/${id}`, key })).body.data.body).toBe('A remark')
  })

  it('of an external author are kept once: 201, then 200 with the first', async () => {
    const entityId = await createLead(api)
    const external = {
      entityId,
      author: { type: 'EXTERNAL', name: 'Guest', email: 'guest@example.com' },
      externalSource: 'helpdesk',
      externalId: '42',
    }
    const first = await post({ ...external, body: 'Hello' })
    const again = await post({ ...external, body: 'Hello again' })
    expect(first).toMatchObject({
      status: 201,
      body: { data: { author: { type: 'EXTERNAL', id: null, name: 'Guest', email: 'guest@example.com' } } },
    })
    expect(again).toMatchObject({ status: 200, body: first.body })
    const racing = await Promise.all(Array.from({ length: 5 }, () => post({ ...external, externalId: '43' })))
    expect(racing.map(({ status }) => status).toSorted((a, b) => b - a)).toEqual([201, 200, 200, 200, 200])
    expect((await listed(entityId)).total).toBe(2)
    expect((await history(entityId, '&kind=COMMENT_ADDED')).body.items).toHaveLength(2)
  })

  it('do not tell of a record out of reach by the external id of its comment', async () => {
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['VIEW_LEAD', 'CREATE_LEAD'],
        access: [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    const theirs = (await workspace.apiKey({ ownerId })).key
    await post({ externalSource: 'helpdesk', externalId: 'hidden' })
    const own = (await call({ method: 'POST', path: '/api/leads', key: theirs, body: { lastName: 'Own' } })).body.data
      .id
    expect((await post({ entityId: own, externalSource: 'helpdesk', externalId: 'hidden' }, theirs)).status).toBe(404)
  })

  it.each([
    ['externalSource without externalId', { externalSource: 'helpdesk' }, 'externalId'],
    ['externalId without externalSource', { externalId: '1' }, 'externalId'],
    ['an empty body', { body: ' ' }, 'body'],
    ['an unknown visibility', { visibility: 'PUBLIC' }, 'visibility'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('400 for %s', async (_what, body, field) => {
    const answer = await post(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues[0].path).toEqual([field])
  })

  it('400 INVALID_REFERENCE for a parent elsewhere, mentions of nobody and files that are not there', async () => {
    const elsewhere = (await post({ entityId: await createLead(api) })).body.data.id
    const refused = (field: string) => ({ status: 400, body: { code: 'INVALID_REFERENCE', details: { field } } })
    expect(await post({ parentId: unknownId })).toMatchObject(refused('parentId'))
    expect(await post({ parentId: elsewhere })).toMatchObject(refused('parentId'))
    expect(await post({ mentions: [colleague.id, unknownId] })).toMatchObject(refused('mentions'))
    expect(await post({ fileIds: [unknownId] })).toMatchObject(refused('fileIds'))
    const { id } = (await post({ mentions: [colleague.id] })).body.data
    expect(await patch(id, { mentions: [unknownId] })).toMatchObject(refused('mentions'))
    expect((await patch(id, { mentions: [] })).body.data.mentions).toEqual([])
  })

  it('go with the one that they answer', async () => {
    const parentId = (await post({})).body.data.id
    const answer = (await post({ parentId })).body.data
    expect(answer.parentId).toBe(parentId)
    await remove(parentId)
    expect((await call({ path: `${path}/${answer.id}`, key })).status).toBe(404)
  })
})

describe('comments and history of a record that the caller does not see', async () => {
  const access = [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const
  const { id: ownerId } = await workspace.employee({ grant: { permissions: ['VIEW_LEAD'], access } })
  const theirs = (await workspace.apiKey({ ownerId })).key
  const { id } = (await post({})).body.data

  it.each([
    ['list', () => call({ path: `${path}?entityType=LEAD&entityId=${leadId}`, key: theirs })],
    ['read', () => call({ path: `${path}/${id}`, key: theirs })],
    ['create', () => post({}, theirs)],
    ['update', () => patch(id, { body: 'X' }, theirs)],
    ['delete', () => remove(id, theirs)],
    ['timeline', () => call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${leadId}`, key: theirs })],
    ['a record that is not there', () => call({ path: `${path}?entityType=LEAD&entityId=${unknownId}`, key })],
  ])('404 for %s', async (_what, send) => {
    expect(await send()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  it('403 ACCESS_DENIED without the permission to see that kind', async () => {
    expect(await call({ path: `${path}?entityType=DEAL&entityId=${unknownId}`, key: theirs })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED', requiredPermission: 'VIEW_DEAL' },
    })
  })
})

describe('the timeline', () => {
  it('tells of a comment, by whom and how', async () => {
    const entityId = await createLead(api)
    const { id } = (await post({ entityId, visibility: 'SHARED' })).body.data
    const { body } = await history(entityId, '&kind=COMMENT_ADDED')
    expect(body.items).toMatchObject([
      {
        entityType: 'LEAD',
        entityId,
        kind: 'COMMENT_ADDED',
        source: 'API',
        actor: { type: 'EMPLOYEE', id: workspace.adminUserId },
        data: { visibility: 'SHARED' },
        relatedType: 'COMMENT',
        relatedId: id,
      },
    ])
  })

  it('is read page by page, newest first, each entry once', async () => {
    const entityId = await createLead(api)
    for (let n = 0; n < 6; n += 1) await post({ entityId, body: `Comment ${n}` })
    const all = (await history(entityId)).body
    expect(all).toMatchObject({ hasMore: false, nextCursor: null })
    expect(all.items).toHaveLength(7)
    expect(all.items.at(-1).kind).toBe('CREATED')
    const pages: unknown[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await history(entityId, `&limit=3${cursor && `&cursor=${cursor}`}`)
      expect(body.hasMore).toBe(body.nextCursor !== null)
      pages.push(body.items)
      cursor = body.nextCursor
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    expect(pages.flat()).toEqual(all.items)
  })

  it('400 for a cursor that is not ours and for an unusable limit; a large limit is cut', async () => {
    for (const query of ['&cursor=nonsense', '&limit=0', '&limit=x', '&kind=NOTHING']) {
      expect(await history(leadId, query)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM' } })
    }
    expect((await history(leadId, '&limit=1000')).status).toBe(200)
  })
})
