import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createProduct, createRecord, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const path = '/api/products'
const create = (body: unknown, credential = key) => call({ method: 'POST', path, key: credential, body })
const patch = (id: string, body: unknown, credential = key) =>
  call({ method: 'PATCH', path: `${path}/${id}`, key: credential, body })
const remove = (id: string) => call({ method: 'DELETE', path: `${path}/${id}`, key })
const read = async (id: string) => (await call({ path: `${path}/${id}`, key })).body.data
const list = async (query: string) => (await call({ path: `${path}?${query}`, key })).body
const elsewhere = await api.newWorkspace()
const foreign = {
  ...api,
  workspace: elsewhere,
  key: (await elsewhere.apiKey()).key,
  call: (one: Parameters<typeof call>[0]) => call(one, elsewhere),
}

describe('POST /api/products', () => {
  it('201 with every default', async () => {
    const { status, body } = await create({ name: '  Anvil ' })
    expect({ status, success: body.success }).toEqual({ status: 201, success: true })
    expect(body.data).toMatchObject({
      name: 'Anvil',
      sku: null,
      type: 'GOODS',
      status: 'ACTIVE',
      currency: 'EUR',
      basePrice: null,
      cost: null,
      parentId: null,
      ownerId: workspace.adminUserId,
      tags: [],
      images: [],
      attributes: [],
      version: 1,
      createdById: workspace.adminUserId,
    })
  })

  it('keeps prices as decimals with the digits of the currency', async () => {
    expect((await create({ name: 'A', basePrice: '10', cost: '0.0045' })).body.data).toMatchObject({
      basePrice: '10.00',
      cost: '0.0045',
    })
    expect((await create({ name: 'A', basePrice: '1500', currency: 'JPY' })).body.data.basePrice).toBe('1500')
    expect((await create({ name: 'A', basePrice: '1.5', currency: 'KWD' })).body.data.basePrice).toBe('1.500')
    expect((await create({ name: 'A', basePrice: '999999999999.999999' })).body.data.basePrice).toBe(
      '999999999999.999999',
    )
  })

  it.each([
    ['a negative price', { basePrice: '-1' }],
    ['13 digits', { basePrice: '1234567890123' }],
    ['7 decimals', { basePrice: '1.1234567' }],
    ['a number for a price', { basePrice: 1.5 }],
    ['no name', { name: ' ' }],
    ['an unknown type', { type: 'THING' }],
    ['an unknown field', { colour: 'red' }],
  ])('400 VALIDATION_ERROR for %s', async (_what, body) => {
    expect(await create({ name: 'A', ...body })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  it.each(['categoryId', 'unitId', 'taxRateId', 'parentId', 'ownerId'])(
    '400 INVALID_REFERENCE for an unknown %s',
    async (field) => {
      expect(await create({ name: 'A', [field]: unknownId })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REFERENCE', details: { field } },
      })
    },
  )

  it('400 INVALID_REFERENCE for what another workspace has', async () => {
    const others = {
      parentId: await createProduct(foreign),
      categoryId: await createRecord(foreign, '/api/product-categories', { name: 'C' }),
    }
    for (const [field, id] of Object.entries(others))
      expect((await create({ name: 'A', [field]: id })).body).toMatchObject({
        code: 'INVALID_REFERENCE',
        details: { field },
      })
  })

  it('409 SKU_TAKEN in any case, free again once the product is deleted', async () => {
    const id = await createProduct(api, { sku: 'AN-1' })
    expect(await create({ name: 'B', sku: 'an-1' })).toMatchObject({ status: 409, body: { code: 'SKU_TAKEN' } })
    const other = await createProduct(api, { sku: 'AN-2' })
    expect(await patch(other, { sku: 'AN-1' })).toMatchObject({ status: 409, body: { code: 'SKU_TAKEN' } })
    expect((await patch(id, { sku: 'AN-1', name: 'Same' })).status).toBe(200)
    await remove(id)
    expect((await patch(other, { sku: 'AN-1' })).status).toBe(200)
    expect(
      (await foreign.call({ method: 'POST', path, key: foreign.key, body: { name: 'C', sku: 'AN-1' } })).status,
    ).toBe(201)
  })

  it('gives one SKU to one of many at the same time', async () => {
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => create({ name: 'Race', sku: 'RACE' })))).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 11 }, () => 409)])
  })
})

describe('PATCH and DELETE', () => {
  it('changes what is sent, clears with null, raises the version, writes the history', async () => {
    const id = await createProduct(api, { basePrice: '10', description: 'x', barcode: '4006381333931' })
    expect((await patch(id, { basePrice: '12.5', description: null })).body.data).toMatchObject({
      basePrice: '12.50',
      description: null,
      barcode: '4006381333931',
      version: 2,
    })
    expect((await patch(id, { basePrice: '12.500' })).body.data.version).toBe(2)
    await patch(id, { status: 'ARCHIVED' })
    const { items } = (await call({ path: `/api/crm/timeline?entityType=PRODUCT&entityId=${id}`, key })).body
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['STATUS_CHANGED', 'UPDATED', 'CREATED'])
    expect(await patch(id, { name: 'C', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT', details: { version: 3 } },
    })
  })

  it('is hidden everywhere once deleted', async () => {
    const id = await createProduct(api, { name: 'Evanescent' })
    expect((await remove(id)).body).toEqual({ success: true, data: { id }, undoId: expect.any(String) })
    expect([
      (await call({ path: `${path}/${id}`, key })).status,
      (await remove(id)).status,
      (await list('search=evanescent')).total,
    ]).toEqual([404, 404, 0])
  })

  it('takes comments and files', async () => {
    const id = await createProduct(api)
    expect(
      (
        await call({
          method: 'POST',
          path: '/api/crm/comments',
          key,
          body: { entityType: 'PRODUCT', entityId: id, body: 'Heavy' },
        })
      ).status,
    ).toBe(201)
    expect(
      (
        await call({
          method: 'POST',
          path: '/api/files/upload',
          key,
          body: { filename: 'a.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=', productId: id },
        })
      ).status,
    ).toBe(201)
    expect((await call({ path: `/api/files?productId=${id}`, key })).body.total).toBe(1)
  })
})

describe('variants', () => {
  it('belong to a product that is none itself', async () => {
    const parentId = await createProduct(api, { name: 'Shirt' })
    const red = await createProduct(api, { name: 'Shirt, red', parentId })
    await createProduct(api, { name: 'Shirt, blue', parentId })
    expect(
      (await list(`parentId=${parentId}&sortBy=name&sortOrder=asc`)).items.map(({ name }: { name: string }) => name),
    ).toEqual(['Shirt, blue', 'Shirt, red'])
    expect((await create({ name: 'X', parentId: red })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['parentId'] }],
    })
    expect((await patch(parentId, { parentId: await createProduct(api) })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['parentId'] }],
    })
    expect(await patch(red, { parentId: red })).toMatchObject({ status: 409, body: { code: 'PARENT_CYCLE' } })
    expect(await remove(parentId)).toMatchObject({ status: 409, body: { code: 'IN_USE', details: { count: 2 } } })
    expect(
      (await call({ method: 'DELETE', path, key, body: { filter: { parentId }, expectedCount: 2 } })).body.data.deleted,
    ).toBe(2)
    expect((await remove(parentId)).status).toBe(200)
  })

  it('never of each other, when two try at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, other] = [await createProduct(api), await createProduct(api)]
      const statuses = (await Promise.all([patch(one, { parentId: other }), patch(other, { parentId: one })])).map(
        ({ status }) => status,
      )
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
    }
  })
})

describe('GET /api/products', () => {
  it('answers both pageCount and totalPages, and is strict', async () => {
    await Promise.all(Array.from({ length: 3 }, (_, at) => createProduct(api, { name: `Paged ${at}` })))
    expect(await list('search=paged&pageSize=2')).toMatchObject({
      total: 3,
      page: 1,
      pageSize: 2,
      pageCount: 2,
      totalPages: 2,
    })
    expect(await list('search=paged&pageSize=2&page=9')).toMatchObject({
      items: [],
      total: 3,
      pageCount: 2,
      totalPages: 2,
    })
    expect((await list('surprise=1')).code).toBe('UNKNOWN_QUERY_PARAM')
    expect((await list('sortBy=cost')).code).toBe('INVALID_QUERY_PARAM')
  })

  it('filters by category with all below it, type, status, tag, SKU, barcode, price', async () => {
    const above = await createRecord(api, '/api/product-categories', { name: 'Tools' })
    const categoryId = await createRecord(api, '/api/product-categories', { name: 'Hammers', parentId: above })
    const id = await createProduct(api, {
      name: 'Mallet',
      categoryId,
      type: 'DIGITAL',
      status: 'ARCHIVED',
      tags: ['Rare'],
      sku: 'Ma-7',
      barcode: '777',
      basePrice: '77',
      currency: 'CHF',
    })
    for (const query of [
      `categoryId=${above}`,
      `categoryId=${categoryId}`,
      'type=DIGITAL',
      'status=ARCHIVED&type=DIGITAL',
      'tag=Rare',
      'sku=ma-7',
      'barcode=777',
      'currency=CHF',
      'basePriceMin=76.99&basePriceMax=77',
      'search=ma-7',
    ]) {
      expect(
        (await list(query)).items.map((each: { id: string }) => each.id),
        query,
      ).toEqual([id])
    }
    expect((await list(`categoryId=${unknownId}`)).total).toBe(0)
  })

  it('is found by search, with a saved filter, and changes in bulk', async () => {
    const ids = await Promise.all(
      ['Torque one', 'Torque two'].map((name) => createProduct(api, { name, tags: ['spare'] })),
    )
    const { results } = (await call({ path: '/api/search?q=torque&types=product', key })).body
    expect(results.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.map((id) => `product:${id}`).toSorted())
    const { id: savedFilterId } = (
      await call({
        method: 'POST',
        path: '/api/saved-filters',
        key,
        body: { name: 'Spares', entityType: 'PRODUCT', query: { tag: 'spare' } },
      })
    ).body.data
    expect((await list(`savedFilterId=${savedFilterId}`)).total).toBe(2)
    const changed = await call({
      method: 'PATCH',
      path,
      key,
      body: { ids: [...ids, unknownId], set: { type: 'SERVICE' }, addTags: ['Bulk'], removeTags: ['spare'] },
    })
    expect(changed.body.data).toMatchObject({ matched: 3, updated: 2, failed: 1 })
    expect(await read(ids[0] as string)).toMatchObject({ type: 'SERVICE', tags: ['Bulk'] })
    const refused = await call({ method: 'PATCH', path, key, body: { ids, set: { currency: 'XQQ' } } })
    expect(refused.body.data).toMatchObject({
      updated: 0,
      results: [{ code: 'INVALID_CURRENCY' }, { code: 'INVALID_CURRENCY' }],
    })
  })
})

describe('tags', () => {
  it('become product tags, are spelt as these, renamed with them, and kept while they are borne', async () => {
    const id = await createProduct(api, { tags: ['Seasonal', 'new'] })
    const tags = async () => (await call({ path: '/api/product-tags?search=season', key })).body.items
    const [tag] = await tags()
    expect(tag).toMatchObject({ name: 'Seasonal', color: null })
    const other = await createProduct(api, { tags: ['SEASONAL', 'seasonal'] })
    expect((await read(other)).tags).toEqual(['Seasonal'])
    expect((await call({ method: 'DELETE', path: `/api/product-tags/${tag.id}`, key })).body).toMatchObject({
      code: 'IN_USE',
      details: { count: 2 },
    })
    await call({
      method: 'PATCH',
      path: `/api/product-tags/${tag.id}`,
      key,
      body: { name: 'Season', color: '#ff8800' },
    })
    expect([(await read(id)).tags, (await read(other)).tags]).toEqual([['Season', 'new'], ['Season']])
    await patch(id, { tags: [] })
    await patch(other, { tags: [] })
    expect((await call({ method: 'DELETE', path: `/api/product-tags/${tag.id}`, key })).status).toBe(200)
  })
})
