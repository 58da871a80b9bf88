import { invoice, order, quote } from '@crm/model'

const below = <const Stem extends string>(stem: Stem) => ({ edit: `/${stem}/$id/edit`, begin: `/${stem}/new` }) as const

/** The addresses of the pages on which each kind of document is written. */
export const documentAddresses = {
  [quote.entity]: below(quote.stem),
  [order.entity]: below(order.stem),
  [invoice.entity]: below(invoice.stem),
} as const
