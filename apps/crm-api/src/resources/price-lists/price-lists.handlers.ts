import { priceLists, success } from '@crm/contract'
import { implement } from '../../platform/context.ts'
import { readHandlers, writeHandlers } from '../../records/owned/handlers.ts'
import { createPriceList, priceListWriter } from './price-lists.commands.ts'
import { priceListKind } from '../../kinds/price-lists.ts'

export const implementedPriceLists = implement(priceLists, {
  ...readHandlers(priceListKind),
  ...writeHandlers(priceListWriter),
  create: async ({ body }, context) => success(await context.transact((tx) => createPriceList(tx, context, body))),
})
