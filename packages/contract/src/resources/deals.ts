import * as z from 'zod'
import { bulkOperations } from '../bulk.ts'
import {
  byId,
  currencyCode,
  customFieldValues,
  day,
  decimal,
  expectedVersion,
  id,
  instant,
  newOwner,
  ownedFields,
  requiredText,
  shownAmount,
  shownDay,
  tags,
  text,
  unsignedDecimal,
} from '../fields.ts'
import { enumFilter, idFilter } from '../filters.ts'
import { followUpFields, followUpFilters, followUpSortFields, rottingFields, stageFilters } from '../follow-ups.ts'
import { commonFilters, customSortQuery, dayParam, pagedList, rangeParam, type PageRule } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { stageTimesOperation } from '../stage-times.ts'
import { withSummary } from '../summaries.ts'

export const dealStatuses = ['OPEN', 'WON', 'LOST'] as const

const nullableText = z.string().nullable()
const probability = z.int().min(0).max(100).nullable()

const shownItem = z.object({
  productId: id.nullish(),
  name: z.string(),
  quantity: z.string(),
  unitPrice: z.string(),
  discount: z.string(),
})

/** A deal as the API shows it (docs/guide/leads-and-deals.md). */
export const deal = z.object({
  ...ownedFields,
  name: z.string(),
  amount: shownAmount,
  currency: z.string(),
  pipelineId: id,
  stageId: id,
  status: z.enum(dealStatuses),
  probability,
  expectedCloseDate: shownDay,
  stageChangedAt: instant,
  closedAt: instant.nullable(),
  ...followUpFields,
  ...rottingFields,
  lostReason: nullableText,
  contactId: id.nullable(),
  companyId: id.nullable(),
  leadId: id.nullable(),
  items: z.array(shownItem),
  description: nullableText,
  customFields: customFieldValues,
})
export type DealRecord = z.output<typeof deal>

const item = z
  .strictObject({
    productId: id.nullable().default(null),
    name: requiredText(300),
    quantity: unsignedDecimal.default('1'),
    unitPrice: decimal.default('0'),
    discount: unsignedDecimal.default('0'),
  })
  .meta({ description: 'quantity × unitPrice − discount' })

const editable = {
  amount: decimal.nullable().optional().meta({ description: 'Without it, the sum of the items' }),
  currency: currencyCode.optional(),
  pipelineId: id.optional(),
  stageId: id.optional(),
  status: z.enum(dealStatuses).optional(),
  probability: probability.optional(),
  expectedCloseDate: day.nullable().optional(),
  lostReason: text(500).optional(),
  contactId: id.nullable().optional(),
  companyId: id.nullable().optional(),
  leadId: id.nullable().optional(),
  items: z.array(item).max(200).optional(),
  description: text(10_000).optional(),
  ownerId: newOwner,
  tags: tags.optional(),
  customFields: customFieldValues.optional(),
}

export const dealInput = z.strictObject({ name: requiredText(300), ...editable })
export type DealInput = z.output<typeof dealInput>

const dealPatch = z.strictObject({ name: requiredText(300).optional(), ...editable, version: expectedVersion })
export type DealPatch = z.output<typeof dealPatch>

const dealPages: PageRule = { pageSize: 50, pageSizeMax: 100, overMax: 'refuse' }

export const dealSortFields = [
  'createdAt',
  'updatedAt',
  'name',
  'status',
  'stageId',
  'amount',
  'expectedCloseDate',
  'stageChangedAt',
  ...followUpSortFields,
] as const

/** The filters of the deal list; bulk operations take the same. */
export const dealFilters = {
  ...commonFilters,
  status: enumFilter({ values: dealStatuses }).optional(),
  stageId: idFilter({ canBeEmpty: false }).optional(),
  pipelineId: idFilter({ canBeEmpty: false }).optional(),
  contactId: idFilter({ canBeEmpty: true }).optional(),
  companyId: idFilter({ canBeEmpty: true }).optional(),
  leadId: idFilter({ canBeEmpty: true }).optional(),
  currency: currencyCode.optional(),
  amountMin: decimal.optional(),
  amountMax: decimal.optional(),
  expectedCloseFrom: dayParam.optional(),
  expectedCloseTo: dayParam.optional(),
  closedFrom: rangeParam('from').optional(),
  closedTo: rangeParam('to').optional(),
  ...stageFilters,
  ...followUpFilters,
}

const dealList = {
  ...pagedList(deal, dealPages, { ...dealFilters, ...customSortQuery(dealSortFields) }),
  queryPolicy: 'strict',
  customFields: 'DEAL',
} as const

const {
  currency,
  pipelineId,
  stageId,
  status,
  expectedCloseDate,
  lostReason,
  contactId,
  companyId,
  ownerId,
  customFields,
} = editable

const bulkSet = z.strictObject({
  currency,
  pipelineId,
  stageId,
  status,
  probability: editable.probability,
  expectedCloseDate,
  lostReason,
  contactId,
  companyId,
  ownerId,
  customFields,
})

const placeErrors = ['STAGE_NOT_FOUND', 'STAGE_TRANSITION_NOT_ALLOWED', 'INVALID_CURRENCY'] as const

export const deals = resource(
  'deals',
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
    ...bulkOperations({ path: '/api/deals', plural: 'deals', entity: 'DEAL', set: bulkSet }),
    ...stageTimesOperation({ path: '/api/deals', entity: 'DEAL', noun: 'deal', queryPolicy: 'strict' }),
  }),
)
