import { customFieldTypes } from '@crm/contract'
import { schema } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { createLead, createProject, createTask } from './samples.ts'

const api = await apiUnderTest()
const { call, workspace, newWorkspace } = api
const cookie = await workspace.session()
const [leadId, taskId, projectId] = [await createLead(api), await createTask(api), await createProject(api)]
await call({
  method: 'POST',
  path: '/api/custom-entities',
  cookie,
  body: { key: 'vessel', labels: { singular: 'Vessel', plural: 'Vessels' } },
})
const get = (path: string) => call({ path, cookie })
const sizeOf = async (path: string) => (await get(path)).body.pageSize

/** Lists as the interface defines them (4.2, 8): parameter, default, maximum, and a value above the maximum. */
const paged = [
  ['/api/leads', 'pageSize', 20, 100, 'refused'],
  ['/api/contacts', 'pageSize', 50, 100, 'refused'],
  ['/api/companies', 'pageSize', 50, 100, 'refused'],
  ['/api/deals', 'pageSize', 50, 100, 'refused'],
  ['/api/tasks', 'pageSize', 50, 500, 'cut'],
  ['/api/projects', 'pageSize', 50, 100, 'cut'],
  ['/api/products', 'pageSize', 50, 100, 'cut'],
  ['/api/files', 'pageSize', 50, 100, 'cut'],
  ['/api/activities', 'pageSize', 50, 100, 'cut'],
  ['/api/orders', 'pageSize', 50, 100, 'cut'],
  ['/api/employees', 'pageSize', 50, 100, 'cut'],
  ['/api/departments', 'pageSize', 50, 100, 'cut'],
  ['/api/price-lists', 'pageSize', 50, 100, 'cut'],
  ['/api/saved-filters', 'pageSize', 50, 100, 'cut'],
  ['/api/custom-entities/vessel/records', 'pageSize', 50, 100, 'cut'],
  [`/api/crm/comments?entityType=LEAD&entityId=${leadId}`, 'pageSize', 50, 100, 'cut'],
  ['/api/invoices', 'limit', 50, 100, 'cut'],
  ['/api/quotes', 'limit', 50, 100, 'cut'],
] as const

describe.each(paged)('%s', (path, size, fallback, max, over) => {
  const at = (query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

  it(`has pages of ${fallback} by default and of ${max} at most; more is ${over}`, async () => {
    expect([await sizeOf(path), await sizeOf(at(`${size}=${max}`))]).toEqual([fallback, max])
    const beyond = await get(at(`${size}=${max + 1}`))
    if (over === 'cut') expect(beyond).toMatchObject({ status: 200, body: { pageSize: max } })
    else expect(beyond).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM', details: { param: size } } })
    for (const wrong of ['0', '-1', 'many', '1.5', ''])
      expect((await get(at(`${size}=${wrong}`))).body, wrong).toMatchObject({
        code: 'INVALID_QUERY_PARAM',
        details: { param: size },
      })
  })

  it('has the envelope of lists, and empty pages behind the last one with a true total', async () => {
    const { total, ...first } = (await get(path)).body
    const pages = path === '/api/products' ? ['pageCount', 'totalPages'] : size === 'limit' ? [] : ['pageCount']
    expect(Object.keys(first).toSorted()).toEqual(['items', 'page', 'pageSize', ...pages].toSorted())
    expect((await get(at('page=99'))).body).toMatchObject({ items: [], total, page: 99 })
  })
})

const strict = [
  '/api/contacts',
  '/api/companies',
  '/api/deals',
  '/api/projects',
  '/api/tasks',
  '/api/products',
  '/api/files',
  '/api/custom-entities/vessel/records',
  '/api/leads/duplicates',
  `/api/leads/${leadId}/duplicates`,
]
const lenient = [
  '/api/leads',
  '/api/activities',
  '/api/invoices',
  '/api/quotes',
  '/api/orders',
  '/api/employees',
  '/api/employees/directory',
  '/api/departments',
  '/api/pipelines',
  '/api/industries',
  '/api/lead-sources',
  '/api/currencies',
  '/api/units',
  '/api/tax-rates',
]

it.each(strict)('%s takes no parameter that it has not, and none twice', async (path) => {
  expect(await get(`${path}?stauts=NEW`)).toMatchObject({
    status: 400,
    body: { code: 'UNKNOWN_QUERY_PARAM', details: { unknownParams: ['stauts'], acceptedParams: expect.any(Array) } },
  })
  const { acceptedParams } = (await get(`${path}?stauts=NEW`)).body.details
  if (acceptedParams.includes('page'))
    expect(await get(`${path}?page=1&page=2`)).toMatchObject({
      status: 400,
      body: { code: 'DUPLICATE_QUERY_PARAM', details: { duplicatedParams: ['page'] } },
    })
})

it.each(lenient)('%s ignores parameters that it has not', async (path) => {
  const [plain, odd] = [await get(path), await get(`${path}?stauts=NEW`)]
  expect([odd.status, odd.body]).toEqual([200, plain.body])
})

it.each(['leads', 'contacts', 'companies', 'deals', 'projects', 'tasks', 'products'])(
  '/api/%s sorts by the fields that are defined for it only',
  async (list) => {
    for (const sortBy of ['createdAt', 'updatedAt'])
      expect((await get(`/api/${list}?sortBy=${sortBy}&sortOrder=asc`)).status).toBe(200)
    for (const wrong of ['sortBy=phoneHash', 'sortOrder=up'])
      expect(await get(`/api/${list}?${wrong}`)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM' } })
  },
)

it('sorts by further fields, page by page, and refuses others', async () => {
  const own = await newWorkspace()
  const { key } = await own.apiKey()
  const ask = (path: string) => call({ path, key }, own)
  for (const [name, amount] of [
    ['Beta', '5'],
    ['Alpha', '5'],
    ['Gamma', '7'],
    ['Alpha', '7'],
    ['Delta', null],
  ])
    await call({ method: 'POST', path: '/api/deals', key, body: { name, amount, currency: 'EUR' } }, own)
  const order = async (query: string) => {
    const pages = await Promise.all([1, 2, 3].map((page) => ask(`/api/deals?${query}&pageSize=2&page=${page}`)))
    return pages.flatMap(({ body }) =>
      (body.items as { name: string; amount: string | null }[]).map(({ name, amount }) => `${name} ${amount}`),
    )
  }
  expect(await order('sortBy=amount&thenBy=name')).toEqual([
    'Alpha 7.00',
    'Gamma 7.00',
    'Alpha 5.00',
    'Beta 5.00',
    'Delta null',
  ])
  expect(await order('sortBy=name&sortOrder=asc&thenBy=-amount')).toEqual([
    'Alpha 7.00',
    'Alpha 5.00',
    'Beta 5.00',
    'Delta null',
    'Gamma 7.00',
  ])
  const { body: view } = await call(
    {
      method: 'POST',
      path: '/api/saved-filters',
      key,
      body: { name: 'By amount', entityType: 'DEAL', query: { thenBy: 'name', status: 'OPEN' }, sortBy: 'amount' },
    },
    own,
  )
  expect(await order(`savedFilterId=${view.data.id}`)).toEqual(await order('sortBy=amount&thenBy=name'))
  expect(await ask(`/api/deals/summary?savedFilterId=${view.data.id}`)).toMatchObject({
    status: 200,
    body: { totals: { count: 5 } },
  })
  for (const list of ['deals', 'quotes', 'orders'])
    for (const wrong of ['thenBy=phoneHash', 'thenBy=createdAt,updatedAt,status,-number,createdAt'])
      expect(await ask(`/api/${list}?${wrong}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUERY_PARAM', details: { param: 'thenBy' } },
      })
  expect(await ask('/api/deals?thenBy=-cf_gone')).toMatchObject({
    status: 400,
    body: { code: 'INVALID_QUERY_PARAM', details: { param: 'thenBy' } },
  })
  expect((await ask('/api/quotes?sort=total:desc&thenBy=-issueDate')).status).toBe(200)
})

it.each(['currencies', 'units', 'tax-rates'])('/api/%s gives all at once in data', async (list) => {
  const { body } = await get(`/api/${list}`)
  expect(Object.keys(body)).toEqual(['data'])
  expect(body.data.length).toBeGreaterThan(0)
})

it('looks people up in the directory', async () => {
  const { body } = await get('/api/employees/directory')
  expect(body).toEqual({ items: expect.any(Array), returned: body.items.length, hasMore: false })
  for (let n = 0; n < 51; n += 1) await workspace.employee()
  expect((await get('/api/employees/directory')).body).toMatchObject({ returned: 50, hasMore: true })
  expect((await get('/api/employees/directory?limit=201')).body).toMatchObject({ returned: 52, hasMore: false })
})

it.each([`/api/tasks/${taskId}/activity`, `/api/projects/${projectId}/activity`])(
  '%s is read by cursor',
  async (path) => {
    const { body } = await get(path)
    expect(body).toMatchObject({ items: [{ kind: 'CREATED' }], hasMore: false })
    expect((await get(`${path}?limit=1000`)).status).toBe(200)
    expect(await get(`${path}?cursor=nonsense`)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM' } })
  },
)

describe.each([
  ['leads', 'LEAD'],
  ['contacts', 'CONTACT'],
  ['companies', 'COMPANY'],
  ['deals', 'DEAL'],
] as const)('custom fields as filters of /api/%s', async (list, entityType) => {
  const options = [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
    { value: 'c', label: 'C' },
  ]
  const keyOf = (type: string) => `f${type.replace('_', '').toLowerCase()}`
  await api.db.insert(schema.customFields).values(
    customFieldTypes.map((type) => ({
      workspaceId: workspace.workspaceId,
      entityType,
      key: keyOf(type),
      label: type,
      type,
      options: type.endsWith('SELECT') ? options : [],
    })),
  )
  const values = {
    ftext: 'Blue',
    fselect: 'a',
    fmultiselect: ['a', 'b'],
    fboolean: true,
    fnumber: 5,
    fcurrency: '12.50',
    fpercentage: 40,
    frating: 3,
    fdate: '2026-03-01',
    fdatetime: '2026-03-01T10:00:00.000Z',
  }
  const { body } = await call({
    method: 'POST',
    path: `/api/${list}`,
    cookie,
    body: {
      ...(list === 'deals' || list === 'companies' ? { name: 'Filtered' } : { lastName: 'Filtered' }),
      customFields: values,
    },
  })
  const idsOf = async (query: string): Promise<string[]> =>
    (await get(`/api/${list}?${query}`)).body.items.map(({ id }: { id: string }) => id)

  it('are stored as they were sent', () => expect(body.data.customFields).toEqual(values))

  it.each([
    ['ftext=Blue', 'ftext=Red'],
    ['fselect=a', 'fselect=b'],
    ['fmultiselect=b,c', 'fmultiselect=c'],
    ['fboolean=true', 'fboolean=false'],
    ['fnumberMin=5&cf_fnumberMax=5', 'fnumberMin=5.1'],
    ['fcurrencyMin=12.5', 'fcurrencyMax=12.49'],
    ['fpercentageMin=39&cf_fpercentageMax=41', 'fpercentageMax=39'],
    ['fratingMin=3', 'fratingMin=4'],
    ['fdateFrom=2026-03-01&cf_fdateTo=2026-03-01', 'fdateFrom=2026-03-02'],
    ['fdatetimeFrom=2026-03-01T10:00:00Z', 'fdatetimeTo=2026-03-01T09:59:59Z'],
  ])('finds by cf_%s and not by cf_%s', async (hit, miss) => {
    expect([await idsOf(`cf_${hit}`), await idsOf(`cf_${miss}`)]).toEqual([[body.data.id], []])
  })

  it('are found by in brackets as well, as many clients send an object', async () => {
    const member = (name: string, value: string) => `${encodeURIComponent(`cf[cf_${name}]`)}=${value}`
    expect(await idsOf(member('ftext', 'Blue'))).toEqual([body.data.id])
    expect(await idsOf(member('ftext', 'Red'))).toEqual([])
    expect(await idsOf(`cf[cf_fnumberMin]=5&${member('fnumberMax', '5')}&cf_ftext=Blue`)).toEqual([body.data.id])
    expect((await get(`/api/${list}/summary?cf[cf_ftext]=Red`)).body.totals.count).toBe(0)
  })

  it.each(['cf=%5Bobject+Object%5D', 'cf={"cf_ftext":"Red"}', 'cf=', 'cf[ftext]=Red', 'cf.cf_ftext=Red'])(
    'are not passed over in another form: %s',
    async (query) => {
      const param = decodeURIComponent(query.split('=', 1)[0] as string)
      for (const path of [`/api/${list}`, `/api/${list}/summary`])
        expect(await get(`${path}?${query}`)).toMatchObject({
          status: 400,
          body: { code: 'INVALID_QUERY_PARAM', details: { param } },
        })
    },
  )

  it('tells of fields that are not there, and of values that are none', async () => {
    const unknown = await get(`/api/${list}?cf_nothing=1`)
    if (list === 'leads') expect(unknown.status).toBe(200)
    else
      expect(unknown).toMatchObject({
        status: 400,
        body: { code: 'UNKNOWN_CUSTOM_FIELD_FILTER', details: { unknownParams: ['cf_nothing'] } },
      })
    for (const wrong of ['cf_fnumberMin=many', 'cf_fboolean=maybe', 'cf_fdateFrom=soon'])
      expect(await get(`/api/${list}?${wrong}`), wrong).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUERY_PARAM' },
      })
  })
})
