import { InSlices, products } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import { bulkHandlers, createHandler, readHandlers, writeHandlers } from '../../../records/owned/handlers.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { createProduct, productWriter } from './products.commands.ts'
import { productKind } from '../../../kinds/products.ts'
import { presentProducts } from './products.shown.ts'

const reading = readHandlers(productKind, presentProducts)

export const implementedProducts = implement(products, {
  ...reading,
  ...summaryHandler(productKind),
  ...writeHandlers(productWriter, presentProducts),
  ...bulkHandlers(productWriter, 'products'),

  list: async (input, context) => {
    const page = await reading.list(input, context)
    const withPages = <Page extends { readonly pageCount: number }>(of: Page) => ({ ...of, totalPages: of.pageCount })
    return page instanceof InSlices ? new InSlices(withPages(page.body), page.later) : withPages(page)
  },

  create: createHandler(createProduct, presentProducts),
})
