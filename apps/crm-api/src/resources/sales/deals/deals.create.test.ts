import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createContact, createLead, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()
const create = (body: unknown, credential = key) => call({ method: 'POST', path: '/api/deals', key: credential, body })
const { stages, id: pipelineId } = (await call({ path: `/api/pipelines/${workspace.dealPipelineId}`, key })).body.data
const [discovery, proposal, , won, lost] = stages.map(({ id }: { id: string }) => id) as string[]
const stageOfLeads = (await call({ path: `/api/pipelines/${workspace.leadPipelineId}`, key })).body.data.stages[0]
  .id as string
const historyOf = async (id: string) =>
  (await call({ path: `/api/crm/timeline?entityType=DEAL&entityId=${id}`, key })).body.items

describe('201', () => {
  it('gives every default: owner, currency, pipeline, first stage, its status and probability', async () => {
    const { status, body } = await create({ name: '  Big one ' })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        success: true,
        data: {
          name: 'Big one',
          amount: null,
          currency: 'EUR',
          pipelineId,
          stageId: discovery,
          status: 'OPEN',
          probability: 10,
          closedAt: null,
          items: [],
          ownerId: workspace.adminUserId,
          createdById: workspace.adminUserId,
          tags: [],
          customFields: {},
          version: 1,
        },
      },
    })
    expect((await historyOf(body.data.id)).map(({ kind }: { kind: string }) => kind)).toEqual(['CREATED'])
  })

  it('takes whom and what it is about', async () => {
    const [contactId, companyId, leadId] = await Promise.all([createContact(api), createCompany(api), createLead(api)])
    const { body } = await create({
      name: 'Linked',
      contactId,
      companyId,
      leadId,
      expectedCloseDate: '2027-01-31',
      tags: ['a', 'a'],
    })
    expect(body.data).toMatchObject({ contactId, companyId, leadId, expectedCloseDate: '2027-01-31', tags: ['a'] })
  })

  it('sums the items, each line rounded half up at the digits of the currency', async () => {
    const items = [
      { name: 'Licence', quantity: '3', unitPrice: '19.995', discount: '0.98' },
      { name: 'Setup', unitPrice: '100' },
    ]
    expect((await create({ name: 'Summed', items })).body.data).toMatchObject({
      amount: '159.01',
      items: [
        { ...items[0], productId: null },
        { quantity: '1', discount: '0' },
      ],
    })
    expect(
      (await create({ name: 'Yen', currency: 'JPY', items: [{ name: 'A', quantity: '1', unitPrice: '0.5' }] })).body
        .data.amount,
    ).toBe('1.00')
    expect((await create({ name: 'Told', amount: '42', items })).body.data.amount).toBe('42.00')
    expect((await create({ name: 'None', amount: null, items })).body.data.amount).toBeNull()
  })

  it('begins in the stage asked for; won and lost ones are closed at once, and rules hear of it', async () => {
    expect((await create({ name: 'Later', stageId: proposal, probability: 55 })).body.data).toMatchObject({
      stageId: proposal,
      status: 'OPEN',
      probability: 55,
    })
    expect((await create({ name: 'Won', stageId: won })).body.data).toMatchObject({
      status: 'WON',
      probability: 100,
      closedAt: expect.any(String),
    })
    expect((await create({ name: 'Lost', status: 'LOST', lostReason: 'Price' })).body.data).toMatchObject({
      stageId: lost,
      status: 'LOST',
      probability: 0,
      lostReason: 'Price',
    })
  })

  it('checks custom fields', async () => {
    await call({
      method: 'POST',
      path: '/api/settings/custom-fields',
      cookie,
      body: { entityType: 'DEAL', key: 'seats', label: 'Seats', type: 'NUMBER' },
    })
    expect((await create({ name: 'Custom', customFields: { seats: 3 } })).body.data.customFields).toEqual({ seats: 3 })
    expect((await create({ name: 'Custom', customFields: { seats: 'three' } })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['customFields', 'seats'] }],
    })
  })
})

describe('400', () => {
  it.each([
    ['no name', { name: undefined }, 'VALIDATION_ERROR'],
    ['an empty name', { name: ' ' }, 'VALIDATION_ERROR'],
    ['an amount that is no number', { amount: 'much' }, 'VALIDATION_ERROR'],
    ['an amount beyond what is held', { amount: '1234567890123' }, 'VALIDATION_ERROR'],
    [
      'items that come to more than is held',
      { items: [{ name: 'A', quantity: '999999999999', unitPrice: '999999999999' }] },
      'VALIDATION_ERROR',
    ],
    ['a quantity below zero', { items: [{ name: 'A', quantity: '-1' }] }, 'VALIDATION_ERROR'],
    ['a probability over 100', { probability: 101 }, 'VALIDATION_ERROR'],
    ['a day that is none', { expectedCloseDate: '2026-02-30' }, 'VALIDATION_ERROR'],
    ['the year 0000', { expectedCloseDate: '0000-02-03' }, 'VALIDATION_ERROR'],
    ['a status that the stage does not have', { stageId: discovery, status: 'WON' }, 'VALIDATION_ERROR'],
    ['a currency in small letters', { currency: 'eur' }, 'VALIDATION_ERROR'],
    ['an unknown currency', { currency: 'XQQ' }, 'INVALID_CURRENCY'],
    ['an unknown stage', { stageId: unknownId }, 'STAGE_NOT_FOUND'],
    ['a stage of leads', { stageId: stageOfLeads }, 'STAGE_NOT_FOUND'],
    ['an unknown pipeline', { pipelineId: unknownId }, 'INVALID_REFERENCE'],
    ['a pipeline of leads', { pipelineId: workspace.leadPipelineId }, 'INVALID_REFERENCE'],
    ['an unknown owner', { ownerId: unknownId }, 'INVALID_REFERENCE'],
    ['an unknown contact', { contactId: unknownId }, 'INVALID_REFERENCE'],
    ['an unknown company', { companyId: unknownId }, 'INVALID_REFERENCE'],
    ['an unknown lead', { leadId: unknownId }, 'INVALID_REFERENCE'],
    ['an unknown product', { items: [{ name: 'A', productId: unknownId }] }, 'INVALID_REFERENCE'],
  ])('for %s', async (_what, body, code) => {
    expect(await create({ name: 'Refused', ...body })).toMatchObject({ status: 400, body: { code } })
  })

  it('for a contact that the caller may not see, as if there were none', async () => {
    const contactId = await createContact(api)
    const access = [{ entityType: 'CONTACT', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }] as never
    const { id } = await workspace.employee({
      grant: { permissions: ['VIEW_DEAL', 'CREATE_DEAL', 'VIEW_CONTACT'], access },
    })
    const narrow = (await workspace.apiKey({ ownerId: id })).key
    expect(await create({ name: 'Curious', contactId }, narrow)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'contactId' } },
    })
  })

  it('for a field that the stage requires', async () => {
    const { body } = await call({
      method: 'POST',
      path: '/api/pipelines',
      key,
      body: {
        name: 'Strict deals',
        entityType: 'DEAL',
        stages: [{ name: 'One', requiredFields: ['amount', 'contactId'] }],
      },
    })
    const refused = await create({ name: 'Poor', pipelineId: body.data.id })
    expect(refused.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['amount'], code: 'required' }, { path: ['contactId'] }],
    })
    expect(
      (await create({ name: 'Rich', pipelineId: body.data.id, amount: '1', contactId: await createContact(api) }))
        .status,
    ).toBe(201)
    const plain = (await create({ name: 'Plain' })).body.data.id
    const { stages } = body.data
    const set = { pipelineId: body.data.id, stageId: stages[0].id }
    const many = await call({ method: 'PATCH', path: '/api/deals', key, body: { ids: [plain], set } })
    expect(many.body.data.results).toEqual([
      {
        id: plain,
        status: 'ERROR',
        code: 'VALIDATION_ERROR',
        message: 'Amount: The stage requires this field; Contact: The stage requires this field',
      },
    ])
  })
})
