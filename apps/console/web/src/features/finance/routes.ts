import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { invoiceQuery, orderQuery, quoteQuery } from '../../domain/finance/finance-queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'
import { idIn } from '../../records/address-parts.ts'

/** Reads the parties of a new document from its address. */
const readParties = (
  raw: Readonly<Record<string, unknown>>,
): { companyId?: string; contactId?: string; dealId?: string } => {
  const [companyId, contactId, dealId] = [raw['companyId'], raw['contactId'], raw['dealId']].map(idIn)
  return { ...(companyId && { companyId }), ...(contactId && { contactId }), ...(dealId && { dealId }) }
}

const quotes = createRoute({
  getParentRoute: () => signedIn,
  path: '/quotes',
  ...workListRoute('QUOTE'),
  component: lazyRouteComponent(() => import('./finance-lists.tsx'), 'QuotesPage'),
})

const newQuote = createRoute({
  getParentRoute: () => signedIn,
  path: '/quotes/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'NewQuotePage'),
})

const quote = createRoute({
  getParentRoute: () => signedIn,
  path: '/quotes/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(quoteQuery(params.id)),
  component: lazyRouteComponent(() => import('./quote-page.tsx'), 'QuotePage'),
})

const editQuote = createRoute({
  getParentRoute: () => signedIn,
  path: '/quotes/$id/edit',
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'EditQuotePage'),
})

const orders = createRoute({
  getParentRoute: () => signedIn,
  path: '/orders',
  ...workListRoute('ORDER'),
  component: lazyRouteComponent(() => import('./finance-lists.tsx'), 'OrdersPage'),
})

const newOrder = createRoute({
  getParentRoute: () => signedIn,
  path: '/orders/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'NewOrderPage'),
})

const order = createRoute({
  getParentRoute: () => signedIn,
  path: '/orders/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(orderQuery(params.id)),
  component: lazyRouteComponent(() => import('./order-page.tsx'), 'OrderPage'),
})

const editOrder = createRoute({
  getParentRoute: () => signedIn,
  path: '/orders/$id/edit',
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'EditOrderPage'),
})

const invoices = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices',
  ...workListRoute('INVOICE'),
  component: lazyRouteComponent(() => import('./finance-lists.tsx'), 'InvoicesPage'),
})

const newInvoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/new',
  validateSearch: readParties,
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'NewInvoicePage'),
})

const invoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(invoiceQuery(params.id)),
  component: lazyRouteComponent(() => import('./invoice-page.tsx'), 'InvoicePage'),
})

const editInvoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/$id/edit',
  component: lazyRouteComponent(() => import('./document-editor-pages.tsx'), 'EditInvoicePage'),
})

/** The pages of quotes, orders and invoices by address. */
export const financeRoutes = [
  quotes,
  newQuote,
  quote,
  editQuote,
  orders,
  newOrder,
  order,
  editOrder,
  invoices,
  newInvoice,
  invoice,
  editInvoice,
] as const
