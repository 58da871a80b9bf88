import { expect, it } from 'vitest'
import { addressReader, conditionsFrom, groupIn, withCondition, withoutFields } from './list-address.ts'
import { narrowingOf, pageQueryOf, sortedBy, stateOf, writeColumns, type View } from './list-state.ts'

const read = addressReader('LEAD')
const id = '01890000-0000-7000-8000-000000000000'
const hot = { field: 'temperature', op: 'is', value: 'HOT' } as const

it('reads what it knows from an address, and nothing else', () => {
  const f = JSON.stringify({ and: [hot] })
  expect(
    read({ f, sort: '-score', cols: 'name,score:90', layout: 'board', page: '2', pageSize: '20', q: 'x' }),
  ).toEqual({
    f,
    sort: '-score',
    cols: 'name,score:90',
    layout: 'board',
    page: 2,
    pageSize: 20,
  })
  expect(read({ f: '{', layout: 'moon', page: '-1', pageSize: '7', search: ' ', view: 'moon' })).toEqual({})
})

it('turns parameters of the list into conditions that people can change', () => {
  expect(groupIn(read({ temperature: 'HOT', ownerId: `me,${id}` }).f)).toEqual({
    and: [hot, { field: 'ownerId', op: 'in', value: ['me', id] }],
  })
  expect(
    read({ temperature: 'BOILING', sortBy: 'lastName', sortOrder: 'asc', view: 'list', savedFilterId: id }),
  ).toEqual({
    sort: 'lastName',
    view: id,
    layout: 'table',
  })
  expect(conditionsFrom('LEAD', { createdFrom: 'today', tag: 'vip' })).toEqual({
    group: { and: [{ field: 'tags', op: 'is', value: 'vip' }] },
    rest: { createdFrom: 'today' },
  })
})

const view: View = {
  id,
  query: { temperature: 'HOT', search: 'mill' },
  sortBy: 'score',
  sortOrder: 'desc',
  view: 'KANBAN',
  density: 'comfortable',
  columns: ['name', 'score'],
  columnWidths: { score: 90 },
  groupBy: 'status',
  dateField: null,
  measures: ['avg:score'],
}

it('shows what a view says unless the address says otherwise', () => {
  expect(stateOf('LEAD', { view: id }, view, undefined)).toMatchObject({
    search: 'mill',
    group: { and: [hot] },
    sorts: [{ key: 'score', order: 'desc' }],
    columns: [{ key: 'name' }, { key: 'score', width: 90 }],
    sums: { score: 'avg' },
    layout: 'board',
    density: 'comfortable',
    by: 'status',
  })
  const changed = stateOf('LEAD', { view: id, f: '', sort: 'lastName', layout: 'table', cols: 'name' }, view, undefined)
  expect(changed).toMatchObject({ group: undefined, sorts: [{ key: 'lastName', order: 'asc' }], layout: 'table' })
  expect(writeColumns(stateOf('LEAD', { cols: 'name:9999,score:1' }, undefined, undefined).columns)).toBe(
    'name:800,score:60',
  )
})

it('asks the list for names beside the ids that it shows, in the words of each list', () => {
  expect(pageQueryOf('DEAL', stateOf('DEAL', { layout: 'table' }, undefined, undefined))).toMatchObject({
    sortBy: 'createdAt',
    sortOrder: 'desc',
    pageSize: 50,
    expand: expect.stringContaining('company'),
  })
  expect(pageQueryOf('INVOICE', stateOf('INVOICE', { sort: 'number' }, undefined, undefined))).toMatchObject({
    sort: 'number:asc',
    limit: 50,
  })
})

it('adds conditions to any group, and takes fields out of it', () => {
  const other = { field: 'score', op: 'gt', value: 5 } as const
  expect(withCondition({ or: [hot] }, other)).toEqual({ and: [{ or: [hot] }, other] })
  expect(withoutFields({ and: [{ or: [hot, other] }, other] }, ['score'])).toEqual({ and: [{ or: [hot] }] })
  expect(withoutFields({ and: [other] }, ['score'])).toBeUndefined()
})

it('is sorted by one field or by several, which an address, a view and the API keep', () => {
  const state = stateOf('DEAL', { sort: '-amount,name' }, undefined, undefined)
  const [amount, name] = [
    { key: 'amount', order: 'desc' },
    { key: 'name', order: 'asc' },
  ] as const
  expect(state.sorts).toEqual([amount, name])
  expect(pageQueryOf('DEAL', state)).toMatchObject({ sortBy: 'amount', sortOrder: 'desc', thenBy: 'name' })
  expect(narrowingOf(state)).toEqual({})
  expect(sortedBy([amount], 'name', 'asc', true)).toEqual([amount, name])
  expect(sortedBy([amount, name], 'amount', 'desc', true)).toEqual([{ key: 'amount', order: 'asc' }, name])
  expect(sortedBy([amount, name], 'name', 'asc', false)).toEqual([{ key: 'name', order: 'desc' }])
  const sortsOf = (sort: string) => stateOf('DEAL', { sort }, undefined, undefined).sorts
  expect(sortsOf('-nope,name')).toEqual([name])
  expect(sortsOf('nope')).toEqual([{ key: 'createdAt', order: 'desc' }])
  const saved = { ...view, query: { thenBy: 'name' }, sortBy: 'amount', sortOrder: 'desc' as const }
  expect(stateOf('DEAL', { view: saved.id }, saved, undefined)).toMatchObject({ sorts: [amount, name], rest: {} })
})
