import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { leadsAt, newWorld, type Person, type World } from './reach.attacks.ts'

const api = await apiUnderTest()

const newLead = async (world: World, who: Person | 'admin', lastName: string, body: object = {}) =>
  (await world.as(who, 'POST', '/api/leads', { lastName, ...body })).body.data.id as string
const namesSeenBy = async (world: World, who: Person | 'admin', query = '') => {
  const { status, body } = await world.as(who, 'GET', `/api/leads${query}`)
  return status === 200 ? (body.items as { lastName: string }[]).map(({ lastName }) => lastName).toSorted() : body.code
}

/** Removes a permission from everybody who has a role, as an administrator does. */
async function withdraw(world: World, { roleId }: Person, permission: string): Promise<void> {
  const { body } = await world.as('admin', 'GET', `/api/settings/roles/${roleId}`)
  const permissions = (body.data.permissions as string[]).filter((name) => name !== permission)
  expect((await world.as('admin', 'PATCH', `/api/settings/roles/${roleId}`, { permissions })).status).toBe(200)
}

describe('a saved filter that is shared', () => {
  it('shows nobody more than they may see, and nothing to its maker who has lost the right', async () => {
    const world = await newWorld(api)
    const [maker, reader] = [
      await world.person({ permissions: ['CREATE_LEAD'], leads: 'ALL' }),
      await world.person({ permissions: ['CREATE_LEAD'] }),
    ]
    await newLead(world, maker, 'Of the maker')
    await newLead(world, reader, 'Of the reader')
    const filter = (
      await world.as(maker, 'POST', '/api/saved-filters', {
        name: 'All',
        entityType: 'LEAD',
        visibility: 'WORKSPACE',
        query: {},
      })
    ).body.data.id as string
    const use = `?savedFilterId=${filter}`
    expect(await namesSeenBy(world, maker, use)).toEqual(['Of the maker', 'Of the reader'])
    expect(await namesSeenBy(world, reader, use)).toEqual(['Of the reader'])
    await withdraw(world, maker, 'VIEW_LEAD')
    expect(await namesSeenBy(world, maker, use)).toBe('ACCESS_DENIED')
    expect((await world.as(maker, 'PATCH', `/api/saved-filters/${filter}`, { name: 'Mine' })).status).toBe(403)
    expect(await namesSeenBy(world, reader, use)).toEqual(['Of the reader'])
  })
})

describe('changing owners in bulk', () => {
  it('gives away what is one’s own, also out of sight, and touches nothing else', async () => {
    const world = await newWorld(api)
    const me = await world.person({ permissions: ['CREATE_LEAD', 'UPDATE_LEAD'] })
    const other = await world.person({ departmentId: await world.workspace.department('Far') })
    const mine = await newLead(world, me, 'Mine')
    const foreign = await newLead(world, 'admin', 'Foreign')
    const { status, body } = await world.as(me, 'PATCH', '/api/leads', {
      ids: [mine, foreign],
      set: { ownerId: other.id },
    })
    expect({ status, updated: body.data.updated }).toEqual({ status: 200, updated: 1 })
    expect(body.data.results).toContainEqual(expect.objectContaining({ id: foreign, code: 'NOT_FOUND' }))
    expect(JSON.stringify(body)).not.toContain('Foreign')
    expect(await namesSeenBy(world, me)).toEqual([])
    expect(
      (await world.as(me, 'PATCH', '/api/leads', { ids: [mine], set: { ownerId: me.id } })).body.data,
    ).toMatchObject({ updated: 0 })
    expect(await namesSeenBy(world, other)).toEqual(['Mine'])
    const back = await world.as(me, 'PATCH', '/api/leads', {
      filter: { search: 'Mine' },
      expectedCount: 1,
      set: { ownerId: me.id },
    })
    expect(back.body).toMatchObject({ code: 'COUNT_MISMATCH' })
  })
})

describe('restoring a deleted record', () => {
  it.each(['VIEW_LEAD', 'DELETE_LEAD'])('is refused to whoever deleted it and has lost %s', async (permission) => {
    const world = await newWorld(api)
    const me = await world.person({ permissions: ['CREATE_LEAD', 'DELETE_LEAD'] })
    const id = await newLead(world, me, 'Gone')
    expect((await world.as(me, 'DELETE', `/api/leads/${id}`)).status).toBe(200)
    await withdraw(world, me, permission)
    const restored = await world.as(me, 'POST', `/api/settings/deleted-records/${id}/restore`, { entityType: 'LEAD' })
    expect(restored).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
    expect(await namesSeenBy(world, 'admin')).toEqual([])
  })

  it('does not find what was given to somebody else before it was deleted', async () => {
    const world = await newWorld(api)
    const me = await world.person({ permissions: ['CREATE_LEAD', 'UPDATE_LEAD', 'DELETE_LEAD'] })
    const id = await newLead(world, me, 'Given away')
    await world.as(me, 'PATCH', `/api/leads/${id}`, { ownerId: world.admin })
    await world.as('admin', 'DELETE', `/api/leads/${id}`)
    expect(
      (await world.as(me, 'POST', `/api/settings/deleted-records/${id}/restore`, { entityType: 'LEAD' })).status,
    ).toBe(404)
  })
})

describe('a person whose department moves', () => {
  it('sees the leads of the new tree at once, and no longer those of the old one', async () => {
    const world = await newWorld(api)
    const [old, next] = [await world.workspace.department('Old'), await world.workspace.department('New')]
    const seller = async (departmentId: string) => await world.person({ permissions: ['CREATE_LEAD'], departmentId })
    await newLead(world, await seller(old), 'Old lead')
    await newLead(world, await seller(next), 'New lead')
    const me = await world.person({ leads: 'DEPARTMENT_TREE', departmentId: old })
    expect(await namesSeenBy(world, me)).toEqual(['Old lead'])
    expect((await world.as('admin', 'PATCH', `/api/settings/users/${me.id}`, { departmentId: next })).status).toBe(200)
    expect(await namesSeenBy(world, me)).toEqual(['New lead'])
    expect(
      (await world.as('admin', 'PATCH', `/api/settings/roles/${me.roleId}`, { access: leadsAt('OWN') })).status,
    ).toBe(200)
    expect(await namesSeenBy(world, me)).toEqual([])
  })
})
