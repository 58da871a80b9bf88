import { expect, it } from 'vitest'
import { erasedPlaces, keptKind, keptPlace } from './erasure-words.ts'

it('names the places of an erasure in words, and counts the lesser ones together', () => {
  expect(erasedPlaces({ scim_people: 1, contacts: 1, timeline: 3, outbox: 2 })).toEqual([
    ['Contacts', 1],
    ['Activity', 3],
    ['Other places', 3],
  ])
  expect(['INVOICE', 'LEAD', 'workflow_runs'].map(keptKind)).toEqual(['INVOICE', 'LEAD', undefined])
  expect(['products', 'custom_fields'].map(keptPlace)).toEqual(['Products', 'Custom fields'])
})
