import { choice, day, flag, instant, money, reference, text } from '../field.ts'
import { defineKind } from '../kind.ts'
import { commercialFields, commercialMain } from './commercial.ts'

export const invoiceStatuses = ['DRAFT', 'ISSUED', 'PARTIALLY_PAID', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const

/** What a customer has to pay (docs/guide/finance.md). */
export const invoice = defineKind({
  entity: 'INVOICE',
  noun: 'invoice',
  plural: 'invoices',
  stem: 'invoices',
  module: 'FINANCE',
  icon: 'invoice',
  title: ['number'],
  over: ['PAID', 'VOID', 'UNCOLLECTIBLE'],
  numbered: 'INV',
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
    'amountPaid',
    'notes',
    'terms',
  ],
  list: {
    columns: ['number', 'companyId', 'status', 'total', 'amountDue', 'issueDate', 'dueDate', 'ownerId'],
    sums: ['total', 'amountDue'],
  },
  main: [...commercialMain, 'dueDate', 'ownerId'],
  fields: {
    ...commercialFields,
    status: choice({ values: invoiceStatuses, presence: 'always', written: 'never', sort: true, filter: true }),
    dueDate: day({ sort: true, filter: 'due' }),
    isOverdue: flag({ presence: 'always', written: 'never', computed: true, filter: true }),
    amountPaid: money({ presence: 'always', written: 'never' }),
    amountDue: money({ presence: 'always', written: 'never', computed: true }),
    paymentLinkUrl: text({ written: 'never', computed: true, holds: 'fixed' }),
    quoteId: reference({ to: 'QUOTE', written: 'never', filter: true }),
    orderId: reference({ to: 'ORDER', written: 'never', filter: true }),
    issuedAt: instant({ written: 'never' }),
    sentAt: instant({ written: 'never' }),
    paidAt: instant({ written: 'never' }),
    voidedAt: instant({ written: 'never' }),
  },
})
