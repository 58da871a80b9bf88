import { priceLists, success } from '@crm/contract'
import { implement } from '../../context.ts'
import { readHandlers, writeHandlers } from '../../records/owned/handlers.ts'
import { createPriceList, priceListWriter } from './price-lists.commands.ts'
import { priceListKind } from './price-lists.record.ts'

export const implementedPriceLists = implement(priceLists, {
  ...readHandlers(priceListKind),
  ...writeHandlers(priceListWriter),
  create: async ({ body }, context) => success(await context.transact((tx) => createPriceList(tx, context, body))),
})
