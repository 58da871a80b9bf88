import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createContact, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()
const list = async (query = '', credential = key) => call({ path: `/api/contacts${query}`, key: credential })

const sales = await workspace.department('Sales')
const seller = await workspace.employee({
  departmentId: sales,
  grant: {
    permissions: ['VIEW_CONTACT'],
    access: [{ entityType: 'CONTACT', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }],
  },
})
for (const field of [
  {
    entityType: 'CONTACT',
    key: 'plan',
    label: 'Plan',
    type: 'SELECT',
    options: [
      { value: 'basic', label: 'Basic' },
      { value: 'pro', label: 'Pro' },
    ],
  },
  { entityType: 'CONTACT', key: 'seats', label: 'Seats', type: 'NUMBER' },
  {
    entityType: 'CONTACT',
    key: 'likes',
    label: 'Likes',
    type: 'MULTI_SELECT',
    options: [
      { value: 'tea', label: 'Tea' },
      { value: 'jam', label: 'Jam' },
    ],
  },
  { entityType: 'CONTACT', key: 'vip', label: 'VIP', type: 'BOOLEAN' },
  { entityType: 'CONTACT', key: 'renewal', label: 'Renewal', type: 'DATE' },
]) {
  await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: field })
}
const companyId = await createCompany(api)
const zoe = await createContact(api, {
  firstName: 'Zoë',
  lastName: 'Müller',
  email: 'zoe@muller.example',
  emails: ['Zoe.Private@home.example'],
  phone: '+4915112345678',
  phones: ['+4930901820'],
  companyId,
  customFields: { plan: 'pro', seats: 25, likes: ['tea', 'jam'], vip: true, renewal: '2027-03-01' },
})
const bob = await createContact(api, {
  firstName: 'Bob',
  lastName: 'Stone',
  ownerId: seller.id,
  customFields: { plan: 'basic', seats: 3, likes: ['jam'], vip: false, renewal: '2026-01-01' },
})
const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id)

describe('200', () => {
  it('answers the envelope, newest first, 50 a page', async () => {
    const answer = await list()
    expect(answer.body).toMatchObject({ total: 2, page: 1, pageSize: 50, pageCount: 1 })
    expect(ids(answer)).toEqual([bob, zoe])
  })

  it('answers a page past the end with no items and the true total', async () => {
    expect((await list('?page=7&pageSize=1')).body).toMatchObject({ items: [], total: 2, page: 7, pageCount: 2 })
  })

  it.each([
    [`ownerId=${seller.id}`, [bob]],
    [`departmentId=${sales}`, [bob]],
    [`companyId=${companyId}`, [zoe]],
    [`companyId=${unknownId}`, []],
    ['email=ZOE@muller.example', [zoe]],
    ['email=zoe.private@HOME.example', [zoe]],
    ['email=private@home.example', []],
    ['phone=%2B49%20151%2012345678', [zoe]],
    ['phone=%2B4930901820', [zoe]],
    ['phone=%2B49309018', []],
    ['createdFrom=2020-01-01&createdTo=2020-12-31', []],
    ['search=muller', [zoe]],
    ['search=private%40home', [zoe]],
    ['search=0151%2F123-456', [zoe]],
    ['cf_plan=pro', [zoe]],
    ['cf_seatsMin=3&cf_seatsMax=10', [bob]],
    ['cf_likes=tea,cheese', [zoe]],
    ['cf_vip=false', [bob]],
    ['cf_renewalFrom=2026-06-01', [zoe]],
    ['sortBy=lastName&sortOrder=asc', [zoe, bob]],
    ['sortBy=cf_seats&sortOrder=asc', [bob, zoe]],
  ])('answers %s', async (query, expected) => {
    const answer = await list(`?${query}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(ids(answer)).toEqual(expected)
    expect(answer.body.total).toBe(expected.length)
  })

  it('shows and counts only what the caller may see', async () => {
    const own = (await workspace.apiKey({ ownerId: seller.id })).key
    for (const query of ['', '?search=o', '?cf_vip=true', `?companyId=${companyId}`, '?email=zoe@muller.example']) {
      const answer = await list(query, own)
      expect(ids(answer)).not.toContain(zoe)
      expect(answer.body.total).toBe(ids(answer).length)
    }
  })
})

describe('400', () => {
  it.each([
    ['pageSize=101', 'INVALID_QUERY_PARAM', { param: 'pageSize' }],
    ['pageSize=0', 'INVALID_QUERY_PARAM', { param: 'pageSize' }],
    ['page=0', 'INVALID_QUERY_PARAM', { param: 'page' }],
    ['sortBy=shoeSize', 'INVALID_QUERY_PARAM', { param: 'sortBy' }],
    ['sortBy=cf_moon', 'INVALID_QUERY_PARAM', { param: 'sortBy' }],
    ['sortOrder=up', 'INVALID_QUERY_PARAM', { param: 'sortOrder' }],
    ['createdFrom=yesterday', 'INVALID_QUERY_PARAM', { param: 'createdFrom' }],
    ['cf_seatsMin=many', 'INVALID_QUERY_PARAM', { param: 'cf_seatsMin' }],
    ['cf_vip=perhaps', 'INVALID_QUERY_PARAM', { param: 'cf_vip' }],
    ['cf_moon=1', 'UNKNOWN_CUSTOM_FIELD_FILTER', { unknownParams: ['cf_moon'] }],
    ['cf_seats=3', 'UNKNOWN_CUSTOM_FIELD_FILTER', { unknownParams: ['cf_seats'] }],
    ['status=NEW', 'UNKNOWN_QUERY_PARAM', { unknownParams: ['status'] }],
    ['page=1&page=2', 'DUPLICATE_QUERY_PARAM', { duplicatedParams: ['page'] }],
    ['cf_plan=pro&cf_plan=basic', 'DUPLICATE_QUERY_PARAM', { duplicatedParams: ['cf_plan'] }],
  ])('%s is refused with %s', async (query, code, details) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { code, details } })
  })

  it('an id that is none', async () => {
    for (const param of ['ownerId', 'companyId'])
      expect(await list(`?${param}=x`)).toMatchObject({ status: 400, body: { code: 'INVALID_ID' } })
  })
})
