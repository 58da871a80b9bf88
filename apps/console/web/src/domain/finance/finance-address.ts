import { invoiceStatuses, orderStatuses, quoteStatuses } from '@crm/contract'
import { listAddress } from '../../records/list-search.ts'

const sortFields = ['createdAt', 'number', 'status', 'issueDate', 'total'] as const
/** The narrowing to invoices that should have been paid by now. */
export const overdue = 'OVERDUE'

/** The states that narrow each kind of list. */
export const narrowings = {
  QUOTE: quoteStatuses,
  ORDER: orderStatuses,
  INVOICE: [...invoiceStatuses, overdue],
} as const

/** Returns the functions for the address of a list of documents: as for every list, and by state. */
function financeAddress(status: readonly string[]) {
  return listAddress({
    sortFields,
    textFields: ['number'],
    filters: ['companyId', 'contactId', 'dealId', 'ownerId'],
    choices: { status },
  })
}

export const quoteAddress = financeAddress(narrowings.QUOTE)
export const orderAddress = financeAddress(narrowings.ORDER)
export const invoiceAddress = financeAddress(narrowings.INVOICE)

export type FinanceQuery = ReturnType<typeof quoteAddress.queryOf>

/** Returns the parameters for lists whose page size is called `limit` and that sort by one parameter. */
export function limitQuery<const Status extends string>(
  { status, sortBy, sortOrder, pageSize, ...narrowing }: FinanceQuery,
  statuses: readonly Status[],
) {
  return {
    ...narrowing,
    limit: pageSize,
    sort: `${sortBy}:${sortOrder}`,
    status: statuses.find((known) => known === status),
  }
}

/** The addresses of the pages of each kind of document. */
export const documentAddresses = {
  QUOTE: { list: '/quotes', one: '/quotes/$id', edit: '/quotes/$id/edit', begin: '/quotes/new' },
  ORDER: { list: '/orders', one: '/orders/$id', edit: '/orders/$id/edit', begin: '/orders/new' },
  INVOICE: { list: '/invoices', one: '/invoices/$id', edit: '/invoices/$id/edit', begin: '/invoices/new' },
} as const
