import * as z from 'zod'
import { instant } from './fields.ts'
import { booleanParam, commonFilters, rangeParam } from './lists.ts'

/** The follow-up fields of a record, computed from its tasks and activities (docs/guide/records.md). */
export const followUpFields = {
  openTaskCount: z.int().nullable().meta({ description: 'Null while tasks are switched off' }),
  nextTaskAt: instant.nullable().meta({ description: 'When the first open task is due' }),
  hasOverdueTask: z.boolean().nullable(),
  lastActivityAt: instant.nullable(),
}

/** The time that a record may stay in its stage without an activity. */
export const rottingFields = {
  rottingAt: instant.nullable().meta({ description: 'When it will have been left alone for too long in its stage' }),
  isRotting: z.boolean(),
}

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

export const followUpSortFields = ['lastActivityAt', 'nextTaskAt'] as const
