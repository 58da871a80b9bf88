import { newId, schema } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import {
  createDeal,
  createInvoice,
  createOrder,
  createProduct,
  createQuote,
  sampleLine,
} from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const all = async (path: string) =>
  (await call({ path, key })).body.data as { id: string; name: string; code: string }[]
const create = (path: string, body: unknown) => call({ method: 'POST', path, key, body })
const change = (path: string, id: string, body: unknown) => call({ method: 'PATCH', path: `${path}/${id}`, key, body })
const remove = (path: string, id: string) => call({ method: 'DELETE', path: `${path}/${id}`, key })
const currency = async (code: string) => (await all('/api/currencies')).find((each) => each.code === code)?.id as string

describe('/api/currencies', () => {
  const path = '/api/currencies'

  it('answers everything at once in data, the usual ones from the start, sorted by code', async () => {
    const { body } = await call({ path, key })
    expect(Object.keys(body)).toEqual(['data'])
    const codes = body.data.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(codes.toSorted())
    expect(codes).toEqual(expect.arrayContaining(['EUR', 'USD', 'JPY', 'KWD']))
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      code: 'AED',
      name: 'UAE Dirham',
      isActive: true,
      rate: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      createdById: null,
    })
  })

  it('takes one of ISO 4217 with its English name, and keeps its rate exactly', async () => {
    const { status, body } = await create(path, { code: 'BOB', rate: '0.123456789012' })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: { code: 'BOB', name: 'Bolivian Boliviano', rate: '0.123456789012', isActive: true },
    })
    expect((await change(path, body.data.id, { name: 'Boliviano', rate: null })).body.data).toMatchObject({
      name: 'Boliviano',
      rate: null,
    })
    expect((await remove(path, body.data.id)).body).toEqual({ success: true, data: { id: body.data.id } })
  })

  it.each([
    ['an unknown code', { code: 'XQQ' }, 400, 'INVALID_CURRENCY'],
    ['a code in small letters', { code: 'eur' }, 400, 'VALIDATION_ERROR'],
    ['a rate of nothing', { code: 'PEN', rate: '0' }, 400, 'VALIDATION_ERROR'],
    ['a negative rate', { code: 'PEN', rate: '-1' }, 400, 'VALIDATION_ERROR'],
    ['one that is there', { code: 'USD' }, 409, 'NAME_TAKEN'],
  ])('refuses %s', async (_what, body, status, code) => {
    expect(await create(path, body)).toMatchObject({ status, body: { code } })
  })

  it('is one that exists today, whatever the runtime knows', async () => {
    for (const code of ['HRK', 'BGN', 'SLL', 'ZWL', 'ANG'])
      expect(await create(path, { code })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_CURRENCY', error: expect.stringContaining(`${code} ended on 20`) },
      })
    for (const code of ['XCG', 'ZWG', 'SLE', 'VED', 'CLF', 'CHE', 'UYW'])
      expect(await create(path, { code })).toMatchObject({ status: 201, body: { data: { code } } })
    const known = (await call({ path: '/api/currencies/known', key: api.key })).body.data as { code: string }[]
    expect(known).toContainEqual({ code: 'XCG', name: 'Caribbean guilder', digits: 2 })
    expect(known).toContainEqual({ code: 'CLF', name: expect.any(String), digits: 4 })
    expect(known.map(({ code }) => code)).not.toContain('BGN')
  })

  it('that has ended is refused for what is new, and stays for what is there', async () => {
    const own = await api.newWorkspace()
    const { key: theirs } = await own.apiKey()
    const { workspaceId } = own
    await api.db.insert(schema.currencies).values({ workspaceId, code: 'BGN', name: 'Bulgarian Lev' })
    const send = (at: string, body: object) => call({ method: 'POST', path: at, key: theirs, body }, own)
    const named = ['deals', 'projects', 'products', 'price-lists'].map((at) => [at, { name: 'N' }] as const)
    const documents = ['quotes', 'orders', 'invoices'].map((at) => [at, {}] as const)
    for (const [at, body] of [...named, ...documents])
      expect(await send(`/api/${at}`, { ...body, currency: 'BGN' }), at).toMatchObject({
        status: 400,
        body: { code: 'INVALID_CURRENCY', error: 'BGN ended on 2025-12-31' },
      })
    const { body } = await send('/api/invoices', { currency: 'BGN', issueDate: '2025-12-31', items: [sampleLine] })
    expect(body.data).toMatchObject({ currency: 'BGN', total: '100.00' })
    const verb = (name: string, sent: object = {}) => send(`/api/invoices/${body.data.id}/${name}`, sent)
    expect((await verb('issue')).status).toBe(200)
    expect((await verb('payments', { amount: '100.00', method: 'CASH' })).status).toBe(201)
    expect(await verb('duplicate')).toMatchObject({ status: 400, body: { code: 'INVALID_CURRENCY' } })
    expect((await verb('duplicate', { issueDate: '2025-12-30' })).status).toBe(201)
  })

  it('that has ended stays inactive once it is, and can be renamed until then', async () => {
    const own = await api.newWorkspace()
    const { key: theirs } = await own.apiKey()
    const bgn = { workspaceId: own.workspaceId, id: newId(), code: 'BGN', name: 'Bulgarian Lev' }
    await api.db.insert(schema.currencies).values(bgn)
    const changed = (body: object) => call({ method: 'PATCH', path: `${path}/${bgn.id}`, key: theirs, body }, own)
    expect(await changed({ name: 'Lev', isActive: true })).toMatchObject({
      status: 200,
      body: { data: { name: 'Lev' } },
    })
    expect(await changed({ isActive: false })).toMatchObject({ status: 200 })
    expect(await changed({ isActive: true })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURRENCY', error: 'BGN ended on 2025-12-31' },
    })
    expect(await changed({ rate: '0.51129' })).toMatchObject({ status: 200, body: { data: { isActive: false } } })
  })

  it('keeps its code', async () => {
    expect((await change(path, await currency('USD'), { code: 'CHF' })).body.code).toBe('VALIDATION_ERROR')
  })

  it('that is inactive or unknown is INVALID_CURRENCY for deals, projects, products and price lists, until it is active again', async () => {
    const id = await currency('SEK')
    const deal = await createDeal(api, { currency: 'SEK' })
    await change(path, id, { isActive: false })
    for (const [at, name] of [
      ['/api/deals', 'D'],
      ['/api/projects', 'P'],
      ['/api/products', 'P'],
      ['/api/price-lists', 'L'],
    ] as const) {
      for (const code of ['SEK', 'XQQ', 'BTN'])
        expect(await create(at, { name, currency: code })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_CURRENCY' },
        })
    }
    expect((await change('/api/deals', deal, { name: 'Kept', currency: 'SEK' })).status).toBe(200)
    await change(path, id, { isActive: true })
    expect((await create('/api/products', { name: 'P', currency: 'SEK' })).status).toBe(201)
  })

  it('409 IN_USE counts the amounts in it; 409 SYSTEM_RECORD for the currency of the workspace', async () => {
    await createDeal(api, { currency: 'NOK' })
    await createProduct(api, { currency: 'NOK' })
    expect(await remove(path, await currency('NOK'))).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 2 } },
    })
    for (const make of [createQuote, createOrder, createInvoice]) await make(api, { currency: 'NOK' })
    expect(await remove(path, await currency('NOK'))).toMatchObject({
      status: 409,
      body: {
        error: 'The currency is used by 1 deal, 1 quote, 1 order, 1 invoice and 1 product',
        code: 'IN_USE',
        details: {
          count: 5,
          uses: ['DEAL', 'QUOTE', 'ORDER', 'INVOICE', 'PRODUCT'].map((entityType) => ({ entityType, count: 1 })),
        },
      },
    })
    const own = await currency('EUR')
    expect(await remove(path, own)).toMatchObject({ status: 409, body: { code: 'SYSTEM_RECORD' } })
    expect(await change(path, own, { isActive: false })).toMatchObject({ status: 409, body: { code: 'SYSTEM_RECORD' } })
  })

  it('400 INVALID_CURRENCY for a workspace that would take one it does not have', async () => {
    const settings = { method: 'PATCH', path: '/api/settings/workspace', cookie: await workspace.session() } as const
    expect(await call({ ...settings, body: { currency: 'ZZZ' } })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURRENCY' },
    })
    expect(await call({ ...settings, body: { currency: 'EUR' } })).toMatchObject({
      status: 200,
      body: { data: { currency: 'EUR' } },
    })
  })
})

describe.each([
  ['/api/units', { name: 'Bottle', symbol: 'btl' }, 'unitId'],
  ['/api/tax-rates', { name: 'City', rate: '7.5' }, 'taxRateId'],
] as const)('%s', (path, sample, field) => {
  it('is created, listed in data by name, changed, deleted', async () => {
    const { status, body } = await create(path, sample)
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: { ...sample, createdById: workspace.adminUserId },
    })
    const listed = await all(path)
    expect(listed.map(({ name }) => name)).toEqual(
      listed.map(({ name }) => name).toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())),
    )
    expect((await change(path, body.data.id, { name: 'Renamed' })).body.data).toMatchObject({
      ...sample,
      name: 'Renamed',
    })
    expect((await remove(path, body.data.id)).status).toBe(200)
    expect((await call({ path: `${path}/${body.data.id}`, key })).status).toBe(404)
  })

  it('409 NAME_TAKEN in any case, 409 IN_USE for a product that names it', async () => {
    const { id } = (await create(path, { ...sample, name: 'Named' })).body.data
    expect(await create(path, { ...sample, name: 'NAMED' })).toMatchObject({
      status: 409,
      body: { code: 'NAME_TAKEN', details: { field: 'name' } },
    })
    await createProduct(api, { [field]: id })
    expect(await remove(path, id)).toMatchObject({ status: 409, body: { code: 'IN_USE', details: { count: 1 } } })
  })

  it('409 IN_USE for every quote, order and invoice whose lines name it', async () => {
    const { id } = (await create(path, { ...sample, name: 'On paper' })).body.data
    const items = [
      { name: 'One', [field]: id },
      { name: 'Two', [field]: id },
    ]
    const quote = await createQuote(api, { items })
    await createOrder(api, { items })
    await createInvoice(api, { items })
    expect(await remove(path, id)).toMatchObject({ status: 409, body: { code: 'IN_USE', details: { count: 3 } } })
    await change('/api/quotes', quote, { items: [{ name: 'Neither' }] })
    expect((await remove(path, id)).body.details).toEqual({
      count: 2,
      uses: [
        { entityType: 'ORDER', count: 1 },
        { entityType: 'INVOICE', count: 1 },
      ],
    })
  })

  it('403 to change it with VIEW_REFERENCE_DATA alone', async () => {
    const reader = (await workspace.apiKey({ scopes: ['VIEW_REFERENCE_DATA'] })).key
    expect((await call({ path, key: reader })).status).toBe(200)
    expect((await call({ method: 'POST', path, key: reader, body: sample })).body.code).toBe('ACCESS_DENIED')
  })
})

it.each(['-1', '100.5', '7,5', 'x', 19, '1.1234567'])('a tax rate of %s is refused', async (rate) => {
  expect(await create('/api/tax-rates', { name: `T${rate}`, rate })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', issues: [{ path: ['rate'] }] },
  })
})
