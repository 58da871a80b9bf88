import { recordOperations } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { apiUnderTest, type CallAnswer } from './harness.ts'
import { createCompany, createDeal, unknownId } from './samples.ts'

const api = await apiUnderTest()
const { call, key, workspace } = api
const cookie = await workspace.session()

type Query = Readonly<Record<string, unknown>>
const asked = (path: string, filter: unknown, as = key): Promise<CallAnswer> =>
  call({
    path: `${path}?filter=${encodeURIComponent(typeof filter === 'string' ? filter : JSON.stringify(filter))}`,
    key: as,
  })
const all = (...and: Query[]): Query => ({ and })
const one = (field: string, op: string, value?: unknown): Query => all({ field, op, value })

const declare = async (field: Query): Promise<string> => {
  const body = { entityType: 'DEAL', ...field }
  const answer = await call({ method: 'POST', path: '/api/settings/custom-fields', cookie, body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data.id as string
}
await declare({
  key: 'region',
  label: 'Region',
  type: 'SELECT',
  options: [
    { value: 'n', label: 'North' },
    { value: 's', label: 'South' },
  ],
})
await declare({ key: 'seats', label: 'Seats', type: 'NUMBER' })
await declare({
  key: 'lines',
  label: 'Lines',
  type: 'MULTI_SELECT',
  options: ['a', 'b'].map((value) => ({ value, label: value })),
})
await declare({ key: 'renewal', label: 'Renewal', type: 'DATE' })
await declare({ key: 'checked', label: 'Checked', type: 'DATETIME' })
await declare({ key: 'signed', label: 'Signed', type: 'BOOLEAN' })
await declare({ key: 'memo', label: 'Memo', type: 'TEXT' })

const today = api.clock.now().toISOString().slice(0, 10)
const companyId = await createCompany(api, { name: 'Acme' })
await createDeal(api, {
  name: 'Alpha 50% off',
  amount: '1000',
  companyId,
  expectedCloseDate: today,
  description: 'A large Order',
  tags: ['hot', 'vip'],
  customFields: {
    region: 'n',
    seats: 5,
    lines: ['a', 'b'],
    renewal: '2026-03-01',
    checked: '2026-03-01T10:00:00.000Z',
    signed: true,
    memo: 'Call Ada',
  },
})
await createDeal(api, {
  name: 'Beta',
  amount: '250.50',
  tags: ['hot'],
  customFields: { region: 's', seats: 12, lines: ['b'], renewal: '2026-04-01' },
})
await createDeal(api, { name: 'Gamma', expectedCloseDate: '2020-01-31' })

const namesOf = ({ status, body }: CallAnswer): string => {
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items
    .map(({ name }: { name: string }) => name.slice(0, 1))
    .toSorted()
    .join('')
}

describe('a structured filter', () => {
  it.each([
    ['name', 'is', 'BETA', 'B'],
    ['name', 'isNot', 'beta', 'AG'],
    ['name', 'in', ['beta', 'Gamma'], 'BG'],
    ['name', 'contains', '50% O', 'A'],
    ['name', 'contains', '_', ''],
    ['name', 'startsWith', 'g', 'G'],
    ['description', 'empty', undefined, 'BG'],
    ['description', 'notEmpty', undefined, 'A'],
    ['amount', 'is', 1000, 'A'],
    ['amount', 'isNot', '1000.00', 'BG'],
    ['amount', 'gt', 250.5, 'A'],
    ['amount', 'gte', '250.5', 'AB'],
    ['amount', 'lt', 1000, 'B'],
    ['amount', 'lte', 1000, 'AB'],
    ['amount', 'between', [200, 999], 'B'],
    ['amount', 'empty', undefined, 'G'],
    ['companyId', 'is', companyId, 'A'],
    ['companyId', 'isNot', companyId, 'BG'],
    ['companyId', 'is', 'none', 'BG'],
    ['companyId', 'notEmpty', undefined, 'A'],
    ['ownerId', 'is', 'me', 'ABG'],
    ['ownerId', 'in', ['none'], ''],
    ['ownerId', 'in', ['me', 'none'], 'ABG'],
    ['status', 'is', 'OPEN', 'ABG'],
    ['status', 'in', ['WON', 'LOST'], ''],
    ['tags', 'is', 'vip', 'A'],
    ['tags', 'isNot', 'vip', 'BG'],
    ['tags', 'in', ['hot', 'cold'], 'AB'],
    ['tags', 'empty', undefined, 'G'],
    ['isRotting', 'is', false, 'ABG'],
    ['hasOverdueTask', 'isNot', true, 'ABG'],
    ['expectedCloseDate', 'is', 'today', 'A'],
    ['expectedCloseDate', 'lt', 'today', 'G'],
    ['expectedCloseDate', 'between', ['2020-01-01', 'today'], 'AG'],
    ['createdAt', 'is', 'today', 'ABG'],
    ['createdAt', 'gt', 'today', ''],
    ['createdAt', 'gte', 'startOfMonth', 'ABG'],
    ['createdAt', 'lt', 'today', ''],
    ['createdAt', 'between', ['-1d', 'today'], 'ABG'],
    ['lastActivityAt', 'empty', undefined, 'ABG'],
    ['cf_region', 'is', 'n', 'A'],
    ['cf_region', 'isNot', 'n', 'BG'],
    ['cf_region', 'in', ['n', 's'], 'AB'],
    ['cf_region', 'is', 'none', 'G'],
    ['cf_region', 'empty', undefined, 'G'],
    ['cf_seats', 'gte', 6, 'B'],
    ['cf_seats', 'between', [1, 12], 'AB'],
    ['cf_seats', 'empty', undefined, 'G'],
    ['cf_lines', 'is', 'a', 'A'],
    ['cf_lines', 'isNot', 'a', 'BG'],
    ['cf_lines', 'in', ['a', 'b'], 'AB'],
    ['cf_lines', 'empty', undefined, 'G'],
    ['cf_renewal', 'is', '2026-03-01', 'A'],
    ['cf_renewal', 'gt', '2026-03-01', 'B'],
    ['cf_checked', 'is', '2026-03-01', 'A'],
    ['cf_checked', 'lt', '2026-03-01', ''],
    ['cf_signed', 'is', true, 'A'],
    ['cf_signed', 'isNot', true, 'BG'],
    ['cf_memo', 'contains', 'ada', 'A'],
    ['cf_memo', 'empty', undefined, 'BG'],
  ])('%s %s %j', async (field, op, value, names) => {
    expect(namesOf(await asked('/api/deals', one(field, op, value)))).toBe(names)
  })

  it('joins conditions and groups, and counts the same in the list, the summary and a bulk change', async () => {
    const filter = {
      and: [
        { field: 'tags', op: 'is', value: 'hot' },
        {
          or: [
            { field: 'amount', op: 'gt', value: 900 },
            { field: 'cf_region', op: 'is', value: 's' },
          ],
        },
      ],
    }
    expect(namesOf(await asked('/api/deals', filter))).toBe('AB')
    expect((await asked('/api/deals/summary', filter)).body.totals.count).toBe(2)
    expect(namesOf(await asked('/api/deals', one('amount', 'gt', 900)))).toBe('A')
    const body = { filter: { filter: JSON.stringify(filter) }, set: { lostReason: 'Price' }, dryRun: true }
    expect((await call({ method: 'PATCH', path: '/api/deals', key, body })).body.data).toMatchObject({
      matched: 2,
    })
    const params = `filter=${encodeURIComponent(JSON.stringify(filter))}&search=beta&sortBy=cf_seats`
    expect(namesOf(await call({ path: `/api/deals?${params}`, key }))).toBe('B')
  })

  it('shows nobody more than they may see, and means each of them by me', async () => {
    const grant = {
      permissions: ['VIEW_DEAL'],
      access: [{ entityType: 'DEAL', VIEW: 'OWN', UPDATE: 'OWN', DELETE: 'OWN' }],
    } as never
    const { id: ownerId } = await workspace.employee({ grant })
    const { key: theirs } = await workspace.apiKey({ ownerId })
    expect(namesOf(await asked('/api/deals', one('amount', 'notEmpty'), theirs))).toBe('')
    const { id: colleague } = await workspace.employee({ grant: { permissions: ['VIEW_DEAL'] } })
    const { key: wide } = await workspace.apiKey({ ownerId: colleague })
    expect(namesOf(await asked('/api/deals', one('ownerId', 'is', 'me'), key))).toBe('ABG')
    expect(namesOf(await asked('/api/deals', one('ownerId', 'is', 'me'), wide))).toBe('')
  })

  it.each([
    ['bad JSON', '{"and":', 'Expected JSON', undefined],
    ['no group', { field: 'name', op: 'is', value: 'x' }, 'Expected "and" or "or"', undefined],
    ['an empty group', { and: [] }, 'Expected "and" or "or"', undefined],
    ['two joins at once', { and: [{}], or: [{}] }, 'Expected "and" or "or"', undefined],
    ['groups that are too deep', all(all(one('name', 'is', 'x'))), 'at most 2 levels', undefined],
    [
      'too many conditions',
      all(...Array.from({ length: 21 }, () => ({ field: 'a', op: 'is', value: 1 }))),
      'at most 20',
      undefined,
    ],
    ['an unknown operator', one('name', 'iss', 'x'), 'iss is none of', { iss: 'is' }],
    ['an unknown field', one('amuont', 'is', 1), 'no field amuont', { amuont: 'amount' }],
    ['an unknown custom field', one('cf_regoin', 'is', 1), 'no field cf_regoin', { cf_regoin: 'cf_region' }],
    ['a column that the API does not show', one('searchText', 'contains', 'x'), 'no field searchText', undefined],
    ['an operator of another type', one('amount', 'contains', '1'), 'amount has no operator contains', undefined],
    ['emptiness of what is never empty', one('name', 'empty'), 'name has no operator empty', undefined],
    ['a value where none belongs', one('amount', 'empty', 1), 'takes no value', undefined],
    ['no value', one('amount', 'gte'), 'takes a text, a number', undefined],
    ['one value for between', one('amount', 'between', [1]), 'two values', undefined],
    ['one text for in', one('name', 'in', 'x'), '1 to 50 values', undefined],
    [
      'too many values',
      one(
        'name',
        'in',
        Array.from({ length: 51 }, () => 'x'),
      ),
      '1 to 50 values',
      undefined,
    ],
    ['a text for a number', one('amount', 'gte', 'much'), 'expected a number', undefined],
    ['a wrong date', one('createdAt', 'gte', 'yesterday'), 'expected a date', undefined],
    ['a day out of range', one('expectedCloseDate', 'is', '0000-01-01'), 'expected a date', undefined],
    ['a wrong day', one('expectedCloseDate', 'is', 5), 'expected a date', undefined],
    ['a wrong flag', one('isRotting', 'is', 'maybe'), 'true or false', undefined],
    ['a wrong id', one('companyId', 'is', 'Acme'), 'is not a valid id', undefined],
    ['a wrong choice', one('status', 'is', 'OPNE'), 'is none of OPEN', { OPNE: 'OPEN' }],
    ['an empty text', one('name', 'contains', '  '), 'expected a text', undefined],
    ['NUL', one('name', 'contains', 'a\0'), 'takes a text', undefined],
    ['half a character', '{"and":[{"field":"name","op":"is","value":"\\ud800"}]}', 'takes a text', undefined],
    ['a list in a list', one('name', 'in', [['x']]), 'takes texts', undefined],
    ['more of a condition', all({ field: 'name', op: 'is', value: 'x', not: true }), 'Expected a condition', undefined],
  ])('refuses %s', async (_what, filter, message, suggestions) => {
    const { status, body } = await asked('/api/deals', filter)
    expect({ status, code: body.code, details: body.details }).toEqual({
      status: 400,
      code: 'INVALID_QUERY_PARAM',
      details: { param: 'filter', message: expect.stringContaining(message), ...(suggestions && { suggestions }) },
    })
  })

  it('is refused in the body of a bulk change, a saved filter and a widget as there', async () => {
    const filter = JSON.stringify(one('amuont', 'is', 1))
    const refused = async (path: string, body: Query, method: 'POST' | 'PATCH' = 'POST') => {
      const answer = await call({ method, path, key, body })
      return { status: answer.status, at: answer.body.issues?.[0]?.path.join('.') }
    }
    expect(await refused('/api/deals', { filter: { filter }, set: { lostReason: 'x' } }, 'PATCH')).toEqual({
      status: 400,
      at: 'filter.filter',
    })
    expect(await refused('/api/saved-filters', { name: 'x', entityType: 'DEAL', query: { filter } })).toEqual({
      status: 400,
      at: 'query.filter',
    })
    const source = { resource: 'deals', query: { filter } }
    const widgets = [{ id: 'a', type: 'NUMBER', title: 'x', x: 0, y: 0, w: 3, h: 2, source }]
    expect((await refused('/api/dashboards', { name: 'x', widgets })).at).toContain('source.query.filter')
  })

  it('is kept by a saved filter, which works without a field that is gone and says so', async () => {
    const id = await declare({ key: 'gone', label: 'Gone', type: 'NUMBER' })
    const or = [
      { field: 'amount', op: 'gte', value: 900 },
      { field: 'cf_gone', op: 'gt', value: 1 },
    ]
    const body = { name: 'Big', entityType: 'DEAL', query: { filter: JSON.stringify({ or }) } }
    const saved = await call({ method: 'POST', path: '/api/saved-filters', key, body })
    expect(saved.status, JSON.stringify(saved.body)).toBe(201)
    const path = `/api/deals?savedFilterId=${saved.body.data.id}`
    expect(namesOf(await call({ path, key }))).toBe('A')
    await call({ method: 'DELETE', path: `/api/settings/custom-fields/${id}?retire=true`, cookie })
    const answer = await call({ path, key })
    expect([answer.status, namesOf(answer)]).toEqual([200, 'A'])
    expect(answer.headers['x-ignored-params']).toBe('cf_gone')
  })

  it('knows the fields of custom entities', async () => {
    const fields = [{ key: 'wheels', label: 'Wheels', type: 'NUMBER' }]
    const body = { key: 'car', labels: { singular: 'Car', plural: 'Cars' }, fields }
    await call({ method: 'POST', path: '/api/custom-entities', cookie, body })
    const path = '/api/custom-entities/car/records'
    for (const [title, wheels] of [
      ['Trike', 3],
      ['Van', 4],
    ] as const)
      await call({ method: 'POST', path, cookie, body: { title, values: { wheels } } })
    const found = await call({
      path: `${path}?filter=${encodeURIComponent(JSON.stringify(one('cf_wheels', 'lt', 4)))}`,
      cookie,
    })
    expect(found.body.items.map(({ title }: { title: string }) => title)).toEqual(['Trike'])
  })

  it('works with every operator of every field that the schema names', async () => {
    const { kinds } = (await call({ path: '/api/schema', key })).body as {
      kinds: {
        key: string
        isCustom: boolean
        fields: {
          key: string
          type: string
          references: string | null
          operators: string[]
          options: { value: string }[]
        }[]
      }[]
    }
    const valueOf = ({ type, options, references }: (typeof kinds)[number]['fields'][number]): unknown => {
      if (type === 'SELECT') return options[0]?.value
      if (type === 'BOOLEAN') return true
      if (type.startsWith('DATE')) return 'today'
      if (type.startsWith('REFERENCE')) return references === 'CURRENCY' ? 'EUR' : unknownId
      return ['NUMBER', 'CURRENCY', 'PERCENTAGE', 'RATING'].includes(type) ? 1 : 'x'
    }
    for (const kind of kinds.filter(({ isCustom }) => !isCustom)) {
      const path = recordOperations(kind.key)?.list?.path as string
      const conditions = kind.fields.flatMap((field) =>
        field.operators.map((op) => {
          const value = valueOf(field)
          if (op === 'empty' || op === 'notEmpty') return { field: field.key, op }
          return { field: field.key, op, value: op === 'in' ? [value] : op === 'between' ? [value, value] : value }
        }),
      )
      expect(conditions.length, kind.key).toBeGreaterThan(10)
      for (let at = 0; at < conditions.length; at += 20) {
        const part = conditions.slice(at, at + 20)
        const { status, body } = await asked(path, { or: part })
        expect(status, `${kind.key} ${JSON.stringify(part)} ${JSON.stringify(body)}`).toBe(200)
      }
    }
  })

  it('needs the module of the fields that it names', async () => {
    const turn = (enabled: boolean) =>
      call({ method: 'PATCH', path: '/api/settings/modules/PROJECTS', cookie, body: { enabled } })
    await turn(false)
    const conditions = [
      one('nextTaskAt', 'is', 'today'),
      one('openTaskCount', 'is', 1),
      one('hasOverdueTask', 'is', true),
    ]
    for (const condition of conditions)
      expect(await asked('/api/deals', condition), JSON.stringify(condition)).toMatchObject({
        status: 403,
        body: { code: 'MODULE_DISABLED', key: 'PROJECTS' },
      })
    await turn(true)
  })
})
