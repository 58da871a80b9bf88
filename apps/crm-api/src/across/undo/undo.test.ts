import { newId, schema } from '@crm/db'
import type { TestWorkspace } from '@crm/testkit'
import { and, count, eq, isNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest, type Call } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'

const api = await apiUnderTest()
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
