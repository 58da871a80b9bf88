import { lockWaiters } from '@crm/testkit'
import { newId, schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { apiUnderTest, type CallAnswer } from '../../../../test/harness.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const path = '/api/pipelines'

let named = 0
const nextName = () => `Pipeline ${(named += 1)}`
const create = (body: Record<string, unknown> = {}) =>
  call({ method: 'POST', path, key, body: { name: nextName(), entityType: 'LEAD', ...body } })
const createId = async (body?: Record<string, unknown>): Promise<string> => (await create(body)).body.data.id
const patch = (id: string, body: unknown) => call({ method: 'PATCH', path: `${path}/${id}`, key, body })
const remove = (id: string) => call({ method: 'DELETE', path: `${path}/${id}`, key })
const read = async (id: string) => (await call({ path: `${path}/${id}`, key })).body.data
const defaultsOf = async (entityType: string): Promise<string[]> =>
  (await call({ path: `${path}?entityType=${entityType}`, key })).body.items
    .filter((item: { isDefault: boolean }) => item.isDefault)
    .map(({ id }: { id: string }) => id)

describe('a pipeline', () => {
  it('is created with its stages, in the order in which they are given', async () => {
    const stages = [
      { name: 'First', mappedStatus: 'NEW' },
      { name: 'Second', rottingDays: 3, color: '#112233' },
      { name: 'Lost', type: 'LOST' },
    ]
    const { status, body } = await create({ color: '#445566', rules: { noSkipping: true }, stages })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        entityType: 'LEAD',
        isDefault: false,
        isActive: true,
        color: '#445566',
        rules: { noSkipping: true, noBackwards: false },
        createdById: workspace.adminUserId,
        stages: [
          { name: 'First', position: 0, type: 'OPEN', mappedStatus: 'NEW' },
          { name: 'Second', position: 1, rottingDays: 3 },
          { name: 'Lost', position: 2, type: 'LOST' },
        ],
      },
    })
    expect(await read(body.data.id)).toEqual(body.data)
  })

  it('409 NAME_TAKEN for a name that another one of its kind has, in any case, and for two stages of one name', async () => {
    const name = nextName()
    const id = await createId({ name })
    expect(await create({ name: name.toUpperCase() })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'name' } },
    })
    expect((await create({ stages: [{ name: 'Twin' }, { name: 'twin' }] })).body.code).toBe('NAME_TAKEN')
    expect((await patch(await createId(), { name })).body.code).toBe('NAME_TAKEN')
    expect((await patch(id, { name: name.toUpperCase() })).status).toBe(200)
  })

  it.each([[[]], [[{ name: 'Won', type: 'WON' }]]])(
    '409 LAST_OPEN_STAGE for stages %j, none of which is open',
    async (stages) => {
      expect(await create({ stages })).toMatchObject({ status: 409, body: { code: 'LAST_OPEN_STAGE' } })
    },
  )

  it('is deleted with its stages when it is empty, and 409 IN_USE says how many records it holds', async () => {
    const id = await createId({ stages: [{ name: 'Only' }] })
    const leads = [await createLead(api, { pipelineId: id }), await createLead(api, { pipelineId: id })]
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'IN_USE', details: { count: 2 } } })
    for (const lead of leads)
      await call({ method: 'PATCH', path: `/api/leads/${lead}`, key, body: { pipelineId: workspace.leadPipelineId } })
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
    for (const answer of [
      await remove(id),
      await patch(id, { isActive: false }),
      await patch(id, { isDefault: false }),
    ])
      expect(answer).toMatchObject(refused)
    expect(await create({ isDefault: true, isActive: false })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['isActive'] }] },
    })
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
  const id = await createId({
    stages: [
      { name: 'A', mappedStatus: 'NEW' },
      { name: 'B', mappedStatus: 'IN_PROGRESS' },
    ],
  })
  const stagePath = `${path}/${id}/stages`
  const add = (body: unknown) => call({ method: 'POST', path: stagePath, key, body })
  const change = (stageId: string, body: unknown) =>
    call({ method: 'PATCH', path: `${stagePath}/${stageId}`, key, body })
  const drop = (stageId: string, query = '') => call({ method: 'DELETE', path: `${stagePath}/${stageId}${query}`, key })
  const listed = async () => (await call({ path: stagePath, key })).body
  const names = async (): Promise<string> => (await listed()).items.map(({ name }: { name: string }) => name).join(' ')
  const stageId = async (name: string): Promise<string> =>
    (await listed()).items.find((stage: { name: string }) => stage.name === name).id

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
    expect(await add({ name: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'name' } },
    })
    expect((await change(await stageId('B'), { name: 'A' })).body.code).toBe('NAME_TAKEN')
    expect((await create({ stages: [{ name: 'A' }] })).status).toBe(201)
  })

  it('409 STAGE_IN_USE with the count; moveToStageId takes its leads with their status and history', async () => {
    const [from, to] = [await stageId('B'), await stageId('A')]
    const bystander = await createLead(api, { pipelineId: id, stageId: await stageId('C') })
    const leads = [
      await createLead(api, { pipelineId: id, stageId: from }),
      await createLead(api, { pipelineId: id, stageId: from }),
    ]
    expect(await drop(from)).toMatchObject({ status: 409, body: { code: 'STAGE_IN_USE', details: { count: 2 } } })
    for (const target of [unknownId, from, (await read(workspace.leadPipelineId)).stages[0].id]) {
      expect(await drop(from, `?moveToStageId=${target}`)).toMatchObject({
        status: 400,
        body: { code: 'STAGE_NOT_FOUND' },
      })
    }
    expect((await drop(from, '?moveToStageId=nonsense')).body.code).toBe('INVALID_ID')
    expect((await drop(from, `?moveToStageId=${to}`)).body).toEqual({ success: true, data: { id: from } })
    for (const lead of leads) {
      expect((await call({ path: `/api/leads/${lead}`, key })).body.data).toMatchObject({
        stageId: to,
        status: 'NEW',
        version: 2,
      })
      const { items } = (await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${lead}`, key })).body
      expect(items).toHaveLength(3)
      expect(items.find(({ kind }: { kind: string }) => kind === 'STAGE_CHANGED')).toMatchObject({
        actor: { id: workspace.adminUserId },
        changes: [{ field: 'stageId', from, to }],
      })
      expect(items.find(({ kind }: { kind: string }) => kind === 'STATUS_CHANGED')).toMatchObject({
        changes: [{ field: 'status', from: 'IN_PROGRESS', to: 'NEW' }],
      })
    }
    expect((await call({ path: `/api/leads?stageId=${to}&status=NEW`, key })).body.total).toBe(2)
    expect((await call({ path: `/api/leads/${bystander}`, key })).body.data.version).toBe(1)
  })

  it('does not hand its leads to the stage of converted leads', async () => {
    const { data } = (await add({ name: 'Done', type: 'WON', mappedStatus: 'CONVERTED' })).body
    const from = await stageId('A')
    expect(await drop(from, `?moveToStageId=${data.id}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param: 'moveToStageId' } },
    })
    expect((await drop(data.id)).status).toBe(200)
  })

  it('409 LAST_OPEN_STAGE for closing or deleting the last open one', async () => {
    const lone = (await create({ stages: [{ name: 'Open' }, { name: 'Won', type: 'WON' }] })).body.data
    const at = `${path}/${lone.id}/stages/${lone.stages[0].id}`
    const refused = { status: 409, body: { code: 'LAST_OPEN_STAGE' } }
    expect(await call({ method: 'PATCH', path: at, key, body: { type: 'LOST' } })).toMatchObject(refused)
    expect(await call({ method: 'DELETE', path: `${at}?moveToStageId=${lone.stages[1].id}`, key })).toMatchObject(
      refused,
    )
    expect((await call({ method: 'DELETE', path: `${path}/${lone.id}/stages/${lone.stages[1].id}`, key })).status).toBe(
      200,
    )
  })

  it('that goes while a lead comes leaves no lead without a stage: STAGE_NOT_FOUND', async () => {
    const [stays, goes] = (await create({ stages: [{ name: 'Stays' }, { name: 'Goes' }] })).body.data.stages
    const lead = await createLead(api, { pipelineId: stays.pipelineId })
    const writes = await api.db.transaction(async (tx) => {
      await tx.delete(schema.stages).where(eq(schema.stages.id, goes.id))
      const begun = [
        call({
          method: 'POST',
          path: '/api/leads',
          key,
          body: { lastName: 'Late', pipelineId: goes.pipelineId, stageId: goes.id },
        }),
        call({ method: 'PATCH', path: `/api/leads/${lead}`, key, body: { stageId: goes.id } }),
      ]
      await expect.poll(() => lockWaiters(api.db)).toHaveLength(2)
      return { begun }
    })
    for (const answer of await Promise.all(writes.begun))
      expect(answer).toMatchObject({ status: 400, body: { code: 'STAGE_NOT_FOUND' } })
  })

  it('404 for one of another pipeline, and of another workspace', async () => {
    const other = (await read(workspace.leadPipelineId)).stages[0].id
    expect((await change(other, { name: 'X' })).status).toBe(404)
    expect((await drop(other)).status).toBe(404)
    const stranger = await api.newWorkspace()
    expect((await call({ path: `${path}/${id}`, key: (await stranger.apiKey()).key }, stranger)).status).toBe(404)
  })
})

describe('deals', () => {
  const dealStages = [
    { name: 'Talk', probability: 10 },
    { name: 'Offer', probability: 50 },
    { name: 'Won', type: 'WON', probability: 100 },
  ]
  const createDealPipeline = async () => (await create({ entityType: 'DEAL', stages: dealStages })).body.data

  async function addDeal(
    { id: pipelineId, stages: [stage] }: { id: string; stages: { id: string }[] },
    isDeleted = false,
  ): Promise<string> {
    const id = newId()
    const deletedAt = isDeleted ? new Date().toISOString() : null
    await api.db.insert(schema.deals).values({
      workspaceId: workspace.workspaceId,
      id,
      name: 'Order',
      currency: 'EUR',
      pipelineId,
      stageId: stage?.id ?? '',
      status: 'OPEN',
      probability: 10,
      ownerId: workspace.adminUserId,
      deletedAt,
    })
    return id
  }

  const readDeal = async (id: string) => (await api.db.select().from(schema.deals).where(eq(schema.deals.id, id)))[0]
  const timelineOf = async (id: string) =>
    (await call({ path: `/api/crm/timeline?entityType=DEAL&entityId=${id}`, key })).body.items

  it('count for STAGE_IN_USE and IN_USE, and move with their status, chance and history', async () => {
    const pipeline = await createDealPipeline()
    const [talk, , won] = pipeline.stages
    const [deal, gone] = [await addDeal(pipeline), await addDeal(pipeline, true)]
    const stage = (query = '') =>
      call({ method: 'DELETE', path: `${path}/${pipeline.id}/stages/${talk.id}${query}`, key })
    expect(await stage()).toMatchObject({ status: 409, body: { code: 'STAGE_IN_USE', details: { count: 2 } } })
    expect(await remove(pipeline.id)).toMatchObject({ status: 409, body: { code: 'IN_USE', details: { count: 2 } } })
    expect((await stage(`?moveToStageId=${won.id}`)).status).toBe(200)
    expect(await readDeal(deal)).toMatchObject({
      stageId: won.id,
      status: 'WON',
      probability: 100,
      version: 2,
      closedAt: expect.any(String),
    })
    expect(await readDeal(gone)).toMatchObject({ stageId: won.id, status: 'WON' })
    const kinds = (await timelineOf(deal)).map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['STAGE_CHANGED', 'STATUS_CHANGED']))
    const events = await api.db
      .select({ event: schema.outbox.event })
      .from(schema.outbox)
      .where(eq(schema.outbox.entityId, deal))
    expect(events.map(({ event }) => event).sort()).toEqual(['deal.stage_changed', 'deal.updated', 'deal.won'])
  })

  it('are transferred, and open again where their new stage is open', async () => {
    const [source, target] = [await createDealPipeline(), await createDealPipeline()]
    const deals = [await addDeal(source), await addDeal(source)]
    const stageMap = { [source.stages[0].id]: target.stages[1].id }
    expect((await transfer(source.id, { toPipelineId: target.id, stageMap })).body).toEqual({
      success: true,
      data: { moved: 2 },
    })
    for (const deal of deals) {
      expect(await readDeal(deal)).toMatchObject({
        pipelineId: target.id,
        stageId: target.stages[1].id,
        status: 'OPEN',
        probability: 50,
        closedAt: null,
      })
    }
    expect((await remove(source.id)).status).toBe(200)
  })
})

const transfer = (id: string, body: unknown) => call({ method: 'POST', path: `${path}/${id}/transfer`, key, body })

describe('a transfer', async () => {
  const stages = [
    { name: 'New', mappedStatus: 'NEW' },
    { name: 'Talking', mappedStatus: 'IN_PROGRESS' },
    { name: 'Converted', type: 'WON', mappedStatus: 'CONVERTED' },
  ]
  const createPair = async () => [(await create({ stages })).body.data, (await create({ stages })).body.data]

  it('moves every lead to the stage that the map names, with status and history', async () => {
    const [source, target] = await createPair()
    const [first, second] = source.stages
    const leads = [
      await createLead(api, { pipelineId: source.id }),
      await createLead(api, { pipelineId: source.id, stageId: second.id }),
    ]
    const bystander = await createLead(api, { pipelineId: target.id })
    const stageMap = { [first.id]: target.stages[1].id, [second.id]: target.stages[1].id }
    expect((await transfer(source.id, { toPipelineId: target.id, stageMap })).body.data).toEqual({ moved: 2 })
    for (const lead of leads) {
      expect((await call({ path: `/api/leads/${lead}`, key })).body.data).toMatchObject({
        pipelineId: target.id,
        stageId: target.stages[1].id,
        status: 'IN_PROGRESS',
        version: 2,
      })
      const { items } = (
        await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${lead}&kind=STAGE_CHANGED`, key })
      ).body
      expect(items).toMatchObject([
        {
          actor: { id: workspace.adminUserId },
          changes: expect.arrayContaining([{ field: 'pipelineId', from: source.id, to: target.id }]),
        },
      ])
    }
    expect((await call({ path: `/api/leads?pipelineId=${target.id}`, key })).body.total).toBe(3)
    expect((await call({ path: `/api/leads/${bystander}`, key })).body.data.version).toBe(1)
    expect((await remove(source.id)).status).toBe(200)
  })

  it('moves nothing when a stage that holds records is not in the map: 409 STAGE_IN_USE', async () => {
    const [source, target] = await createPair()
    const [first, second] = source.stages
    const lead = await createLead(api, { pipelineId: source.id })
    await createLead(api, { pipelineId: source.id, stageId: second.id })
    expect(
      await transfer(source.id, { toPipelineId: target.id, stageMap: { [first.id]: target.stages[0].id } }),
    ).toMatchObject({ status: 409, body: { code: 'STAGE_IN_USE', details: { count: 1 } } })
    expect((await call({ path: `/api/leads/${lead}`, key })).body.data).toMatchObject({
      pipelineId: source.id,
      version: 1,
    })
  })

  it("400 for a pipeline or a stage that is not the other one's", async () => {
    const [source, target] = await createPair()
    const refusal = async (toPipelineId: string, stageMap: Record<string, string> = {}) =>
      (await transfer(source.id, { toPipelineId, stageMap })).body.code
    expect(await refusal(unknownId)).toBe('PIPELINE_NOT_FOUND')
    expect(await refusal(workspace.dealPipelineId)).toBe('PIPELINE_NOT_FOUND')
    expect(await refusal(source.id)).toBe('VALIDATION_ERROR')
    expect(await refusal(target.id, { [unknownId]: target.stages[0].id })).toBe('STAGE_NOT_FOUND')
    expect(await refusal(target.id, { [source.stages[0].id]: source.stages[1].id })).toBe('STAGE_NOT_FOUND')
    expect((await transfer(unknownId, { toPipelineId: target.id, stageMap: {} })).body.code).toBe('NOT_FOUND')
  })

  it('does not make leads converted that never were', async () => {
    const [source, target] = await createPair()
    const [first] = source.stages
    await createLead(api, { pipelineId: source.id })
    expect(
      await transfer(source.id, { toPipelineId: target.id, stageMap: { [first.id]: target.stages[2].id } }),
    ).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path: ['stageMap', first.id] }] } })
  })
})

it('403 without the permission to change reference data', async () => {
  const reader = await workspace.apiKey({ scopes: ['VIEW_REFERENCE_DATA'] })
  expect((await call({ path, key: reader.key })).status).toBe(200)
  expect(await call({ method: 'POST', path, key: reader.key, body: { name: 'No', entityType: 'LEAD' } })).toMatchObject(
    { status: 403, body: { code: 'ACCESS_DENIED' } },
  )
})

describe('the fields that a stage requires', () => {
  it.each([
    ['LEAD', 'nosuchfield'],
    ['LEAD', 'amount'],
    ['LEAD', 'stageId'],
    ['LEAD', 'customFields.nosuchfield'],
    ['LEAD', 'address.planet'],
    ['LEAD', 'toString'],
    ['DEAL', 'email'],
    ['DEAL', 'address.city'],
  ])('are some that a %s can have: not %s', async (entityType, field) => {
    const made = await call({
      method: 'POST',
      path: '/api/pipelines',
      key,
      body: {
        name: `Requires ${entityType} ${field}`,
        entityType,
        stages: [{ name: 'Fine' }, { name: 'One', requiredFields: ['description', field] }],
      },
    })
    expect(made).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        issues: [{ path: ['stages', 1, 'requiredFields', 1], values: expect.arrayContaining(['description']) }],
      },
    })
    const { body } = await call({
      method: 'POST',
      path: '/api/pipelines',
      key,
      body: { name: `Later ${entityType} ${field}`, entityType, stages: [{ name: 'Fine' }] },
    })
    const stages = `/api/pipelines/${body.data.id}/stages`
    expect(
      await call({ method: 'POST', path: stages, key, body: { name: 'Two', requiredFields: [field] } }),
    ).toMatchObject({ status: 400, body: { issues: [{ path: ['requiredFields', 0] }] } })
    expect(
      await call({
        method: 'PATCH',
        path: `${stages}/${body.data.stages[0].id}`,
        key,
        body: { requiredFields: [field] },
      }),
    ).toMatchObject({ status: 400 })
  })

  it('may be parts of an address and custom fields', async () => {
    const cookie = await workspace.session()
    await call({
      method: 'POST',
      path: '/api/settings/custom-fields',
      cookie,
      body: { entityType: 'LEAD', key: 'budget', label: 'Budget', type: 'NUMBER' },
    })
    const { status, body } = await call({
      method: 'POST',
      path: '/api/pipelines',
      key,
      body: {
        name: 'Reachable',
        entityType: 'LEAD',
        stages: [{ name: 'One', requiredFields: ['email', 'address.city', 'customFields.budget'] }],
      },
    })
    expect(status).toBe(201)
    const lead = { pipelineId: body.data.id, email: 'a@b.test', address: { city: 'Bonn' }, customFields: { budget: 5 } }
    expect((await call({ method: 'POST', path: '/api/leads', key, body: lead })).status).toBe(201)
    expect((await call({ method: 'POST', path: '/api/leads', key, body: { ...lead, customFields: {} } })).status).toBe(
      400,
    )
  })
})
