import { declaredOperations, publicContract, type DeclaredOperation } from '@crm/contract'
import { expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { createBodies, createRecord } from './samples.ts'

const api = await apiUnderTest()
const { call, workspace } = api

const creates = declaredOperations(publicContract).filter(
  ({ key, operation, resource }) =>
    key === 'create' &&
    operation.body &&
    'shape' in operation.body &&
    'ownerId' in (operation.body.shape as object) &&
    resource.name in publicContract,
)

it.each(creates.map((one) => [one.title, one] as const))(
  "%s: a record is its maker's when nobody is named, and again when its owner is taken away",
  async (_title, one) => {
    const maker = await ownRecordsOnly(one)
    const body = await createBodies[one.id]?.(api)
    const path = `${one.operation.path}/${await createRecord({ ...api, key: maker.key }, one.operation.path, { ...body, ownerId: null })}`
    expect((await call({ path, key: maker.key })).body.data.ownerId).toBe(maker.id)

    const other = await workspace.employee({ departmentId: await workspace.department(`Behind ${path}`) })
    const given = await call({ method: 'PATCH', path, key: api.key, body: { ownerId: other.id } })
    expect(given.body.data).toMatchObject({ ownerId: other.id, departmentId: expect.any(String) })
    expect((await call({ path, key: maker.key })).status).toBe(404)

    const taken = await call({ method: 'PATCH', path, key: api.key, body: { ownerId: null } })
    expect(taken).toMatchObject({ status: 200, body: { data: { ownerId: null, departmentId: null } } })
    expect((await call({ path, key: maker.key })).status).toBe(200)
    const list = await call({ path: one.operation.path, key: maker.key })
    expect(list.body).toMatchObject({ total: 1, items: [{ ownerId: null }] })
  },
)

/** Creates a person who may do everything with records of one kind, but only with their own. */
async function ownRecordsOnly({ operation: { access } }: DeclaredOperation): Promise<{ id: string; key: string }> {
  const entityType = typeof access === 'object' && 'all' in access ? String(access.all[0]).replace('CREATE_', '') : ''
  const permissions = ['VIEW', 'CREATE', 'UPDATE', 'DELETE'].map((action) => `${action}_${entityType}`)
  const { id } = await workspace.employee({
    grant: { permissions, access: [{ entityType, VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }] },
  })
  return { id, key: (await workspace.apiKey({ ownerId: id })).key }
}
