import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'
import { createLead, unknownId } from '../../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const path = '/api/departments'
const create = (body: Record<string, unknown>, as = key) => call({ method: 'POST', path, key: as, body })
const createId = async (name: string, parentId?: string): Promise<string> =>
  (await create({ name, parentId })).body.data.id
const change = (id: string, body: unknown, as = key) => call({ method: 'PATCH', path: `${path}/${id}`, key: as, body })
const remove = (id: string, as = key) => call({ method: 'DELETE', path: `${path}/${id}`, key: as })

describe('a department', () => {
  it('is created below another one with its head, found, changed and deleted', async () => {
    const parentId = await createId('Company')
    const { status, body } = await create({ name: 'Écoute', parentId, headId: workspace.adminUserId })
    expect({ status, data: body.data }).toMatchObject({
      status: 201,
      data: { name: 'Écoute', parentId, headId: workspace.adminUserId, createdById: workspace.adminUserId },
    })
    expect((await call({ path: `${path}?search=ecoute`, key })).body).toMatchObject({ total: 1, items: [body.data] })
    expect((await call({ path: `${path}?parentId=${parentId}`, key })).body.total).toBe(1)
    expect((await change(body.data.id, { parentId: null, headId: null, name: 'Listening' })).body.data).toMatchObject({
      name: 'Listening',
      parentId: null,
      headId: null,
    })
    expect((await remove(body.data.id)).body).toEqual({ success: true, data: { id: body.data.id } })
    expect((await call({ path: `${path}/${body.data.id}`, key })).status).toBe(404)
  })

  it('400 INVALID_REFERENCE for a department or a head that is not there', async () => {
    expect(await create({ name: 'Lost', parentId: unknownId })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'parentId' } },
    })
    expect(await create({ name: 'Lost', headId: unknownId })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'headId' } },
    })
  })

  it('409 PARENT_CYCLE for standing below itself, at any depth', async () => {
    const top = await createId('Top')
    const middle = await createId('Middle', top)
    const bottom = await createId('Bottom', middle)
    for (const parentId of [top, middle, bottom])
      expect(await change(top, { parentId })).toMatchObject({ status: 409, body: { code: 'PARENT_CYCLE' } })
    expect((await change(bottom, { parentId: top })).status).toBe(200)
  })

  it('never closes a circle, when two move at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [await createId('One'), await createId('Other')]
      const statuses = (await Promise.all([change(one, { parentId: other }), change(other, { parentId: one })])).map(
        ({ status }) => status,
      )
      expect(new Set(statuses)).toEqual(new Set([200, 409]))
    }
  })

  it('409 IN_USE counts the departments, people and records in it', async () => {
    const id = await createId('Crowded')
    const below = await createId('Below', id)
    const { id: ownerId } = await workspace.employee({ departmentId: id })
    const lead = await createLead(api, { ownerId })
    const refused = (count: number) => ({ status: 409, body: { code: 'IN_USE', details: { count } } })
    expect(await remove(id)).toMatchObject({
      ...refused(3),
      body: { error: 'The department is used by 1 department, 1 person and 1 lead' },
    })
    await remove(below)
    const cookie = await workspace.session()
    await call({ method: 'PATCH', path: `/api/settings/users/${ownerId}`, cookie, body: { departmentId: null } })
    expect(await remove(id)).toMatchObject(refused(1))
    await call({ method: 'PATCH', path: `/api/leads/${lead}`, key, body: { ownerId: workspace.adminUserId } })
    expect((await remove(id)).status).toBe(200)
  })
})

describe('a level of access to departments', async () => {
  const [own, other] = [await createId('Own'), await createId('Elsewhere')]
  const child = await createId('Own child', own)
  const permissions = ['VIEW_DEPARTMENT', 'CREATE_DEPARTMENT', 'UPDATE_DEPARTMENT', 'DELETE_DEPARTMENT']

  async function keyWith(VIEW: 'OWN' | 'DEPARTMENT' | 'DEPARTMENT_TREE'): Promise<{ id: string; key: string }> {
    const { id } = await workspace.employee({
      departmentId: own,
      grant: { permissions, access: [{ entityType: 'DEPARTMENT', VIEW, UPDATE: VIEW, DELETE: 'OWN' }] },
    })
    return { id, key: (await workspace.apiKey({ ownerId: id })).key }
  }

  it.each([
    ['OWN', []],
    ['DEPARTMENT', [own]],
    ['DEPARTMENT_TREE', [own, child]],
  ] as const)('%s holds for list, total, reading and changing', async (level, seen) => {
    const { key: as } = await keyWith(level)
    const { body } = await call({ path, key: as })
    expect({ ids: body.items.map(({ id }: { id: string }) => id).sort(), total: body.total }).toEqual({
      ids: [...seen].sort(),
      total: seen.length,
    })
    for (const id of [own, child, other]) {
      const status = seen.some((known) => known === id) ? 200 : 404
      expect((await call({ path: `${path}/${id}`, key: as })).status).toBe(status)
      expect((await change(id, {}, as)).status).toBe(status)
    }
    expect((await remove(own, as)).status).toBe(404)
  })

  it('does not tell of a department above that the caller may not see', async () => {
    const { key: as } = await keyWith('DEPARTMENT')
    expect(await create({ name: 'Sly', parentId: other }, as)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REFERENCE', details: { field: 'parentId' } },
    })
  })

  it('OWN is what one heads', async () => {
    const reader = await keyWith('OWN')
    const headed = (await create({ name: 'Headed', headId: reader.id })).body.data.id
    expect((await call({ path, key: reader.key })).body.items.map(({ id }: { id: string }) => id)).toEqual([headed])
  })

  it('of others follows the tree at once', async () => {
    const { key: as } = await keyWith('DEPARTMENT_TREE')
    const listed = async () => (await call({ path, key: as })).body.total
    expect(await listed()).toBe(2)
    await change(other, { parentId: own })
    expect(await listed()).toBe(3)
    await change(other, { parentId: null })
    expect(await listed()).toBe(2)
  })
})
