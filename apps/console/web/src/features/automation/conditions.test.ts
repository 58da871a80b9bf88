import { describe, expect, it } from 'vitest'
import type { Field } from '../../records/record-kinds.ts'
import { comparableKind, toGroup, triggerPath, withGroup, type Conditions } from './conditions.ts'

const field = (type: Field['type']) => ({ type }) as Field
const kind = comparableKind(
  [
    { path: 'trigger.data.name', source: 'Deal', label: 'Name', field: field('TEXT') },
    { path: 'trigger.data.amount', source: 'Deal', label: 'Amount', field: field('CURRENCY') },
    { path: 'trigger.data.tags', source: 'Deal', label: 'Tags', field: field('TAGS') },
    { path: 'trigger.data.home', source: 'Deal', label: 'Address', field: field('ADDRESS') },
  ],
  [],
  triggerPath,
)

describe('conditions in the filter dialog', () => {
  it('compare the fields of a record by what both of them know', () => {
    expect(kind.fields.map(({ key, label, operators }) => [key, label, operators.join(' ')])).toEqual([
      ['data.name', 'Name', 'is isNot contains empty notEmpty'],
      ['data.amount', 'Amount', 'is isNot gt lt empty notEmpty'],
      ['data.tags', 'Tags', 'contains'],
    ])
  })

  it('name the source of what an earlier step gives', () => {
    const mixed = comparableKind(
      [
        { path: 'trigger.email', source: 'Call', label: 'Email' },
        { path: 'steps.a.data.total', source: 'Step 1', label: 'Number' },
      ],
      [],
    )
    expect(mixed.fields.map(({ label }) => label)).toEqual(['Email', 'Step 1 › Number'])
  })

  it('come back as they were, with the ones that the dialog cannot show', () => {
    const conditions: Conditions = [
      { field: 'data.name', op: 'EQ', value: null },
      { field: 'data.amount', op: 'GT', value: 1000 },
      { field: 'data.tags', op: 'CONTAINS', value: 'vip' },
      { field: 'data.status', op: 'CHANGED_TO', value: 'SENT' },
    ]
    const group = toGroup(conditions, kind)
    expect(group).toEqual({
      and: [
        { field: 'data.name', op: 'empty' },
        { field: 'data.amount', op: 'gt', value: 1000 },
        { field: 'data.tags', op: 'contains', value: 'vip' },
      ],
    })
    expect(withGroup(conditions, group, kind)).toEqual(conditions)
    expect(withGroup(conditions, undefined, kind)).toEqual(conditions.slice(3))
    expect(withGroup([], { and: [{ field: 'data.amount', op: 'is', value: '1000.00' }] }, kind)).toEqual([
      { field: 'data.amount', op: 'EQ', value: 1000 },
    ])
  })
})
