import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace, db } = api
const create = (body: unknown, at = workspace, credential = key) =>
  call({ method: 'POST', path: '/api/leads', key: credential, body }, at)

const pipelineBody = {
  name: 'Second',
  entityType: 'LEAD',
  stages: [
    { name: 'In', mappedStatus: 'NEW' },
    { name: 'Good', mappedStatus: 'QUALIFIED' },
    { name: 'Won', type: 'WON', mappedStatus: 'CONVERTED' },
  ],
}
const second = (await call({ method: 'POST', path: '/api/pipelines', key, body: pipelineBody })).body.data
const first = (await call({ path: `/api/pipelines/${workspace.leadPipelineId}`, key })).body.data

describe('201', () => {
  it('gives every default: owner, first stage of the default pipeline, direct source, NEW', async () => {
    const { status, body } = await create({ firstName: 'Grace', lastName: 'Hopper', email: ' grace@navy.example ' })
    expect(status, JSON.stringify(body)).toBe(201)
    const [direct] = await db
      .select()
      .from(schema.leadSources)
      .where(and(eq(schema.leadSources.workspaceId, workspace.workspaceId), eq(schema.leadSources.systemKey, 'direct')))
    expect(body).toMatchObject({
      success: true,
      data: {
        firstName: 'Grace',
        email: 'grace@navy.example',
        status: 'NEW',
        ownerId: workspace.adminUserId,
        createdById: workspace.adminUserId,
        pipelineId: workspace.leadPipelineId,
        stageId: first.stages[0].id,
        sourceId: direct?.id,
        version: 1,
        tags: [],
        customFields: {},
        messengers: [],
      },
    })
    expect(body.data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(body.data).not.toHaveProperty('mergedIntoId')
  })

  it('takes the first stage of the pipeline that is named', async () => {
    const { body } = await create({ lastName: 'A', pipelineId: second.id })
    expect(body.data).toMatchObject({ pipelineId: second.id, stageId: second.stages[0].id })
  })

  it('derives the status from the stage, and finds the stage for a status', async () => {
    expect(
      (await create({ lastName: 'A', pipelineId: second.id, stageId: second.stages[1].id })).body.data.status,
    ).toBe('QUALIFIED')
    expect((await create({ lastName: 'A', status: 'QUALIFIED' })).body.data.stageId).toBe(first.stages[2].id)
  })

  it('stores a phone as E.164 and computes the score', async () => {
    const bare = await create({ lastName: 'Bare' })
    const full = await create({
      firstName: 'F',
      lastName: 'Full',
      email: 'f@x.example',
      phone: '+49 (151) 2345-6789',
      companyName: 'X',
      temperature: 'HOT',
    })
    expect(full.body.data.phone).toBe('+4915123456789')
    expect(full.body.data.score).toBeGreaterThan(bare.body.data.score)
  })

  it('needs any one of the identifying fields', async () => {
    for (const body of [
      { firstName: 'A' },
      { lastName: 'A' },
      { companyName: 'A' },
      { email: 'a@b.example' },
      { phone: '+4915112345678' },
    ]) {
      expect((await create(body)).status).toBe(201)
    }
  })

  it('writes the timeline and the event in the same transaction', async () => {
    const { body } = await create({ lastName: 'Traced' })
    const timeline = await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${body.data.id}`, key })
    expect(timeline.body).toMatchObject({
      items: [
        { kind: 'CREATED', source: 'API', actor: { type: 'EMPLOYEE', id: workspace.adminUserId, name: 'Ada Admin' } },
      ],
      hasMore: false,
      nextCursor: null,
    })
    const events = await db
      .select()
      .from(schema.outbox)
      .where(and(eq(schema.outbox.workspaceId, workspace.workspaceId), eq(schema.outbox.entityId, body.data.id)))
    expect(events).toMatchObject([
      { topic: 'change', event: 'lead.created', payload: { record: { id: body.data.id } } },
    ])
  })
})

describe('400', () => {
  it.each([
    ['nothing that identifies it', { jobTitle: 'Buyer' }, []],
    ['a phone without +', { lastName: 'A', phone: '0151 2345678' }, ['phone']],
    ['a phone that cannot be one', { lastName: 'A', phone: '+1 23456' }, ['phone']],
    ['an email address that is none', { lastName: 'A', email: 'nobody' }, ['email']],
    ['an unknown temperature', { lastName: 'A', temperature: 'BOILING' }, ['temperature']],
    ['the status CONVERTED', { lastName: 'A', status: 'CONVERTED' }, ['status']],
    ['an unknown custom field', { lastName: 'A', customFields: { moon: 1 } }, ['customFields', 'moon']],
    ['an id that is none', { lastName: 'A', stageId: 'first' }, ['stageId']],
  ])('VALIDATION_ERROR for %s', async (_what, body, path) => {
    const answer = await create(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues).toContainEqual(expect.objectContaining({ path }))
  })

  it('tells the accepted values of a closed set', async () => {
    expect((await create({ lastName: 'A', temperature: 'BOILING' })).body.issues[0].values).toEqual([
      'HOT',
      'WARM',
      'COLD',
    ])
  })

  it('STAGE_NOT_FOUND for a stage that does not exist, of another pipeline, or for a status that no stage has', async () => {
    const wishes = [
      { stageId: unknownId },
      { stageId: second.stages[0].id },
      { pipelineId: second.id, status: 'UNQUALIFIED' },
    ]
    for (const wish of wishes)
      expect(await create({ lastName: 'A', ...wish })).toMatchObject({ status: 400, body: { code: 'STAGE_NOT_FOUND' } })
  })

  it.each(['ownerId', 'pipelineId', 'sourceId'])('INVALID_REFERENCE for an unknown %s', async (field) => {
    expect(await create({ lastName: 'A', [field]: unknownId })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field } },
    })
  })

  it('INVALID_REFERENCE for an owner, pipeline or source of another workspace', async () => {
    const other = await api.newWorkspace()
    expect((await create({ lastName: 'A', ownerId: other.adminUserId })).body.code).toBe('INVALID_REFERENCE')
    expect((await create({ lastName: 'A', pipelineId: other.leadPipelineId })).body.code).toBe('INVALID_REFERENCE')
  })
})

describe('403', () => {
  it('QUOTA_EXCEEDED when the plan limit is reached, exactly, also when many come at once', async () => {
    const limited = await api.newWorkspace()
    await db.insert(schema.workspaceQuotas).values({ workspaceId: limited.workspaceId, quota: 'leads', limit: 3 })
    const limitedKey = (await limited.apiKey()).key
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ lastName: 'A' }, limited, limitedKey)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.find(({ status }) => status !== 201)
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', details: { quota: 'leads', used: 3, limit: 3 } },
    })
    expect((await call({ path: '/api/leads', key: limitedKey }, limited)).body.total).toBe(3)
  })
})

describe('merging exact duplicates', async () => {
  const merging = await api.newWorkspace()
  const mergingKey = (await merging.apiKey()).key
  await call(
    {
      method: 'PATCH',
      path: '/api/settings/workspace',
      cookie: await merging.session(),
      body: { mergeExactDuplicates: true },
      headers: { origin: `http://${merging.host}` },
    },
    merging,
  )
  const send = (body: unknown) => create(body, merging, mergingKey)

  it('fills the empty places of the existing lead and says its id', async () => {
    const { body: original } = await send({ firstName: 'Ann', email: 'Ann@Same.example' })
    const { status, body } = await send({
      firstName: 'Anna',
      lastName: 'Same',
      email: 'ann@same.EXAMPLE',
      utmSource: 'ad',
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      id: original.data.id,
      mergedIntoId: original.data.id,
      firstName: 'Ann',
      lastName: 'Same',
      utmSource: 'ad',
    })
    const kinds = (
      await call({ path: `/api/crm/timeline?entityType=LEAD&entityId=${original.data.id}`, key: mergingKey }, merging)
    ).body.items.map((item: { kind: string }) => item.kind)
    expect(kinds.toSorted()).toEqual(['CREATED', 'MERGED'])
  })

  it('tells who may not see the existing lead its id and what they sent themselves, and nothing else', async () => {
    const { body: original } = await send({
      lastName: 'Secret',
      email: 'known@example.com',
      phone: '+4915122222222',
      description: 'planted',
    })
    const access = [{ entityType: 'LEAD', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const
    const { id: blind } = await merging.employee({ grant: { permissions: ['CREATE_LEAD'] } })
    const { id: own } = await merging.employee({ grant: { permissions: ['CREATE_LEAD', 'VIEW_LEAD'], access } })
    const { id: unrelated } = original.data
    const values = { firstName: 'Guess', email: 'Known@example.com', tags: ['form'] }
    for (const ownerId of [blind, own]) {
      const { key: theirs } = await merging.apiKey({ ownerId })
      const headers = { 'idempotency-key': ownerId }
      for (const answer of [
        await create(values, merging, theirs),
        await call({ method: 'POST', path: '/api/leads', key: theirs, body: values, headers }, merging),
        await call({ method: 'POST', path: '/api/leads', key: theirs, body: values, headers }, merging),
      ]) {
        expect(answer).toMatchObject({ status: 201 })
        expect(answer.body).toEqual({ success: true, data: { ...values, id: unrelated, mergedIntoId: unrelated } })
      }
    }
  })

  it('recognises the phone and the messenger handle too', async () => {
    const { body: byPhone } = await send({ lastName: 'Phone', phone: '+4915111111111' })
    expect((await send({ firstName: 'P', phone: '+49 151 11111111' })).body.data.mergedIntoId).toBe(byPhone.data.id)
    const { body: byHandle } = await send({ lastName: 'Chat', messengers: [{ type: 'TELEGRAM', handle: '@chat' }] })
    expect(
      (await send({ firstName: 'C', messengers: [{ type: 'TELEGRAM', handle: '@chat' }] })).body.data.mergedIntoId,
    ).toBe(byHandle.data.id)
  })

  it('makes one lead of equal creates at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send({ lastName: 'Twin', email: 'twin@example.com' })),
    )
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect((await call({ path: '/api/leads?search=twin@example.com', key: mergingKey }, merging)).body.total).toBe(1)
  })
})
