/** The addresses of the pages of each kind of document. */
export const documentAddresses = {
  QUOTE: { list: '/quotes', one: '/quotes/$id', edit: '/quotes/$id/edit', begin: '/quotes/new' },
  ORDER: { list: '/orders', one: '/orders/$id', edit: '/orders/$id/edit', begin: '/orders/new' },
  INVOICE: { list: '/invoices', one: '/invoices/$id', edit: '/invoices/$id/edit', begin: '/invoices/new' },
} as const
