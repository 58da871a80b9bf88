import { expect, it } from 'vitest'
import { doubledFields, guessMapping, targetFields } from './transfer-words.ts'

it('guesses fields by key and by name, each once, custom fields too', () => {
  const fields = targetFields('COMPANY', [
    { field: 'name', label: null },
    { field: 'cf_seats', label: 'Number of seats' },
  ])
  expect(guessMapping(['Name', 'E-Mail', 'tax_id', 'number of seats', 'email', 'Term'], fields)).toEqual({
    Name: 'name',
    'E-Mail': 'email',
    tax_id: 'taxId',
    'number of seats': 'cf_seats',
  })
})

it('names the fields that two headers go to', () => {
  expect(doubledFields({ a: 'email', b: 'email', c: 'phone' })).toEqual(['email'])
})
