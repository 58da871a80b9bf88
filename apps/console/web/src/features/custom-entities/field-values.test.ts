import { expect, it } from 'vitest'
import { describeFieldValue } from './field-values.ts'

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
