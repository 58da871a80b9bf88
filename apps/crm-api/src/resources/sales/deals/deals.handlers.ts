import { deals } from '@crm/contract'
import { implement } from '../../../platform/context.ts'
import { bulkHandlers, createHandler, readHandlers, writeHandlers } from '../../../records/owned/handlers.ts'
import { stageTimesHandler } from '../../../domain/history/stage-times.handlers.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { createDeal, dealWriter } from './deals.commands.ts'
import { dealKind } from '../../../kinds/deals.ts'
import { showStaged } from '../../../kinds/follow-ups.ts'

export const implementedDeals = implement(deals, {
  ...readHandlers(dealKind, showStaged),
  ...summaryHandler(dealKind),
  ...stageTimesHandler(dealKind),
  ...writeHandlers(dealWriter, showStaged),
  ...bulkHandlers(dealWriter, 'deals'),
  create: createHandler(createDeal, showStaged),
})
