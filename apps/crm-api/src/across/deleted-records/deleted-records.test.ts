import { schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import {
  createCompany,
  createContact,
  createLead,
  createPriceList,
  createProduct,
  createRecord,
  ownedSamples,
} from '../../../test/samples.ts'

const api = await apiUnderTest()
const { call, db, key, workspace } = api
const cookie = await workspace.session()
const { workspaceId } = workspace

const remove = async (path: string) =>
  expect(await call({ method: 'DELETE', path, key })).toMatchObject({ status: 200 })
const deleted = async (entityType: string, { search = '', session = cookie } = {}) =>
  call({
    path: `/api/settings/deleted-records?entityType=${entityType}&pageSize=100${search && `&search=${search}`}`,
    cookie: session,
  })
const restore = (entityType: string, id: string, session = cookie) =>
  call({ method: 'POST', path: `/api/settings/deleted-records/${id}/restore`, cookie: session, body: { entityType } })
const as = async (
  permissions: string[],
  access: { entityType: string; VIEW: 'OWN' | 'ALL'; UPDATE: 'ALL'; DELETE: 'OWN' | 'ALL' | 'NONE' }[] = [],
) => {
  const { id } = await workspace.employee({ grant: { permissions, access } })
  return { id, session: await workspace.session(id) }
}

describe.each(ownedSamples(api))('a deleted %s', (entityType, path, create) => {
  it('is listed, comes back as it was and says so in its history', async () => {
    const id = await create()
    const before = (await call({ path: `${path}/${id}`, key })).body.data
    const { total } = (await call({ path, key })).body
    await remove(`${path}/${id}`)
    const listed = (await deleted(entityType)).body
    expect(listed).toMatchObject({
      total: 1,
      items: [{ entityType, id, title: expect.any(String), deletedBy: expect.stringContaining('Admin') }],
    })
    const [{ deletedAt, restorableUntil, title }] = listed.items
    expect(Date.parse(restorableUntil) - Date.parse(deletedAt)).toBe(30 * 24 * 60 * 60 * 1000)
    expect(await restore(entityType, id)).toMatchObject({ status: 200, body: { data: { entityType, id, title } } })
    const { version, updatedAt: _updatedAt, ...after } = (await call({ path: `${path}/${id}`, key })).body.data
    const { version: versionBefore, updatedAt: _before, ...same } = before
    expect(after).toEqual(same)
    expect(version).toBe(versionBefore + 1)
    expect((await call({ path, key })).body.total).toBe(total)
    expect((await deleted(entityType)).body).toMatchObject({ total: 0, items: [] })
    const { items } = (await call({ path: `/api/crm/timeline?entityType=${entityType}&entityId=${id}`, key })).body
    expect(items.slice(0, 2).map(({ kind }: { kind: string }) => kind)).toEqual(['RESTORED', 'DELETED'])
  })
})

describe('restoring', () => {
  it('brings records of a custom entity back', async () => {
    await createRecord(api, '/api/custom-entities', {
      key: 'vehicle',
      labels: { singular: 'Vehicle', plural: 'Vehicles' },
    })
    const { key: fresh } = await workspace.apiKey({ scopes: ['VIEW_VEHICLE', 'CREATE_VEHICLE', 'DELETE_VEHICLE'] })
    const path = '/api/custom-entities/vehicle/records'
    const { id } = (await call({ method: 'POST', path, key: fresh, body: { title: 'Van' } })).body.data
    await call({ method: 'DELETE', path: `${path}/${id}`, key: fresh })
    expect((await deleted('VEHICLE')).body.items).toMatchObject([{ id, title: 'Van' }])
    expect(await restore('VEHICLE', id)).toMatchObject({ status: 200 })
    expect(await call({ path: `${path}/${id}`, key: fresh })).toMatchObject({
      status: 200,
      body: { data: { title: 'Van' } },
    })
  })

  it('ends after 30 days, and there is nothing to restore of what is there or was never', async () => {
    const id = await createLead(api)
    expect(await restore('LEAD', id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    await remove(`/api/leads/${id}`)
    await db
      .update(schema.leads)
      .set({ deletedAt: new Date(api.clock.now().getTime() - 30 * 86_400_000).toISOString() })
      .where(and(eq(schema.leads.workspaceId, workspaceId), eq(schema.leads.id, id)))
    expect(await restore('LEAD', id)).toMatchObject({ status: 404 })
    expect((await deleted('LEAD')).body.total).toBe(0)
    expect(await restore('CONTACT', id)).toMatchObject({ status: 404 })
  })

  it('leaves what was merged into another one where it is', async () => {
    const [survivor, source] = [await createContact(api), await createContact(api)]
    await call({ method: 'POST', path: `/api/contacts/${survivor}/merge`, key, body: { sourceIds: [source] } })
    expect((await deleted('CONTACT')).body.total).toBe(0)
    expect(await restore('CONTACT', source)).toMatchObject({ status: 404 })
  })

  it('happens once when two ask for it', async () => {
    const id = await createLead(api)
    await remove(`/api/leads/${id}`)
    const answers = await Promise.all([restore('LEAD', id), restore('LEAD', id)])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404])
  })

  it('keeps to the plan limit', async () => {
    const limited = await api.newWorkspace()
    const { key: limitedKey } = await limited.apiKey()
    const make = async (lastName: string) =>
      call({ method: 'POST', path: '/api/leads', key: limitedKey, body: { lastName } }, limited)
    const { id } = (await make('Deleted')).body.data
    await call({ method: 'DELETE', path: `/api/leads/${id}`, key: limitedKey }, limited)
    await make('Other')
    await db.insert(schema.workspaceQuotas).values({ workspaceId: limited.workspaceId, quota: 'leads', limit: 1 })
    await api.epochs.bump(limited.workspaceId)
    const answer = await call(
      {
        method: 'POST',
        path: `/api/settings/deleted-records/${id}/restore`,
        cookie: await limited.session(),
        body: { entityType: 'LEAD' },
      },
      limited,
    )
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'QUOTA_EXCEEDED', details: { quota: 'leads', used: 1, limit: 1 } },
    })
  })

  it('finds by what the record says', async () => {
    const ids = [await createCompany(api, { name: 'Überlandwerke' }), await createCompany(api, { name: 'Stadtwerke' })]
    for (const id of ids) await remove(`/api/companies/${id}`)
    expect((await deleted('COMPANY', { search: 'uberland' })).body).toMatchObject({ total: 1, items: [{ id: ids[0] }] })
  })
})

describe('what a kind settles when a record comes back', () => {
  it('409 SKU_TAKEN when another product has its SKU now', async () => {
    const id = await createProduct(api, { sku: 'A-1' })
    await remove(`/api/products/${id}`)
    await createProduct(api, { sku: 'a-1' })
    expect(await restore('PRODUCT', id)).toMatchObject({ status: 409, body: { code: 'SKU_TAKEN' } })
  })

  it('400 for a variant whose product is gone', async () => {
    const parentId = await createProduct(api)
    const id = await createProduct(api, { parentId })
    await remove(`/api/products/${id}`)
    await remove(`/api/products/${parentId}`)
    expect(await restore('PRODUCT', id)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'parentId' } },
    })
    expect(await restore('PRODUCT', parentId)).toMatchObject({ status: 200 })
    expect(await restore('PRODUCT', id)).toMatchObject({ status: 200 })
  })

  it('a default price list is none any more when another one is', async () => {
    const [first, second] = [await createPriceList(api, { isDefault: true }), await createPriceList(api)]
    const isDefault = async (id: string) => (await call({ path: `/api/price-lists/${id}`, key })).body.data.isDefault
    await remove(`/api/price-lists/${first}`)
    await restore('PRICE_LIST', first)
    expect(await isDefault(first)).toBe(true)
    await remove(`/api/price-lists/${first}`)
    await call({ method: 'PATCH', path: `/api/price-lists/${second}`, key, body: { isDefault: true } })
    await restore('PRICE_LIST', first)
    expect([await isDefault(first), await isDefault(second)]).toEqual([false, true])
  })
})

describe('who may restore', () => {
  it('needs the permissions to see and to delete', async () => {
    const id = await createLead(api)
    await remove(`/api/leads/${id}`)
    for (const [permissions, lacking] of [
      [['VIEW_LEAD'], 'DELETE_LEAD'],
      [['DELETE_LEAD'], 'VIEW_LEAD'],
    ] as const) {
      const { session } = await as([...permissions])
      const refused = { status: 403, body: { code: 'ACCESS_DENIED', requiredPermission: lacking } }
      expect(await deleted('LEAD', { session })).toMatchObject(refused)
      expect(await restore('LEAD', id, session)).toMatchObject(refused)
    }
    const { session } = await as(
      ['VIEW_LEAD', 'DELETE_LEAD'],
      [{ entityType: 'LEAD', VIEW: 'ALL', UPDATE: 'ALL', DELETE: 'NONE' }],
    )
    expect(await deleted('LEAD', { session })).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_LEVEL_NONE', requiredPermission: 'DELETE_LEAD' },
    })
  })

  it.each([
    ['VIEW', { VIEW: 'OWN', UPDATE: 'ALL', DELETE: 'ALL' }],
    ['DELETE', { VIEW: 'ALL', UPDATE: 'ALL', DELETE: 'OWN' }],
  ] as const)('keeps to the level of %s', async (_action, level) => {
    const { id: ownerId, session } = await as(['VIEW_LEAD', 'DELETE_LEAD'], [{ entityType: 'LEAD', ...level }])
    const [mine, theirs] = [await createLead(api, { ownerId }), await createLead(api)]
    for (const id of [mine, theirs]) await remove(`/api/leads/${id}`)
    expect((await deleted('LEAD', { session })).body).toMatchObject({ total: 1, items: [{ id: mine }] })
    expect(await restore('LEAD', theirs, session)).toMatchObject({ status: 404 })
    expect(await restore('LEAD', mine, session)).toMatchObject({ status: 200 })
    await restore('LEAD', theirs)
  })

  it('400 for a kind that does not exist', async () => {
    expect(await deleted('ROBOT')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param: 'entityType' } },
    })
    expect(await restore('ROBOT', workspaceId)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: ['entityType'] }] },
    })
  })
})
