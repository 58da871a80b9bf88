import { describe, expect, it } from 'vitest'
import { describeFieldValue, valuesIn } from './field-values.ts'

const field = (key: string, type: Parameters<typeof describeFieldValue>[0]['type']) => ({
  key,
  label: key,
  type,
  isRequired: false,
  options: [
    { value: 'a', label: 'First' },
    { value: 'b', label: 'Second' },
  ],
})
const fields = [
  field('text', 'TEXT'),
  field('one', 'SELECT'),
  field('many', 'MULTI_SELECT'),
  field('yes', 'BOOLEAN'),
  field('size', 'NUMBER'),
  field('price', 'CURRENCY'),
  field('day', 'DATE'),
  field('at', 'DATETIME'),
]

describe('the values of a form', () => {
  it('are what the API takes', () => {
    const form = new FormData()
    for (const [name, value] of [
      ['text', ' x '],
      ['one', 'a'],
      ['many', 'a'],
      ['many', 'b'],
      ['yes', 'false'],
      ['size', '2.5'],
      ['price', '9.90'],
      ['day', '2030-01-02'],
      ['at', '2030-01-02T10:00Z'],
    ] as const)
      form.append(`values.${name}`, value)
    expect(valuesIn(form, fields)).toEqual({
      text: 'x',
      one: 'a',
      many: ['a', 'b'],
      yes: false,
      size: 2.5,
      price: '9.90',
      day: '2030-01-02',
      at: '2030-01-02T10:00:00.000Z',
    })
  })

  it('are null where nothing stands', () => {
    expect(valuesIn(new FormData(), fields)).toEqual(Object.fromEntries(fields.map(({ key }) => [key, null])))
  })
})

it.each([
  ['TEXT', 'x', 'x'],
  ['SELECT', 'a', 'First'],
  ['SELECT', 'gone', 'gone'],
  ['MULTI_SELECT', ['a', 'b'], 'First, Second'],
  ['BOOLEAN', true, 'Yes'],
  ['BOOLEAN', false, 'No'],
  ['PERCENTAGE', 5, '5 %'],
  ['DATE', '2030-01-02', '2 Jan 2030'],
  ['NUMBER', 0, '0'],
  ['TEXT', undefined, null],
] as const)('a %s of %j reads %s', (type, value, words) => {
  expect(describeFieldValue(field('x', type), value)).toBe(words)
})
