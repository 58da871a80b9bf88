import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createCompany, createContact, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace, db } = api
const cookie = await workspace.session()
const create = (body: unknown, credential = key) =>
  call({ method: 'POST', path: '/api/companies', key: credential, body })
const patch = (id: string, body: unknown, credential = key) =>
  call({ method: 'PATCH', path: `/api/companies/${id}`, key: credential, body })
const list = (query: string, credential = key) => call({ path: `/api/companies?${query}`, key: credential })
const merge = (id: string, body: unknown) => call({ method: 'POST', path: `/api/companies/${id}/merge`, key, body })
const read = async (id: string) => (await call({ path: `/api/companies/${id}`, key })).body.data
const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id)
const industryId = (await call({ method: 'POST', path: '/api/industries', key, body: { name: 'Engines' } })).body.data
  .id as string

describe('GET /api/companies?ids=', () => {
  it('gives just those that are there and in sight', async () => {
    const [one, two] = [await createCompany(api), await createCompany(api)]
    await createCompany(api)
    const answer = await list(`ids=${one},${two},${unknownId}&sortOrder=asc`)
    expect(answer.body.total).toBe(2)
    expect(ids(answer)).toEqual([one, two])
    expect(await list('ids=nonsense')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param: 'ids' } },
    })
    const { id: ownerId } = await workspace.employee({
      grant: {
        permissions: ['VIEW_COMPANY'],
        access: [{ entityType: 'COMPANY', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
      },
    })
    expect((await list(`ids=${one}`, (await workspace.apiKey({ ownerId })).key)).body.total).toBe(0)
  })
})

describe('POST /api/companies', () => {
  it('201 with what was sent, and with everything else empty', async () => {
    const parentId = await createCompany(api, { name: 'Holding' })
    const body = {
      name: 'Analytical Engines',
      industryId,
      size: '11-50',
      email: 'mail@engines.example',
      website: 'https://engines.example',
      taxId: 'DE123',
      parentId,
      description: 'Cogs',
      billingAddress: { city: 'London', country: 'GB' },
      shippingAddress: { city: 'Dover' },
      tags: ['old'],
    }
    const {
      status,
      body: { success, data },
    } = await create({ ...body, domain: 'https://www.Engines.example/about?x=1', phone: '+44 20 7946 0958' })
    expect({ status, success }).toEqual({ status: 201, success: true })
    expect(data).toMatchObject({
      ...body,
      domain: 'engines.example',
      phone: '+442079460958',
      ownerId: workspace.adminUserId,
      createdById: workspace.adminUserId,
      version: 1,
      customFields: {},
    })
    expect(await read(data.id)).toEqual(data)
    const events = await db.select().from(schema.outbox).where(eq(schema.outbox.entityId, data.id))
    expect(events).toMatchObject([{ event: 'company.created', payload: { record: data } }])
  })

  it.each([
    ['no name', { domain: 'a.example' }, ['name']],
    ['an empty name', { name: ' ' }, ['name']],
    ['a domain that is none', { name: 'A', domain: 'not a domain' }, ['domain']],
    ['a phone without country code', { name: 'A', phone: '030 123456' }, ['phone']],
    ['a broken address', { name: 'A', email: 'x' }, ['email']],
    ['an unknown part of an address', { name: 'A', billingAddress: { planet: 'Mars' } }, ['billingAddress', 'planet']],
  ])('400 VALIDATION_ERROR for %s', async (_what, body, path) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', issues: [{ path }] } })
  })

  it('400 INVALID_REFERENCE for an owner, industry or parent that is not there', async () => {
    const elsewhere = await api.newWorkspace()
    const industry = (
      await call(
        { method: 'POST', path: '/api/industries', key: (await elsewhere.apiKey()).key, body: { name: 'X' } },
        elsewhere,
      )
    ).body.data.id as string
    for (const field of ['ownerId', 'industryId', 'parentId'])
      expect((await create({ name: 'A', [field]: unknownId })).body).toMatchObject({
        code: 'INVALID_REFERENCE',
        details: { field },
      })
    expect((await create({ name: 'A', industryId: industry })).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'industryId' },
    })
  })
})

describe('PATCH /api/companies/{id}', () => {
  it('changes, clears, raises the version and tells the history', async () => {
    const id = await createCompany(api, { domain: 'a.example', industryId, phone: '+442079460958' })
    expect(
      (await patch(id, { name: 'New name', domain: null, industryId: null, phone: null })).body.data,
    ).toMatchObject({ name: 'New name', domain: null, industryId: null, phone: null, version: 2 })
    expect(
      (await call({ path: `/api/crm/timeline?entityType=COMPANY&entityId=${id}`, key })).body.items.map(
        ({ kind }: { kind: string }) => kind,
      ),
    ).toEqual(['UPDATED', 'CREATED'])
    expect((await patch(id, { name: null })).body.code).toBe('VALIDATION_ERROR')
    expect((await patch(id, { industryId: unknownId })).body.code).toBe('INVALID_REFERENCE')
    expect(await patch(id, { name: 'X', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'VERSION_CONFLICT' },
    })
  })

  it('409 PARENT_CYCLE for itself and for a company below it', async () => {
    const top = await createCompany(api, { name: 'Top' })
    const middle = await createCompany(api, { name: 'Middle', parentId: top })
    const bottom = await createCompany(api, { name: 'Bottom', parentId: middle })
    for (const parentId of [top, middle, bottom])
      expect(await patch(top, { parentId })).toMatchObject({ status: 409, body: { code: 'PARENT_CYCLE' } })
    expect((await patch(bottom, { parentId: top })).body.data.parentId).toBe(top)
    expect(
      (
        await call({
          method: 'PATCH',
          path: '/api/companies',
          key,
          body: { ids: [top, bottom], set: { parentId: bottom } },
        })
      ).body.data,
    ).toMatchObject({ updated: 0, results: [{ code: 'PARENT_CYCLE' }, { code: 'PARENT_CYCLE' }] })
  })

  it('lets one of two changes that make a circle together win', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 5 }, async () => [await createCompany(api), await createCompany(api)] as const),
    )
    for (const [one, two] of pairs) {
      const answers = await Promise.all([patch(one, { parentId: two }), patch(two, { parentId: one })])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    }
  })

  it('takes a parent that the caller may not see for one that is not there', async () => {
    const access = [{ entityType: 'COMPANY', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] as const
    const { id: ownerId } = await workspace.employee({
      grant: { permissions: ['VIEW_COMPANY', 'CREATE_COMPANY', 'UPDATE_COMPANY'], access },
    })
    const own = (await workspace.apiKey({ ownerId })).key
    const hidden = await createCompany(api)
    expect((await create({ name: 'A', parentId: hidden }, own)).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'parentId' },
    })
    const mine = await createCompany(api, { ownerId, parentId: hidden })
    expect((await patch(mine, { parentId: hidden, size: '2' }, own)).status).toBe(200)
    expect((await list('', own)).body.total).toBe(1)
  })
})

it('an industry in use cannot be deleted', async () => {
  const used = (await call({ method: 'POST', path: '/api/industries', key, body: { name: 'Used' } })).body.data
    .id as string
  await createCompany(api, { industryId: used })
  expect(await call({ method: 'DELETE', path: `/api/industries/${used}`, key })).toMatchObject({
    status: 409,
    body: { code: 'IN_USE', details: { count: 1 } },
  })
})

describe('GET /api/companies', async () => {
  await call({
    method: 'POST',
    path: '/api/settings/custom-fields',
    cookie,
    body: { entityType: 'COMPANY', key: 'revenue', label: 'Revenue', type: 'CURRENCY' },
  })
  const parentId = await createCompany(api, { name: 'Zebra Group', domain: 'zebra.example' })
  const child = await createCompany(api, {
    name: 'Äpfel & Söhne',
    parentId,
    industryId,
    customFields: { revenue: 1200.5 },
  })

  it('answers 50 a page', async () => {
    expect((await list('')).body).toMatchObject({ page: 1, pageSize: 50, total: expect.any(Number), pageCount: 1 })
  })

  it.each([
    ['domain=www.ZEBRA.example', [parentId]],
    [`parentId=${parentId}`, [child]],
    [`industryId=${industryId}&search=sohne`, [child]],
    ['search=apfel', [child]],
    ['cf_revenueMin=1000&cf_revenueMax=1200.50', [child]],
    ['search=%C3%A4&sortBy=name&sortOrder=desc', [child]],
  ])('answers %s', async (query, expected) => {
    const answer = await list(query)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(ids(answer)).toEqual(expect.arrayContaining(expected))
    expect(answer.body.total).toBe(ids(answer).length)
  })

  it('sorts by name', async () => {
    const named = (answer: Awaited<ReturnType<typeof list>>): string[] =>
      answer.body.items.map(({ name }: { name: string }) => name)
    expect(named(await list('search=zebra'))).toEqual(['Zebra Group'])
    await createCompany(api, { name: 'Zebra Works', ownerId: workspace.adminUserId })
    expect(named(await list('search=zebra&sortBy=name&sortOrder=asc'))).toEqual(['Zebra Group', 'Zebra Works'])
    expect(named(await list('search=zebra&sortBy=name&sortOrder=desc'))).toEqual(['Zebra Works', 'Zebra Group'])
  })

  it.each([
    ['pageSize=101', 'INVALID_QUERY_PARAM'],
    ['sortBy=size', 'INVALID_QUERY_PARAM'],
    ['cf_revenue=1', 'UNKNOWN_CUSTOM_FIELD_FILTER'],
    ['industryId=x', 'INVALID_ID'],
    ['domain=', 'INVALID_QUERY_PARAM'],
    ['stageId=x', 'UNKNOWN_QUERY_PARAM'],
  ])('400: %s is %s', async (query, code) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code } })
  })
})

describe('duplicates and merge', () => {
  it('finds companies of one domain, name, address or number', async () => {
    const one = await createCompany(api, { name: 'Müller GmbH', domain: 'muller.example', phone: '+442079460001' })
    const two = await createCompany(api, { name: 'muller gmbh', domain: 'MULLER.example', phone: '+442079460001' })
    expect((await call({ path: '/api/companies/duplicates', key })).body.items).toMatchObject([
      { by: 'domain', value: 'muller.example', count: 2, companies: [{ id: one }, { id: two }] },
    ])
    expect((await call({ path: '/api/companies/duplicates?by=name', key })).body.items).toContainEqual(
      expect.objectContaining({ value: 'muller gmbh', count: 2 }),
    )
    expect((await call({ path: `/api/companies/${one}/duplicates`, key })).body.items).toMatchObject([
      { company: { id: two }, score: 100, matchedOn: ['domain', 'name', 'phone'] },
    ])
  })

  it('finds the same name with other punctuation, also while a new one is typed', async () => {
    const one = await createCompany(api, { name: 'Nordlicht, Öl & Gas GmbH' })
    const two = await createCompany(api, { name: 'Nordlicht Öl Gas GmbH.' })
    expect((await call({ path: `/api/companies/${one}/duplicates`, key })).body.items).toMatchObject([
      { company: { id: two }, matchedOn: ['name'] },
    ])
    const typed = { method: 'POST', path: '/api/companies/duplicates', key, body: { name: 'NORDLICHT Öl-Gas GmbH' } }
    expect((await call(typed as never)).body.items).toHaveLength(2)
    expect((await call({ path: '/api/companies/duplicates?by=name', key })).body.items).toContainEqual(
      expect.objectContaining({ value: 'nordlicht ol gas gmbh', count: 2 }),
    )
  })

  it('moves contacts and companies below to the survivor', async () => {
    const keep = await createCompany(api, { name: 'Keep' })
    const drop = await createCompany(api, { name: 'Drop', domain: 'drop.example', industryId })
    const contact = await createContact(api, { companyId: drop })
    const below = await createCompany(api, { parentId: drop })
    expect((await merge(keep, { sourceIds: [drop], prefer: { name: drop } })).body.data).toMatchObject({
      id: keep,
      name: 'Drop',
      domain: 'drop.example',
      industryId,
      parentId: null,
    })
    expect((await call({ path: `/api/contacts/${contact}`, key })).body.data.companyId).toBe(keep)
    expect((await read(below)).parentId).toBe(keep)
    expect(await call({ path: `/api/companies/${drop}`, key })).toMatchObject({
      status: 404,
      body: { details: { mergedIntoId: keep } },
    })
  })

  it('makes no circle when the merged companies stand above each other', async () => {
    const top = await createCompany(api, { name: 'Top' })
    const source = await createCompany(api, { name: 'Source', parentId: top })
    const between = await createCompany(api, { name: 'Between', parentId: source })
    const target = await createCompany(api, { name: 'Target', parentId: between })
    expect((await merge(target, { sourceIds: [source] })).body.data.parentId).toBe(top)
    expect((await read(between)).parentId).toBe(target)
    const child = await createCompany(api, { name: 'Child', parentId: target })
    expect((await merge(target, { sourceIds: [child] })).body.data.parentId).toBe(top)
    expect((await merge(between, { sourceIds: [target] })).body.data.parentId).toBe(top)
    expect((await merge(between, { sourceIds: [top] })).body.data.parentId).toBeNull()
  })
})

it('DELETE /api/companies/{id} hides the company; its contacts stay', async () => {
  const id = await createCompany(api)
  const contact = await createContact(api, { companyId: id })
  expect((await call({ method: 'DELETE', path: `/api/companies/${id}`, key })).body).toEqual({
    success: true,
    data: { id },
    undoId: expect.any(String),
  })
  expect((await call({ path: `/api/companies/${id}`, key })).status).toBe(404)
  expect((await call({ path: `/api/contacts/${contact}`, key })).status).toBe(200)
  expect((await patch(id, { name: 'X' })).status).toBe(404)
})
