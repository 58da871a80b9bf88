import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const { stages } = (await call({ path: `/api/pipelines/${workspace.leadPipelineId}`, key })).body.data
const [fresh, contacted, qualified, , lost] = stages.map(({ id }: { id: string }) => id) as string[]
const patch = (id: string, body: unknown, credential = key) =>
  call({ method: 'PATCH', path: `/api/leads/${id}`, key: credential, body })
const kindsOf = async (id: string): Promise<string[]> =>
  (await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${id}`, key })).body.items
    .map(({ kind }: { kind: string }) => kind)
    .toSorted()

describe('PATCH /api/leads/{id}', () => {
  it('changes what is sent, clears with null, keeps the rest, raises the version and tells the history', async () => {
    const id = await createLead(api, { firstName: 'A', jobTitle: 'Buyer', tags: ['x', 'x'] })
    const { status, body } = await patch(id, { firstName: 'B', jobTitle: null })
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { firstName: 'B', jobTitle: null, lastName: 'Sample', tags: ['x'], version: 2 },
    })
    expect(await kindsOf(id)).toEqual(['CREATED', 'UPDATED'])
  })

  it('changes nothing when nothing differs', async () => {
    const id = await createLead(api)
    expect((await patch(id, { lastName: 'Sample' })).body.data.version).toBe(1)
    expect(await kindsOf(id)).toEqual(['CREATED'])
  })

  it('moves by stage and by status, and tells both', async () => {
    const id = await createLead(api)
    expect((await patch(id, { stageId: qualified })).body.data).toMatchObject({
      stageId: qualified,
      status: 'QUALIFIED',
    })
    expect((await patch(id, { status: 'IN_PROGRESS' })).body.data).toMatchObject({
      stageId: contacted,
      status: 'IN_PROGRESS',
    })
    expect(await kindsOf(id)).toEqual(['CREATED', 'STAGE_CHANGED', 'STAGE_CHANGED', 'STATUS_CHANGED', 'STATUS_CHANGED'])
  })

  it('moves the department with the owner', async () => {
    const departmentId = await workspace.department('Field')
    const { id: ownerId } = await workspace.employee({ departmentId })
    const id = await createLead(api)
    expect((await patch(id, { ownerId })).body.data).toMatchObject({ ownerId, departmentId })
    expect(await kindsOf(id)).toContain('OWNER_CHANGED')
  })

  it('409 VERSION_CONFLICT for a stale version, with the current one', async () => {
    const id = await createLead(api)
    await patch(id, { firstName: 'B', version: 1 })
    expect(await patch(id, { firstName: 'C', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT', details: { version: 2 } },
    })
  })

  it('lets one of two changes of the same version win', async () => {
    const id = await createLead(api)
    const answers = await Promise.all(['B', 'C', 'D'].map((firstName) => patch(id, { firstName, version: 1 })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  it('409 STAGE_TRANSITION_NOT_ALLOWED where the pipeline forbids skipping or going back; lost is always near', async () => {
    await call({
      method: 'PATCH',
      path: `/api/pipelines/${workspace.leadPipelineId}`,
      key,
      body: { rules: { noSkipping: true, noBackwards: true } },
    })
    const id = await createLead(api)
    expect(await patch(id, { stageId: qualified })).toMatchObject({
      status: 409,
      body: { code: 'STAGE_TRANSITION_NOT_ALLOWED' },
    })
    expect((await patch(id, { stageId: contacted })).status).toBe(200)
    expect((await patch(id, { stageId: fresh })).body.code).toBe('STAGE_TRANSITION_NOT_ALLOWED')
    expect((await patch(id, { stageId: lost })).status).toBe(200)
    await call({ method: 'PATCH', path: `/api/pipelines/${workspace.leadPipelineId}`, key, body: { rules: {} } })
  })

  it('400 STAGE_NOT_FOUND for an unknown stage', async () => {
    expect(await patch(await createLead(api), { stageId: unknownId })).toMatchObject({
      status: 400,
      body: { code: 'STAGE_NOT_FOUND' },
    })
  })

  it('reaches only what the level of UPDATE reaches: 404 beyond, 403 ACCESS_LEVEL_NONE for NONE', async () => {
    const access = (UPDATE: string) => [{ entityType: 'LEAD', VIEW: 'ALL', UPDATE, DELETE: 'NONE' }] as never
    const permissions = ['VIEW_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD']
    const own = await workspace.employee({ grant: { permissions, access: access('OWN') } })
    const none = await workspace.employee({ grant: { permissions, access: access('NONE') } })
    const ownKey = (await workspace.apiKey({ ownerId: own.id })).key
    const id = await createLead(api)
    expect((await call({ path: `/api/leads/${id}`, key: ownKey })).status).toBe(200)
    expect(await patch(id, { firstName: 'X' }, ownKey)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    const noneKey = (await workspace.apiKey({ ownerId: none.id })).key
    expect(await patch(id, { firstName: 'X' }, noneKey)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'UPDATE_LEAD' },
    })
    expect((await call({ method: 'DELETE', path: `/api/leads/${id}`, key: ownKey })).body.requiredPermission).toBe(
      'DELETE_LEAD',
    )
  })
})

describe('DELETE /api/leads/{id}', () => {
  it('hides the lead everywhere', async () => {
    const id = await createLead(api, { lastName: 'Vanishing' })
    expect((await call({ method: 'DELETE', path: `/api/leads/${id}`, key })).body).toEqual({
      success: true,
      data: { id },
      undoId: expect.any(String),
    })
    expect((await call({ path: `/api/leads/${id}`, key })).status).toBe(404)
    expect((await call({ path: '/api/leads?search=vanishing', key })).body.total).toBe(0)
    expect((await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${id}`, key })).status).toBe(404)
    expect((await call({ path: `/api/search/lead:${id}`, key })).status).toBe(404)
  })
})

describe('bulk', () => {
  const bulk = (body: unknown, method: 'PATCH' | 'DELETE' = 'PATCH') => call({ method, path: '/api/leads', key, body })

  it('changes by ids; what is not there is a result, not a failure of all', async () => {
    const id = await createLead(api)
    const { status, body } = await bulk({ ids: [id, unknownId], set: { temperature: 'HOT' }, addTags: ['bulk'] })
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: {
        matched: 2,
        updated: 1,
        failed: 1,
        undoId: expect.any(String),
        results: [
          { id, status: 'OK' },
          { id: unknownId, status: 'ERROR', code: 'NOT_FOUND', message: expect.any(String) },
        ],
      },
    })
    expect((await call({ path: `/api/leads/${id}`, key })).body.data).toMatchObject({
      temperature: 'HOT',
      tags: ['bulk'],
    })
  })

  it('changes by the filters of the list, and refuses another count than expected', async () => {
    const ids = await Promise.all(
      ['One', 'Two', 'Three'].map((lastName) => createLead(api, { lastName, companyName: 'Bulkfilter' })),
    )
    expect(
      await bulk({ filter: { search: 'bulkfilter' }, expectedCount: 2, set: { temperature: 'COLD' } }),
    ).toMatchObject({ status: 409, body: { code: 'COUNT_MISMATCH', details: { expected: 2, matched: 3 } } })
    expect(
      (await bulk({ filter: { search: 'bulkfilter' }, expectedCount: 3, set: { temperature: 'COLD' } })).body.data
        .updated,
    ).toBe(ids.length)
  })

  it('rehearses with dryRun: the same outcome, nothing changed', async () => {
    const id = await createLead(api)
    expect((await bulk({ ids: [id], set: { temperature: 'WARM' }, dryRun: true })).body.data).toMatchObject({
      updated: 1,
    })
    expect((await call({ path: `/api/leads/${id}`, key })).body.data).toMatchObject({ temperature: null, version: 1 })
    expect((await bulk({ ids: [id], dryRun: true }, 'DELETE')).body.data).toMatchObject({ deleted: 1 })
    expect((await call({ path: `/api/leads/${id}`, key })).status).toBe(200)
  })

  it('deletes by ids', async () => {
    const id = await createLead(api)
    expect((await bulk({ ids: [id] }, 'DELETE')).body.data).toMatchObject({ matched: 1, deleted: 1, failed: 0 })
    expect((await call({ path: `/api/leads/${id}`, key })).status).toBe(404)
  })

  it.each([
    ['no selector', 'PATCH', { set: { temperature: 'HOT' } }],
    ['no ids', 'PATCH', { ids: [], set: { temperature: 'HOT' } }],
    ['both selectors', 'PATCH', { ids: [unknownId], filter: { status: 'NEW' }, set: {} }],
    ['an empty filter', 'PATCH', { filter: {}, set: { temperature: 'HOT' } }],
    ['a misspelled filter', 'PATCH', { filter: { statsu: 'NEW' }, set: { temperature: 'HOT' } }],
    ['nothing to change', 'PATCH', { ids: [unknownId] }],
    ['501 ids', 'PATCH', { ids: Array.from({ length: 501 }, () => unknownId), set: { temperature: 'HOT' } }],
    ['a delete by filter without expectedCount', 'DELETE', { filter: { status: 'NEW' } }],
  ] as const)('400 for %s', async (_what, method, body) => {
    expect(await bulk(body, method)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })
})

describe('duplicates and merge', async () => {
  const keep = await createLead(api, { firstName: 'Eve', lastName: 'Double', email: 'eve@double.example' })
  const drop = await createLead(api, {
    firstName: 'Eve',
    lastName: 'Double',
    email: 'EVE@double.example',
    phone: '+4915199999999',
    jobTitle: 'CEO',
  })

  it('groups leads that look alike and scores those that look like one', async () => {
    const groups = (await call({ path: '/api/leads/duplicates?by=email', key })).body
    expect(groups).toMatchObject({ total: 1, items: [{ by: 'email', value: 'eve@double.example', count: 2 }] })
    const alike = (await call({ path: `/api/leads/${keep}/duplicates`, key })).body
    expect(alike.items).toMatchObject([{ lead: { id: drop }, score: 90, matchedOn: ['email', 'name'] }])
  })

  it('merges: comments and history move, the loser answers 404 with the winner', async () => {
    await call({
      method: 'POST',
      path: '/api/crm/comments',
      key,
      body: { entityType: 'LEAD', entityId: drop, body: 'Moves along' },
    })
    const { status, body } = await call({
      method: 'POST',
      path: `/api/leads/${keep}/merge`,
      key,
      body: { sourceIds: [drop], prefer: { email: drop } },
    })
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { id: keep, email: 'EVE@double.example', phone: '+4915199999999', jobTitle: 'CEO' },
    })
    expect(await call({ path: `/api/leads/${drop}`, key })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', details: { mergedIntoId: keep } },
    })
    expect((await call({ path: `/api/crm/comments?entityType=LEAD&entityId=${keep}`, key })).body.items).toMatchObject([
      { body: 'Moves along' },
    ])
  })

  it('refuses to merge a lead into itself, or one that is not there', async () => {
    const merge = (body: unknown) => call({ method: 'POST', path: `/api/leads/${keep}/merge`, key, body })
    expect((await merge({ sourceIds: [keep] })).body.code).toBe('VALIDATION_ERROR')
    expect((await merge({ sourceIds: [unknownId] })).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'sourceIds' },
    })
  })
})
