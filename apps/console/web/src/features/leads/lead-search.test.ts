import { expect, it } from 'vitest'
import { leadAddress } from './lead-search.ts'

const { read, queryOf, change, sortedBy, isNarrowed } = leadAddress

it('reads an address', () => {
  const raw = {
    search: ' ada ',
    status: 'NEW',
    temperature: 'HOT',
    sortBy: 'score',
    sortOrder: 'asc',
    page: '3',
    pageSize: '50',
  }
  expect(read(raw)).toEqual({
    search: 'ada',
    status: 'NEW',
    temperature: 'HOT',
    sortBy: 'score',
    sortOrder: 'asc',
    page: 3,
    pageSize: 50,
  })
})

it('leaves out what makes no sense, and what is as usual', () => {
  const raw = {
    search: '',
    status: 'OLD',
    temperature: 7,
    sortBy: 'password',
    sortOrder: 'up',
    page: '-1',
    pageSize: '1000',
    other: 'x',
  }
  expect(read(raw)).toEqual({})
  expect(read({ page: '1', pageSize: 20, sortOrder: 'desc' })).toEqual({})
  expect(read({ page: '1e99' })).toEqual({})
})

it('asks the API for a page, newest first', () => {
  expect(queryOf({})).toEqual({ page: 1, pageSize: 20, sortBy: 'createdAt', sortOrder: 'desc' })
  expect(queryOf({ status: 'NEW', page: 2 })).toMatchObject({ status: 'NEW', page: 2 })
})

it('starts at the first page after any other change', () => {
  expect(change({ page: 4, status: 'NEW' }, { temperature: 'HOT' })).toEqual({ status: 'NEW', temperature: 'HOT' })
  expect(change({ page: 4, status: 'NEW' }, { page: 5 })).toEqual({ status: 'NEW', page: 5 })
  expect(change({ search: 'a' }, { search: '' })).toEqual({})
})

it('sorts names from A and figures from the largest, then the other way round', () => {
  const byName = sortedBy({ page: 2 }, 'lastName')
  expect(byName).toEqual({ sortBy: 'lastName', sortOrder: 'asc' })
  expect(sortedBy(byName, 'lastName')).toEqual({ sortBy: 'lastName' })
  expect(sortedBy(byName, 'score')).toEqual({ sortBy: 'score' })
  expect(sortedBy({}, 'createdAt')).toEqual({ sortBy: 'createdAt', sortOrder: 'asc' })
})

it('knows whether the list is narrowed', () => {
  expect(isNarrowed({ page: 2 })).toBe(false)
  expect(isNarrowed({ temperature: 'COLD' })).toBe(true)
})
