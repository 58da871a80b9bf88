import { timelineKinds, type RecordField, type RecordKindSchema } from '@crm/contract'
import { expect, it } from 'vitest'
import { acts } from './acts.ts'
import { fieldName } from './field-words.ts'
import { describeChanges, describeSource, isShort } from './timeline-words.ts'
import { describeValue } from './value-words.ts'

const stage = '0197b2f0-0000-7000-8000-000000000001'
const unknown = '0197b2f0-0000-7000-8000-000000000002'
const links = [{ entityType: 'STAGE', id: stage, title: 'Contacted' }]
const field = (key: string, label: string, type: RecordField['type'], options: RecordField['options'] = []) =>
  ({ key, label, type, options, group: key.startsWith('cf_') ? 'CUSTOM' : 'MAIN' }) as RecordField
const kind = {
  fields: [
    field('amount', 'Amount', 'CURRENCY'),
    field('items', 'Items', 'OTHER'),
    field('cf_region', 'Region', 'SELECT', [{ value: 'EU', label: 'Europe' }]),
    field('cf_vip', 'Important', 'BOOLEAN'),
  ],
} as unknown as RecordKindSchema

it('has a sentence for every kind of entry', () => {
  const told = ['UPDATED', 'STATUS_CHANGED', 'STAGE_CHANGED', 'OWNER_CHANGED']
  const without = timelineKinds.filter((one) => acts[one] === undefined)
  expect(without).toEqual(told)
})

it('puts names in place of ids and codes, and never an id', () => {
  const changes = [
    { field: 'stageId', from: unknown, to: stage },
    { field: 'memberIds', from: [], to: [stage, unknown] },
    { field: 'status', from: 'NEW', to: 'IN_PROGRESS' },
    { field: 'phone', from: null, to: '+49 30' },
    { field: 'amount', from: '1', to: '1500.00' },
    { field: 'items', from: [], to: [{ productId: unknown, name: 'Roof' }] },
  ]
  expect(describeChanges(changes, { kind, links, currency: 'EUR' })).toEqual([
    { field: 'stageId', name: 'Stage', from: '(not visible)', to: 'Contacted' },
    { field: 'memberIds', name: 'Members', from: null, to: 'Contacted, (not visible)' },
    { field: 'status', name: 'Status', from: 'New', to: 'In progress' },
    { field: 'phone', name: 'Phone', from: null, to: '+49 30' },
    { field: 'amount', name: 'Amount', from: '€1', to: '€1,500' },
    { field: 'items', name: 'Items', from: null, to: undefined },
  ])
})

it('shows only the custom fields that changed, by their labels and those of their options', () => {
  const [from, to] = [
    { region: 'EU', size: 3 },
    { region: null, size: 3, vip: true, old: 'x' },
  ]
  expect(describeChanges([{ field: 'customFields', from, to }], { kind, links: [] })).toEqual([
    { field: 'cf_region', name: 'Region', from: 'Europe', to: null },
    { field: 'cf_vip', name: 'Important', from: null, to: 'Yes' },
    { field: 'cf_old', name: 'a field that no longer exists', from: null, to: 'x' },
  ])
})

it('keeps long texts out of sentences', () => {
  const change = { field: 'name', name: 'Name', from: null, to: 'A' }
  expect(isShort(change)).toBe(true)
  expect(
    [{ to: 'x'.repeat(61) }, { to: 'a\nb' }, { to: undefined }].map((more) => isShort({ ...change, ...more })),
  ).toEqual([false, false, false])
})

it('writes values of any shape as text', () => {
  expect(describeValue(['a', 'b'])).toBe('a, b')
  expect(describeValue({ line1: 'Main St 1', city: null, country: 'DE' })).toBe('Main St 1, DE')
  expect(describeValue([])).toBeNull()
  expect(describeSource('UI')).toBe('')
})

it('names fields', () => {
  expect(fieldName('purchaseOrderNo')).toBe('Purchase order no')
})
