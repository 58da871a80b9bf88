import { invoiceStatuses } from '@crm/contract'
import { expect, it } from 'vitest'
import { invoiceAddress, limitQuery, quoteAddress } from './finance-address.ts'

it('keeps a status that the kind of document has, through paging and sorting', () => {
  const search = invoiceAddress.read({ status: 'PAID', page: '3', search: ' Kiel ' })
  expect(search).toEqual({ status: 'PAID', page: 3, search: 'Kiel' })
  expect(invoiceAddress.change(search, { page: 4 })).toEqual({ ...search, page: 4 })
  expect(invoiceAddress.sortedBy(search, 'number')).toEqual({
    status: 'PAID',
    search: 'Kiel',
    sortBy: 'number',
    sortOrder: 'asc',
  })
  expect(quoteAddress.read({ status: 'PAID' })).toEqual({})
  expect(invoiceAddress.isNarrowed({ status: 'OVERDUE' })).toBe(true)
})

it('asks for a page by limit and one parameter to sort by', () => {
  expect(limitQuery(invoiceAddress.queryOf({ status: 'OVERDUE', page: 2 }), invoiceStatuses)).toEqual({
    page: 2,
    limit: 20,
    sort: 'createdAt:desc',
    status: undefined,
  })
  expect(limitQuery(invoiceAddress.queryOf({ status: 'PAID', sortBy: 'total' }), invoiceStatuses)).toMatchObject({
    status: 'PAID',
    sort: 'total:desc',
  })
})
