import { expect, it } from 'vitest'
import { fieldChanges } from './changes.ts'

it('an object whose members stand in another order is no change', () => {
  const before = { address: { city: 'Dresden', line1: 'Quay 1' }, tags: ['a', 'b'], name: 'Ada' }
  expect(fieldChanges(before, { address: { line1: 'Quay 1', city: 'Dresden' }, name: 'Ada' })).toEqual([])
  expect(fieldChanges(before, { tags: ['b', 'a'] })).toEqual([{ field: 'tags', from: ['a', 'b'], to: ['b', 'a'] }])
  expect(fieldChanges(before, { address: { city: 'Dresden', line1: 'Quay 2' } })).toMatchObject([{ field: 'address' }])
})
