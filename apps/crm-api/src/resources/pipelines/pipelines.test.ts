import { schema } from '@crm/db'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { apiUnderTest, type CallAnswer } from '../../../test/harness.ts'
import { createLead, unknownId } from '../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const path = '/api/pipelines'

let named = 0
const nextName = () => `Pipeline ${(named += 1)}`
const create = (body: Record<string, unknown> = {}) => call({ method: 'POST', path, key, body: { name: nextName(), entityType: 'LEAD', ...body } })
const createId = async (body?: Record<string, unknown>): Promise<string> => (await create(body)).body.data.id
const patch = (id: string, body: unknown) => call({ method: 'PATCH', path: `${path}/${id}`, key, body })
const remove = (id: string) => call({ method: 'DELETE', path: `${path}/${id}`, key })
const read = async (id: string) => (await call({ path: `${path}/${id}`, key })).body.data
const defaultsOf = async (entityType: string): Promise<string[]> =>
  (await call({ path: `${path}?entityType=${entityType}`, key })).body.items.filter((item: { isDefault: boolean }) => item.isDefault).map(({ id }: { id: string }) => id)

describe('a pipeline', () => {
  it('is created with its stages, in the order in which they are given', async () => {
    const stages = [{ name: 'First', mappedStatus: 'NEW' }, { name: 'Second', rottingDays: 3, color: '#112233' }, { name: 'Lost', type: 'LOST' }]
    const { status, body } = await create({ color: '#445566', rules: { noSkipping: true }, stages })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        entityType: 'LEAD', isDefault: false, isActive: true, color: '#445566', rules: { noSkipping: true, noBackwards: false }, createdById: workspace.adminUserId,
        stages: [{ name: 'First', position: 0, type: 'OPEN', mappedStatus: 'NEW' }, { name: 'Second', position: 1, rottingDays: 3 }, { name: 'Lost', position: 2, type: 'LOST' }],
      },
    })
    expect(await read(body.data.id)).toEqual(body.data)
  })

  it('409 NAME_TAKEN for a name that another one of its kind has, in any case, and for two stages of one name', async () => {
    const name = nextName()
    const id = await createId({ name })
    expect(await create({ name: name.toUpperCase() })).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN', details: { field: 'name' } } })
    expect((await create({ stages: [{ name: 'Twin' }, { name: 'twin' }] })).body.code).toBe('NAME_TAKEN')
    expect((await patch(await createId(), { name })).body.code).toBe('NAME_TAKEN')
    expect((await patch(id, { name: name.toUpperCase() })).status).toBe(200)
  })

  it.each([[[]], [[{ name: 'Won', type: 'WON' }]]])('409 LAST_OPEN_STAGE for stages %j, none of which is open', async (stages) => {
    expect(await create({ stages })).toMatchObject({ status: 409, body: { code: 'LAST_OPEN_STAGE' } })
  })

  it('is deleted with its stages when it is empty, and 409 IN_USE says how many records it holds', async () => {
    const id = await createId({ stages: [{ name: 'Only' }] })
    const leads = [await createLead(api, { pipelineId: id }), await createLead(api, { pipelineId: id })]
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'IN_USE', details: { count: 2 } } })
    for (const lead of leads) await call({ method: 'PATCH', path: `/api/leads/${lead}`, key, body: { pipelineId: workspace.leadPipelineId } })
    expect((await remove(id)).body).toEqual({ success: true, data: { id } })
    expect((await call({ path: `${path}/${id}`, key })).status).toBe(404)
    expect((await remove(id)).body.code).toBe('NOT_FOUND')
  })
})

describe('the default of a kind', () => {
  beforeEach(() => patch(workspace.leadPipelineId, { isDefault: true }))

  it('is taken from the old one by the new one, on create and on change, for its kind alone', async () => {
    const first = await createId({ isDefault: true, stages: [{ name: 'Open' }] })
    expect(await defaultsOf('LEAD')).toEqual([first])
    const second = await createId()
    expect(await defaultsOf('LEAD')).toEqual([first])
    expect((await patch(second, { isDefault: true })).body.data.isDefault).toBe(true)
    expect(await defaultsOf('LEAD')).toEqual([second])
    expect(await defaultsOf('DEAL')).toEqual([workspace.dealPipelineId])
  })

  it('409 DEFAULT_PIPELINE for deleting or deactivating it, for giving it up, and for an inactive one', async () => {
    const refused = { status: 409, body: { code: 'DEFAULT_PIPELINE' } }
    const id = workspace.leadPipelineId
    for (const answer of [await remove(id), await patch(id, { isActive: false }), await patch(id, { isDefault: false })]) expect(answer).toMatchObject(refused)
    expect(await create({ isDefault: true, isActive: false })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path: ['isActive'] }] } })
    const resting = await createId({ isActive: false })
    expect(await patch(resting, { isDefault: true })).toMatchObject(refused)
    expect((await patch(resting, { isDefault: true, isActive: true })).status).toBe(200)
  })

  it('is one, whoever asks for it at the same time', async () => {
    const ids = await Promise.all([createId(), createId(), createId()])
    for (let round = 0; round < 10; round += 1) {
      const asked = [...ids, workspace.leadPipelineId].map((id) => patch(id, { isDefault: true }))
      const made = [create({ isDefault: true }), patch(workspace.leadPipelineId, { color: '#010203' })]
      const statuses = (await Promise.all([...asked, ...made])).map(({ status }: CallAnswer) => status)
      expect(statuses).toEqual([200, 200, 200, 200, 201, 200])
      expect(await defaultsOf('LEAD')).toHaveLength(1)
    }
  })
})

describe('a stage', async () => {
  const id = await createId({ stages: [{ name: 'A', mappedStatus: 'NEW' }, { name: 'B', mappedStatus: 'IN_PROGRESS' }] })
  const stagePath = `${path}/${id}/stages`
  const add = (body: unknown) => call({ method: 'POST', path: stagePath, key, body })
  const change = (stageId: string, body: unknown) => call({ method: 'PATCH', path: `${stagePath}/${stageId}`, key, body })
  const drop = (stageId: string, query = '') => call({ method: 'DELETE', path: `${stagePath}/${stageId}${query}`, key })
  const listed = async () => (await call({ path: stagePath, key })).body
  const names = async (): Promise<string> => (await listed()).items.map(({ name }: { name: string }) => name).join(' ')
  const stageId = async (name: string): Promise<string> => (await listed()).items.find((stage: { name: string }) => stage.name === name).id

  it('is added at the end or at its position, and moved', async () => {
    expect((await add({ name: 'D' })).body.data).toMatchObject({ pipelineId: id, position: 2, type: 'OPEN' })
    expect((await add({ name: 'C', position: 2 })).status).toBe(201)
    expect(await names()).toBe('A B C D')
    expect((await change(await stageId('D'), { position: 0 })).status).toBe(200)
    expect(await names()).toBe('D A B C')
    expect((await call({ path: `${stagePath}/${await stageId('A')}`, key })).body.data.name).toBe('A')
    expect(await listed()).toMatchObject({ total: 4, page: 1, pageCount: 1 })
  })

  it('409 NAME_TAKEN in its pipeline, not in another', async () => {
    expect(await add({ name: 'a' })).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN', details: { field: 'name' } } })
    expect((await change(await stageId('B'), { name: 'A' })).body.code).toBe('NAME_TAKEN')
    expect((await create({ stages: [{ name: 'A' }] })).status).toBe(201)
  })

  it('409 STAGE_IN_USE with the count; moveToStageId takes its leads with their status and history', async () => {
    const [from, to] = [await stageId('B'), await stageId('A')]
    const bystander = await createLead(api, { pipelineId: id, stageId: await stageId('C') })
    const leads = [await createLead(api, { pipelineId: id, stageId: from }), await createLead(api, { pipelineId: id, stageId: from })]
    expect(await drop(from)).toMatchObject({ status: 409, body: { code: 'STAGE_IN_USE', details: { count: 2 } } })
    for (const target of [unknownId, from, (await read(workspace.leadPipelineId)).stages[0].id]) {
      expect(await drop(from, `?moveToStageId=${target}`)).toMatchObject({ status: 400, body: { code: 'STAGE_NOT_FOUND' } })
    }
    expect((await drop(from, '?moveToStageId=nonsense')).body.code).toBe('INVALID_ID')
    expect((await drop(from, `?moveToStageId=${to}`)).body).toEqual({ success: true, data: { id: from } })
    for (const lead of leads) {
      expect((await call({ path: `/api/leads/${lead}`, key })).body.data).toMatchObject({ stageId: to, status: 'NEW', version: 2 })
      const { items } = (await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${lead}`, key })).body
      expect(items).toHaveLength(3)
      expect(items.find(({ kind }: { kind: string }) => kind === 'STAGE_CHANGED')).toMatchObject({ actor: { id: workspace.adminUserId }, changes: [{ field: 'stageId', from, to }] })
      expect(items.find(({ kind }: { kind: string }) => kind === 'STATUS_CHANGED')).toMatchObject({ changes: [{ field: 'status', from: 'IN_PROGRESS', to: 'NEW' }] })
    }
    expect((await call({ path: `/api/leads?stageId=${to}&status=NEW`, key })).body.total).toBe(2)
    expect((await call({ path: `/api/leads/${bystander}`, key })).body.data.version).toBe(1)
  })

  it('does not hand its leads to the stage of converted leads', async () => {
    const { data } = (await add({ name: 'Done', type: 'WON', mappedStatus: 'CONVERTED' })).body
    const from = await stageId('A')
    expect(await drop(from, `?moveToStageId=${data.id}`)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM', details: { param: 'moveToStageId' } } })
    expect((await drop(data.id)).status).toBe(200)
  })

  it('409 LAST_OPEN_STAGE for closing or deleting the last open one', async () => {
    const lone = (await create({ stages: [{ name: 'Open' }, { name: 'Won', type: 'WON' }] })).body.data
    const at = `${path}/${lone.id}/stages/${lone.stages[0].id}`
    const refused = { status: 409, body: { code: 'LAST_OPEN_STAGE' } }
    expect(await call({ method: 'PATCH', path: at, key, body: { type: 'LOST' } })).toMatchObject(refused)
    expect(await call({ method: 'DELETE', path: `${at}?moveToStageId=${lone.stages[1].id}`, key })).toMatchObject(refused)
    expect((await call({ method: 'DELETE', path: `${path}/${lone.id}/stages/${lone.stages[1].id}`, key })).status).toBe(200)
  })

  it('that goes while a lead comes leaves no lead without a stage: STAGE_NOT_FOUND', async () => {
    const [stays, goes] = (await create({ stages: [{ name: 'Stays' }, { name: 'Goes' }] })).body.data.stages
    const lead = await createLead(api, { pipelineId: stays.pipelineId })
    const writes = await api.db.transaction(async (tx) => {
      await tx.delete(schema.stages).where(eq(schema.stages.id, goes.id))
      const begun = [
        call({ method: 'POST', path: '/api/leads', key, body: { lastName: 'Late', pipelineId: goes.pipelineId, stageId: goes.id } }),
        call({ method: 'PATCH', path: `/api/leads/${lead}`, key, body: { stageId: goes.id } }),
      ]
      await vi.waitFor(async () => expect(await waiting()).toBe(2))
      return { begun }
    })
    for (const answer of await Promise.all(writes.begun)) expect(answer).toMatchObject({ status: 400, body: { code: 'STAGE_NOT_FOUND' } })
  })

  /** How many connections of the API wait for a lock. */
  async function waiting(): Promise<number> {
    const { rows } = await api.db.execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'test-api' AND wait_event_type = 'Lock'`)
    return rows[0]?.n ?? 0
  }

  it('404 for one of another pipeline, and of another workspace', async () => {
    const other = (await read(workspace.leadPipelineId)).stages[0].id
    expect((await change(other, { name: 'X' })).status).toBe(404)
    expect((await drop(other)).status).toBe(404)
    const stranger = await api.newWorkspace()
    expect((await call({ path: `${path}/${id}`, key: (await stranger.apiKey()).key }, stranger)).status).toBe(404)
  })
})

it('403 without the permission to change reference data', async () => {
  const reader = await workspace.apiKey({ scopes: ['VIEW_REFERENCE_DATA'] })
  expect((await call({ path, key: reader.key })).status).toBe(200)
  expect(await call({ method: 'POST', path, key: reader.key, body: { name: 'No', entityType: 'LEAD' } })).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
})
