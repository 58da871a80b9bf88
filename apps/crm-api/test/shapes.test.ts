import { declaredOperations, publicContract } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { createCompany, createDeal, unknownId } from './samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()
await call({
  method: 'POST',
  path: '/api/settings/custom-fields',
  cookie,
  body: { entityType: 'DEAL', key: 'seats', label: 'Seats', type: 'NUMBER' },
})
await call({
  method: 'POST',
  path: '/api/settings/custom-fields',
  cookie,
  body: { entityType: 'DEAL', key: 'colour', label: 'Colour', type: 'TEXT' },
})
const companyId = await createCompany(api, { name: 'Acme' })
const id = await createDeal(api, { name: 'One', amount: '10', companyId, customFields: { seats: 3, colour: 'red' } })
const get = (path: string, credential = key) => call({ path, key: credential })
const first = async (query: string, credential = key) => (await get(`/api/deals?${query}`, credential)).body.items[0]

describe('fields', () => {
  it('answers these fields and the id', async () => {
    expect(await first('fields=name,amount')).toEqual({ id, name: 'One', amount: '10.00' })
    expect((await get(`/api/deals/${id}?fields=name`)).body).toEqual({ success: true, data: { id, name: 'One' } })
  })

  it('answers custom fields one by one, or all of them', async () => {
    expect(await first('fields=cf_seats')).toEqual({ id, customFields: { seats: 3 } })
    expect(await first('fields=customFields')).toEqual({ id, customFields: { seats: 3, colour: 'red' } })
  })

  it.each([
    ['fields=searchText'],
    ['fields=workspaceId'],
    ['fields=deletedAt'],
    ['fields=cf_moon'],
    ['fields='],
    ['fields=name,owner'],
    ['expand=name'],
    ['expand=workspace'],
    ['compact=maybe'],
  ])('400 for %s', async (query) => {
    for (const path of [`/api/deals?${query}`, `/api/deals/${id}?${query}`])
      expect(await get(path)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY_PARAM' } })
  })

  it('names the nearest field', async () => {
    expect((await get('/api/deals?fields=nmae')).body.details.suggestions).toEqual({ nmae: 'name' })
  })
})

describe('expand', () => {
  it('puts names beside ids, with fields too', async () => {
    const owner = { id: workspace.adminUserId, name: 'Ada Admin' }
    expect(await first('fields=name&expand=owner,company,contact')).toEqual({
      id,
      name: 'One',
      owner,
      company: { id: companyId, name: 'Acme' },
      contact: null,
    })
    expect(await first('expand=stage,createdBy')).toMatchObject({
      stage: { name: expect.any(String) },
      createdBy: owner,
    })
  })

  it('names no record out of sight, and nothing of the workspace is kept back', async () => {
    const reader = await workspace.employee({
      grant: {
        permissions: ['VIEW_DEAL'],
        access: [{ entityType: 'DEAL', VIEW: 'ALL', UPDATE: 'NONE', DELETE: 'NONE' }],
      },
    })
    const { key: readersKey } = await workspace.apiKey({ ownerId: reader.id })
    expect(await first('fields=companyId&expand=company,owner,pipeline', readersKey)).toEqual({
      id,
      companyId,
      company: null,
      owner: { id: workspace.adminUserId, name: 'Ada Admin' },
      pipeline: expect.any(Object),
    })
  })
})

describe('compact', () => {
  it('leaves out what is empty and tells an expanded record by its name', async () => {
    const compact = await first('compact=true&expand=owner,contact')
    expect(compact).toMatchObject({ id, name: 'One', owner: 'Ada Admin', companyId })
    for (const gone of ['contact', 'contactId', 'tags', 'description', 'items'])
      expect(compact).not.toHaveProperty(gone)
  })
})

it('shapes groups of duplicates', async () => {
  for (const lastName of ['Alike', 'Alike'])
    await call({ method: 'POST', path: '/api/contacts', key, body: { lastName, firstName: 'Eve' } })
  const { body } = await get('/api/contacts/duplicates?by=name&fields=lastName')
  expect(body.items[0].contacts).toEqual([
    { id: expect.any(String), lastName: 'Alike' },
    { id: expect.any(String), lastName: 'Alike' },
  ])
})

it('does not count as a filter of bulk changes', async () => {
  expect(
    await call({
      method: 'DELETE',
      path: '/api/deals',
      key,
      body: { filter: { fields: 'name', compact: 'true' }, dryRun: true },
    }),
  ).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})

const shaped = declaredOperations(publicContract).filter(({ operation }) => operation.shaped)

it('holds for every list of owned records and its single reads', () => {
  const lists = declaredOperations(publicContract).filter(({ operation }) => operation.summarized).length
  expect(shaped.filter(({ key: name }) => name === 'list')).toHaveLength(lists)
  expect(shaped.filter(({ key: name }) => name === 'get')).toHaveLength(lists)
})

it.each(
  shaped
    .filter(({ key: name, operation }) => name === 'list' && !operation.path.includes('{'))
    .map((one) => [one.title, one] as const),
)('%s takes fields, expand and compact', async (_, { operation }) => {
  const expand = Object.keys(operation.shaped?.expandable ?? {}).join(',')
  expect(await get(`${operation.path}?fields=id,createdAt&expand=${expand}&compact=true`)).toMatchObject({
    status: 200,
  })
  expect(await get(`${operation.path}/${unknownId}?fields=id`)).toMatchObject({ status: 404 })
})
