import { declaredOperations, filterValuesMax, publicContract } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { apiUnderTest } from './harness.ts'
import { createCompany, createDeal, createRecord, unknownId } from './samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
await call({
  method: 'POST',
  path: '/api/settings/custom-fields',
  cookie: await workspace.session(),
  body: {
    entityType: 'DEAL',
    key: 'size',
    label: 'Size',
    type: 'SELECT',
    options: [
      { value: 'S', label: 'S' },
      { value: 'M', label: 'M' },
      { value: 'L', label: 'L' },
    ],
  },
})
const seller = await workspace.employee()
const { key: sellersKey } = await workspace.apiKey({ ownerId: seller.id })
const companyId = await createCompany(api)
await createDeal(api, { name: 'Open', tags: ['hot'], customFields: { size: 'S' } })
await createDeal(api, { name: 'Won', status: 'WON', companyId, customFields: { size: 'M' } })
await createDeal(api, { name: 'Lost', status: 'LOST', ownerId: seller.id })

const list = async (query: string, credential = key) => {
  const { status, body, headers } = await call({ path: `/api/deals?${query}`, key: credential })
  return { status, body, headers, names: body.items?.map(({ name }: { name: string }) => name).toSorted() }
}

describe('a filter takes several values', () => {
  it.each([
    ['status=OPEN,WON', ['Open', 'Won']],
    ['status=OPEN, LOST', ['Lost', 'Open']],
    ['status=WON', ['Won']],
    ['cf_size=S,M', ['Open', 'Won']],
    ['tag=hot', ['Open']],
    ['tag=cold', []],
    [`companyId=${companyId},none`, ['Lost', 'Open', 'Won']],
    ['companyId=none', ['Lost', 'Open']],
    [`companyId=${companyId},${unknownId}`, ['Won']],
    [`ownerId=me,${seller.id}`, ['Lost', 'Open', 'Won']],
    ['ownerId=me', ['Open', 'Won']],
    ['ownerId=none', []],
    ['createdById=me', ['Lost', 'Open', 'Won']],
    ['updatedFrom=today', ['Lost', 'Open', 'Won']],
    ['updatedTo=-1d', []],
  ])('%s', async (query, names) => {
    const answer = await list(query)
    expect({ status: answer.status, names: answer.names, total: answer.body.total }).toEqual({
      status: 200,
      names,
      total: names.length,
    })
  })

  it('takes me for whoever asks', async () => {
    expect((await list('ownerId=me', sellersKey)).names).toEqual(['Lost'])
    expect((await list('ownerId=me')).names).toEqual(['Open', 'Won'])
  })

  it('takes them in bulk operations as well', async () => {
    const { body } = await call({
      method: 'PATCH',
      path: '/api/deals',
      key,
      body: { filter: { status: 'OPEN,WON', ownerId: 'me' }, dryRun: true, set: { lostReason: 'None' } },
    })
    expect(body.data.matched).toBe(2)
  })

  const many = (n: number) =>
    Array.from({ length: n }, (_, at) => `0${at.toString(16).padStart(7, '0')}-0000-7000-8000-000000000000`).join(',')

  it.each([
    ['status=OPEN,GREAT', 'INVALID_QUERY_PARAM', 'GREAT'],
    ['stageId=none', 'INVALID_ID', 'stageId'],
    [`companyId=${companyId},x`, 'INVALID_ID', 'x'],
    ['status=,', 'INVALID_QUERY_PARAM', 'status'],
    [`contactId=${many(filterValuesMax + 1)}`, 'INVALID_QUERY_PARAM', '50'],
    ['companyId=me', 'INVALID_ID', 'companyId'],
    ['status=OPEN&status=WON', 'DUPLICATE_QUERY_PARAM', ''],
  ])('400 for %s, naming what is wrong', async (query, code, word) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code, error: expect.stringContaining(word) } })
  })

  it('takes as many as are allowed', async () =>
    expect((await list(`contactId=${many(filterValuesMax)}`)).status).toBe(200))
})

describe('no value of a filter reaches beyond what the caller sees', async () => {
  const types = [
    'LEAD',
    'DEAL',
    'CONTACT',
    'COMPANY',
    'TASK',
    'PROJECT',
    'ACTIVITY',
    'PRODUCT',
    'QUOTE',
    'ORDER',
    'INVOICE',
  ]
  const access = types.map((entityType) => ({ entityType, VIEW: 'OWN', UPDATE: 'NONE', DELETE: 'NONE' }) as const)
  const { id } = await workspace.employee({ grant: { permissions: types.map((type) => `VIEW_${type}`), access } })
  const { key: keyOfNobody } = await workspace.apiKey({ ownerId: id })
  await createRecord(api, '/api/products', { name: 'Without a category' })
  await createRecord(api, '/api/leads', { lastName: 'Without a source' })
  await createRecord(api, '/api/tasks', { title: 'Without an assignee' })

  const lists = declaredOperations(publicContract).filter(
    ({ key: name, operation }) => name === 'list' && operation.shaped && !operation.path.includes('{'),
  )
  const texts = ['search', 'tag', 'sku', 'barcode', 'email', 'phone', 'fields', 'expand']
  const filters = lists.flatMap(({ operation: { path, query } }) =>
    Object.entries(query?.shape ?? {})
      .filter(([name, param]) => !texts.includes(name) && (param as z.ZodType).safeParse('none').success)
      .map(([name]) => [path, name] as const),
  )

  it('is asked of every filter that takes none', () => expect(filters.length).toBeGreaterThan(50))

  it.each(filters)('%s?%s=none', async (path, name) => {
    expect(await call({ path: `${path}?${name}=none`, key: keyOfNobody })).toMatchObject({
      status: 200,
      body: { total: 0, items: [] },
    })
  })
})
