import { newId, schema } from '@crm/db'
import { permissionNames } from '@crm/permissions'
import type { TestWorkspace } from '@crm/testkit'
import { and, count, eq, isNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ownApi, type Call } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'

const api = await ownApi()
const { db, clock } = api
const jobs = await jobsUnderTest(api)

/** A workspace with a key of its administrator, or of somebody else. */
async function newPlace(workspace?: TestWorkspace, ownerId?: string, scopes?: readonly string[]) {
  const place = workspace ?? (await api.newWorkspace())
  const { key } = await place.apiKey(ownerId ? { ownerId, scopes } : {})
  const ask = (method: Call['method'], path: string, body?: unknown) => api.call({ method, path, key, body }, place)
  const create = async (path: string, body: object): Promise<string> => (await ask('POST', path, body)).body.data.id
  const undo = (id: string) => ask('POST', `/api/undo/${id}`)
  return { workspace: place, ask, create, undo }
}

describe('POST /api/undo/{undoId}', () => {
  it('gives owner, tags and custom fields back, tells the history, and can be undone itself', async () => {
    const { workspace, ask, create, undo } = await newPlace()
    await db.insert(schema.customFields).values({
      workspaceId: workspace.workspaceId,
      id: newId(),
      entityType: 'LEAD',
      key: 'region',
      label: 'Region',
      type: 'TEXT',
    })
    const { id: nora } = await workspace.employee()
    const first = await create('/api/leads', { lastName: 'One', tags: ['old'], customFields: { region: 'North' } })
    const second = await create('/api/leads', { lastName: 'Two' })
    const ids = [first, second]
    const read = async (id: string) => (await ask('GET', `/api/leads/${id}`)).body.data
    const before = await Promise.all(ids.map(read))

    const set = { ownerId: nora, customFields: { region: 'South' } }
    const changed = await ask('PATCH', '/api/leads', { ids, set, addTags: ['vip'] })
    expect(changed.body.data).toMatchObject({ updated: 2, undoId: expect.any(String) })
    expect(await read(first)).toMatchObject({ ownerId: nora, tags: ['old', 'vip'], customFields: { region: 'South' } })

    const undone = await undo(changed.body.data.undoId)
    expect(undone).toMatchObject({ status: 200, body: { data: { matched: 2, failed: 0, undoId: expect.any(String) } } })
    const after = await Promise.all(ids.map(read))
    for (const [at, lead] of after.entries())
      expect(lead).toMatchObject({
        ownerId: before[at].ownerId,
        tags: before[at].tags,
        customFields: at === 0 ? { region: 'North' } : {},
      })
    const { items } = (await ask('GET', `/api/crm/timeline?entityType=LEAD&entityId=${first}`)).body
    expect(items.slice(0, 2).map(({ kind }: { kind: string }) => kind)).toContain('OWNER_CHANGED')

    expect((await undo(undone.body.data.undoId)).body.data).toMatchObject({ failed: 0 })
    expect(await read(second)).toMatchObject({ ownerId: nora, tags: ['vip'], customFields: { region: 'South' } })
  })

  it('moves deals back to their stages, and reopens those that were lost', async () => {
    const { ask, create, undo } = await newPlace()
    const id = await create('/api/deals', { name: 'Mill', amount: '10.00' })
    const { stageId, status } = (await ask('GET', `/api/deals/${id}`)).body.data
    const lost = await ask('PATCH', '/api/deals', { ids: [id], set: { status: 'LOST', lostReason: 'Season' } })
    expect(lost.body.data).toMatchObject({ updated: 1 })
    expect((await undo(lost.body.data.undoId)).body.data).toMatchObject({ failed: 0 })
    const { data } = (await ask('GET', `/api/deals/${id}`)).body
    expect(data).toMatchObject({ stageId, status, lostReason: null })
  })

  it('keeps what somebody changed since, and restores what was deleted', async () => {
    const { ask, create, undo } = await newPlace()
    const ids = [await create('/api/companies', { name: 'One' }), await create('/api/companies', { name: 'Two' })]
    const changed = await ask('PATCH', '/api/companies', { ids, addTags: ['vip'] })
    await ask('PATCH', `/api/companies/${ids[0]}`, { tags: ['other'] })
    expect((await undo(changed.body.data.undoId)).body.data).toMatchObject({
      matched: 2,
      failed: 1,
      results: expect.arrayContaining([
        { id: ids[0], status: 'ERROR', code: 'VERSION_CONFLICT', message: 'It was changed since' },
      ]),
    })
    const deleted = await ask('DELETE', '/api/companies', { ids })
    expect((await undo(deleted.body.data.undoId)).body.data).toMatchObject({ matched: 2, failed: 0 })
    expect((await ask('GET', `/api/companies/${ids[1]}`)).status).toBe(200)
  })

  it('answers null for a dry run and for a change of nothing', async () => {
    const { ask, create } = await newPlace()
    const ids = [await create('/api/companies', { name: 'One' })]
    expect((await ask('PATCH', '/api/companies', { ids, addTags: ['a'], dryRun: true })).body.data.undoId).toBeNull()
    expect((await ask('DELETE', '/api/companies', { ids: [newId()] })).body.data.undoId).toBeNull()
  })

  it('404 NOT_FOUND: for another person, another workspace, after ten minutes, and for an unknown id', async () => {
    const { workspace, ask, create, undo } = await newPlace()
    const ids = [await create('/api/companies', { name: 'One' })]
    const { undoId } = (await ask('PATCH', '/api/companies', { ids, addTags: ['a'] })).body.data
    const colleague = await newPlace(workspace, (await workspace.employee({ roles: ['Administrator'] })).id)
    const stranger = await newPlace()
    for (const other of [colleague, stranger]) expect((await other.undo(undoId)).body.code).toBe('NOT_FOUND')
    expect((await undo(newId())).body.code).toBe('NOT_FOUND')
    clock.advance(10 * 60_000)
    expect((await undo(undoId)).body.code).toBe('NOT_FOUND')
  })

  it.each(['OWN', 'DEPARTMENT'] as const)(
    'takes back what was given out of the own reach, at level %s',
    async (level) => {
      const { workspace, ask: asAdmin } = await newPlace()
      const [north, south] = [await workspace.department('North'), await workspace.department('South')]
      const permissions = ['VIEW_DEAL', 'CREATE_DEAL', 'UPDATE_DEAL']
      const access = [{ entityType: 'DEAL', VIEW: level, CREATE: level, UPDATE: level, DELETE: 'NONE' }] as const
      const { id: giver } = await workspace.employee({ departmentId: north, grant: { permissions, access } })
      const { id: mate } = await workspace.employee({ departmentId: north })
      const { id: taker } = await workspace.employee({ departmentId: south })
      const { ask, create, undo } = await newPlace(workspace, giver, permissions)
      const ids = [await create('/api/deals', { name: 'One' }), await create('/api/deals', { name: 'Two' })]
      if (level === 'DEPARTMENT') await asAdmin('PATCH', '/api/deals', { ids, set: { ownerId: mate } })
      const owner = level === 'OWN' ? giver : mate
      const given = (await ask('PATCH', '/api/deals', { ids, set: { ownerId: taker } })).body.data
      expect(given).toMatchObject({ matched: 2, failed: 0 })
      expect((await ask('GET', `/api/deals/${ids[0]}`)).status).toBe(404)
      // What the other one has done since stays, and is no longer the giver's business.
      await asAdmin('PATCH', `/api/deals/${ids[1]}`, { ownerId: workspace.adminUserId })
      expect((await undo(given.undoId)).body.data).toMatchObject({
        failed: 1,
        results: expect.arrayContaining([
          { id: ids[0], status: 'OK' },
          expect.objectContaining({ id: ids[1], code: 'VERSION_CONFLICT' }),
        ]),
      })
      expect((await ask('GET', `/api/deals/${ids[0]}`)).body.data).toMatchObject({
        ownerId: owner,
        departmentId: north,
      })
      expect((await ask('GET', `/api/deals/${ids[1]}`)).status).toBe(404)
    },
  )

  it('403 ACCESS_DENIED: once the right to change the records is gone', async () => {
    const { workspace, ask: asAdmin } = await newPlace()
    const permissions = ['VIEW_COMPANY', 'CREATE_COMPANY', 'UPDATE_COMPANY']
    const access = [{ entityType: 'COMPANY', VIEW: 'OWN', CREATE: 'OWN', UPDATE: 'OWN', DELETE: 'NONE' }] as const
    const { id } = await workspace.employee({ grant: { permissions, access } })
    const { ask, create, undo } = await newPlace(workspace, id, permissions)
    const ids = [await create('/api/companies', { name: 'One' })]
    const { undoId } = (await ask('PATCH', '/api/companies', { ids, addTags: ['a'] })).body.data
    await asAdmin('PATCH', `/api/companies/${ids[0]}`, { ownerId: workspace.adminUserId })
    expect((await undo(undoId)).body.data).toMatchObject({ failed: 1, results: [{ code: 'NOT_FOUND' }] })
    const cookie = await workspace.session()
    await api.call({ method: 'PATCH', path: `/api/settings/users/${id}`, cookie, body: { roleIds: [] } }, workspace)
    expect((await undo(undoId)).status).toBe(403)
  })
})

const line = (name: string) => ({ name, quantity: '2', unitPrice: '10' })
/** Every kind of owned record: a new one, and a change of it. */
const kinds: readonly (readonly [path: string, body: object, change: object])[] = [
  ['leads', { lastName: 'A', tags: ['x'] }, { lastName: 'B', tags: [], temperature: 'HOT' }],
  ['contacts', { lastName: 'A', emails: ['a@b.example'] }, { lastName: 'B', emails: [], birthday: '1990-01-01' }],
  ['companies', { name: 'A' }, { name: 'B', billingAddress: { city: 'Kiel' } }],
  ['deals', { name: 'A', items: [line('Roof')] }, { name: 'B', items: [line('Door'), line('Wall')] }],
  ['tasks', { title: 'A' }, { title: 'B', status: 'DONE', dueAt: '2030-01-01T08:00:00.000Z' }],
  ['projects', { name: 'A' }, { name: 'B', status: 'ACTIVE' }],
  ['activities', { type: 'CALL', subject: 'A' }, { subject: 'B', outcome: 'Yes' }],
  ['products', { name: 'A', basePrice: '5' }, { name: 'B', basePrice: '7.5' }],
  ['price-lists', { name: 'A' }, { name: 'B', priority: 3 }],
  [
    'quotes',
    { items: [line('Roof')] },
    { items: [line('Door')], notes: 'Soon', discount: { type: 'PERCENT', value: '5' } },
  ],
  ['orders', { items: [line('Roof')] }, { items: [line('Door')], terms: '14 days' }],
  ['invoices', { items: [line('Roof')] }, { items: [line('Door')], dueDate: '2030-01-01' }],
  ['documents', { name: 'A', body: 'Dear {{record.name}}' }, { name: 'B', body: 'Hello' }],
  [
    'custom-entities/veh/records',
    { title: 'A', values: { seats: 2 } },
    { title: 'B', values: { seats: 3, note: 'x' } },
  ],
]

describe('the change of one record', () => {
  it.each(kinds)('is taken back: %s', async (path, body, change) => {
    const workspace = await api.newWorkspace()
    const cookie = await workspace.session()
    const fields = ['seats', 'note'].map((key) => ({ key, label: key, type: key === 'seats' ? 'NUMBER' : 'TEXT' }))
    const labels = { singular: 'Vehicle', plural: 'Vehicles' }
    const entity = { key: 'veh', labels, fields, hasOwner: true }
    await api.call({ method: 'POST', path: '/api/settings/custom-entities', cookie, body: entity }, workspace)
    const own = ['VIEW', 'CREATE', 'UPDATE', 'DELETE'].map((action) => `${action}_VEH`)
    const { ask, create, undo } = await newPlace(workspace, workspace.adminUserId, [...permissionNames, ...own])
    const place = `/api/${path}`
    const id = await create(place, body)
    const read = () => ask('GET', `${place}/${id}`)
    const before = (await read()).body.data
    const owner = (await workspace.employee()).id
    const changed = await ask('PATCH', `${place}/${id}`, { ...change, ownerId: owner })
    expect(changed).toMatchObject({ status: 200, body: { data: { id, ownerId: owner }, undoId: expect.any(String) } })
    const { body: undone } = await undo(changed.body.undoId)
    expect(undone.data).toMatchObject({ matched: 1, failed: 0, undoId: expect.any(String) })
    const { version: _version, updatedAt: _updatedAt, completedAt: _at, ...values } = before
    expect((await read()).body.data).toMatchObject(values)
    expect((await undo(undone.data.undoId)).body.data).toMatchObject({ matched: 1, failed: 0 })
    expect((await read()).body.data).toMatchObject({ ownerId: owner })

    const deleted = await ask('DELETE', `${place}/${id}`)
    expect(deleted).toMatchObject({ status: 200, body: { success: true, data: { id }, undoId: expect.any(String) } })
    expect((await read()).status).toBe(404)
    expect((await undo(deleted.body.undoId)).body.data).toMatchObject({ matched: 1, failed: 0 })
    expect((await read()).body.data).toMatchObject({ id, ownerId: owner })
  })

  it('has no undoId where nothing changed, or more than the record itself', async () => {
    const { ask, create } = await newPlace()
    const companyId = await create('/api/companies', { name: 'One' })
    expect((await ask('PATCH', `/api/companies/${companyId}`, { name: 'One' })).body.undoId).toBeNull()
    const taskId = await create('/api/tasks', { title: 'One' })
    const links = [{ entityType: 'COMPANY', entityId: companyId }]
    expect((await ask('PATCH', `/api/tasks/${taskId}`, { title: 'Two', links })).body.undoId).toBeNull()
    const listId = await create('/api/price-lists', { name: 'One' })
    expect((await ask('PATCH', `/api/price-lists/${listId}`, { isDefault: true })).body.undoId).toBeNull()
  })

  it('gives a deal its stage back, and the probability that somebody had set', async () => {
    const { ask, create, undo } = await newPlace()
    const id = await create('/api/deals', { name: 'One', probability: 35 })
    const read = async () => (await ask('GET', `/api/deals/${id}`)).body.data
    const { stageId, pipelineId } = await read()
    const stages: { id: string }[] = (await ask('GET', `/api/pipelines/${pipelineId}`)).body.data.stages
    const moved = await ask('PATCH', `/api/deals/${id}`, { stageId: stages[1]?.id })
    expect(moved.body.data.probability).not.toBe(35)
    expect((await undo(moved.body.undoId)).body.data).toMatchObject({ failed: 0 })
    expect(await read()).toMatchObject({ stageId, probability: 35 })
  })

  it('keeps what somebody else changed since', async () => {
    const { ask, create, undo } = await newPlace()
    const id = await create('/api/deals', { name: 'One' })
    const { undoId } = (await ask('PATCH', `/api/deals/${id}`, { name: 'Two' })).body
    await ask('PATCH', `/api/deals/${id}`, { name: 'Three' })
    expect((await undo(undoId)).body.data).toMatchObject({ failed: 1, results: [{ code: 'VERSION_CONFLICT' }] })
    expect((await ask('GET', `/api/deals/${id}`)).body.data.name).toBe('Three')
  })

  it('undoes only the record, not the tasks and projects that heard of it', async () => {
    const { ask, create, undo } = await newPlace()
    const parent = await create('/api/tasks', { title: 'Parent' })
    const id = await create('/api/tasks', { title: 'One', links: [{ entityType: 'TASK', entityId: parent }] })
    const { undoId } = (await ask('PATCH', `/api/tasks/${id}`, { status: 'DONE' })).body
    expect((await undo(undoId)).body.data).toMatchObject({ matched: 1, failed: 0, results: [{ id, status: 'OK' }] })
    expect((await ask('GET', `/api/tasks/${id}`)).body.data).toMatchObject({ status: 'TODO', completedAt: null })
  })

  it('404 NOT_FOUND: while the module of the record is switched off', async () => {
    const { workspace, ask, create, undo } = await newPlace()
    const id = await create('/api/deals', { name: 'One' })
    const { undoId } = (await ask('PATCH', `/api/deals/${id}`, { name: 'Two' })).body
    const cookie = await workspace.session()
    const sales = (enabled: boolean) =>
      api.call({ method: 'PATCH', path: '/api/settings/modules/SALES', cookie, body: { enabled } }, workspace)
    await sales(false)
    expect((await undo(undoId)).body).toMatchObject({ code: 'NOT_FOUND' })
    await sales(true)
    expect((await undo(undoId)).body.data).toMatchObject({ failed: 0 })
  })
})

describe('the deletion of a file', () => {
  const deleted = async (workspace?: TestWorkspace) => {
    const place = await newPlace(workspace)
    const dealId = await place.create('/api/deals', { name: 'One' })
    const upload = { filename: 'plan.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=', dealId }
    const id = await place.create('/api/files/upload', upload)
    const { undoId } = (await place.ask('DELETE', `/api/files/${id}`)).body
    return { ...place, dealId, id, undoId }
  }

  it('is taken back: its bytes, its records and their histories', async () => {
    const { ask, undo, id, dealId, undoId } = await deleted()
    expect((await ask('GET', `/api/files/${id}`)).status).toBe(404)
    expect((await undo(undoId)).body.data).toEqual({
      matched: 1,
      failed: 0,
      undoId: null,
      results: [{ id, status: 'OK' }],
    })
    expect((await ask('GET', `/api/files/${id}`)).body.data.links).toEqual([{ entityType: 'DEAL', entityId: dealId }])
    expect((await ask('GET', `/api/files/${id}/content`)).status).toBe(200)
    const { items } = (await ask('GET', `/api/crm/timeline?entityType=DEAL&entityId=${dealId}`)).body
    expect(items.slice(0, 2).map(({ kind }: { kind: string }) => kind)).toEqual(['FILE_ADDED', 'FILE_REMOVED'])
    expect((await undo(undoId)).body.data).toMatchObject({ failed: 1, results: [{ code: 'NOT_FOUND' }] })
  })

  it('404 NOT_FOUND: by somebody else, and after ten minutes', async () => {
    const { workspace, undo, undoId } = await deleted()
    const colleague = await newPlace(workspace, (await workspace.employee({ roles: ['Administrator'] })).id)
    expect((await colleague.undo(undoId)).body.code).toBe('NOT_FOUND')
    clock.advance(10 * 60_000)
    expect((await undo(undoId)).body.code).toBe('NOT_FOUND')
  })

  it('fails without room for it, and without the right to delete files', async () => {
    const limited = await api.newWorkspace()
    await db.insert(schema.workspaceQuotas).values({ workspaceId: limited.workspaceId, quota: 'storage', limit: 1 })
    const { create, ask, undo, dealId } = await deleted(limited)
    const contentBase64 = Buffer.from('x'.repeat(700_000)).toString('base64')
    const upload = { filename: 'large.txt', contentType: 'text/plain', contentBase64, dealId }
    const id = await create('/api/files/upload', upload)
    const { undoId } = (await ask('DELETE', `/api/files/${id}`)).body
    await create('/api/files/upload', upload)
    expect((await undo(undoId)).body.data).toMatchObject({ failed: 1, results: [{ code: 'STORAGE_QUOTA_EXCEEDED' }] })

    const workspace = await api.newWorkspace()
    const { id: ownerId } = await workspace.employee({ roles: ['Administrator'] })
    const theirs = await newPlace(workspace, ownerId)
    const deal = await theirs.create('/api/deals', { name: 'One' })
    const file = await theirs.create('/api/files/upload', { ...upload, contentBase64: 'aGk=', dealId: deal })
    const last = (await theirs.ask('DELETE', `/api/files/${file}`)).body.undoId
    const narrow = await newPlace(workspace, ownerId, ['VIEW_DEAL', 'VIEW_FILE'])
    expect((await narrow.undo(last)).body).toMatchObject({ code: 'ACCESS_DENIED' })
  })

  it('has no undoId where the file belonged to nothing', async () => {
    const { ask, create } = await newPlace()
    const upload = { filename: 'plan.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=' }
    const id = await create('/api/files/upload', upload)
    expect((await ask('DELETE', `/api/files/${id}`)).body).toEqual({ success: true, data: { id }, undoId: null })
  })
})

describe('a change of more than 500 records', () => {
  it('is undone by the id of its job, in the background, once it has ended', async () => {
    const { workspace, ask, undo } = await newPlace()
    const { workspaceId, leadPipelineId: pipelineId, adminUserId: ownerId } = workspace
    const [stage] = await db
      .select()
      .from(schema.stages)
      .where(eq(schema.stages.pipelineId, pipelineId))
      .orderBy(schema.stages.position)
      .limit(1)
    const createdAt = new Date(Date.now() - 60_000).toISOString()
    const row = { workspaceId, status: 'NEW' as const, pipelineId, stageId: stage!.id, ownerId, createdAt }
    await db
      .insert(schema.leads)
      .values(Array.from({ length: 1_010 }, (_, at) => ({ ...row, id: newId(), lastName: `Lead ${at}` })))
    const left = async () => {
      const [counted] = await db
        .select({ n: count() })
        .from(schema.leads)
        .where(and(eq(schema.leads.workspaceId, workspaceId), isNull(schema.leads.deletedAt)))
      return counted?.n
    }
    const { jobId } = (await ask('DELETE', '/api/leads', { all: true, expectedCount: 1_010 })).body.data
    expect((await undo(jobId)).body).toMatchObject({ code: 'INVALID_TRANSITION' })
    await jobs.settled()
    expect(await left()).toBe(0)
    const undone = await undo(jobId)
    expect(undone.status).toBe(202)
    await jobs.settled()
    expect((await ask('GET', `/api/jobs/${undone.body.data.jobId}`)).body.data).toMatchObject({
      kind: 'undo.run',
      state: 'DONE',
      processed: 1_010,
      failed: 0,
    })
    expect(await left()).toBe(1_010)
  })
})
