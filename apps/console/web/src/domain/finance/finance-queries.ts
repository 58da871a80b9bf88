import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { beside, crm, settings } from '../../base/api.ts'
import { collectionOf } from '../../records/record-place.ts'
import type { FinanceKind, FinanceRecord } from './finance-words.ts'

const keyOf = (kind: FinanceKind, ...rest: readonly unknown[]) => [collectionOf(kind), ...rest]

/** The company, contact or deal of documents. */
export type DocumentParty =
  | { readonly companyId: string }
  | { readonly contactId: string }
  | { readonly dealId: string }

const quotesAtOnce = 20

/** Reads the quotes for a company, contact or deal, page by page, newest first. */
export function quotesQuery(of: DocumentParty) {
  return infiniteQueryOptions({
    queryKey: keyOf('QUOTE', 'of', of),
    queryFn: ({ signal, pageParam }) =>
      beside.crm.quotes.list({ query: { ...of, page: pageParam, limit: quotesAtOnce }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageSize, total }) => (page * pageSize < total ? page + 1 : undefined),
  })
}

/** Shows a document from the API's latest answer at once, before it is read again. */
export function keepDocument(client: QueryClient, kind: FinanceKind, record: FinanceRecord): void {
  client.setQueryData(keyOf(kind, 'one', record.id), record)
}

/** The company behind the workspace, as its documents name it. */
export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: async ({ signal }) => (await crm.organization.get({ signal })).data,
})

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
