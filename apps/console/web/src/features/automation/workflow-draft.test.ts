import { describe, expect, it } from 'vitest'
import {
  errorAt,
  keysOf,
  moved,
  newStep,
  outputVariables,
  readValue,
  showValue,
  triggerVariables,
} from './workflow-draft.ts'

const taken = new Set(['record', 'record2'])

it('gives a new step a key of its own', () => {
  expect(newStep('CREATE_RECORD', taken)).toMatchObject({ key: 'record3', type: 'CREATE_RECORD', entityType: 'LEAD' })
  expect(newStep('DELAY', taken).key).toBe('wait')
})

it('knows keys and outputs inside of branches', () => {
  const fork = newStep('CONDITION', new Set())
  const steps = [newStep('SET', new Set()), { ...fork, then: [newStep('FIND_RECORDS', new Set())] } as typeof fork]
  expect([...keysOf(steps)]).toEqual(['values', 'check', 'found'])
  expect(outputVariables([{ key: 'a', name: '', type: 'SET', values: { x: 1 } }, ...steps])).toEqual([
    'steps.a.data.x',
    'steps.check.data.result',
    'steps.found.data.first.id',
    'steps.found.data.total',
    'steps.found.data.items',
  ])
})

it('suggests what the last request held', () => {
  const webhook = { type: 'WEBHOOK', method: 'POST' } as const
  expect(triggerVariables(webhook, { email: 'a', person: { name: 'b' }, tags: ['x'], 'not a name': 1 })).toEqual([
    'trigger.email',
    'trigger.person.name',
    'trigger.tags[0]',
  ])
  expect(triggerVariables(webhook, null)).toEqual([])
})

describe('values', () => {
  it.each([
    ['text', 'text'],
    [5, '5'],
    ['5', '"5"'],
    [null, 'null'],
    [['a'], '["a"]'],
    ['{{trigger.x}}', '{{trigger.x}}'],
    ['', ''],
  ])('shows and reads %j', (value, text) => {
    expect(showValue(value)).toBe(text)
    expect(readValue(text)).toEqual(value)
  })
})

it('finds the problem of a place', () => {
  const errors = { 'steps.1.values.x': 'wrong', 'steps.10.key': 'taken' }
  expect(errorAt(errors, 'steps.1')).toBe('wrong')
  expect(errorAt(errors, 'steps.1.key')).toBeUndefined()
})

it('moves an item by one, and none over the edge', () => {
  expect(moved(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
})
