import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createProduct, createRecord, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const create = (path: string, body: unknown, credential = key) => call({ method: 'POST', path, key: credential, body })
const change = (path: string, id: string, body: unknown) => call({ method: 'PATCH', path: `${path}/${id}`, key, body })
const remove = (path: string, id: string) => call({ method: 'DELETE', path: `${path}/${id}`, key })
const [categories, groups, attributes, values, assignments] = [
  '/api/product-categories',
  '/api/product-attribute-groups',
  '/api/product-attributes',
  '/api/product-attribute-values',
  '/api/product-attribute-assignments',
] as const
let numbered = 0
const attribute = (type: string, rest: object = {}) =>
  createRecord(api, attributes, { name: `A ${type}`, code: `a${(numbered += 1)}`, type, ...rest })
const category = (name: string, parentId: string | null = null) => createRecord(api, categories, { name, parentId })

describe('/api/product-categories', () => {
  it('is a tree whose names are unique below one category', async () => {
    const tools = await category('Tools')
    await category('Small', tools)
    const garden = await category('Garden')
    await category('Small', garden)
    expect(await create(categories, { name: 'SMALL', parentId: tools })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'name' } },
    })
    expect(await create(categories, { name: 'tools' })).toMatchObject({ status: 409, body: { code: 'NAME_TAKEN' } })
    expect((await call({ path: `${categories}?parentId=${tools}`, key })).body).toMatchObject({
      total: 1,
      pageCount: 1,
      items: [{ name: 'Small', parentId: tools }],
    })
    expect((await create(categories, { name: 'X', parentId: unknownId })).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'parentId' },
    })
  })

  it('409 PARENT_CYCLE below itself, however far, also when two move at the same time', async () => {
    const top = await category('Top')
    const middle = await category('Middle', top)
    const bottom = await category('Bottom', middle)
    for (const parentId of [top, middle, bottom])
      expect(await change(categories, top, { parentId })).toMatchObject({ status: 409, body: { code: 'PARENT_CYCLE' } })
    expect((await change(categories, bottom, { parentId: top })).status).toBe(200)
    for (let round = 0; round < 8; round += 1) {
      const [one, other] = [await category(`One ${round}`), await category(`Other ${round}`)]
      const statuses = (
        await Promise.all([change(categories, one, { parentId: other }), change(categories, other, { parentId: one })])
      ).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
    }
  })

  it('409 IN_USE counts the products in it and the categories below', async () => {
    const id = await category('Full')
    await category('Below', id)
    await createProduct(api, { categoryId: id })
    expect(await remove(categories, id)).toMatchObject({
      status: 409,
      body: { error: 'The product category is used by 1 product category and 1 product', details: { count: 2 } },
    })
  })
})

describe('groups, attributes and values', () => {
  it('are unique by name, code, and name within the attribute', async () => {
    const groupId = await createRecord(api, groups, { name: 'Sizes', position: 2 })
    expect((await create(groups, { name: 'SIZES' })).body).toMatchObject({
      code: 'NAME_TAKEN',
      details: { field: 'name' },
    })
    const id = await createRecord(api, attributes, { groupId, name: 'Size', code: 'size', type: 'SELECT' })
    expect((await create(attributes, { name: 'Other', code: 'SIZE', type: 'TEXT' })).body).toMatchObject({
      code: 'NAME_TAKEN',
      details: { field: 'code' },
    })
    await createRecord(api, values, { attributeId: id, name: 'L', position: 2 })
    await createRecord(api, values, { attributeId: id, name: 'S', position: 1 })
    expect((await create(values, { attributeId: id, name: 's' })).body).toMatchObject({
      code: 'NAME_TAKEN',
      details: { field: 'name' },
    })
    expect(
      (await call({ path: `${values}?attributeId=${id}`, key })).body.items.map(({ name }: { name: string }) => name),
    ).toEqual(['S', 'L'])
    expect((await call({ path: `${attributes}?groupId=${groupId}&type=SELECT`, key })).body).toMatchObject({
      total: 1,
      items: [{ id, code: 'size' }],
    })
    expect(await remove(groups, groupId)).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 1 } },
    })
  })

  it('an attribute keeps its type; only SELECT and MULTI_SELECT have values', async () => {
    const id = await attribute('TEXT')
    expect((await change(attributes, id, { type: 'NUMBER' })).body.code).toBe('VALIDATION_ERROR')
    expect((await create(values, { attributeId: id, name: 'x' })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['attributeId'] }],
    })
    expect((await create(values, { attributeId: unknownId, name: 'x' })).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'attributeId' },
    })
    expect((await create(attributes, { name: 'x', code: 'with space', type: 'TEXT' })).body.code).toBe(
      'VALIDATION_ERROR',
    )
  })
})

describe('/api/product-attribute-assignments', () => {
  it.each([
    ['TEXT', 'steel', 7],
    ['NUMBER', '2.5', 'heavy'],
    ['BOOLEAN', true, 'true'],
    ['DATE', '2026-02-28', '2026-02-30'],
  ])('takes what fits a %s', async (type, good, bad) => {
    const [productId, attributeId] = [await createProduct(api), await attribute(type)]
    expect((await create(assignments, { productId, attributeId, value: bad })).body.code).toBe('VALIDATION_ERROR')
    expect((await create(assignments, { productId, attributeId, valueIds: [unknownId] })).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['valueIds'] }],
    })
    const { status, body } = await create(assignments, { productId, attributeId, value: good })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: { productId, attributeId, value: good, valueIds: [] },
    })
    const { attributes: shown } = (await call({ path: `/api/products/${productId}`, key })).body.data
    expect(shown).toMatchObject([{ assignmentId: body.data.id, attributeId, type, value: good, values: [] }])
  })

  it('takes values of the attribute alone: one for SELECT, several for MULTI_SELECT', async () => {
    const productId = await createProduct(api)
    const [one, many] = [await attribute('SELECT'), await attribute('MULTI_SELECT')]
    const [red, blue] = [
      await createRecord(api, values, { attributeId: one, name: 'Red' }),
      await createRecord(api, values, { attributeId: one, name: 'Blue' }),
    ]
    const [x, y] = [
      await createRecord(api, values, { attributeId: many, name: 'X' }),
      await createRecord(api, values, { attributeId: many, name: 'Y' }),
    ]
    expect((await create(assignments, { productId, attributeId: one, valueIds: [red, blue] })).body.code).toBe(
      'VALIDATION_ERROR',
    )
    expect((await create(assignments, { productId, attributeId: one, value: 'Red' })).body.code).toBe(
      'VALIDATION_ERROR',
    )
    expect((await create(assignments, { productId, attributeId: one, valueIds: [x] })).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'valueIds' },
    })
    const { id } = (await create(assignments, { productId, attributeId: one, valueIds: [red] })).body.data
    await createRecord(api, assignments, { productId, attributeId: many, valueIds: [x, y, x] })
    expect((await change(assignments, id, { valueIds: [blue] })).body.data.valueIds).toEqual([blue])
    const { attributes: shown } = (await call({ path: `/api/products/${productId}`, key })).body.data
    expect(shown.map(({ values: chosen }: { values: { name: string }[] }) => chosen.map(({ name }) => name))).toEqual([
      ['X', 'Y'],
      ['Blue'],
    ])
    expect(await remove(values, blue)).toMatchObject({
      status: 409,
      body: {
        error: 'The product attribute value is used by 1 product',
        code: 'IN_USE',
        details: { count: 1, uses: [{ entityType: 'PRODUCT', count: 1 }] },
      },
    })
    expect(await remove(attributes, one)).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 1 } },
    })
    expect((await remove(values, red)).status).toBe(200)
    expect((await remove(assignments, id)).status).toBe(200)
    expect((await remove(attributes, one)).status).toBe(200)
  })

  it('says each thing of a product once', async () => {
    const body = { productId: await createProduct(api), attributeId: await attribute('TEXT'), value: 'x' }
    await create(assignments, body)
    expect(await create(assignments, body)).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'attributeId' } },
    })
  })

  it('reaches as far as the products: unseen ones are not there', async () => {
    const [productId, attributeId] = [await createProduct(api), await attribute('TEXT')]
    const id = await createRecord(api, assignments, { productId, attributeId, value: 'x' })
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['VIEW_PRODUCT', 'UPDATE_PRODUCT'],
        access: [{ entityType: 'PRODUCT', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'NONE' }],
      },
    })
    const narrow = (await workspace.apiKey({ ownerId })).key
    expect((await call({ path: assignments, key: narrow })).body.total).toBe(0)
    expect((await call({ path: `${assignments}/${id}`, key: narrow })).status).toBe(404)
    expect((await call({ method: 'DELETE', path: `${assignments}/${id}`, key: narrow })).status).toBe(404)
    expect(
      (await create(assignments, { productId, attributeId: await attribute('TEXT'), value: 'x' }, narrow)).body,
    ).toMatchObject({ code: 'INVALID_REFERENCE', details: { field: 'productId' } })
  })
})
