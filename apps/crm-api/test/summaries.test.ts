import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { createCompany, createDeal } from './samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()
const post = (path: string, body: object) => call({ method: 'POST', path, cookie, body })
const field = (name: string, type: string, more: object = {}) =>
  post('/api/settings/custom-fields', { entityType: 'DEAL', key: name, label: name, type, ...more })
await field('margin', 'PERCENTAGE')
await field('colours', 'MULTI_SELECT', {
  options: [
    { value: 'red', label: 'Red' },
    { value: 'blue', label: 'Blue' },
  ],
})
const seller = await workspace.employee()
const companyId = await createCompany(api, { name: 'Acme' })
const { body: known } = await call({ path: '/api/currencies', cookie })
const usd = known.data.find(({ code }: { code: string }) => code === 'USD')
await call({ method: 'PATCH', path: `/api/currencies/${usd.id}`, cookie, body: { rate: '0.9' } })
await createDeal(api, {
  name: 'One',
  amount: '1000.10',
  currency: 'EUR',
  probability: 50,
  companyId,
  tags: ['hot', 'new'],
  customFields: { margin: 10, colours: ['red', 'blue'] },
  expectedCloseDate: '2026-01-31',
})
await createDeal(api, {
  name: 'Two',
  amount: '500.05',
  currency: 'EUR',
  probability: 10,
  tags: ['hot'],
  customFields: { margin: 20.5, colours: ['red'] },
  expectedCloseDate: '2026-02-01',
})
await createDeal(api, {
  name: 'Three',
  amount: '100',
  currency: 'USD',
  status: 'WON',
  ownerId: seller.id,
  expectedCloseDate: '2026-02-28',
})
await createDeal(api, { name: 'Four', currency: 'USD', status: 'LOST' })

const summary = (query = '', credential = key) => call({ path: `/api/deals/summary${query}`, key: credential })
const ok = async (query: string) => {
  const answer = await summary(query)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

describe('200', () => {
  it('leaves out what is empty where it is to be compact', async () => {
    const { asOf: _, ...body } = await ok('?groupBy=companyId&measures=sum:amount&status=LOST&compact=true')
    expect(body).toEqual({
      groups: [{ by: [{ value: null }], count: 1 }],
      totals: { count: 1 },
      overlapping: false,
      timezone: expect.any(String),
    })
  })

  it('counts and sums up what the list has, money by currency', async () => {
    const { groups, other, totals, overlapping, timezone } = await ok(
      '?measures=count,sum:amount,avg:amount,min:amount,max:expectedCloseDate,weighted:amount,sum:probability,sum:cf_margin',
    )
    expect({ groups, other, overlapping, timezone }).toEqual({
      groups: [],
      other: [],
      overlapping: false,
      timezone: 'UTC',
    })
    expect(totals).toEqual({
      count: 4,
      sum: { amount: { EUR: '1500.15', USD: '100.00' }, probability: '160', cf_margin: '30.5' },
      avg: { amount: { EUR: '750.075', USD: '100.00' } },
      min: { amount: { EUR: '500.05', USD: '100.00' } },
      max: { expectedCloseDate: '2026-02-28' },
      weighted: { amount: { EUR: '550.055', USD: '100.00' } },
    })
  })

  it('groups by two fields with labels, in their own order', async () => {
    const { groups } = await ok('?groupBy=status,ownerId&measures=sum:amount')
    const admin = { value: workspace.adminUserId, label: 'Ada Admin' }
    expect(groups).toEqual([
      { by: [{ value: 'OPEN' }, admin], count: 2, sum: { amount: { EUR: '1500.15' } } },
      {
        by: [{ value: 'WON' }, { value: seller.id, label: expect.stringContaining('Pat') }],
        count: 1,
        sum: { amount: { USD: '100.00' } },
      },
      { by: [{ value: 'LOST' }, admin], count: 1, sum: { amount: {} } },
    ])
  })

  it('puts dates into buckets of a zone, and weeks where they begin', async () => {
    expect(
      (await ok('?groupBy=expectedCloseDate:month')).groups.map(
        ({ by: [{ value }], count }: { by: [{ value: string }]; count: number }) => [value, count],
      ),
    ).toEqual([
      ['2026-01', 1],
      ['2026-02', 2],
      [null, 1],
    ])
    expect(
      (await ok('?groupBy=expectedCloseDate:week&weekStart=SUNDAY')).groups.map(
        ({ by }: { by: [{ value: string }] }) => by[0].value,
      ),
    ).toEqual(['2026-01-25', '2026-02-01', '2026-02-22', null])
    expect((await ok('?groupBy=expectedCloseDate:quarter')).groups[0].by[0].value).toBe('2026-Q1')
  })

  it('counts a record in each of its tags and once in the totals', async () => {
    const { groups, totals, overlapping } = await ok('?groupBy=tags&measures=sum:amount')
    expect(overlapping).toBe(true)
    expect(
      groups.map(({ by: [{ value }], count }: { by: [{ value: string | null }]; count: number }) => [value, count]),
    ).toEqual([
      ['hot', 2],
      [null, 2],
      ['new', 1],
    ])
    expect(totals).toMatchObject({ count: 4, sum: { amount: { EUR: '1500.15', USD: '100.00' } } })
    expect(
      (await ok('?groupBy=cf_colours')).groups.map(
        ({ by: [{ value }], count }: { by: [{ value: string | null }]; count: number }) => [value, count],
      ),
    ).toEqual([
      ['red', 2],
      [null, 2],
      ['blue', 1],
    ])
  })

  it('folds what lies behind the first values', async () => {
    const { groups, other, totals } = await ok('?groupBy=status&top=1&sort=count:desc&measures=sum:amount')
    expect(groups).toEqual([{ by: [{ value: 'OPEN' }], count: 2, sum: { amount: { EUR: '1500.15' } } }])
    expect(other).toEqual([{ by: [], groups: 2, count: 2, sum: { amount: { USD: '100.00' } } }])
    expect(totals.count).toBe(4)
  })

  it('converts into one currency, rounded once', async () => {
    const { totals, rates } = await ok('?measures=sum:amount,avg:amount&convertTo=USD')
    expect(totals).toEqual({ count: 4, sum: { amount: { USD: '1766.83' } }, avg: { amount: { USD: '588.94' } } })
    expect(rates).toEqual({ EUR: '1.111111111111', USD: '1' })
  })

  it('takes the filters of the list, strictly', async () => {
    expect((await ok('?cf_marginMin=15&tag=hot')).totals.count).toBe(1)
    expect((await ok(`?companyId=${companyId}&groupBy=companyId`)).groups).toEqual([
      { by: [{ value: companyId, label: 'Acme' }], count: 1 },
    ])
  })

  it('shows no name of a record out of sight', async () => {
    const { id } = await workspace.employee({
      grant: {
        permissions: ['VIEW_DEAL'],
        access: [{ entityType: 'DEAL', VIEW: 'ALL', UPDATE: 'NONE', DELETE: 'NONE' }],
      },
    })
    const { key: other } = await workspace.apiKey({ ownerId: id })
    expect((await summary('?groupBy=companyId', other)).body.groups).toContainEqual({
      by: [{ value: companyId, label: null }],
      count: 1,
    })
  })
})

describe('400', () => {
  it.each([
    ['groupBy=createdAt', 'INVALID_QUERY_PARAM'],
    ['groupBy=createdAt:century', 'INVALID_QUERY_PARAM'],
    ['groupBy=createdAt:month,expectedCloseDate', 'INVALID_QUERY_PARAM'],
    ['groupBy=status:month', 'INVALID_QUERY_PARAM'],
    ['groupBy=name', 'INVALID_QUERY_PARAM'],
    ['groupBy=searchText', 'INVALID_QUERY_PARAM'],
    ['groupBy=status,status', 'INVALID_QUERY_PARAM'],
    ['groupBy=status,tags,ownerId', 'INVALID_QUERY_PARAM'],
    ['groupBy=tags,cf_colours', 'INVALID_QUERY_PARAM'],
    ['groupBy=cf_moon', 'INVALID_QUERY_PARAM'],
    ['measures=sum:name', 'INVALID_QUERY_PARAM'],
    ['measures=median:amount', 'INVALID_QUERY_PARAM'],
    ['measures=avg:createdAt', 'INVALID_QUERY_PARAM'],
    ['measures=weighted:probability', 'INVALID_QUERY_PARAM'],
    [
      'measures=count,sum:amount,avg:amount,min:amount,max:amount,weighted:amount,sum:probability,avg:probability,min:probability',
      'INVALID_QUERY_PARAM',
    ],
    ['top=3', 'INVALID_QUERY_PARAM'],
    ['groupBy=status&top=0', 'INVALID_QUERY_PARAM'],
    ['groupBy=status&top=501', 'INVALID_QUERY_PARAM'],
    ['groupBy=status&sort=amount:desc', 'INVALID_QUERY_PARAM'],
    ['groupBy=status&measures=sum:amount&sort=sum:amount:desc', 'INVALID_QUERY_PARAM'],
    ['timezone=Mars/Phobos', 'INVALID_QUERY_PARAM'],
    ['weekStart=FRIDAY', 'INVALID_QUERY_PARAM'],
    ['page=1', 'UNKNOWN_QUERY_PARAM'],
    ['fields=name', 'UNKNOWN_QUERY_PARAM'],
    ['groupBy=status&groupBy=tags', 'DUPLICATE_QUERY_PARAM'],
    ['cf_moon=1', 'UNKNOWN_CUSTOM_FIELD_FILTER'],
    ['createdFrom=-1x', 'INVALID_QUERY_PARAM'],
    ['createdFrom=startOfDecade', 'INVALID_QUERY_PARAM'],
    ['convertTo=euro', 'INVALID_QUERY_PARAM'],
  ])('for %s', async (query, code) => {
    expect(await summary(`?${query}`)).toMatchObject({ status: 400, body: { code } })
  })

  it('RATE_MISSING names the currencies without a rate', async () => {
    expect(await summary('?measures=sum:amount&convertTo=CHF')).toMatchObject({
      status: 400,
      body: { code: 'RATE_MISSING', details: { currencies: ['CHF'] } },
    })
  })
})
