import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createContact, createDeal, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()
await call({
  method: 'POST',
  path: '/api/settings/custom-fields',
  cookie,
  body: { entityType: 'DEAL', key: 'margin', label: 'Margin', type: 'PERCENTAGE' },
})
const contactId = await createContact(api)
const companyId = await createCompany(api)
const seller = await workspace.employee({ departmentId: await workspace.department('Sales') })
const big = await createDeal(api, {
  name: 'Überraschung',
  amount: '50000.50',
  expectedCloseDate: '2027-03-01',
  contactId,
  currency: 'USD',
  customFields: { margin: 30 },
})
const small = await createDeal(api, {
  name: 'Snack',
  amount: '9.99',
  expectedCloseDate: '2026-03-01',
  companyId,
  status: 'WON',
  ownerId: seller.id,
  customFields: { margin: 5 },
})
const list = (query = '', credential = key) => call({ path: `/api/deals${query}`, key: credential })
const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id)

describe('200', () => {
  it('answers the envelope, newest first, 50 a page', async () => {
    const answer = await list()
    expect(answer.body).toMatchObject({ total: 2, page: 1, pageSize: 50, pageCount: 1 })
    expect(ids(answer)).toEqual([small, big])
  })

  it.each([
    ['status=WON', [small]],
    ['amountMin=10', [big]],
    ['amountMax=9.99', [small]],
    ['amountMin=10&amountMax=20', []],
    ['expectedCloseFrom=2026-03-02', [big]],
    ['expectedCloseTo=2026-03-01', [small]],
    ['expectedCloseFrom=-50y&expectedCloseTo=50y', [small, big]],
    ['expectedCloseTo=-50y', []],
    ['currency=USD', [big]],
    [`contactId=${contactId}`, [big]],
    [`companyId=${companyId}`, [small]],
    [`leadId=${unknownId}`, []],
    [`ownerId=${seller.id}`, [small]],
    [`pipelineId=${workspace.dealPipelineId}&status=OPEN`, [big]],
    ['search=uberrasch', [big]],
    ['cf_marginMin=10', [big]],
    ['cf_marginMax=10&status=WON&amountMax=100', [small]],
  ])('filters by %s', async (query, expected) => {
    const answer = await list(`?${query}`)
    expect({ status: answer.status, ids: ids(answer), total: answer.body.total }).toEqual({
      status: 200,
      ids: expected,
      total: expected.length,
    })
  })

  it.each([
    ['name', 'asc', [small, big]],
    ['amount', 'desc', [big, small]],
    ['expectedCloseDate', 'asc', [small, big]],
    ['cf_margin', 'asc', [small, big]],
  ])('sorts by %s %s', async (sortBy, sortOrder, expected) => {
    expect(ids(await list(`?sortBy=${sortBy}&sortOrder=${sortOrder}`))).toEqual(expected)
  })
})

describe('400', () => {
  it.each([
    ['createdFrom=0000-01-01', 'INVALID_QUERY_PARAM'],
    ['createdTo=9999-12-31T23:59:59-23:00', 'INVALID_QUERY_PARAM'],
    ['expectedCloseTo=0000-01-01', 'INVALID_QUERY_PARAM'],
    ['pageSize=101', 'INVALID_QUERY_PARAM'],
    ['sortBy=secret', 'INVALID_QUERY_PARAM'],
    ['amountMin=much', 'INVALID_QUERY_PARAM'],
    ['status=GREAT', 'INVALID_QUERY_PARAM'],
    ['expectedCloseFrom=soon', 'INVALID_QUERY_PARAM'],
    ['cf_moon=1', 'UNKNOWN_CUSTOM_FIELD_FILTER'],
    ['colour=red', 'UNKNOWN_QUERY_PARAM'],
    ['status=WON&status=LOST', 'DUPLICATE_QUERY_PARAM'],
  ])('for %s', async (query, code) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { code } })
  })
  it('INVALID_ID for an id that is none', async () => expect((await list('?contactId=x')).body.code).toBe('INVALID_ID'))
})

describe('visibility', () => {
  const levels = { NONE: 403, OWN: [], DEPARTMENT: [small], DEPARTMENT_TREE: [small], ALL: [small, big] } as const

  it.each(Object.entries(levels))('level %s sees just that, in items and total', async (level, expected) => {
    const { departmentId } = (await call({ path: `/api/deals/${small}`, key })).body.data
    const access = [{ entityType: 'DEAL', VIEW: level, UPDATE: 'NONE', DELETE: 'NONE' }] as never
    const person = await workspace.employee({ grant: { permissions: ['VIEW_DEAL'], access }, departmentId })
    const answer = await list('', (await workspace.apiKey({ ownerId: person.id })).key)
    if (expected === 403) expect(answer).toMatchObject({ status: 403, body: { code: 'ACCESS_LEVEL_NONE' } })
    else expect({ ids: ids(answer), total: answer.body.total }).toEqual({ ids: expected, total: expected.length })
  })
})
