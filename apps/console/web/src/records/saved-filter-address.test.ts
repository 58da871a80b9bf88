import { expect, it } from 'vitest'
import { readDealSearch } from '../features/deals/deal-search.ts'
import { leadAddress } from '../features/leads/lead-search.ts'
import { addressOfFilter, isApplied, wishOf } from './saved-filter-address.ts'

const id = '01890000-0000-7000-8000-000000000000'
const filter = {
  id,
  query: { status: 'NEW', search: 'ada' },
  sortBy: 'score',
  sortOrder: 'desc',
  view: 'LIST',
} as const

it('keeps what narrows and orders a list, and no pages', () => {
  expect(
    wishOf({
      status: 'NEW',
      search: undefined,
      page: 3,
      pageSize: 20,
      sortBy: 'score',
      sortOrder: 'asc',
      savedFilterId: id,
    }),
  ).toEqual({ query: { status: 'NEW' }, sortBy: 'score', sortOrder: 'asc' })
})

it('shows a filter as if it had been put together by hand', () => {
  const address = addressOfFilter(filter, leadAddress.read)
  expect(address).toEqual({ status: 'NEW', search: 'ada', sortBy: 'score' })
  expect(isApplied(filter, { ...address, page: 2, pageSize: 50 }, leadAddress.read)).toBe(true)
  expect(isApplied(filter, { ...address, status: 'QUALIFIED' }, leadAddress.read)).toBe(false)
  expect(addressOfFilter({ ...filter, sortBy: 'createdAt' }, leadAddress.read)).toEqual({
    status: 'NEW',
    search: 'ada',
  })
})

it('names a filter that asks for what the page does not know', () => {
  expect(addressOfFilter({ ...filter, query: { status: 'NEW', cf_region: 'EU' } }, leadAddress.read)).toEqual({
    sortBy: 'score',
    savedFilterId: id,
  })
})

it('shows deals as a board or as a list', () => {
  expect(
    addressOfFilter({ ...filter, query: { search: 'mill' }, sortBy: 'amount', view: 'KANBAN' }, readDealSearch),
  ).toEqual({ search: 'mill', sort: 'amount:desc' })
  expect(
    addressOfFilter({ ...filter, query: { status: 'WON' }, sortBy: null, sortOrder: null }, readDealSearch),
  ).toEqual({ view: 'list', status: 'WON' })
})
