import { expect, it } from 'vitest'
import { readFields, writeFields } from './values.ts'

it.each([
  ['customFields', false],
  ['values', true],
])('reads and writes the fields of a body whose custom ones are in %s', (member, isCustom) => {
  const body = { name: 'X', [member]: { region: 'North' } }
  expect(readFields({ isCustom }, body)).toEqual({ name: 'X', cf_region: 'North' })
  expect(writeFields({ isCustom }, body, { name: 'Y', cf_region: 'South' })).toEqual({
    name: 'Y',
    [member]: { region: 'South' },
  })
  expect(writeFields({ isCustom }, { name: 'X' }, { name: 'Y' })).toEqual({ name: 'Y' })
})
