import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createPriceList, createProduct, createRecord, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const resolve = (params: Record<string, string>, credential = key) =>
  call({ path: `/api/prices/resolve?${new URLSearchParams(params)}`, key: credential })
const priced = async (params: Record<string, string>) => (await resolve(params)).body.data
const entry = (priceListId: string, productId: string, rest: object) =>
  createRecord(api, '/api/price-list-entries', { priceListId, productId, ...rest })
const tier = (entryId: string, minQuantity: string, maxQuantity: string | null, price: string) =>
  createRecord(api, '/api/price-list-entry-tiers', { entryId, minQuantity, maxQuantity, price })

describe('GET /api/prices/resolve', () => {
  it('goes from the list of the company over the largest priority and the default list to the base price', async () => {
    const productId = await createProduct(api, { basePrice: '100' })
    const companyId = await createCompany(api)
    expect(await priced({ productId })).toEqual({
      productId,
      quantity: '1',
      currency: 'EUR',
      unitPrice: '100.00',
      total: '100.00',
      source: null,
    })
    const standard = await createPriceList(api, { isDefault: true })
    const standardEntry = await entry(standard, productId, { price: '90' })
    expect(await priced({ productId, quantity: '3' })).toMatchObject({
      unitPrice: '90.00',
      total: '270.00',
      source: { priceListId: standard, entryId: standardEntry, tierId: null },
    })
    const low = await createPriceList(api, { priority: 1 })
    await entry(low, productId, { price: '80' })
    const high = await createPriceList(api, { priority: 5 })
    await entry(high, productId, { mode: 'PERCENT_OFF', percent: '25' })
    expect(await priced({ productId })).toMatchObject({ unitPrice: '75.00', source: { priceListId: high } })
    const own = await createPriceList(api, { companyIds: [companyId], priority: -3 })
    await entry(own, productId, { price: '60' })
    expect(await priced({ productId, companyId })).toMatchObject({ unitPrice: '60.00', source: { priceListId: own } })
    expect(await priced({ productId })).toMatchObject({ source: { priceListId: high } })
    await call({ method: 'PATCH', path: `/api/price-lists/${high}`, key, body: { isActive: false } })
    expect(await priced({ productId })).toMatchObject({ source: { priceListId: low } })
    for (const id of [low, standard]) await call({ method: 'DELETE', path: `/api/price-lists/${id}`, key })
    expect(await priced({ productId })).toMatchObject({ unitPrice: '100.00', source: null })
  })

  it('by volume and graduated tiers', async () => {
    const productId = await createProduct(api)
    const list = await createPriceList(api, { priority: 100 })
    const entryId = await entry(list, productId, { price: '10' })
    await tier(entryId, '1', '10', '9')
    const second = await tier(entryId, '11', null, '7.5')
    expect(await priced({ productId, quantity: '15' })).toMatchObject({
      unitPrice: '7.50',
      total: '112.50',
      source: { tierId: second },
    })
    await call({ method: 'PATCH', path: `/api/price-list-entries/${entryId}`, key, body: { tierMode: 'GRADUATED' } })
    expect(await priced({ productId, quantity: '15' })).toMatchObject({
      unitPrice: '8.50',
      total: '127.50',
      source: { tierId: second },
    })
    expect(await priced({ productId, quantity: '0.5' })).toMatchObject({
      unitPrice: '10.00',
      total: '5.00',
      source: { tierId: null },
    })
  })

  it('at a time, the end not included', async () => {
    const productId = await createProduct(api, { basePrice: '100' })
    const summer = await createPriceList(api, {
      startsAt: '2030-06-01T00:00:00Z',
      endsAt: '2030-09-01T00:00:00Z',
      priority: 50,
    })
    await entry(summer, productId, { price: '70' })
    const at = async (when: string) => (await priced({ productId, at: when })).unitPrice
    expect(await at('2030-05-31T23:59:59.999Z')).toBe('100.00')
    expect(await at('2030-06-01T02:00:00+02:00')).toBe('70.00')
    expect(await at('2030-08-31T23:59:59.999Z')).toBe('70.00')
    expect(await at('2030-09-01T00:00:00Z')).toBe('100.00')
  })

  it('in a currency: nothing is converted', async () => {
    const productId = await createProduct(api, { basePrice: '100' })
    expect(await priced({ productId, currency: 'JPY' })).toEqual({
      productId,
      quantity: '1',
      currency: 'JPY',
      unitPrice: null,
      total: null,
      source: null,
    })
    const yen = await createPriceList(api, { currency: 'JPY' })
    await entry(yen, productId, { price: '15000' })
    expect(await priced({ productId, currency: 'JPY', quantity: '1.5' })).toMatchObject({
      unitPrice: '15000',
      total: '22500',
      source: { priceListId: yen },
    })
  })

  it.each([
    ['no quantity at all', { quantity: '0' }, 'INVALID_QUERY_PARAM'],
    ['a negative quantity', { quantity: '-1' }, 'INVALID_QUERY_PARAM'],
    ['a quantity of 13 digits', { quantity: '1234567890123' }, 'INVALID_QUERY_PARAM'],
    ['an unknown currency', { currency: 'XQQ' }, 'INVALID_CURRENCY'],
    ['a time that is none', { at: 'now' }, 'INVALID_QUERY_PARAM'],
  ])('400 for %s', async (_what, params, code) => {
    expect(await resolve({ productId: await createProduct(api), ...params })).toMatchObject({
      status: 400,
      body: { code },
    })
  })

  it('404 for a product or a company that is not there, deleted, or out of sight', async () => {
    const productId = await createProduct(api)
    expect((await resolve({ productId: unknownId })).body.code).toBe('NOT_FOUND')
    expect((await resolve({ productId, companyId: unknownId })).body.code).toBe('NOT_FOUND')
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['VIEW_PRODUCT', 'VIEW_PRICE_LIST'],
        access: [{ entityType: 'PRODUCT', VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }],
      },
    })
    expect((await resolve({ productId }, (await workspace.apiKey({ ownerId })).key)).status).toBe(404)
    await call({ method: 'DELETE', path: `/api/products/${productId}`, key })
    expect((await resolve({ productId })).status).toBe(404)
  })
})

describe('GET /api/prices', () => {
  it('lists what active products cost, by name', async () => {
    const categoryId = await createRecord(api, '/api/product-categories', { name: 'Listed' })
    const [b, a] = [
      await createProduct(api, { name: 'B', categoryId, basePrice: '2', sku: 'B-1' }),
      await createProduct(api, { name: 'A', categoryId }),
    ]
    await createProduct(api, { name: 'C', categoryId, basePrice: '3', status: 'ARCHIVED' })
    const list = await createPriceList(api, { priority: 1000 })
    await entry(list, b, { mode: 'PERCENT_OFF', percent: '50' })
    const { body } = await call({ path: `/api/prices?categoryId=${categoryId}&quantity=4`, key })
    expect(body).toMatchObject({
      total: 2,
      page: 1,
      pageCount: 1,
      items: [
        {
          productId: a,
          name: 'A',
          sku: null,
          quantity: '4',
          currency: 'EUR',
          unitPrice: null,
          total: null,
          source: null,
        },
        { productId: b, name: 'B', sku: 'B-1', unitPrice: '1.00', total: '4.00', source: { priceListId: list } },
      ],
    })
    expect((await call({ path: `/api/prices?productId=${b}`, key })).body.items).toMatchObject([
      { productId: b, unitPrice: '1.00' },
    ])
  })
})
