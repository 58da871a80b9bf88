import { expect, it } from 'vitest'
import { suggestionsFor } from './suggestions.ts'

it('finds the nearest word within two edits, whatever the case', () => {
  expect(suggestionsFor(['stauts', 'ownerid', 'colour'], ['status', 'ownerId', 'search'])).toEqual({
    stauts: 'status',
    ownerid: 'ownerId',
  })
})

it('says nothing when nothing is near', () => {
  expect(suggestionsFor(['colour'], ['status'])).toBeUndefined()
  expect(suggestionsFor(['colour'], [])).toBeUndefined()
})
