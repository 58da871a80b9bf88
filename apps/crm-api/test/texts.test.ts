import { composeTexts, runBackfills, schema } from '@crm/db'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { createCompany, createDeal } from './samples.ts'

const api = await apiUnderTest()
const { key, workspace } = api
const cookie = await workspace.session()
const call: typeof api.call = (request) => api.call(request.cookie === undefined ? { key, ...request } : request)

const decomposed = 'Cafe\u0301'
const names = async (path: string): Promise<string[]> => {
  const { status, body } = await call({ path })
  expect(status, JSON.stringify(body)).toBe(200)
  return (body.items as { name: string }[]).map(({ name }) => name)
}
const filtered = (op: string, value: string): Promise<string[]> =>
  names(
    `/api/companies?sortBy=name&sortOrder=asc&filter=${encodeURIComponent(JSON.stringify({ and: [{ field: 'name', op, value }] }))}`,
  )

describe('names', () => {
  const sorted = ['Apfel', 'apfel', 'Äpfel', 'Łódź', 'Öl', 'zebra', 'Zebra']
  const others = ['İstanbul', "O'Brien", 'ΟΔΥΣΣΕΥΣ', decomposed]

  it('are found in every spelling', async () => {
    for (const name of ['zebra', 'Apfel', 'apfel', 'Äpfel', 'Zebra', 'Öl', 'Łódź', ...others])
      await createCompany(api, { name })
    for (const [value, name] of [
      ['İstanbul', 'İstanbul'],
      ['istanbul', 'İstanbul'],
      ['ISTANBUL', 'İstanbul'],
      ['οδυσσευς', 'ΟΔΥΣΣΕΥΣ'],
      ['obrien', "O'Brien"],
      ['Café', 'Café'],
      [decomposed, 'Café'],
    ] as const) {
      expect(await filtered('is', value)).toEqual([name])
      expect(await filtered('isNot', value)).not.toContain(name)
      expect(await filtered('contains', value.slice(1))).toContain(name)
      expect(await filtered('startsWith', value.slice(0, 4))).toContain(name)
      expect(await names(`/api/companies?search=${encodeURIComponent(value)}`)).toEqual([name])
    }
    expect(await names(`/api/companies?search=${encodeURIComponent("'")}`)).toEqual([])
    expect(await filtered('contains', '’')).toEqual([])
  })

  it('are sorted in the language, whatever the case, equal ones by id, over pages in both directions', async () => {
    const inOrder = await names('/api/companies?sortBy=name&sortOrder=asc&pageSize=50')
    expect(inOrder.filter((name) => sorted.includes(name))).toEqual(sorted)
    for (const sortOrder of ['asc', 'desc']) {
      const pages = []
      for (let page = 1; page <= 4; page += 1)
        pages.push(...(await names(`/api/companies?sortBy=name&sortOrder=${sortOrder}&pageSize=3&page=${page}`)))
      expect(pages).toEqual(sortOrder === 'asc' ? inOrder : inOrder.toReversed())
    }
  })
})

describe('one text', () => {
  const post = async (path: string, body: object) => call({ method: 'POST', path, body })

  it('in two forms is one tag, one SKU and one group', async () => {
    const products = []
    for (const [sku, tag] of [
      ['GOOD-1', 'Café'],
      ['İZ-9', decomposed],
      ['iz-9', 'x'],
      ['GOOD-2', 'CAFE'],
    ])
      products.push(await post('/api/products', { name: 'Thing', sku, basePrice: '1', tags: [tag] }))
    expect(products.map(({ status }) => status)).toEqual([201, 201, 409, 201])
    expect(products[2]?.body).toMatchObject({ code: 'SKU_TAKEN' })
    const tags = await call({ path: '/api/product-tags' })
    expect((tags.body.items as { name: string }[]).map(({ name }) => name)).toEqual(['Café'])
    expect(products[3]?.body.data.tags).toEqual(['Café'])
    await createDeal(api, { name: 'a', tags: ['Café'] })
    await createDeal(api, { name: 'b', tags: [decomposed] })
    const summary = await call({ path: '/api/deals/summary?groupBy=tags' })
    expect((summary.body.groups as unknown[]).length, JSON.stringify(summary.body)).toBe(1)
  })

  it('is found in what came in before texts were composed, once a backfill has been there', async () => {
    const field = { entityType: 'COMPANY', key: 'drink', label: 'Drink', type: 'TEXT' }
    await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: field })
    const id = await createCompany(api, { name: decomposed })
    const others = { name: 'Old and plain', tags: ['plain'], customFields: { drink: 'tea' } }
    const plain = await createCompany(api, others)
    const { companies } = schema
    const old = { name: decomposed, tags: [decomposed, 'Café', 'b'], customFields: { drink: decomposed } }
    await api.db.update(companies).set(old).where(eq(companies.id, id))
    const ids = async (query: string) => {
      const { items } = (await call({ path: `/api/companies?${query}` })).body as { items: { id: string }[] }
      return items.map((one) => one.id)
    }
    // Names are compared folded.
    expect(await ids(`search=${encodeURIComponent('Café')}`)).toContain(id)
    expect(await ids(`cf_drink=${encodeURIComponent('Café')}`)).toEqual([])
    await runBackfills(api.db, [composeTexts])
    expect(await ids(`cf_drink=${encodeURIComponent('Café')}`)).toEqual([id])
    expect(await ids(`tag=${encodeURIComponent('Café')}`)).toContain(id)
    const read = async (one: string) => (await call({ path: `/api/companies/${one}` })).body.data
    expect(await read(id)).toMatchObject({ tags: ['Café', 'b'], customFields: { drink: 'Café' } })
    expect(await read(plain)).toMatchObject(others)
    const { rows } = await api.db.execute(
      sql`SELECT rows::int FROM backfills WHERE name = 'compose-texts' AND done_at IS NOT NULL`,
    )
    // Of one record, each of two columns.
    expect(rows).toEqual([{ rows: 2 }])
  })

  it('is one name of reference data, and an option of a field', async () => {
    expect((await post('/api/industries', { name: 'Straße' })).status).toBe(201)
    expect((await post('/api/industries', { name: 'STRASSE' })).body).toMatchObject({ code: 'NAME_TAKEN' })
    const field = {
      entityType: 'COMPANY',
      key: 'place',
      label: 'Place',
      type: 'SELECT',
      options: [{ value: 'Café', label: 'Café' }],
    }
    expect((await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: field })).status).toBe(201)
    expect((await post('/api/companies', { name: 'Optional', customFields: { place: decomposed } })).status).toBe(201)
  })
})

describe('values that would not come back as they were sent', () => {
  it('are refused: digits that are lost, and digits that the currency does not have', async () => {
    const field = { entityType: 'DEAL', key: 'seats', label: 'Seats', type: 'NUMBER' }
    expect((await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: field })).status).toBe(201)
    const body = '{"name": "Long", "customFields": {"seats": 12345678901234567890}}'
    const long = await api.app.inject({
      method: 'POST',
      url: '/api/deals',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json', host: workspace.host },
      payload: body,
    })
    expect([long.statusCode, long.json()]).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', issues: [{ path: ['customFields', 'seats'] }] },
    ])
    const yen = (amount: string) =>
      call({ method: 'POST', path: '/api/deals', body: { name: 'Yen', currency: 'JPY', amount } })
    expect((await yen('100.50')).body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: ['amount'] }] })
    const { status, body: made } = await yen('100.00')
    expect(status).toBe(201)
    const patch = (change: object) =>
      call({ method: 'PATCH', path: `/api/deals/${made.data.id}`, body: { version: made.data.version, ...change } })
    expect((await patch({ amount: '0.4' })).body).toMatchObject({ issues: [{ path: ['amount'] }] })
    expect((await patch({ amount: '0.4', currency: 'KWD' })).status).toBe(200)
  })

  it('a moment is no day', async () => {
    const field = { entityType: 'DEAL', key: 'since', label: 'Since', type: 'DATE' }
    expect((await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: field })).status).toBe(201)
    expect((await call({ path: '/api/deals?cf_sinceFrom=2026-03-09T06:00:00.000Z' })).body).toMatchObject({
      code: 'INVALID_QUERY_PARAM',
      details: { param: 'cf_sinceFrom' },
    })
    expect((await call({ path: '/api/deals?cf_sinceFrom=2026-03-09&cf_sinceTo=today' })).status).toBe(200)
  })
})

describe('tags', () => {
  it('are one in every spelling: for filters, summaries and changes of many, and each record keeps its own', async () => {
    const made = (tags: readonly string[]) => createCompany(api, { name: `Tagged ${tags.join()}`, tags })
    const [loud, soft, both, other] = [
      await made(['VIP', 'Fair']),
      await made(['vip']),
      await made(['Vip', 'VIP']),
      await made(['IP']),
    ]
    await made(['VIP'])
    const found = async (query: string) => {
      const { status, body } = await call({ path: `/api/companies?${query}` })
      expect(status, JSON.stringify(body)).toBe(200)
      return new Set((body.items as { id: string }[]).map(({ id }) => id))
    }
    const by = (op: string, value: unknown) =>
      found(`filter=${encodeURIComponent(JSON.stringify({ and: [{ field: 'tags', op, value }] }))}`)
    for (const ids of [await found('tag=vIp'), await by('is', ' VIP'), await by('in', ['vip', 'no such'])]) {
      expect(ids.size).toBe(4)
      expect(ids).not.toContain(other)
    }
    expect(await by('isNot', 'vip')).toContain(other)
    expect(await by('isNot', 'vip')).not.toContain(soft)
    const { body } = await call({ path: '/api/companies/summary?groupBy=tags&search=tagged' })
    expect(body.groups).toMatchObject([
      { by: [{ value: 'VIP' }], count: 4 },
      { by: [{ value: 'Fair' }], count: 1 },
      { by: [{ value: 'IP' }], count: 1 },
    ])
    expect((await call({ path: `/api/companies/${soft}` })).body.data.tags).toEqual(['vip'])

    const change = (more: object) =>
      call({ method: 'PATCH', path: '/api/companies', body: { ids: [loud, soft, both], ...more } })
    const tagsOf = async (id: string) => (await call({ path: `/api/companies/${id}` })).body.data.tags
    await change({ addTags: ['vip', 'FAIR'] })
    expect(await Promise.all([loud, soft, both].map(tagsOf))).toEqual([
      ['VIP', 'Fair'],
      ['vip', 'FAIR'],
      ['Vip', 'VIP', 'FAIR'],
    ])
    await change({ removeTags: ['ViP'] })
    expect(await Promise.all([loud, soft, both].map(tagsOf))).toEqual([['Fair'], ['FAIR'], ['FAIR']])
  })
})
