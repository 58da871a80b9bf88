import * as z from 'zod'
import { choice, currency, day, instant, money, parts, percent, reference, text } from '../field.ts'
import { defineKind, followUps, rotting } from '../kind.ts'
import { decimal, id, requiredText, unsignedDecimal } from '../values.ts'

export const dealStatuses = ['OPEN', 'WON', 'LOST'] as const

const shownItem = z.object({
  productId: id.nullish(),
  name: z.string(),
  quantity: z.string(),
  unitPrice: z.string(),
  discount: z.string(),
})

const item = z
  .strictObject({
    productId: id.nullable().default(null),
    name: requiredText(300),
    quantity: unsignedDecimal.default('1'),
    unitPrice: decimal.default('0'),
    discount: unsignedDecimal.default('0'),
  })
  .meta({ description: 'quantity × unitPrice − discount' })

/** A sale that may come about (docs/guide/leads-and-deals.md). */
export const deal = defineKind({
  entity: 'DEAL',
  noun: 'deal',
  plural: 'deals',
  stem: 'deals',
  module: 'SALES',
  icon: 'deals',
  title: ['name'],
  shared: true,
  over: ['WON', 'LOST'],
  transferred: true,
  called: [
    'deal',
    'opportunity',
    'opportunities',
    'potential',
    'geschäft',
    'verkaufschance',
    'chance',
    'affaire',
    'opportunité',
    'negocio',
    'oportunidad',
    'trato',
    'сделка',
  ],
  hub: true,
  staged: true,
  quota: true,
  customFields: true,
  line: { note: 'stageId', amount: 'amount' },
  letter: ['name', 'amount', 'currency', 'expectedCloseDate', 'status', 'description'],
  list: {
    columns: ['name', 'amount', 'stageId', 'companyId', 'expectedCloseDate', 'ownerId', 'createdAt'],
    sums: ['amount'],
    layout: 'board',
  },
  main: [
    'name',
    'companyId',
    'contactId',
    'amount',
    'currency',
    'expectedCloseDate',
    'ownerId',
    'pipelineId',
    'stageId',
    'tags',
  ],
  fields: {
    name: text({ max: 300, presence: 'required', holds: 'prose', sort: true }),
    amount: money({ sort: true, filter: 'amount', hint: 'Without it, the sum of the items' }),
    currency: currency({ presence: 'always', bulk: true, filter: true }),
    pipelineId: reference({ to: 'PIPELINE', presence: 'always', bulk: true, filter: true }),
    stageId: reference({ to: 'STAGE', presence: 'always', bulk: true, sort: true, filter: true }),
    status: choice({ values: dealStatuses, presence: 'always', bulk: true, sort: true, filter: true }),
    probability: percent({ bulk: true }),
    expectedCloseDate: day({ bulk: true, sort: true, filter: 'expectedClose' }),
    stageChangedAt: instant({ presence: 'always', written: 'never', carried: true, sort: true }),
    closedAt: instant({ written: 'never', carried: true, filter: 'closed' }),
    ...followUps,
    ...rotting,
    lostReason: text({ max: 500, holds: 'prose', bulk: true, grouped: true }),
    contactId: reference({ to: 'CONTACT', bulk: true, filter: true }),
    companyId: reference({ to: 'COMPANY', bulk: true, filter: true }),
    leadId: reference({ to: 'LEAD', filter: true }),
    items: parts({ presence: 'always', holds: 'prose' }, z.array(shownItem), z.array(item).max(200)),
    description: text({ max: 10_000, holds: 'prose' }),
  },
})
