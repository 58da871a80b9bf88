import * as z from 'zod'
import { booleanParam, commonFilters, rangeParam } from './lists.ts'

/** The filters of lists of records that are followed up. */
export const followUpFilters = {
  lastActivityFrom: rangeParam('from').optional(),
  lastActivityTo: rangeParam('to').optional(),
  lastActivity: z.enum(['never']).optional(),
  inactiveSince: rangeParam('from').optional(),
  hasOpenTask: booleanParam.optional(),
  hasOverdueTask: booleanParam.optional(),
  nextTaskFrom: rangeParam('from').optional(),
  nextTaskTo: rangeParam('to').optional(),
}

/** The filters of lists of records with stages. */
export const stageFilters = {
  stageChangedFrom: rangeParam('from').optional(),
  stageChangedTo: rangeParam('to').optional(),
  isRotting: booleanParam.optional(),
}

/** The names of filters that many lists share; one description of them covers all lists. */
export const sharedFilters: readonly string[] = Object.keys({
  ...commonFilters,
  ...followUpFilters,
  ...stageFilters,
}).filter((name) => name !== 'search' && name !== 'ownerId')
