import { unique } from '@crm/testkit'
import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createContact, createDeal, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const { stages } = (await call({ path: `/api/pipelines/${workspace.dealPipelineId}`, key })).body.data
const [discovery, proposal, negotiation, won, lost] = stages.map(({ id }: { id: string }) => id) as string[]
const patch = (id: string, body: unknown, credential = key) =>
  call({ method: 'PATCH', path: `/api/deals/${id}`, key: credential, body })
const kindsOf = async (id: string): Promise<string[]> =>
  (await call({ path: `/api/crm/timeline?entityType=DEAL&entityId=${id}`, key })).body.items
    .map(({ kind }: { kind: string }) => kind)
    .toSorted()
const eventsOf = async (id: string): Promise<string[]> =>
  (await api.db.select({ event: schema.outbox.event }).from(schema.outbox).where(eq(schema.outbox.entityId, id)))
    .map(({ event }) => event)
    .toSorted()

describe('PATCH /api/deals/{id}', () => {
  it('changes what is sent, clears with null, raises the version', async () => {
    const id = await createDeal(api, { description: 'x', amount: '10' })
    expect((await patch(id, { name: 'Renamed', description: null })).body.data).toMatchObject({
      name: 'Renamed',
      description: null,
      amount: '10.00',
      version: 2,
    })
    expect((await patch(id, { amount: '10.000' })).body.data.version).toBe(2)
  })

  it('moves by stage: probability follows, history and rules hear of it', async () => {
    const id = await createDeal(api)
    expect((await patch(id, { stageId: negotiation })).body.data).toMatchObject({
      stageId: negotiation,
      status: 'OPEN',
      probability: 70,
    })
    expect(await kindsOf(id)).toEqual(['CREATED', 'STAGE_CHANGED'])
    expect(await eventsOf(id)).toEqual(['deal.created', 'deal.stage_changed', 'deal.updated'])
    expect((await patch(id, { stageId: proposal, probability: 5 })).body.data.probability).toBe(5)
  })

  it('is won and lost by stage or status, and reopens in an open stage', async () => {
    const id = await createDeal(api)
    expect((await patch(id, { status: 'WON' })).body.data).toMatchObject({
      stageId: won,
      status: 'WON',
      probability: 100,
      closedAt: expect.any(String),
    })
    expect(await eventsOf(id)).toContain('deal.won')
    expect((await patch(id, { stageId: lost, lostReason: 'Budget' })).body.data).toMatchObject({
      status: 'LOST',
      probability: 0,
      lostReason: 'Budget',
      closedAt: expect.any(String),
    })
    expect(await eventsOf(id)).toContain('deal.lost')
    expect((await patch(id, { stageId: discovery })).body.data).toMatchObject({
      status: 'OPEN',
      probability: 10,
      lostReason: null,
      closedAt: null,
    })
    expect(await kindsOf(id)).toEqual([
      'CREATED',
      'STAGE_CHANGED',
      'STAGE_CHANGED',
      'STAGE_CHANGED',
      'STATUS_CHANGED',
      'STATUS_CHANGED',
      'STATUS_CHANGED',
      'UPDATED',
      'UPDATED',
    ])
  })

  it('moves to another pipeline with its first stage, or one of it', async () => {
    const { body } = await call({
      method: 'POST',
      path: '/api/pipelines',
      key,
      body: { name: `Renewals ${unique()}`, entityType: 'DEAL', stages: [{ name: 'Start' }, { name: 'End' }] },
    })
    const [start, end] = body.data.stages
    const id = await createDeal(api)
    expect(await patch(id, { stageId: end.id })).toMatchObject({ status: 400, body: { code: 'STAGE_NOT_FOUND' } })
    expect((await patch(id, { pipelineId: body.data.id })).body.data).toMatchObject({
      pipelineId: body.data.id,
      stageId: start.id,
    })
  })

  it('keeps the amount equal to the sum of the items as long as it was', async () => {
    const id = await createDeal(api, { items: [{ name: 'A', quantity: '2', unitPrice: '5' }] })
    expect((await patch(id, { items: [{ name: 'A', quantity: '3', unitPrice: '5' }] })).body.data.amount).toBe('15.00')
    await patch(id, { amount: '20' })
    expect((await patch(id, { items: [{ name: 'A', quantity: '1', unitPrice: '5' }] })).body.data.amount).toBe('20.00')
  })

  it('409 STAGE_TRANSITION_NOT_ALLOWED where the pipeline forbids it', async () => {
    const rules = (wanted: object) =>
      call({ method: 'PATCH', path: `/api/pipelines/${workspace.dealPipelineId}`, key, body: { rules: wanted } })
    await rules({ noSkipping: true, noBackwards: true })
    const id = await createDeal(api)
    expect(await patch(id, { stageId: negotiation })).toMatchObject({
      status: 409,
      body: { code: 'STAGE_TRANSITION_NOT_ALLOWED' },
    })
    expect((await patch(id, { stageId: proposal })).status).toBe(200)
    expect((await patch(id, { stageId: discovery })).body.code).toBe('STAGE_TRANSITION_NOT_ALLOWED')
    expect((await patch(id, { stageId: lost })).status).toBe(200)
    await rules({})
  })

  it('409 VERSION_CONFLICT for a stale version', async () => {
    const id = await createDeal(api)
    await patch(id, { name: 'B', version: 1 })
    expect(await patch(id, { name: 'C', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT', details: { version: 2 } },
    })
  })

  it.each([
    ['an unknown currency', { currency: 'XQQ' }, 'INVALID_CURRENCY'],
    ['an unknown stage', { stageId: unknownId }, 'STAGE_NOT_FOUND'],
    ['an unknown contact', { contactId: unknownId }, 'INVALID_REFERENCE'],
    ['no name', { name: null }, 'VALIDATION_ERROR'],
  ])('400 for %s', async (_what, body, code) => {
    expect(await patch(await createDeal(api), body)).toMatchObject({ status: 400, body: { code } })
  })

  it('lets a contact stay that the caller may not see', async () => {
    const contactId = await createContact(api)
    const id = await createDeal(api, { contactId })
    const person = await workspace.employee({ grant: { permissions: ['VIEW_DEAL', 'UPDATE_DEAL'] } })
    const narrow = (await workspace.apiKey({ ownerId: person.id })).key
    expect((await patch(id, { contactId, name: 'Kept' }, narrow)).status).toBe(200)
    expect((await patch(id, { contactId: null }, narrow)).status).toBe(200)
    expect((await patch(id, { contactId }, narrow)).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'contactId' },
    })
  })

  it('reaches only what the level reaches: 404 beyond, 403 ACCESS_LEVEL_NONE for NONE', async () => {
    const person = (UPDATE: string) =>
      workspace.employee({
        grant: {
          permissions: ['VIEW_DEAL', 'UPDATE_DEAL'],
          access: [{ entityType: 'DEAL', VIEW: 'ALL', UPDATE, DELETE: 'NONE' }] as never,
        },
      })
    const id = await createDeal(api)
    const own = (await workspace.apiKey({ ownerId: (await person('OWN')).id })).key
    const none = (await workspace.apiKey({ ownerId: (await person('NONE')).id })).key
    expect(await patch(id, { name: 'X' }, own)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await patch(id, { name: 'X' }, none)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'UPDATE_DEAL' },
    })
  })
})

describe('GET /api/deals/{id}/stage-times', () => {
  const timesOf = (id: string, credential = key) => call({ path: `/api/deals/${id}/stage-times`, key: credential })
  const secondsOfDay = 86_400
  const daysAgo = (days: number) =>
    Temporal.Now.instant()
      .subtract({ hours: 24 * days })
      .toString()
  const { timeline, deals } = schema

  it('tells the time in each stage up to now, the first stage first', async () => {
    const id = await createDeal(api)
    await patch(id, { stageId: proposal })
    await patch(id, { name: 'No move' })
    await patch(id, { stageId: negotiation, amount: '7' })
    const ofDeal = and(eq(timeline.workspaceId, workspace.workspaceId), eq(timeline.entityId, id))
    const moves = await api.db
      .select({ id: timeline.id })
      .from(timeline)
      .where(and(ofDeal, eq(timeline.kind, 'STAGE_CHANGED')))
      .orderBy(timeline.id)
    const [created, first, second] = [daysAgo(12), daysAgo(9), daysAgo(2)]
    await api.db.update(deals).set({ createdAt: created, stageChangedAt: second }).where(eq(deals.id, id))
    for (const [at, move] of moves.entries())
      await api.db
        .update(timeline)
        .set({ occurredAt: at === 0 ? first : second })
        .where(and(ofDeal, eq(timeline.id, move.id)))
    const [inDiscovery, inProposal, inNegotiation] = (await timesOf(id)).body.data.stages
    expect(inDiscovery).toEqual({ stageId: discovery, seconds: 3 * secondsOfDay })
    expect(inProposal).toEqual({ stageId: proposal, seconds: 7 * secondsOfDay })
    expect(inNegotiation.stageId).toBe(negotiation)
    expect(Math.round(inNegotiation.seconds / secondsOfDay)).toBe(2)
  })

  it('computes with the last 200 moves, and with none whose entries have expired', async () => {
    const id = await createDeal(api)
    const begin = Temporal.Instant.from(daysAgo(10))
    await api.db.insert(timeline).values(
      Array.from({ length: 250 }, (_, at) => ({
        workspaceId: workspace.workspaceId,
        entityType: 'DEAL',
        entityId: id,
        kind: 'STAGE_CHANGED',
        occurredAt: begin.add({ minutes: at }).toString(),
        actorType: 'SYSTEM' as const,
        actorName: 'Test',
        source: 'API',
        changes: [
          at % 2 === 0
            ? { field: 'stageId', from: discovery, to: proposal }
            : { field: 'stageId', from: proposal, to: discovery },
        ],
      })),
    )
    const { stages } = (await timesOf(id)).body.data
    expect(stages.find(({ stageId }: { stageId: string }) => stageId === proposal).seconds).toBe(100 * 60)
    await api.db.delete(timeline).where(and(eq(timeline.workspaceId, workspace.workspaceId), eq(timeline.entityId, id)))
    expect((await timesOf(id)).body.data.stages.map(({ stageId }: { stageId: string }) => stageId)).toEqual([discovery])
  })

  it('is told to whoever may see the deal, and to nobody else', async () => {
    const person = await workspace.employee({
      grant: {
        permissions: ['VIEW_DEAL'],
        access: [{ entityType: 'DEAL', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }] as never,
      },
    })
    const own = (await workspace.apiKey({ ownerId: person.id })).key
    const without = (await workspace.apiKey({ ownerId: (await workspace.employee({ grant: { permissions: [] } })).id }))
      .key
    const id = await createDeal(api)
    expect(await timesOf(id, own)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect((await timesOf(await createDeal(api, { ownerId: person.id }), own)).status).toBe(200)
    expect(await timesOf(id, without)).toMatchObject({ status: 403, body: { requiredPermission: 'VIEW_DEAL' } })
    expect((await call({ path: `/api/deals/${id}/stage-times?stage=x`, key })).body.code).toBe('UNKNOWN_QUERY_PARAM')
  })
})

describe('DELETE and bulk', () => {
  it('hides a deal everywhere', async () => {
    const id = await createDeal(api, { name: 'Vanishing' })
    expect((await call({ method: 'DELETE', path: `/api/deals/${id}`, key })).body).toEqual({
      success: true,
      data: { id },
      undoId: expect.any(String),
    })
    expect((await call({ path: `/api/deals/${id}`, key })).status).toBe(404)
    expect((await call({ path: '/api/deals?search=vanishing', key })).body.total).toBe(0)
    expect((await call({ path: `/api/crm/timeline?entityType=DEAL&entityId=${id}`, key })).status).toBe(404)
  })

  it('moves many at once; each refusal is a result', async () => {
    const [one, two] = await Promise.all([
      createDeal(api, { name: 'Many', tags: ['x'] }),
      createDeal(api, { name: 'Many' }),
    ])
    const { body } = await call({
      method: 'PATCH',
      path: '/api/deals',
      key,
      body: { ids: [one, two, unknownId], set: { status: 'LOST', lostReason: 'Season' }, addTags: ['y'] },
    })
    expect(body.data).toMatchObject({ matched: 3, updated: 2, failed: 1 })
    expect((await call({ path: `/api/deals/${one}`, key })).body.data).toMatchObject({
      status: 'LOST',
      lostReason: 'Season',
      tags: ['x', 'y'],
    })
    const byFilter = await call({
      method: 'PATCH',
      path: '/api/deals',
      key,
      body: { filter: { search: 'many', status: 'LOST' }, expectedCount: 2, set: { stageId: unknownId } },
    })
    expect(byFilter.body.data).toMatchObject({
      matched: 2,
      failed: 2,
      results: [{ code: 'STAGE_NOT_FOUND' }, { code: 'STAGE_NOT_FOUND' }],
    })
    expect(
      (await call({ method: 'DELETE', path: '/api/deals', key, body: { ids: [one, two] } })).body.data,
    ).toMatchObject({ deleted: 2 })
  })

  it.each([
    ['a filter that filters nothing', { pageSize: '10', sortBy: 'name' }],
    ['a saved filter in place of its parameters', { savedFilterId: unknownId }],
  ])('400 for %s: nothing is changed rather than everything', async (_what, filter) => {
    const id = await createDeal(api)
    expect(
      await call({ method: 'PATCH', path: '/api/deals', key, body: { filter, set: { lostReason: 'Everything' } } }),
    ).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect((await call({ path: `/api/deals/${id}`, key })).body.data.lostReason).toBeNull()
  })
})
