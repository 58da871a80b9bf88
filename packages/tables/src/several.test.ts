import { seed, stepsOf } from '@crm/testkit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inOneCell, valuesIn } from './several.ts'

it.each<[string, boolean, string[]]>([
  ['a; b |c', false, ['a', 'b', 'c']],
  ['a, b; c', true, ['a', 'b', 'c']],
  ['Acme, Inc.; Globex', false, ['Acme, Inc.', 'Globex']],
  ['* myContacts ::: Friends', false, ['myContacts', 'Friends']],
  [' ; ', false, []],
  ['"Acme, Inc."; "say ""no"""', true, ['Acme, Inc.', 'say "no"']],
  ['"Best" client, 5" pipe', true, ['"Best" client', '5" pipe']],
  ['"never closed; b', true, ['"never closed', 'b']],
])('the values in %j', (text, byComma, values) => {
  expect(valuesIn(text, byComma)).toEqual(values)
})

it('values are written into one cell as they are, and in quotes where they would not be read alike', () => {
  expect(inOneCell(['a', 'b c', '5" pipe', 'Acme, Inc.', '"Best"'])).toBe('a;b c;5" pipe;"Acme, Inc.";"""Best"""')
})

it('any values are read from one cell as they were written', () => {
  const signs = fc.constantFrom('a', 'ß', '"', ';', ',', '|', ':', ' ', '\n', '*')
  const value = fc.string({ unit: signs, minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), fc.boolean(), (values, byComma) => {
      expect(valuesIn(inOneCell(values), byComma)).toEqual(values)
    }),
    { seed, numRuns: stepsOf(5_000) },
  )
})
