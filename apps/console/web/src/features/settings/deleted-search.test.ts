import { expect, it } from 'vitest'
import { readDeletedSearch, restorableKinds } from './deleted-search.ts'

it('reads what makes sense of an address', () => {
  expect(readDeletedSearch({ kind: 'LEAD', search: 'ada', page: '2' })).toEqual({
    kind: 'LEAD',
    search: 'ada',
    page: 2,
  })
  expect(readDeletedSearch({ kind: 'no kind', search: '', page: '-1' })).toEqual({})
})

it('offers the kinds that a person may both see and delete', () => {
  const permissions = [
    'VIEW_LEAD',
    'DELETE_LEAD',
    'DELETE_DEAL',
    'VIEW_FILE',
    'DELETE_FILE',
    'VIEW_VEHICLE',
    'DELETE_VEHICLE',
    'MANAGE_USERS',
  ].map((name) => ({ name, group: name.replace(/^\w+?_/, '') }))
  const usable = new Set(permissions.map(({ name }) => name))
  expect(restorableKinds(permissions, usable)).toEqual([
    { entityType: 'LEAD', plural: 'LEAD' },
    { entityType: 'VEHICLE', plural: 'VEHICLE' },
  ])
  usable.delete('VIEW_VEHICLE')
  expect(restorableKinds(permissions, usable).map(({ entityType }) => entityType)).toEqual(['LEAD'])
})
