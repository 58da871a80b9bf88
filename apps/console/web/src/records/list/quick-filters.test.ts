import { describe, expect, it } from 'vitest'
import type { Field, Kind } from '../record-kinds.ts'
import type { WireGroup } from './list-address.ts'
import { chosenOf, facetsOf, holds, quickFiltersOf, restOf, toggled, withChosen } from './quick-filters.ts'

const field = (key: string, type: Field['type'], operators: Field['operators'], values: readonly string[] = []) =>
  ({
    key,
    label: key,
    type,
    operators,
    references: null,
    options: values.map((value) => ({ value, label: value })),
  }) as unknown as Field
const kindOf = (key: string, ...fields: readonly Field[]) => ({ key, fields, pipelines: [] }) as unknown as Kind

const status = field('status', 'SELECT', ['is', 'in'], ['OPEN', 'WON', 'LOST'])
const deals = kindOf(
  'DEAL',
  field('ownerId', 'REFERENCE', ['is']),
  field('nextTaskAt', 'DATETIME', ['is', 'empty']),
  field('isRotting', 'BOOLEAN', ['is']),
  status,
)
const named = (kind: Kind, key: string) => {
  const found = quickFiltersOf(kind).find((quick) => quick.key === key)
  if (found === undefined) throw new Error(`There is no quick filter ${key}`)
  return found
}

describe('the quick filters of a list', () => {
  it('come from the fields of the kind', () => {
    expect(quickFiltersOf(deals).map(({ key }) => key)).toEqual(['mine', 'open', 'noNextStep', 'isRotting'])
    const tasks = kindOf(
      'TASK',
      field('assigneeId', 'REFERENCE', ['is']),
      field('dueAt', 'DATETIME', ['is', 'lte']),
      field('status', 'SELECT', ['in'], ['TODO', 'DONE', 'CANCELLED']),
    )
    expect(quickFiltersOf(tasks).map(({ key }) => key)).toEqual(['mine', 'open', 'dueToday'])
    expect(named(tasks, 'mine').conditions).toEqual([{ field: 'assigneeId', op: 'is', value: 'me' }])
    expect(named(tasks, 'dueToday').conditions).toEqual([
      { field: 'dueAt', op: 'lte', value: 'today' },
      { field: 'status', op: 'is', value: 'TODO' },
    ])
    expect(quickFiltersOf(kindOf('VEHICLE', field('plate', 'TEXT', ['is'])))).toEqual([])
  })

  it('are added to what holds, once, and taken off again', () => {
    const stuck = named(deals, 'noNextStep')
    const open = toggled(named(deals, 'open'), undefined)
    expect(open).toEqual({ and: [{ field: 'status', op: 'is', value: 'OPEN' }] })
    const both = toggled(stuck, open)
    expect(both).toEqual({
      and: [
        { field: 'status', op: 'is', value: 'OPEN' },
        { field: 'nextTaskAt', op: 'empty' },
      ],
    })
    expect(holds(stuck, both)).toBe(true)
    expect(toggled(stuck, both)).toEqual(open)
    expect(toggled(named(deals, 'open'), open)).toBeUndefined()
  })

  it('keep alternatives as they are', () => {
    const either: WireGroup = {
      or: [
        { field: 'amount', op: 'empty' },
        { field: 'status', op: 'is', value: 'OPEN' },
      ],
    }
    expect(holds(named(deals, 'open'), either)).toBe(false)
    expect(toggled(named(deals, 'open'), either)).toEqual({
      and: [either, { field: 'status', op: 'is', value: 'OPEN' }],
    })
    expect(restOf(either, [], [status])).toEqual(either.or)
  })
})

describe('the choices of a field beside a list', () => {
  it('are those of its usual columns, the progress first', () => {
    const tasks = kindOf(
      'TASK',
      field('priority', 'SELECT', ['in'], ['LOW', 'HIGH']),
      field('status', 'SELECT', ['in'], ['TODO', 'DONE']),
      field('kind', 'SELECT', ['in'], ['A', 'B']),
    )
    expect(facetsOf(tasks).map(({ key }) => key)).toEqual(['status', 'priority'])
  })

  it('become one condition, which other values change and none takes off', () => {
    const other = { field: 'amount', op: 'gt', value: '5' } as const
    const one = withChosen(status, ['WON'], { and: [other] })
    expect(one).toEqual({ and: [other, { field: 'status', op: 'is', value: 'WON' }] })
    const two = withChosen(status, ['WON', 'LOST'], one)
    expect(two).toEqual({ and: [other, { field: 'status', op: 'in', value: ['WON', 'LOST'] }] })
    expect(chosenOf(status, two)).toEqual(['WON', 'LOST'])
    expect(restOf(two, [], [status])).toEqual([other])
    expect(withChosen(status, [], two)).toEqual({ and: [other] })
    expect(withChosen(status, [], undefined)).toBeUndefined()
  })
})
