import { expect, it } from 'vitest'
import { setClock } from '../base/moments.ts'
import { bodyOfChange, selectorOf } from './bulk-changes.ts'

const row = (id: string, more: object = {}) => ({ id, version: 1, tags: [], ...more })

it('names records by id, by what a list finds in the days of the person, or means all of them', () => {
  setClock({ zone: 'UTC' })
  expect(selectorOf({ rows: [row('a'), row('b')] })).toEqual({ ids: ['a', 'b'] })
  expect(selectorOf({ query: { status: 'NEW' }, total: 7 })).toEqual({
    filter: { status: 'NEW', timezone: 'UTC' },
    expectedCount: 7,
  })
  expect(selectorOf({ query: {}, total: 9 })).toEqual({ all: true, expectedCount: 9 })
})

it('keeps custom fields apart from the others', () => {
  expect(bodyOfChange({ set: { ownerId: null, cf_region: 'n' } })).toEqual({
    set: { ownerId: null, customFields: { region: 'n' } },
  })
  expect(bodyOfChange({ addTags: ['fair'] })).toEqual({ addTags: ['fair'] })
})
