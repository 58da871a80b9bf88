import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createPriceList, createProduct, createRecord, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const [lists, entries, tiers] = ['/api/price-lists', '/api/price-list-entries', '/api/price-list-entry-tiers'] as const
const create = (path: string, body: unknown, credential = key) => call({ method: 'POST', path, key: credential, body })
const change = (path: string, id: string, body: unknown, credential = key) =>
  call({ method: 'PATCH', path: `${path}/${id}`, key: credential, body })
const remove = (path: string, id: string, credential = key) =>
  call({ method: 'DELETE', path: `${path}/${id}`, key: credential })
const read = async (path: string, id: string) => (await call({ path: `${path}/${id}`, key })).body.data
const entryOf = async (rest: object = {}) =>
  createRecord(api, entries, {
    priceListId: await createPriceList(api),
    productId: await createProduct(api),
    price: '10',
    ...rest,
  })

describe('/api/price-lists', () => {
  it('has every default, and the usual envelope', async () => {
    const { status, body } = await create(lists, { name: ' Retail ' })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: {
        name: 'Retail',
        currency: 'EUR',
        isDefault: false,
        isActive: true,
        priority: 0,
        startsAt: null,
        endsAt: null,
        companyIds: [],
        version: 1,
        ownerId: workspace.adminUserId,
      },
    })
    expect((await call({ path: `${lists}?search=retail`, key })).body).toMatchObject({
      total: 1,
      page: 1,
      pageCount: 1,
    })
  })

  it('one list of a currency is the default: a new one takes the place', async () => {
    const first = await createPriceList(api, { isDefault: true })
    const dollars = await createPriceList(api, { isDefault: true, currency: 'USD' })
    const second = await createPriceList(api, { isDefault: true })
    const flags = async () => Promise.all([first, second, dollars].map(async (id) => (await read(lists, id)).isDefault))
    expect(await flags()).toEqual([false, true, true])
    await change(lists, first, { isDefault: true })
    expect(await flags()).toEqual([true, false, true])
    await change(lists, dollars, { currency: 'EUR' })
    expect(await flags()).toEqual([false, false, true])
    await Promise.all(Array.from({ length: 8 }, () => createPriceList(api, { isDefault: true })))
    expect((await call({ path: `${lists}?isDefault=true&currency=EUR`, key })).body.total).toBe(1)
  })

  it.each([
    [
      'an end before the start',
      { startsAt: '2026-02-01T00:00:00Z', endsAt: '2026-01-01T00:00:00Z' },
      'VALIDATION_ERROR',
    ],
    ['an unknown currency', { currency: 'XQQ' }, 'INVALID_CURRENCY'],
    ['an unknown company', { companyIds: [unknownId] }, 'INVALID_REFERENCE'],
    ['a priority that is no whole number', { priority: 1.5 }, 'VALIDATION_ERROR'],
  ])('400 for %s', async (_what, body, code) => {
    expect(await create(lists, { name: 'X', ...body })).toMatchObject({ status: 400, body: { code } })
  })

  it('checks a changed start against the end that stays', async () => {
    const id = await createPriceList(api, { endsAt: '2026-01-01T00:00:00Z' })
    expect((await change(lists, id, { startsAt: '2026-06-01T00:00:00Z' })).body.code).toBe('VALIDATION_ERROR')
    expect((await change(lists, id, { startsAt: '2026-06-01T00:00:00+02:00', endsAt: null })).body.data).toMatchObject({
      startsAt: '2026-05-31T22:00:00.000Z',
      endsAt: null,
    })
  })

  it('follows its companies when they are merged', async () => {
    const [kept, merged, other] = [await createCompany(api), await createCompany(api), await createCompany(api)]
    const [one, both] = [
      await createPriceList(api, { companyIds: [merged, other] }),
      await createPriceList(api, { companyIds: [kept, merged] }),
    ]
    expect(
      (await call({ method: 'POST', path: `/api/companies/${kept}/merge`, key, body: { sourceIds: [merged] } })).status,
    ).toBe(200)
    expect((await read(lists, one)).companyIds.toSorted()).toEqual([kept, other].toSorted())
    expect((await read(lists, both)).companyIds).toEqual([kept])
  })

  it('is found by its companies, and takes its entries with it', async () => {
    const companyId = await createCompany(api)
    const id = await createPriceList(api, { companyIds: [companyId, companyId] })
    expect((await call({ path: `${lists}?companyId=${companyId}`, key })).body.items).toMatchObject([
      { id, companyIds: [companyId] },
    ])
    const entry = await createRecord(api, entries, {
      priceListId: id,
      productId: await createProduct(api),
      price: '10',
    })
    await remove(lists, id)
    expect((await call({ path: `${entries}/${entry}`, key })).status).toBe(404)
    expect((await change(entries, entry, { price: '9' })).status).toBe(404)
  })
})

describe('/api/price-list-entries', () => {
  it('a price or per cent off, as the mode says', async () => {
    const priceListId = await createPriceList(api, { currency: 'USD' })
    const made = await create(entries, { priceListId, productId: await createProduct(api), price: '9.5' })
    expect(made.body.data).toMatchObject({
      priceListId,
      mode: 'FIXED',
      price: '9.50',
      percent: null,
      tierMode: 'VOLUME',
    })
    const off = await create(entries, {
      priceListId,
      productId: await createProduct(api),
      mode: 'PERCENT_OFF',
      percent: '12.5',
      tierMode: 'GRADUATED',
    })
    expect(off.body.data).toMatchObject({ mode: 'PERCENT_OFF', price: null, percent: '12.5', tierMode: 'GRADUATED' })
    expect((await call({ path: `${entries}?priceListId=${priceListId}`, key })).body.total).toBe(2)
    expect((await change(entries, off.body.data.id, { mode: 'FIXED', price: '3' })).body.data).toMatchObject({
      mode: 'FIXED',
      price: '3.00',
      percent: null,
    })
  })

  it.each([
    ['no price', {}, 'price'],
    ['a price and per cent', { price: '1', percent: '1' }, 'percent'],
    ['per cent alone', { percent: '1' }, 'percent'],
    ['a negative price', { price: '-1' }, 'price'],
    ['13 digits', { price: '1234567890123' }, 'price'],
    ['7 decimals', { price: '1.1234567' }, 'price'],
    ['PERCENT_OFF with a price', { mode: 'PERCENT_OFF', price: '1' }, 'price'],
    ['PERCENT_OFF without per cent', { mode: 'PERCENT_OFF' }, 'percent'],
    ['more than all off', { mode: 'PERCENT_OFF', percent: '100.01' }, 'percent'],
  ])('400 VALIDATION_ERROR for %s', async (_what, body, field) => {
    const answer = await create(entries, {
      priceListId: await createPriceList(api),
      productId: await createProduct(api),
      ...body,
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path: [field] }] } })
  })

  it('400 INVALID_REFERENCE for a list or a product of another workspace', async () => {
    const elsewhere = await api.newWorkspace()
    const foreign = {
      ...api,
      key: (await elsewhere.apiKey()).key,
      call: (one: Parameters<typeof call>[0]) => call(one, elsewhere),
    }
    const [priceListId, productId] = [await createPriceList(api), await createProduct(api)]
    const refused = (field: string) => ({ status: 400, body: { code: 'INVALID_REFERENCE', details: { field } } })
    expect(await create(entries, { priceListId, productId: await createProduct(foreign), price: '1' })).toMatchObject(
      refused('productId'),
    )
    expect(await create(entries, { priceListId: await createPriceList(foreign), productId, price: '1' })).toMatchObject(
      refused('priceListId'),
    )
  })

  it('409 NAME_TAKEN for a product that stands in the list', async () => {
    const body = { priceListId: await createPriceList(api), productId: await createProduct(api), price: '1' }
    await create(entries, body)
    expect(await create(entries, body)).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'productId' } },
    })
  })

  it('reach as far as their lists', async () => {
    const id = await entryOf()
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['VIEW_PRICE_LIST', 'UPDATE_PRICE_LIST'],
        access: [{ entityType: 'PRICE_LIST', VIEW: 'ALL', UPDATE: 'OWN', DELETE: 'NONE' }],
      },
    })
    const narrow = (await workspace.apiKey({ ownerId })).key
    expect((await call({ path: `${entries}/${id}`, key: narrow })).status).toBe(200)
    expect([
      (await change(entries, id, { price: '1' }, narrow)).status,
      (await remove(entries, id, narrow)).status,
    ]).toEqual([404, 404])
    const { priceListId } = await read(entries, id)
    expect((await create(entries, { priceListId, productId: unknownId, price: '1' }, narrow)).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'priceListId' },
    })
  })
})

describe('/api/price-list-entry-tiers', () => {
  const tier = (
    entryId: string,
    minQuantity: string,
    maxQuantity: string | null = null,
    rest: object = { price: '5' },
  ) => create(tiers, { entryId, minQuantity, maxQuantity, ...rest })
  const overlap = { status: 409, body: { code: 'TIER_OVERLAP' } }

  it('stand side by side from the smallest, and may leave gaps', async () => {
    const entryId = await entryOf()
    expect((await tier(entryId, '21')).body.data).toMatchObject({
      entryId,
      minQuantity: '21',
      maxQuantity: null,
      price: '5.00',
      percent: null,
    })
    await tier(entryId, '1', '10')
    expect(
      (await call({ path: `${tiers}?entryId=${entryId}`, key })).body.items.map(
        ({ minQuantity }: { minQuantity: string }) => minQuantity,
      ),
    ).toEqual(['1', '21'])
  })

  it('409 TIER_OVERLAP where two share a quantity: the bounds belong to them', async () => {
    const entryId = await entryOf()
    const { id } = (await tier(entryId, '5', '10')).body.data
    for (const [from, to] of [
      ['10', '20'],
      ['1', '5'],
      ['6', '7'],
      ['1', null],
      ['5', '10'],
    ] as const)
      expect(await tier(entryId, from, to)).toMatchObject(overlap)
    const next = (await tier(entryId, '10.000001', '20')).body.data.id
    expect(await change(tiers, next, { minQuantity: '10' })).toMatchObject(overlap)
    expect(await change(tiers, id, { maxQuantity: null })).toMatchObject(overlap)
    expect((await change(tiers, id, { maxQuantity: '9' })).status).toBe(200)
    expect((await tier(await entryOf(), '5', '10')).status).toBe(201)
  })

  it('also when several are written at the same time', async () => {
    const entryId = await entryOf()
    const statuses = (await Promise.all(Array.from({ length: 8 }, (_, at) => tier(entryId, String(at + 1))))).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  })

  it.each([
    ['the end below the begin', { minQuantity: '10', maxQuantity: '9', price: '1' }, 'maxQuantity'],
    ['a negative quantity', { minQuantity: '-1', price: '1' }, 'minQuantity'],
    ['no price', { minQuantity: '1' }, 'price'],
    ['per cent in a list of prices', { minQuantity: '1', percent: '5' }, 'percent'],
  ])('400 VALIDATION_ERROR for %s', async (_what, body, field) => {
    expect(await create(tiers, { entryId: await entryOf(), ...body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: [field] }] },
    })
  })

  it('409 IN_USE keeps the mode of an entry with tiers; both go together', async () => {
    const entryId = await entryOf()
    const { id } = (await tier(entryId, '10')).body.data
    expect(await change(entries, entryId, { mode: 'PERCENT_OFF', percent: '5' })).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 1 } },
    })
    expect((await create(tiers, { entryId: unknownId, minQuantity: '1', price: '1' })).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'entryId' },
    })
    await remove(entries, entryId)
    expect((await call({ path: `${tiers}/${id}`, key })).status).toBe(404)
  })
})
