import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()
const list = async (query = '') => call({ path: `/api/leads${query}`, key })

const sales = await workspace.department('Sales')
const inside = await workspace.department('Inside sales', sales)
const seller = await workspace.employee({ departmentId: inside })
for (const field of [
  {
    entityType: 'LEAD',
    key: 'plan',
    label: 'Plan',
    type: 'SELECT',
    options: [
      { value: 'basic', label: 'Basic' },
      { value: 'pro', label: 'Pro' },
    ],
  },
  { entityType: 'LEAD', key: 'seats', label: 'Seats', type: 'NUMBER' },
  {
    entityType: 'LEAD',
    key: 'likes',
    label: 'Likes',
    type: 'MULTI_SELECT',
    options: [
      { value: 'tea', label: 'Tea' },
      { value: 'jam', label: 'Jam' },
    ],
  },
  { entityType: 'LEAD', key: 'vip', label: 'VIP', type: 'BOOLEAN' },
  { entityType: 'LEAD', key: 'renewal', label: 'Renewal', type: 'DATE' },
]) {
  await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: field })
}
const zoe = await createLead(api, {
  firstName: 'Zoë',
  lastName: 'Müller',
  companyName: 'Ünal & Söhne',
  email: 'zoe@muller.example',
  phone: '+4915112345678',
  temperature: 'HOT',
  customFields: { plan: 'pro', seats: 25, likes: ['tea', 'jam'], vip: true, renewal: '2027-03-01' },
})
const bob = await createLead(api, {
  firstName: 'Bob',
  lastName: 'Stone',
  ownerId: seller.id,
  temperature: 'COLD',
  status: 'QUALIFIED',
  customFields: { plan: 'basic', seats: 3, likes: ['jam'], vip: false, renewal: '2026-01-01' },
})
const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id).toSorted()

describe('200', () => {
  it('answers the envelope, newest first, 20 a page', async () => {
    const { body } = await list()
    expect(body).toMatchObject({ total: 2, page: 1, pageSize: 20, pageCount: 1 })
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([bob, zoe])
  })

  it('answers a page past the end with no items and the true total', async () => {
    expect((await list('?page=7&pageSize=1')).body).toMatchObject({ items: [], total: 2, page: 7, pageCount: 2 })
    expect((await list('?page=7&search=stone')).body).toMatchObject({ items: [], total: 1 })
  })

  it.each([
    ['status=QUALIFIED', [bob]],
    ['temperature=HOT', [zoe]],
    [`ownerId=${seller.id}`, [bob]],
    [`departmentId=${inside}`, [bob]],
    [`pipelineId=${workspace.leadPipelineId}`, [bob, zoe]],
    [`stageId=${unknownId}`, []],
    ['createdFrom=2020-01-01T00:00:00Z&createdTo=2020-12-31', []],
    ['createdFrom=2020-01-01', [bob, zoe]],
    ['createdFrom=today-1d', [bob, zoe]],
    ['createdFrom=-1h&createdTo=endOfYear', [bob, zoe]],
    ['createdTo=startOfMonth-1m', []],
    ['createdFrom=%2B1q', []],
    ['createdFrom=+1q', []],
    ['cf_renewalFrom=2027-03-01&cf_renewalTo=+30y', [zoe]],
    ['cf_renewalTo=-100y', []],
    ['search=muller', [zoe]],
    ['search=ZOE%20unal', [zoe]],
    ['search=0151%2F123-456', [zoe]],
    ['search=zoe@', [zoe]],
    ['search=%25', []],
    ['cf_plan=pro', [zoe]],
    ['cf_seatsMin=3&cf_seatsMax=10', [bob]],
    ['cf_likes=tea,cheese', [zoe]],
    ['cf_likes=jam', [bob, zoe]],
    ['cf_vip=false', [bob]],
    ['cf_renewalFrom=2026-06-01', [zoe]],
    ['cf_moon=1', [bob, zoe]],
  ])('filters by %s', async (query, expected) => {
    const answer = await list(`?${query}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(ids(answer)).toEqual([...expected].toSorted())
    expect(answer.body.total).toBe(expected.length)
  })

  it.each([
    ['lastName', 'asc', [zoe, bob]],
    ['createdAt', 'asc', [zoe, bob]],
    ['score', 'desc', [zoe, bob]],
    ['cf_seats', 'asc', [bob, zoe]],
  ])('sorts by %s %s', async (sortBy, sortOrder, expected) => {
    const { body } = await list(`?sortBy=${sortBy}&sortOrder=${sortOrder}`)
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(expected)
  })

  it('keeps its totals exact through changes and deletes', async () => {
    const before = (await list('?temperature=WARM')).body.total as number
    const id = await createLead(api, { temperature: 'WARM' })
    expect((await list('?temperature=WARM')).body.total).toBe(before + 1)
    await call({ method: 'PATCH', path: `/api/leads/${id}`, key, body: { temperature: 'COLD' } })
    expect((await list('?temperature=WARM')).body.total).toBe(before)
    await call({ method: 'DELETE', path: `/api/leads/${id}`, key })
    expect((await list()).body.total).toBe(2)
    expect((await list('?status=NEW')).body.total).toBe(1)
  })
})

describe('400', () => {
  it.each([
    ['pageSize=101', 'pageSize'],
    ['pageSize=0', 'pageSize'],
    ['page=0', 'page'],
    ['page=two', 'page'],
    ['status=GREAT', 'status'],
    ['sortBy=secret', 'sortBy'],
    ['sortBy=cf_moon', 'sortBy'],
    ['sortOrder=up', 'sortOrder'],
    ['createdFrom=yesterday', 'createdFrom'],
    ['createdFrom=-1x', 'createdFrom'],
    ['createdTo=startOfDecade', 'createdTo'],
    ['cf_renewalFrom=now', 'cf_renewalFrom'],
    ['cf_seatsMin=many', 'cf_seatsMin'],
    ['cf_vip=maybe', 'cf_vip'],
  ])('INVALID_QUERY_PARAM for %s', async (query, param) => {
    expect(await list(`?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param, message: expect.any(String) } },
    })
  })

  it('INVALID_ID for a filter that is no id', async () => {
    expect(await list('?ownerId=you')).toMatchObject({ status: 400, body: { code: 'INVALID_ID' } })
  })
})

describe('visibility', () => {
  const levels = { NONE: 403, OWN: [bob], DEPARTMENT: [bob], DEPARTMENT_TREE: [bob], ALL: [bob, zoe] } as const

  it.each(Object.entries(levels))('level %s sees just that, in items and total', async (level, expected) => {
    const grant = {
      permissions: ['VIEW_LEAD'],
      access: [{ entityType: 'LEAD', VIEW: level, UPDATE: 'NONE', DELETE: 'NONE' }],
    } as never
    const person =
      level === 'OWN'
        ? undefined
        : await workspace.employee({ grant, departmentId: level === 'DEPARTMENT' ? inside : sales })
    const ownerId = person?.id ?? (await ownerWith(grant))
    const answer = await call({ path: '/api/leads', key: (await workspace.apiKey({ ownerId })).key })
    if (expected === 403)
      return expect(answer).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'VIEW_LEAD' },
      })
    const wanted = level === 'OWN' ? await ownedBy(ownerId) : level === 'ALL' ? ids(await list()) : expected
    expect(ids(answer)).toEqual([...wanted].toSorted())
    expect(answer.body.total).toBe(wanted.length)
    const found = await call({ path: '/api/leads?search=m', key: (await workspace.apiKey({ ownerId })).key })
    expect(found.body.total).toBe(found.body.items.length)
    const hidden = await call({ path: `/api/leads/${zoe}`, key: (await workspace.apiKey({ ownerId })).key })
    expect(hidden.status).toBe(level === 'ALL' ? 200 : 404)
  })

  async function ownerWith(grant: never): Promise<string> {
    const person = await workspace.employee({ grant })
    await createLead(api, { lastName: 'Owned', ownerId: person.id })
    return person.id
  }

  async function ownedBy(ownerId: string): Promise<string[]> {
    return ids(await list(`?ownerId=${ownerId}`))
  }
})
