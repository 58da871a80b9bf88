import { invoiceStatuses, orderStatuses, quoteStatuses } from '@crm/contract'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { crm, settings } from '../../base/api.ts'
import { collectionOf } from '../../records/record-place.ts'
import { limitQuery, overdue, type FinanceQuery } from './finance-address.ts'
import type { FinanceKind, FinanceRecord } from './finance-words.ts'

const keyOf = (kind: FinanceKind, ...rest: readonly unknown[]) => [collectionOf(kind), ...rest]

/** Reads one page of the quotes; the last page stays until the next one comes. */
export function quotesQuery(query: FinanceQuery) {
  return queryOptions({
    queryKey: keyOf('QUOTE', 'list', query),
    queryFn: ({ signal }) => crm.quotes.list({ query: limitQuery(query, quoteStatuses), signal }),
    placeholderData: keepPreviousData,
  })
}

/** Reads one page of the orders; the last page stays until the next one comes. */
export function ordersQuery({ status, ...query }: FinanceQuery) {
  const asked = { ...query, status: orderStatuses.find((known) => known === status) }
  return queryOptions({
    queryKey: keyOf('ORDER', 'list', asked),
    queryFn: ({ signal }) => crm.orders.list({ query: asked, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Reads one page of the invoices; the last page stays until the next one comes. */
export function invoicesQuery(query: FinanceQuery) {
  const asked = { ...limitQuery(query, invoiceStatuses), isOverdue: query.status === overdue ? true : undefined }
  return queryOptions({
    queryKey: keyOf('INVOICE', 'list', query),
    queryFn: ({ signal }) => crm.invoices.list({ query: asked, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Shows a document from the API's latest answer at once, before it is read again. */
export function keepDocument(client: QueryClient, kind: FinanceKind, record: FinanceRecord): void {
  client.setQueryData(keyOf(kind, 'one', record.id), record)
}

/** One quote. */
export function quoteQuery(id: string) {
  return queryOptions({
    queryKey: keyOf('QUOTE', 'one', id),
    queryFn: async ({ signal }) => (await crm.quotes.get({ params: { id }, signal })).data,
  })
}

/** One order. */
export function orderQuery(id: string) {
  return queryOptions({
    queryKey: keyOf('ORDER', 'one', id),
    queryFn: async ({ signal }) => (await crm.orders.get({ params: { id }, signal })).data,
  })
}

/** One invoice. */
export function invoiceQuery(id: string) {
  return queryOptions({
    queryKey: keyOf('INVOICE', 'one', id),
    queryFn: async ({ signal }) => (await crm.invoices.get({ params: { id }, signal })).data,
  })
}

/** Reads the open public page of an invoice; null without one. */
export function paymentLinkQuery(id: string) {
  return queryOptions({
    queryKey: keyOf('INVOICE', 'payment-link', id),
    queryFn: async ({ signal }) => (await settings.paymentLinks.get({ params: { id }, signal })).data,
  })
}

/** Reads the payments of an invoice, including the reversed ones. */
export function paymentsQuery(id: string) {
  return queryOptions({
    queryKey: keyOf('INVOICE', 'payments', id),
    queryFn: async ({ signal }) => (await crm.invoices.payments({ params: { id }, signal })).items,
  })
}
