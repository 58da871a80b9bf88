import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const path = '/api/saved-filters'
const create = (body: Record<string, unknown>, as = key) =>
  call({ method: 'POST', path, key: as, body: { name: 'Hot', entityType: 'LEAD', ...body } })
const change = (id: string, body: unknown, as = key) => call({ method: 'PATCH', path: `${path}/${id}`, key: as, body })
const remove = (id: string, as = key) => call({ method: 'DELETE', path: `${path}/${id}`, key: as })
const read = (id: string, as: string) => call({ path: `${path}/${id}`, key: as })

const department = await workspace.department('Sales')

async function person(departmentId?: string, roles = ['Manager']): Promise<string> {
  const { id } = await workspace.employee({ roles, departmentId })
  return (await workspace.apiKey({ ownerId: id })).key
}

const [colleague, stranger] = [await person(department), await person()]
const owner = await person(department)

describe('a saved filter', () => {
  it('keeps the parameters of a list as they stand in its query, and is found, changed and deleted', async () => {
    const body = {
      query: { temperature: 'HOT', search: 'engine', cf_region: 'EU', createdFrom: 'startOfYear-1y' },
      sortBy: 'score',
      sortOrder: 'desc',
      view: 'KANBAN',
      columns: ['name', 'score'],
    }
    const { status, body: answer } = await create(body, owner)
    expect({ status, data: answer.data }).toMatchObject({
      status: 201,
      data: { name: 'Hot', entityType: 'LEAD', visibility: 'PRIVATE', ...body },
    })
    const { id } = answer.data
    expect((await call({ path: `${path}?entityType=LEAD&search=hot`, key: owner })).body).toMatchObject({
      total: 1,
      items: [answer.data],
    })
    expect((await call({ path: `${path}?entityType=DEAL`, key: owner })).body.total).toBe(0)
    expect((await change(id, { name: 'Hottest', sortBy: null, query: {} }, owner)).body.data).toMatchObject({
      name: 'Hottest',
      sortBy: null,
      query: {},
      columns: ['name', 'score'],
    })
    expect((await remove(id, owner)).body).toEqual({ success: true, data: { id } })
    expect((await read(id, owner)).status).toBe(404)
  })

  it('400 VALIDATION_ERROR for what the list itself would refuse', async () => {
    const issuesOf = async (body: Record<string, unknown>) =>
      (await create(body)).body.issues.map(({ path: at }: { path: string[] }) => at.join('.'))
    expect(await issuesOf({ query: { surprise: 'x', page: '2', temperature: 'MILD' } })).toEqual([
      'query.surprise',
      'query.page',
      'query.temperature',
    ])
    expect(await issuesOf({ sortBy: 'email' })).toEqual(['sortBy'])
    expect(await issuesOf({ query: { ownerId: 'nobody' } })).toEqual(['query.ownerId'])
    expect(await issuesOf({ entityType: 'INVOICE' })).toEqual(['entityType'])
    const { id } = (await create({})).body.data
    expect(await change(id, { sortBy: 'email' })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  it.each([
    ['PRIVATE', 404, 404],
    ['DEPARTMENT', 200, 404],
    ['WORKSPACE', 200, 200],
  ] as const)(
    'that is %s: %i for a colleague of the department, %i for others',
    async (visibility, ofColleague, ofStranger) => {
      const { id } = (await create({ visibility }, owner)).body.data
      const listed = async (as: string) =>
        (await call({ path, key: as })).body.items.some((item: { id: string }) => item.id === id)
      expect((await read(id, colleague)).status).toBe(ofColleague)
      expect((await read(id, stranger)).status).toBe(ofStranger)
      expect([await listed(owner), await listed(colleague), await listed(stranger)]).toEqual([
        true,
        ofColleague === 200,
        ofStranger === 200,
      ])
    },
  )

  it('403 for changing the one of another person; whoever manages the workspace can change what everybody sees', async () => {
    const { id } = (await create({ visibility: 'WORKSPACE' }, owner)).body.data
    expect(await change(id, { name: 'Mine' }, colleague)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
    expect((await remove(id, colleague)).status).toBe(403)
    expect((await change(id, { name: 'In order' })).body.data.name).toBe('In order')
    expect((await remove(id)).status).toBe(200)
    const hidden = (await create({}, owner)).body.data.id
    expect((await remove(hidden)).status).toBe(404)
  })

  it('is not there for somebody who may not see the records, and none can be made of them', async () => {
    const { id } = (await create({ visibility: 'WORKSPACE' })).body.data
    const { id: ownerId } = await workspace.employee({ grant: { permissions: ['VIEW_DEAL'] } })
    const { key: as } = await workspace.apiKey({ ownerId })
    expect((await read(id, as)).status).toBe(404)
    expect((await call({ path, key: as })).body.total).toBe(0)
    expect(await create({}, as)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } })
  })
})
