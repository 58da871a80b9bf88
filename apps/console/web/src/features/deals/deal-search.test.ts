import { expect, it } from 'vitest'
import { dealQueryOf, readDealSearch } from './deal-search.ts'

it('reads what makes sense and leaves out the rest', () => {
  expect(readDealSearch({ view: 'list', search: ' big ', status: 'WON', sort: 'amount:desc', page: '3' })).toEqual({
    view: 'list',
    search: 'big',
    status: 'WON',
    sort: 'amount:desc',
    page: 3,
  })
  expect(readDealSearch({ view: 'moon', search: ' ', status: 'GREAT', sort: 'secret:asc', page: '-1' })).toEqual({})
})

it('asks for the newest first unless told', () => {
  expect(dealQueryOf({})).toMatchObject({ sortBy: 'createdAt', sortOrder: 'desc', page: 1 })
  expect(dealQueryOf({ sort: 'expectedCloseDate:asc', page: 2 })).toMatchObject({
    sortBy: 'expectedCloseDate',
    sortOrder: 'asc',
    page: 2,
  })
})
