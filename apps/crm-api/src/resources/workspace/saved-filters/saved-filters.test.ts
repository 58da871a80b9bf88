import { filteredEntities, recordOperations } from '@crm/contract'
import { entityTypes } from '@crm/permissions'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

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
    const field = { entityType: 'LEAD', key: 'region', label: 'Region', type: 'TEXT' }
    const cookie = await workspace.session()
    expect((await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body: field })).status).toBe(201)
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
    expect(await issuesOf({ entityType: 'EMPLOYEE' })).toEqual(['entityType'])
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

describe('a view', () => {
  const session = workspace.session()
  const customType = async (key: string) => {
    const body = {
      key,
      labels: { singular: key, plural: key },
      fields: [{ key: 'due', label: 'Due', type: 'DATE' }],
    }
    const { status } = await call({ method: 'POST', path: '/api/custom-entities', cookie: await session, body })
    expect(status).toBe(201)
    return `/api/custom-entities/${key}/records`
  }

  it('is there for every list that has a summary', () => {
    const summarized = entityTypes.filter((entityType) => {
      const { summary, pathParams } = recordOperations(entityType) ?? {}
      return summary && !pathParams?.['key']
    })
    expect(filteredEntities).toEqual(summarized)
  })

  it('keeps how a board is shown; its columns are the stages unless told', async () => {
    const body = {
      entityType: 'DEAL',
      view: 'KANBAN',
      query: { ownerId: 'me' },
      columns: ['name', 'amount', 'company', 'hasOverdueTask'],
      columnWidths: { name: 240, amount: 40 },
      measures: ['sum:amount', 'weighted:amount'],
      position: 3,
    }
    const { status, body: answer } = await create(body)
    expect({ status, data: answer.data }).toMatchObject({
      status: 201,
      data: { ...body, groupBy: 'stageId', dateField: null, isDefault: false },
    })
    expect((await change(answer.data.id, { groupBy: 'ownerId' })).body.data.groupBy).toBe('ownerId')
    expect((await create({ entityType: 'TASK', view: 'KANBAN' })).body.data.groupBy).toBe('status')
    expect((await create({ entityType: 'DEAL' })).body.data.groupBy).toBeNull()
  })

  it('shows a calendar by a date, one of the custom ones too', async () => {
    const { body } = await create({ entityType: 'TASK', view: 'CALENDAR', dateField: 'dueAt' })
    expect(body.data).toMatchObject({ view: 'CALENDAR', dateField: 'dueAt' })
    await customType('lease')
    const view = { name: 'Due', entityType: 'LEASE', view: 'CALENDAR', dateField: 'cf_due', columns: ['cf_due'] }
    const custom = await call({ method: 'POST', path, cookie: await session, body: view })
    expect({ status: custom.status, data: custom.body.data }).toMatchObject({
      status: 201,
      data: { dateField: 'cf_due', columns: ['cf_due'] },
    })
  })

  it.each([
    [{ entityType: 'TASK', view: 'CALENDAR' }, 'dateField'],
    [{ entityType: 'TASK', view: 'CALENDAR', dateField: 'title' }, 'dateField'],
    [{ entityType: 'TASK', dateField: 'cf_due' }, 'dateField'],
    [{ entityType: 'DEAL', groupBy: 'createdAt' }, 'groupBy'],
    [{ entityType: 'DEAL', groupBy: 'createdAt:month' }, 'groupBy'],
    [{ entityType: 'DEAL', groupBy: 'description' }, 'groupBy'],
    [{ entityType: 'DEAL', measures: ['sum:name'] }, 'measures'],
    [{ entityType: 'DEAL', columns: ['name', 'searchText'] }, 'columns.1'],
    [{ entityType: 'DEAL', columns: ['cf_gone'] }, 'columns.0'],
    [{ entityType: 'DEAL', columnWidths: { name: 39 } }, 'columnWidths.name'],
    [{ entityType: 'DEAL', columnWidths: { name: 801 } }, 'columnWidths.name'],
    [{ entityType: 'DEAL', isDefault: true }, 'isDefault'],
    [{ entityType: 'INVOICE', sortBy: 'email' }, 'sortBy'],
  ])('400 for %j', async (body, at) => {
    const answer = await create(body)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    expect(answer.body.issues.map(({ path: issue }: { path: unknown[] }) => issue.join('.'))).toEqual([at])
  })

  it.each([
    ['ACTIVITY', '/api/activities', { type: 'NOTE' }],
    ['QUOTE', '/api/quotes', { status: 'DRAFT' }],
    ['ORDER', '/api/orders', { status: 'DRAFT' }],
    ['INVOICE', '/api/invoices', { status: 'DRAFT' }],
  ])('of %s is applied to its list and its summary', async (entityType, list, query) => {
    const { body } = await create({ entityType, query, sortBy: 'createdAt', sortOrder: 'asc' })
    for (const at of [list, `${list}/summary`])
      expect((await call({ path: `${at}?savedFilterId=${body.data.id}`, key })).status, at).toBe(200)
    const other = (await create({ entityType: 'LEAD' })).body.data.id
    expect(await call({ path: `${list}?savedFilterId=${other}`, key })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY_PARAM', details: { param: 'savedFilterId' } },
    })
  })

  it("of a workspace's own kind of record is applied to its list, and to that of no other kind", async () => {
    const [path, otherPath] = [await customType('boat'), await customType('van')]
    const cookie = await session
    for (const title of ['Red', 'Blue']) await call({ method: 'POST', path, cookie, body: { title } })
    const { id } = (
      await call({
        method: 'POST',
        path: '/api/saved-filters',
        cookie,
        body: { name: 'Red', entityType: 'BOAT', query: { search: 'red' } },
      })
    ).body.data
    expect((await call({ path: `${path}?savedFilterId=${id}`, cookie })).body).toMatchObject({
      total: 1,
      items: [{ title: 'Red' }],
    })
    expect((await call({ path: `${otherPath}?savedFilterId=${id}`, cookie })).status).toBe(400)
    expect((await call({ path: '/api/saved-filters?entityType=BOAT', cookie })).body.total).toBe(1)
    expect((await call({ path: '/api/saved-filters?entityType=BOAT', key: colleague })).body.total).toBe(0)
    expect(await create({ entityType: 'BOAT' }, colleague)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED' },
    })
  })

  it('is the default of its type for everybody when whoever manages the workspace says so; one at a time', async () => {
    const shared = { entityType: 'CONTACT', visibility: 'WORKSPACE' }
    const first = (await create({ ...shared, isDefault: true })).body.data
    const second = (await create(shared)).body.data
    expect([first.isDefault, second.isDefault]).toEqual([true, false])
    expect((await change(second.id, { isDefault: true })).body.data.isDefault).toBe(true)
    expect((await read(first.id, key)).body.data.isDefault).toBe(false)
    expect((await change(second.id, { visibility: 'PRIVATE' })).status).toBe(400)
    const theirs = (await create(shared, owner)).body.data.id
    expect(await change(theirs, { isDefault: true }, owner)).toMatchObject({
      status: 403,
      body: { code: 'ACCESS_DENIED', requiredPermission: 'MANAGE_WORKSPACE' },
    })
  })

  it('stands in the order of positions, then of names', async () => {
    const made = [
      await create({ entityType: 'PRODUCT', name: 'C', position: 1 }),
      await create({ entityType: 'PRODUCT', name: 'B' }),
      await create({ entityType: 'PRODUCT', name: 'A' }),
    ].map(({ body }) => body.data.id)
    const { items } = (await call({ path: `${path}?entityType=PRODUCT`, key })).body
    expect(items.map(({ id }: { id: string }) => id)).toEqual(made.toReversed())
  })

  it('does not show custom fields that are gone, and can still be changed', async () => {
    const path = '/api/settings/custom-fields'
    const add = async (field: Record<string, unknown>) =>
      (await call({ method: 'POST', path, cookie: await session, body: { entityType: 'LEAD', ...field } })).body.data.id
    const fields = [
      await add({ key: 'shoe', label: 'Shoe', type: 'SELECT', options: [{ value: 'left', label: 'Left' }] }),
      await add({ key: 'size', label: 'Size', type: 'NUMBER' }),
      await add({ key: 'sold', label: 'Sold', type: 'DATE' }),
    ]
    const body = { view: 'KANBAN', groupBy: 'cf_shoe', dateField: 'cf_sold', measures: ['sum:cf_size', 'max:score'] }
    const made = await create({ ...body, columns: ['name', 'cf_shoe'] })
    expect({ status: made.status, data: made.body.data }).toMatchObject({ status: 201, data: body })
    const { id } = made.body.data
    for (const field of fields) await call({ method: 'DELETE', path: `${path}/${field}`, cookie: await session })
    expect((await read(id, key)).body.data).toMatchObject({
      columns: ['name'],
      groupBy: 'stageId',
      dateField: null,
      measures: ['max:score'],
    })
    expect((await change(id, { name: 'Still there' })).status).toBe(200)
    expect((await change(id, { view: 'LIST' })).status).toBe(400)
    expect((await change(id, { view: 'LIST', groupBy: null, dateField: null, measures: [] })).status).toBe(200)
  })

  it('sent back as it was read is accepted of who may not say what is the default', async () => {
    const { id } = (await create({ visibility: 'WORKSPACE' }, owner)).body.data
    expect((await change(id, { name: 'Same', isDefault: false }, owner)).status).toBe(200)
  })
})
