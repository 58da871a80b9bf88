import { usualHome } from '@crm/db'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const path = '/api/dashboards'
const create = (body: Record<string, unknown> = {}, as = key) =>
  call({ method: 'POST', path, key: as, body: { name: 'Sales', ...body } })
const change = (id: string, body: unknown, as = key) => call({ method: 'PATCH', path: `${path}/${id}`, key: as, body })
const remove = (id: string, as = key) => call({ method: 'DELETE', path: `${path}/${id}`, key: as })
const read = async (id: string, as = key) => call({ path: `${path}/${id}`, key: as })
const home = async (as = key) => (await call({ path: `${path}/home`, key: as })).body.data

const widget = (source: object, more: object = {}) => ({
  type: 'NUMBER',
  title: 'How many',
  x: 0,
  y: 0,
  w: 4,
  h: 2,
  source: { resource: 'deals', ...source },
  ...more,
})

async function person(grant?: { permissions: string[] }, departmentId?: string): Promise<string> {
  const { id } = await workspace.employee(grant ? { grant } : { roles: ['Manager'], departmentId })
  return (await workspace.apiKey({ ownerId: id })).key
}

describe('the home', () => {
  it('of a workspace asks what its people may ask', async () => {
    const { widgets, ...shown } = await home()
    expect(shown).toMatchObject({ name: 'Home', visibility: 'WORKSPACE', isHome: true, ownerId: null, period: null })
    expect(widgets).toEqual(usualHome.widgets.map((one) => ({ ...one, isAvailable: true })))
  })

  it.each(usualHome.widgets)('asks $title as the lists take it', async ({ type, source }) => {
    const { resource, query, sort, limit, columns, measures = [], groupBy = [] } = source
    const [sortBy = 'createdAt', sortOrder = 'desc'] = sort?.split(':') ?? []
    const asked =
      type === 'LIST'
        ? { ...query, sortBy, sortOrder, pageSize: String(limit) }
        : { ...query, measures: measures.join(','), groupBy: groupBy.join(',') }
    const answer = await call({
      path: `/api/${resource}${type === 'LIST' ? '' : '/summary'}?${new URLSearchParams(asked).toString()}`,
      key,
    })
    expect(answer.status).toBe(200)
    expect(type === 'LIST').toBe(columns !== undefined)
  })

  it("is one's own where there is one; a newer one takes its place", async () => {
    const as = await person()
    const workspaceHome = (await home(as)).id
    const first = (await create({ isHome: true }, as)).body.data.id
    expect((await home(as)).id).toBe(first)
    const second = (await create({ isHome: true, visibility: 'DEPARTMENT' }, as)).body.data.id
    expect((await home(as)).id).toBe(second)
    expect((await read(first, as)).body.data.isHome).toBe(false)
    expect((await change(first, { isHome: true }, as)).status).toBe(200)
    expect((await home(as)).id).toBe(first)
    await remove(first, as)
    expect((await home(as)).id).toBe(workspaceHome)
  })

  it('of the workspace passes on and is never missing: 409 HOME_DASHBOARD', async () => {
    const before = await home()
    const next = (await create({ visibility: 'WORKSPACE', isHome: true })).body.data.id
    expect((await home()).id).toBe(next)
    const refused = { status: 409, body: { code: 'HOME_DASHBOARD' } }
    expect(await remove(next)).toMatchObject(refused)
    expect(await change(next, { isHome: false })).toMatchObject(refused)
    expect(await change(next, { visibility: 'PRIVATE' })).toMatchObject(refused)
    expect((await change(before.id, { isHome: true })).status).toBe(200)
    expect((await remove(next)).status).toBe(200)
    expect((await home()).id).toBe(before.id)
  })

  it('is made once when many ask for it at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ isHome: true })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const { items } = (await call({ path: `${path}?pageSize=50`, key })).body
    const homes = items.filter((one: { isHome: boolean; ownerId: string | null }) => one.isHome && one.ownerId !== null)
    expect(homes).toHaveLength(1)
    await remove(homes[0].id)
  })
})

describe('a dashboard', () => {
  it('is made, found, changed and deleted, and keeps its questions as they were asked', async () => {
    const widgets = [
      widget(
        {
          query: { ownerId: 'me', closedFrom: 'startOfMonth-1m' },
          measures: ['sum:amount', 'weighted:amount'],
          groupBy: ['stageId', 'createdAt:month'],
          sort: 'sum:amount:desc',
          top: 5,
          convertTo: 'EUR',
        },
        { id: 'a', type: 'TABLE', periodField: 'expectedClose' },
      ),
      widget({ resource: 'tasks', columns: ['title', 'assignee'], limit: 20, sort: 'dueAt:asc' }, { type: 'LIST' }),
      widget({ resource: 'invoices', columns: ['number', 'company'], sort: 'createdAt:asc' }, { type: 'LIST' }),
    ]
    const period = { from: 'startOfQuarter', to: '2026-12-31' }
    const made = await create({ widgets, period, position: 2 })
    expect({ status: made.status, data: made.body.data }).toMatchObject({
      status: 201,
      data: {
        name: 'Sales',
        visibility: 'PRIVATE',
        isHome: false,
        period,
        position: 2,
        widgets: [
          { ...widgets[0], isAvailable: true },
          { ...widgets[1], periodField: null, isAvailable: true },
          { ...widgets[2], isAvailable: true },
        ],
      },
    })
    const { id } = made.body.data
    expect((await call({ path: `${path}?search=sale`, key })).body.items).toContainEqual(made.body.data)
    const changed = await change(id, { name: 'Money', period: null, widgets: [] })
    expect(changed.body.data).toMatchObject({ name: 'Money', period: null, widgets: [], position: 2 })
    expect((await remove(id)).body).toEqual({ success: true, data: { id } })
    expect((await read(id)).status).toBe(404)
  })

  it.each([
    ['PRIVATE', 404, 404],
    ['DEPARTMENT', 200, 404],
  ] as const)('that is %s: %i for the department, %i for others', async (visibility, ofColleague, ofStranger) => {
    const department = await workspace.department(`For ${visibility}`)
    const [owner, colleague] = [await person(undefined, department), await person(undefined, department)]
    const { id } = (await create({ visibility }, owner)).body.data
    expect((await read(id, colleague)).status).toBe(ofColleague)
    expect((await read(id, await person())).status).toBe(ofStranger)
    if (ofColleague === 200)
      expect(await change(id, { name: 'Mine' }, colleague)).toMatchObject({
        status: 403,
        body: { code: 'ACCESS_DENIED' },
      })
  })

  it('for everybody is made and changed with MANAGE_WORKSPACE alone', async () => {
    const as = await person()
    const refused = { status: 403, body: { code: 'ACCESS_DENIED', requiredPermission: 'MANAGE_WORKSPACE' } }
    expect(await create({ visibility: 'WORKSPACE' }, as)).toMatchObject(refused)
    const own = (await create({}, as)).body.data.id
    expect(await change(own, { visibility: 'WORKSPACE' }, as)).toMatchObject(refused)
    const { id } = (await create({ visibility: 'WORKSPACE' })).body.data
    expect((await read(id, as)).status).toBe(200)
    expect(await change(id, { name: 'Mine' }, as)).toMatchObject(refused)
    expect(await remove(id, as)).toMatchObject(refused)
    expect((await change(id, { visibility: 'PRIVATE' })).status).toBe(200)
    expect((await read(id, as)).status).toBe(404)
  })
})

describe('a widget', () => {
  it.each([
    [{ resource: 'employees' }, {}, 'resource'],
    [{ resource: 'custom-entities/nothing/records' }, {}, 'resource'],
    [{ query: { surprise: 'x' } }, {}, 'query.surprise'],
    [{ query: { status: 'LOUD' } }, {}, 'query.status'],
    [{ query: { cf_gone: 'x' } }, {}, 'query.cf_gone'],
    [{ query: { closedFrom: 'startOfDecade' } }, {}, 'query.closedFrom'],
    [{ query: { page: '2' } }, {}, 'query.page'],
    [{ savedFilterId: '01890a5d-ac96-774b-bcce-b302099a8057' }, {}, 'savedFilterId'],
    [{ measures: ['sum:name'] }, {}, 'measures'],
    [{ groupBy: ['createdAt'] }, {}, 'groupBy'],
    [{ groupBy: ['cf_gone'] }, {}, 'groupBy'],
    [{ groupBy: ['stageId', 'stageId'] }, {}, 'groupBy'],
    [{ groupBy: ['stageId'], sort: 'surprise:asc' }, {}, 'sort'],
    [{ groupBy: ['stageId'], measures: ['sum:amount'], sort: 'sum:amount:asc' }, {}, 'sort'],
    [{ top: 5 }, {}, 'top'],
    [{}, { type: 'LINE' }, 'groupBy'],
    [{ columns: ['name'] }, {}, 'columns'],
    [{}, { type: 'LIST' }, 'columns'],
    [{ columns: ['name', 'searchText'] }, { type: 'LIST' }, 'columns.1'],
    [{ columns: ['name'], sort: 'surprise:asc' }, { type: 'LIST' }, 'sort'],
    [{ columns: ['name'], groupBy: ['stageId'] }, { type: 'LIST' }, 'groupBy'],
    [{}, { periodField: 'surprise' }, '^periodField'],
    [{}, { x: 9 }, '^w'],
  ])('400 for %j with %j', async (source, more, at) => {
    const answer = await create({ widgets: [widget({ groupBy: ['ownerId'] }, { type: 'BAR' }), widget(source, more)] })
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    const where = at.startsWith('^') ? at.slice(1) : `source.${at}`
    expect(answer.body.issues.map((issue: { path: unknown[] }) => issue.path.join('.'))).toEqual([`widgets.1.${where}`])
  })

  it('400 for 25 of them, for two of one id, for more than they may weigh and for a period that is none', async () => {
    const many = Array.from({ length: 25 }, () => widget({}))
    const heavy = Array.from({ length: 24 }, () =>
      widget({ query: Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`p${at}`, 'x'.repeat(1000)])) }),
    )
    const twins = [widget({}, { id: 'a' }), widget({}, { id: 'a' })]
    for (const widgets of [many, heavy, twins])
      expect(await create({ widgets })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect((await create({ period: { from: 'yesterday', to: 'today' } })).body.issues[0].path).toEqual([
      'period',
      'from',
    ])
  })

  it('over what is gone, switched off or out of sight is not available; the others are, and it can stay', async () => {
    const session = workspace.session()
    const view = (
      await call({
        method: 'POST',
        path: '/api/saved-filters',
        key,
        body: { name: 'Won', entityType: 'DEAL', visibility: 'WORKSPACE', query: { status: 'WON' } },
      })
    ).body.data.id
    const field = await call({
      method: 'POST',
      path: '/api/settings/custom-fields',
      cookie: await session,
      body: { entityType: 'DEAL', key: 'seats', label: 'Seats', type: 'NUMBER' },
    })
    const widgets = [
      widget({ savedFilterId: view }),
      widget({ measures: ['sum:cf_seats'] }),
      widget({ query: { hasOverdueTask: 'true' } }),
      widget({ resource: 'tasks' }),
      widget({}),
    ]
    const made = await create({ widgets, visibility: 'WORKSPACE' })
    expect(made.status).toBe(201)
    const { id } = made.body.data
    const available = async (as = key) =>
      (await read(id, as)).body.data.widgets.map(({ isAvailable }: { isAvailable: boolean }) => isAvailable)
    expect(await available()).toEqual([true, true, true, true, true])
    expect(await available(await person({ permissions: ['VIEW_TASK'] }))).toEqual([false, false, false, true, false])
    expect(await available(await person({ permissions: ['VIEW_DEAL'] }))).toEqual([true, true, true, false, true])

    await call({ method: 'DELETE', path: `/api/saved-filters/${view}`, key })
    expect(await available()).toEqual([false, true, true, true, true])
    await call({
      method: 'DELETE',
      path: `/api/settings/custom-fields/${field.body.data.id}`,
      cookie: await session,
    })
    expect(await available()).toEqual([false, false, true, true, true])
    const turn = async (enabled: boolean) =>
      call({
        method: 'PATCH',
        path: '/api/settings/modules/PROJECTS',
        cookie: await session,
        body: { enabled },
      })
    expect((await turn(false)).status).toBe(200)
    expect(await available()).toEqual([false, false, false, false, true])
    await turn(true)

    const { widgets: stored } = (await read(id)).body.data
    const sent = stored.map(({ isAvailable: _shown, ...one }: { isAvailable: boolean }) => ({ ...one, y: 3 }))
    expect((await change(id, { widgets: sent })).status).toBe(200)
    expect((await create({ widgets: sent })).body.issues.map((issue: { path: unknown[] }) => issue.path[1])).toEqual([
      0, 1,
    ])
    await remove(id)
  })

  it("over a workspace's own kind of record is checked like any other", async () => {
    const cookie = await workspace.session()
    await call({
      method: 'POST',
      path: '/api/custom-entities',
      cookie,
      body: {
        key: 'boat',
        labels: { singular: 'Boat', plural: 'Boats' },
        fields: [{ key: 'length', label: 'Length', type: 'NUMBER' }],
      },
    })
    const boats = (source: object) => ({ resource: 'custom-entities/boat/records', ...source })
    const send = (source: object) =>
      call({ method: 'POST', path, cookie, body: { name: 'Boats', widgets: [widget(boats(source))] } })
    expect((await send({ measures: ['sum:cf_length'], query: { cf_lengthMin: '3' } })).status).toBe(201)
    expect((await send({ measures: ['sum:cf_width'] })).status).toBe(400)
    expect((await send({ query: { cf_lengthMin: 'long' } })).status).toBe(400)
  })
})
