import { schema } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../test/harness.ts'
import { createLead } from '../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const create = (path: string, name: string) => call({ method: 'POST', path, key, body: { name } })

/** The ways to put a row into a company and a lead that refer to it. */
const users = {
  '/api/industries': (id: string) =>
    api.db
      .insert(schema.companies)
      .values({ workspaceId: workspace.workspaceId, name: 'Analytical Engines', industryId: id }),
  '/api/lead-sources': (id: string) => createLead(api, { sourceId: id }),
} as const

describe.each(['/api/industries', '/api/lead-sources'] as const)('%s', (path) => {
  it('is created, found, renamed and deleted', async () => {
    const { status, body } = await create(path, '  Überlandwerke ')
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: { name: 'Überlandwerke', createdById: workspace.adminUserId },
    })
    const one = `${path}/${body.data.id}`
    expect((await call({ path: `${path}?search=uberland`, key })).body).toMatchObject({
      total: 1,
      page: 1,
      pageCount: 1,
      items: [body.data],
    })
    expect((await call({ path: one, key })).body.data).toEqual(body.data)
    expect((await call({ method: 'PATCH', path: one, key, body: { name: 'Stadtwerke' } })).body.data).toMatchObject({
      id: body.data.id,
      name: 'Stadtwerke',
    })
    expect((await call({ method: 'DELETE', path: one, key })).body).toEqual({
      success: true,
      data: { id: body.data.id },
    })
    expect((await call({ path: one, key })).status).toBe(404)
    expect((await call({ method: 'DELETE', path: one, key })).status).toBe(404)
  })

  it('stands in the list by name, whatever its case', async () => {
    await Promise.all(['zulu', 'Alpha', 'mike'].map((name) => create(path, `sorted ${name}`)))
    const { items } = (await call({ path: `${path}?search=sorted&pageSize=2`, key })).body
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['sorted Alpha', 'sorted mike'])
  })

  it('409 NAME_TAKEN for a name that another one has in any case', async () => {
    const { id } = (await create(path, 'Taken')).body.data
    const taken = { status: 409, body: { code: 'NAME_TAKEN', details: { field: 'name' } } }
    expect(await create(path, 'TAKEN')).toMatchObject(taken)
    const other = (await create(path, 'Free')).body.data.id
    expect(await call({ method: 'PATCH', path: `${path}/${other}`, key, body: { name: 'taken' } })).toMatchObject(taken)
    expect((await call({ method: 'PATCH', path: `${path}/${id}`, key, body: { name: 'TAKEN' } })).status).toBe(200)
  })

  it('409 IN_USE says how many records refer to it', async () => {
    const { id } = (await create(path, 'Referred to')).body.data
    await users[path](id)
    await users[path](id)
    expect(await call({ method: 'DELETE', path: `${path}/${id}`, key })).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', details: { count: 2 } },
    })
    expect((await call({ path: `${path}/${id}`, key })).status).toBe(200)
  })

  it('403 to change it without MANAGE_REFERENCE_DATA', async () => {
    const reader = await workspace.apiKey({ scopes: ['VIEW_REFERENCE_DATA'] })
    expect((await call({ path, key: reader.key })).status).toBe(200)
    expect(await call({ method: 'POST', path, key: reader.key, body: { name: 'No' } })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
  })
})

describe('the lead sources of the service itself', () => {
  const system = async () =>
    (await call({ path: '/api/lead-sources', key })).body.items.filter(
      ({ systemKey }: { systemKey: string | null }) => systemKey !== null,
    )

  it('can be renamed and keep their keys, so that leads still find them', async () => {
    const direct = (await system()).find(({ systemKey }: { systemKey: string }) => systemKey === 'direct')
    const renamed = await call({
      method: 'PATCH',
      path: `/api/lead-sources/${direct.id}`,
      key,
      body: { name: 'Walk-in' },
    })
    expect(renamed.body.data).toMatchObject({ name: 'Walk-in', systemKey: 'direct' })
    const lead = await createLead(api)
    expect((await call({ path: `/api/leads/${lead}`, key })).body.data.sourceId).toBe(direct.id)
  })

  it('409 SYSTEM_RECORD for deleting them; a new one cannot claim a key', async () => {
    expect(await system()).toHaveLength(2)
    for (const { id } of await system()) {
      expect(await call({ method: 'DELETE', path: `/api/lead-sources/${id}`, key })).toMatchObject({
        status: 409,
        body: { code: 'SYSTEM_RECORD' },
      })
    }
    const claimed = await call({
      method: 'POST',
      path: '/api/lead-sources',
      key,
      body: { name: 'Mine', systemKey: 'direct' },
    })
    expect(claimed).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['systemKey'] }] },
    })
  })
})

it('a new workspace begins with industries to choose from', async () => {
  const fresh = await api.newWorkspace()
  expect((await call({ path: '/api/industries', key: (await fresh.apiKey()).key }, fresh)).body.total).toBeGreaterThan(
    10,
  )
})
