import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { documentAddresses } from '../../domain/finance/finance-address.ts'
import type { FinanceKind } from '../../domain/finance/finance-words.ts'
import { signedIn } from '../../frame/routes.tsx'
import { idIn } from '../../records/address-parts.ts'
import type { KindPages } from '../../records/kind-pages.ts'

/** Reads the parties of a new document from its address. */
const readParties = (
  raw: Readonly<Record<string, unknown>>,
): { companyId?: string; contactId?: string; dealId?: string } => {
  const [companyId, contactId, dealId] = [raw['companyId'], raw['contactId'], raw['dealId']].map(idIn)
  return { ...(companyId && { companyId }), ...(contactId && { contactId }), ...(dealId && { dealId }) }
}

const newQuote = createRoute({
  getParentRoute: () => signedIn,
  path: '/quotes/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'NewQuotePage'),
})

const editQuote = createRoute({
  getParentRoute: () => signedIn,
  path: '/quotes/$id/edit',
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'EditQuotePage'),
})

const newOrder = createRoute({
  getParentRoute: () => signedIn,
  path: '/orders/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'NewOrderPage'),
})

const editOrder = createRoute({
  getParentRoute: () => signedIn,
  path: '/orders/$id/edit',
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'EditOrderPage'),
})

const newInvoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'NewInvoicePage'),
})

const editInvoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/$id/edit',
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'EditInvoicePage'),
})

/** The pages on which quotes, orders and invoices are written, by address. */
export const financeRoutes = [newQuote, editQuote, newOrder, editOrder, newInvoice, editInvoice] as const

const pagesOf = (entityType: FinanceKind, page: NonNullable<KindPages['page']>): KindPages => ({
  entityType,
  list: () => Promise.resolve({ creating: { to: documentAddresses[entityType].begin } }),
  page,
})

/** What is special about the pages of quotes, orders and invoices. */
export const financePages: readonly KindPages[] = [
  pagesOf('QUOTE', () => import('./quote-page.tsx')),
  pagesOf('ORDER', () => import('./order-page.tsx')),
  pagesOf('INVOICE', () => import('./invoice-page.tsx')),
]
