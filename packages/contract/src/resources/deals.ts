import { deal as kind } from '@crm/model'
import type * as z from 'zod'
import { bulkOperations } from '../bulk.ts'
import { byId } from '../fields.ts'
import { followUpFilters, stageFilters } from '../follow-ups.ts'
import { commonFilters, customSortQuery, pagedList, type PageRule } from '../lists.ts'
import { bulkSetOf, filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { stageTimesOperation } from '../stage-times.ts'
import { withSummary } from '../summaries.ts'

export { dealStatuses } from '@crm/model'

/** A deal as the API shows it (docs/guide/leads-and-deals.md). */
export const deal = recordOf(kind)
export type DealRecord = z.output<typeof deal>

export const dealInput = inputOf(kind)
export type DealInput = z.output<typeof dealInput>

const dealPatch = patchOf(kind)
export type DealPatch = z.output<typeof dealPatch>

const dealPages: PageRule = { pageSize: 50, pageSizeMax: 100, overMax: 'refuse' }

export const dealSortFields = sortFieldsOf(kind)

/** The filters of the deal list; bulk operations take the same. */
export const dealFilters = { ...commonFilters, ...filtersOf(kind), ...stageFilters, ...followUpFilters }

const dealList = {
  ...pagedList(deal, dealPages, { ...dealFilters, ...customSortQuery(dealSortFields) }),
  queryPolicy: 'strict',
  customFields: 'DEAL',
} as const

const placeErrors = ['STAGE_NOT_FOUND', 'STAGE_TRANSITION_NOT_ALLOWED', 'INVALID_CURRENCY'] as const

export const deals = resource(
  { name: 'deals', entity: kind.entity },
  'SALES',
  withUndo({
    ...withSummary(
      standard({
        path: '/api/deals',
        noun: 'deal',
        plural: 'deals',
        record: deal,
        create: dealInput,
        update: dealPatch,
        list: dealList,
        access: entityAccess('DEAL'),
      }),
      kind.fields,
    ),
    create: {
      method: 'POST',
      path: '/api/deals',
      summary: 'Create a deal',
      description:
        'Owner, currency, pipeline and stage have defaults; the stage gives status and probability. Without an amount it is the sum of the items.',
      access: { all: ['CREATE_DEAL'] },
      body: dealInput,
      reply: data(201, deal),
      errors: ['STAGE_NOT_FOUND', 'INVALID_CURRENCY'],
      idempotent: true,
    },
    update: {
      method: 'PATCH',
      path: '/api/deals/{id}',
      summary: 'Change a deal',
      description:
        'Takes any subset of the fields; null clears. A stage moves the deal and sets status, probability and closedAt; a status moves it to the first ' +
        'stage with it. An open stage reopens a deal that was won or lost.',
      access: { all: ['UPDATE_DEAL'] },
      params: byId,
      body: dealPatch,
      reply: data(200, deal),
      errors: placeErrors,
    },
    ...bulkOperations({ path: '/api/deals', plural: 'deals', entity: 'DEAL', set: bulkSetOf(kind) }),
    ...stageTimesOperation({ path: '/api/deals', entity: 'DEAL', noun: 'deal', queryPolicy: 'strict' }),
  }),
)
