import { deals, success } from '@crm/contract'
import { implement } from '../../platform/context.ts'
import { bulkHandlers, readHandlers, writeHandlers } from '../../records/owned/handlers.ts'
import { summaryHandler } from '../../domain/summaries/summary.handlers.ts'
import { createDeal, dealWriter } from './deals.commands.ts'
import { dealKind } from '../../kinds/deals.ts'

export const implementedDeals = implement(deals, {
  ...readHandlers(dealKind),
  ...summaryHandler(dealKind),
  ...writeHandlers(dealWriter),
  ...bulkHandlers(dealWriter, 'deals'),
  create: async ({ body }, context) => success(await context.transact((tx) => createDeal(tx, context, body))),
})
