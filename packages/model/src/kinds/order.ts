import { choice, day, instant, reference } from '../field.ts'
import { defineKind } from '../kind.ts'
import { commercialFields, commercialMain } from './commercial.ts'

export const orderStatuses = ['DRAFT', 'CONFIRMED', 'FULFILLED', 'CANCELLED'] as const

/** Something that a customer has ordered (docs/guide/finance.md). */
export const order = defineKind({
  entity: 'ORDER',
  noun: 'order',
  plural: 'orders',
  stem: 'orders',
  module: 'FINANCE',
  icon: 'order',
  title: ['number'],
  over: ['FULFILLED', 'CANCELLED'],
  numbered: 'ORD',
  line: { note: 'status', amount: 'total' },
  letter: [
    'number',
    'partyName',
    'issueDate',
    'dueDate',
    'currency',
    'subtotal',
    'taxTotal',
    'total',
    'notes',
    'terms',
  ],
  list: {
    columns: ['number', 'companyId', 'status', 'total', 'issueDate', 'dueDate', 'ownerId', 'createdAt'],
    sums: ['total'],
  },
  main: [...commercialMain, 'ownerId'],
  fields: {
    ...commercialFields,
    status: choice({ values: orderStatuses, presence: 'always', written: 'never', sort: true, filter: true }),
    dueDate: day({ sort: true }),
    quoteId: reference({ to: 'QUOTE', written: 'never' }),
    invoiceId: reference({ to: 'INVOICE', written: 'never' }),
    confirmedAt: instant({ written: 'never' }),
    fulfilledAt: instant({ written: 'never' }),
    cancelledAt: instant({ written: 'never' }),
  },
})
