import { choice, instant, pointer } from '../field.ts'
import { defineKind } from '../kind.ts'
import { commercialFields, commercialMain } from './commercial.ts'

export const quoteStatuses = ['DRAFT', 'SENT', 'ACCEPTED', 'DECLINED', 'EXPIRED', 'CONVERTED'] as const

/** An offer to a customer (docs/guide/finance.md). */
export const quote = defineKind({
  entity: 'QUOTE',
  noun: 'quote',
  plural: 'quotes',
  stem: 'quotes',
  module: 'FINANCE',
  icon: 'quote',
  title: ['number'],
  over: ['DECLINED', 'EXPIRED', 'CONVERTED'],
  numbered: 'QUO',
  line: { note: 'status', amount: 'total' },
  letter: ['number', 'partyName', 'issueDate', 'currency', 'subtotal', 'taxTotal', 'total', 'notes', 'terms'],
  list: {
    columns: ['number', 'companyId', 'status', 'total', 'issueDate', 'expiresAt', 'ownerId', 'createdAt'],
    sums: ['total'],
  },
  main: [...commercialMain, 'expiresAt', 'ownerId'],
  fields: {
    ...commercialFields,
    status: choice({ values: quoteStatuses, presence: 'always', written: 'never', sort: true, filter: true }),
    expiresAt: instant({ sort: true }),
    sentAt: instant({ written: 'never' }),
    decidedAt: instant({ written: 'never' }),
    convertedType: choice({ values: ['ORDER', 'INVOICE'], written: 'never' }),
    convertedId: pointer({ written: 'never' }),
  },
})
