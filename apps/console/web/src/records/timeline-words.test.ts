import { timelineKinds } from '@crm/contract'
import { expect, it } from 'vitest'
import { fieldName } from './field-words.ts'
import { describeChanges, describeKind, describeSource, describeValue, partsOf } from './timeline-words.ts'

const stage = '0197b2f0-0000-7000-8000-000000000001'
const unknown = '0197b2f0-0000-7000-8000-000000000002'
const names = new Map([[stage, 'Contacted']])

it('has words for every kind of entry', () => {
  expect(timelineKinds.map((kind) => describeKind(kind, 'lead')).filter((words) => !/^[a-z ,-]+$/.test(words))).toEqual(
    [],
  )
  expect(describeKind('PAYMENT_RECORDED', 'invoice')).toBe('recorded a payment')
})

it('puts names in place of ids and codes', () => {
  const changes = [
    { field: 'stageId', from: unknown, to: stage },
    { field: 'status', from: 'NEW', to: 'IN_PROGRESS' },
    { field: 'phone', from: null, to: '+49 30' },
  ]
  expect(describeChanges(changes, names)).toEqual([
    { field: 'stageId', name: 'Stage', from: 'another record', to: 'Contacted' },
    { field: 'status', name: 'Status', from: 'New', to: 'In progress' },
    { field: 'phone', name: 'Phone', from: null, to: '+49 30' },
  ])
})

it('shows only the custom fields that changed', () => {
  const changes = [{ field: 'customFields', from: { region: 'EU', size: 3 }, to: { region: 'US', size: 3, vip: true } }]
  expect(describeChanges(changes, names)).toEqual([
    { field: 'region', name: 'Region', from: 'EU', to: 'US' },
    { field: 'vip', name: 'Vip', from: null, to: 'Yes' },
  ])
})

it('writes values of any shape as text', () => {
  expect(describeValue(['a', 'b'], names)).toBe('a, b')
  expect(describeValue({ line1: 'Main St 1', city: null, country: 'DE' }, names)).toBe('Main St 1, DE')
  expect(describeValue([], names)).toBeNull()
  expect(describeSource('UI')).toBe('')
})

it('names fields', () => {
  expect(fieldName('purchaseOrderNo')).toBe('Purchase order no')
})

it('takes sentences of the feed apart', () => {
  expect(partsOf('Ada added the task “Send it” to the deal Mill.', 'Ada')).toEqual({
    said: 'added the task',
    named: 'Send it',
    quote: null,
  })
  expect(partsOf('Ada logged a call “First” with the deal Mill: “No answer: “later””', 'Ada')).toEqual({
    said: 'logged a call',
    named: 'First',
    quote: 'No answer: “later”',
  })
  expect(partsOf('Ada added a note to the deal Mill: “Likes tea”', 'Ada')).toEqual({
    said: '',
    named: null,
    quote: 'Likes tea',
  })
  expect(partsOf('', 'Ada')).toEqual({ said: '', named: null, quote: null })
})
