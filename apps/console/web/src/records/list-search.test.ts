import { expect, it } from 'vitest'
import { listAddress } from './list-search.ts'

const companyId = '01890000-0000-7000-8000-000000000000'
const { read, queryOf, change, sortedBy, isNarrowed } = listAddress({
  sortFields: ['createdAt', 'name', 'size'],
  textFields: ['name'],
  filters: ['companyId'],
})

it('reads an address, and leaves out what makes no sense or is as usual', () => {
  const sensible = { search: 'ada', companyId, sortBy: 'size', sortOrder: 'asc', page: 3, pageSize: 50 }
  expect(read({ ...sensible, search: ' ada ', page: '3', pageSize: '50' })).toEqual(sensible)
  expect(
    read({
      search: ' ',
      companyId: 'x',
      sortBy: 'password',
      sortOrder: 'up',
      page: '-1',
      pageSize: '1000',
      other: 'x',
    }),
  ).toEqual({})
  expect(read({ page: '1', pageSize: 20, sortOrder: 'desc' })).toEqual({})
})

it('asks the API for a page, newest first', () => {
  expect(queryOf({})).toEqual({ page: 1, pageSize: 20, sortBy: 'createdAt', sortOrder: 'desc' })
  expect(queryOf({ companyId, page: 2 })).toMatchObject({ companyId, page: 2 })
})

it('begins at the first page after every change but that of the page', () => {
  expect(change({ page: 4, search: 'a' }, { companyId })).toEqual({ search: 'a', companyId })
  expect(change({ search: 'a' }, { page: 2 })).toEqual({ search: 'a', page: 2 })
})

it('sorts words from A to Z, figures from the largest, then the other way round', () => {
  expect(sortedBy({}, 'name')).toEqual({ sortBy: 'name', sortOrder: 'asc' })
  expect(sortedBy({}, 'size')).toEqual({ sortBy: 'size' })
  expect(sortedBy({ sortBy: 'size' }, 'size')).toEqual({ sortBy: 'size', sortOrder: 'asc' })
})

it('tells a narrowed list', () => {
  expect(isNarrowed({ page: 2, sortBy: 'name' })).toBe(false)
  expect([isNarrowed({ search: 'a' }), isNarrowed({ companyId })]).toEqual([true, true])
})
