import type { schema } from '@crm/db'
import { Money } from '@crm/pricing'
import type { StateMachine } from '../../../domain/commercial/commercial.status.ts'

export type InvoiceStatus = (typeof schema.invoices.$inferSelect)['status']

/** The states and verbs of an invoice (docs/guide/finance.md). */
export const invoiceMachine = {
  issue: {
    from: ['DRAFT'],
    to: 'ISSUED',
    may: 'UPDATE_INVOICE',
    follows: 'It gets its number and issue date; lines, currency and parties are fixed.',
  },
  send: {
    from: ['ISSUED', 'PARTIALLY_PAID', 'PAID'],
    to: null,
    may: 'UPDATE_INVOICE',
    follows: 'The PDF is mailed; a draft is issued first.',
  },
  recordPayment: {
    from: ['ISSUED', 'PARTIALLY_PAID', 'PAID'],
    to: null,
    may: 'UPDATE_INVOICE',
    follows: 'PARTIALLY_PAID, or PAID once nothing is due.',
  },
  reversePayment: {
    from: ['ISSUED', 'PARTIALLY_PAID', 'PAID'],
    to: null,
    may: 'UPDATE_INVOICE',
    follows: 'PARTIALLY_PAID, or ISSUED once nothing is paid.',
  },
  paymentLink: {
    from: ['ISSUED', 'PARTIALLY_PAID', 'PAID'],
    to: null,
    may: 'UPDATE_INVOICE',
    follows: 'A payment link is created; an earlier one stops working.',
  },
  void: {
    from: ['ISSUED', 'UNCOLLECTIBLE'],
    to: 'VOID',
    may: 'UPDATE_INVOICE',
    follows: 'Refused with payments. The number stays used; the payment link stops working.',
  },
  uncollectible: {
    from: ['ISSUED', 'PARTIALLY_PAID'],
    to: 'UNCOLLECTIBLE',
    may: 'UPDATE_INVOICE',
    follows: 'It is not overdue any more.',
  },
} as const satisfies StateMachine<InvoiceStatus, string>

/** Returns the status of an issued invoice by its payments. */
export function statusByPayments(amountPaid: string, total: string): 'ISSUED' | 'PARTIALLY_PAID' | 'PAID' {
  if (new Money(amountPaid).isZero()) return 'ISSUED'
  return new Money(amountPaid).gte(total) ? 'PAID' : 'PARTIALLY_PAID'
}

/** Whether an invoice was due before a day; an invoice without an amount due never is overdue. */
export function isOverdue(
  {
    status,
    dueDate,
    total,
  }: { readonly status: InvoiceStatus; readonly dueDate: string | null; readonly total: string },
  today: string,
): boolean {
  return (
    (status === 'ISSUED' || status === 'PARTIALLY_PAID') &&
    dueDate !== null &&
    dueDate < today &&
    new Money(total).gt(0)
  )
}
