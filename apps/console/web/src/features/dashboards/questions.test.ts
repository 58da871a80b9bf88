import { expect, it } from 'vitest'
import { bucketName, daysOf, drillDown, figureOf, paramsOf, placed, queryOf, rowsOf, type Widget } from './questions.ts'

const widget: Widget = {
  id: 'a',
  type: 'BAR',
  title: 'Deals',
  x: 0,
  y: 0,
  w: 6,
  h: 4,
  source: { resource: 'deals', query: { status: 'OPEN' }, measures: ['sum:amount', 'count'], groupBy: ['stageId'] },
  periodField: 'closed',
  isAvailable: true,
}

const fields = new Set(['status', 'stageId', 'ownerId', 'temperature', 'closedAt', 'createdAt', 'expectedCloseDate'])

it('asks what a widget stands for, within the period of its dashboard', () => {
  expect(queryOf(widget, { from: 'startOfMonth', to: 'today' })).toEqual({
    status: 'OPEN',
    closedFrom: 'startOfMonth',
    closedTo: 'today',
    measures: 'sum:amount,count',
    groupBy: 'stageId',
  })
})

it('reads counts, plain sums and amounts of money', () => {
  const cell = { count: 3, sum: { amount: { EUR: '12.5' }, seats: '7' }, avg: { amount: {} }, max: { seats: null } }
  expect(figureOf(cell, 'count', null)).toEqual({ value: 3, currency: null })
  expect(figureOf(cell, 'sum:amount', 'EUR')).toEqual({ value: 12.5, currency: 'EUR' })
  expect(figureOf(cell, 'sum:seats', null)).toEqual({ value: 7, currency: null })
  expect(figureOf(cell, 'avg:amount', null)).toEqual({ value: 0, currency: null })
  expect(figureOf(cell, 'max:seats', null)).toEqual({ value: 0, currency: null })
})

it('draws each measure in one currency, and puts the amounts in others beside it', () => {
  const group = (value: string, amount: Record<string, string>) => ({ by: [{ value }], count: 1, sum: { amount } })
  const groups = [group('a', { JPY: '3000' }), group('b', { EUR: '2000', USD: '5' }), group('c', { JPY: '1' })]
  const words = { rest: 'Others', nameOf: ({ value }: { value: string | boolean | null }) => String(value) }
  const figures = (preferred?: string) =>
    rowsOf({ groups }, ['sum:amount'], words, preferred).map(({ figures: [figure] }) => figure)
  const yen = [['JPY', 3000]]
  expect(figures('EUR')).toEqual([
    { value: 0, currency: 'EUR', besides: yen },
    { value: 2000, currency: 'EUR', besides: [['USD', 5]] },
    { value: 0, currency: 'EUR', besides: [['JPY', 1]] },
  ])
  // Nothing is in the wanted currency: that of the most groups is the axis.
  expect(figures('CHF').map((figure) => [figure?.value, figure?.currency])).toEqual([
    [3000, 'JPY'],
    [0, 'JPY'],
    [1, 'JPY'],
  ])
})

it('shows the groups that were folded into one, so that the parts are the whole', () => {
  const other = [{ by: [], groups: 4, count: 9 }]
  const words = { rest: 'Others', nameOf: ({ value }: { value: string | boolean | null }) => String(value) }
  expect(rowsOf({ groups: [{ by: [{ value: 'a' }], count: 2 }], other }, ['count'], words)).toMatchObject([
    { label: 'a', values: ['a'], figures: [{ value: 2 }] },
    { label: 'Others', values: undefined, figures: [{ value: 9 }] },
  ])
})

it.each([
  [
    { status: 'OPEN' },
    ['stageId'],
    ['1'],
    [
      { field: 'status', op: 'is', value: 'OPEN' },
      { field: 'stageId', op: 'is', value: '1' },
    ],
  ],
  [
    { status: 'WON,LOST' },
    ['ownerId'],
    [null],
    [
      { field: 'status', op: 'in', value: ['WON', 'LOST'] },
      { field: 'ownerId', op: 'empty' },
    ],
  ],
  [
    { filter: '{"and":[{"field":"name","op":"notEmpty"}]}' },
    ['createdAt:month'],
    ['2026-02'],
    [
      { field: 'name', op: 'notEmpty' },
      { field: 'createdAt', op: 'between', value: ['2026-02-01', '2026-02-28'] },
    ],
  ],
  [{ closedFrom: '-30d' }, [], [], [{ field: 'closedAt', op: 'gte', value: '-30d' }]],
])('leads from %o by %o of %o to the records behind it', (query, groupBy, values, conditions) => {
  const source = { ...widget.source, query: query as Record<string, string>, groupBy }
  const params = paramsOf({ ...widget, source, periodField: null }, null)
  const place = new URL(drillDown({ source, params, fields }, values), 'http://crm.test')
  expect(place.pathname).toBe('/deals')
  expect(JSON.parse(place.searchParams.get('f') ?? '')).toEqual({ and: conditions })
})

it('leads to the records of a saved view within the period, and keeps words that no field has', () => {
  const ofView = {
    temperature: 'HOT',
    search: 'acme',
    filter: JSON.stringify({ and: [{ field: 'score', op: 'gte', value: 5 }] }),
  }
  const source = {
    ...widget.source,
    query: { filter: JSON.stringify({ or: [{ field: 'status', op: 'is', value: 'WON' }] }) },
  }
  const params = paramsOf({ ...widget, source }, { from: 'startOfMonth', to: 'today' }, ofView)
  const place = new URL(drillDown({ source: { ...source, groupBy: [] }, params, fields }, []), 'http://crm.test')
  expect(Object.fromEntries(place.searchParams)).toMatchObject({ view: 'all', layout: 'table', search: 'acme' })
  expect(JSON.parse(place.searchParams.get('f') ?? '')).toEqual({
    and: [
      { field: 'score', op: 'gte', value: 5 },
      { or: [{ field: 'status', op: 'is', value: 'WON' }] },
      { field: 'temperature', op: 'is', value: 'HOT' },
      { field: 'closedAt', op: 'gte', value: 'startOfMonth' },
      { field: 'closedAt', op: 'lte', value: 'today' },
    ],
  })
})

it('knows the days of a span of time and its name', () => {
  expect(daysOf('2026-Q4', 'quarter')).toEqual(['2026-10-01', '2026-12-31'])
  expect(daysOf('2026-11-23', 'week')).toEqual(['2026-11-23', '2026-11-29'])
  expect(daysOf('2026', 'year')).toEqual(['2026-01-01', '2026-12-31'])
  expect(['2026-11', '2026-Q4'].map((value, at) => bucketName(value, at === 0 ? 'month' : 'quarter'))).toEqual([
    'Nov 2026',
    '2026 Q4',
  ])
})

it('places widgets in rows of twelve columns', () => {
  const of = (w: number) => ({ ...widget, w })
  expect(placed([of(6), of(6), of(4), of(12)]).map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [6, 0],
    [0, 4],
    [0, 8],
  ])
})
