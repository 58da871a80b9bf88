import { expect, it } from 'vitest'
import { asInUse, bodyOf, countsOf, draftOf, errorsByField, isEmptyDraft, valueOf, wireOf } from './field-values.ts'

it.each([
  ['TEXT', ' x ', 'x'],
  ['TEXT', '  ', null],
  ['NUMBER', '2.5', 2.5],
  ['NUMBER', 'many', 'many'],
  ['CURRENCY', ' 1250.50 ', '1250.50'],
  ['BOOLEAN', 'false', false],
  ['DATE', '2030-01-02', '2030-01-02'],
  ['DATETIME', '2030-01-02T10:00', new Date(2030, 0, 2, 10).toISOString()],
  ['TAGS', [], []],
  ['MULTI_SELECT', [], null],
  ['MULTI_SELECT', ['a'], ['a']],
  ['REFERENCE', null, null],
  ['ADDRESS', { city: ' ', line1: '' }, null],
] as const)('a %s of %j is sent as %j', (type, draft, wire) => {
  expect(wireOf({ type }, draft)).toEqual(wire)
  expect(isEmptyDraft({ type }, draft)).toBe(wire === null || (Array.isArray(wire) && wire.length === 0))
})

it('sends the whole address when a part of it is known', () => {
  expect(wireOf({ type: 'ADDRESS' }, { city: 'Bonn' })).toMatchObject({ city: 'Bonn', line1: null })
})

it.each([
  ['NUMBER', 5, '5'],
  ['BOOLEAN', true, 'true'],
  ['TAGS', null, []],
  ['TEXT', null, null],
] as const)('a %s that is %j begins as %j', (type, value, draft) => {
  expect(draftOf({ type }, value)).toEqual(draft)
})

it('finds and sends custom fields of built-in kinds and of custom entities', () => {
  const lead = { id: '1', version: 1, email: 'a@b.example', customFields: { region: 'n' } }
  expect([valueOf(lead, { key: 'cf_region' }), valueOf(lead, { key: 'email' })]).toEqual(['n', 'a@b.example'])
  expect(valueOf({ id: '1', version: 1, values: { plate: 'B-1' } }, { key: 'cf_plate' })).toBe('B-1')
  expect(bodyOf({ isCustom: false }, { email: null, cf_region: 's' })).toEqual({
    email: null,
    customFields: { region: 's' },
  })
  expect(bodyOf({ isCustom: true }, { title: 'Van', cf_plate: 'B-2' })).toEqual({
    title: 'Van',
    values: { plate: 'B-2' },
  })
})

it('puts every problem at its field', () => {
  expect(
    errorsByField({ 'customFields.region': 'A', 'values.plate': 'B', 'emails.0': 'C', email: 'D', '': 'E' }),
  ).toEqual({
    cf_region: 'A',
    cf_plate: 'B',
    emails: 'C',
    email: 'D',
    '': 'E',
  })
})

it('counts what records hold, each of several values, the most frequent first', () => {
  expect(countsOf(['a', null, 'b', 'b', 3, undefined, false])).toEqual([
    [null, 2],
    ['b', 2],
    ['a', 1],
    ['3', 1],
    [false, 1],
  ])
  expect(countsOf([['x', 'y'], ['y'], []])).toEqual([
    ['y', 2],
    ['x', 1],
    [null, 1],
  ])
})

it('takes the spelling of a tag that is in use', () => {
  expect(asInUse(['vip', 'Fair', 'new', 'É'], ['VIP', 'fair', 'Fair', 'é'])).toEqual(['VIP', 'Fair', 'new', 'é'])
})
