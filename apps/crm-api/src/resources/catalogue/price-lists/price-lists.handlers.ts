import { priceLists } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import { createHandler, readHandlers, writeHandlers } from '../../../records/owned/handlers.ts'
import { createPriceList, priceListWriter } from './price-lists.commands.ts'
import { priceListKind } from '../../../kinds/price-lists.ts'

export const implementedPriceLists = implement(priceLists, {
  ...readHandlers(priceListKind),
  ...writeHandlers(priceListWriter),
  create: createHandler(createPriceList),
})
