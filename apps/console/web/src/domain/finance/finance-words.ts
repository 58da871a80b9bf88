import type {
  InvoiceRecord,
  OrderRecord,
  QuoteRecord,
  invoiceStatuses,
  orderStatuses,
  paymentMethods,
  quoteStatuses,
} from '@crm/contract'
import { describeDay } from '../../base/moments.ts'
import type { Tone } from '../../shell/pill.tsx'

/** The kinds of document with prices. */
export const financeKinds = ['QUOTE', 'ORDER', 'INVOICE'] as const
export type FinanceKind = (typeof financeKinds)[number]

/** A quote, an order or an invoice as the API shows it. */
export type FinanceRecord = QuoteRecord | OrderRecord | InvoiceRecord

/** The words for the kinds of document. */
export const kindWords = {
  QUOTE: {
    one: 'quote',
    many: 'quotes',
    title: 'Quotes',
    until: 'Valid until',
    origin: 'A quote is a draft until it is sent; an accepted one becomes an order or an invoice.',
  },
  ORDER: {
    one: 'order',
    many: 'orders',
    title: 'Orders',
    until: 'Due',
    origin: 'An order is a draft until it is confirmed; invoices are made of it.',
  },
  INVOICE: {
    one: 'invoice',
    many: 'invoices',
    title: 'Invoices',
    until: 'Due',
    origin: 'An invoice is a draft until it is issued; then it gets its number.',
  },
} as const

type FinanceStatus = (typeof quoteStatuses)[number] | (typeof orderStatuses)[number] | (typeof invoiceStatuses)[number]

/** The states of the documents in words, with their looks. */
export const statusWords: Readonly<Record<FinanceStatus, { readonly name: string; readonly tone: Tone }>> = {
  DRAFT: { name: 'Draft', tone: 'neutral' },
  SENT: { name: 'Sent', tone: 'blue' },
  ACCEPTED: { name: 'Accepted', tone: 'green' },
  DECLINED: { name: 'Declined', tone: 'red' },
  EXPIRED: { name: 'Expired', tone: 'amber' },
  CONVERTED: { name: 'Converted', tone: 'teal' },
  CONFIRMED: { name: 'Confirmed', tone: 'blue' },
  FULFILLED: { name: 'Fulfilled', tone: 'green' },
  CANCELLED: { name: 'Cancelled', tone: 'red' },
  ISSUED: { name: 'Issued', tone: 'blue' },
  PARTIALLY_PAID: { name: 'Partially paid', tone: 'amber' },
  PAID: { name: 'Paid', tone: 'green' },
  VOID: { name: 'Void', tone: 'red' },
  UNCOLLECTIBLE: { name: 'Given up', tone: 'red' },
}

/** The payment methods in words. */
export const methodNames: Readonly<Record<(typeof paymentMethods)[number], string>> = {
  BANK_TRANSFER: 'Bank transfer',
  CARD: 'Card',
  CASH: 'Cash',
  ONLINE: 'Online',
  OTHER: 'Other',
}

/** The ways in which a document's prices treat taxes, in words. */
export const taxModeNames = { EXCLUSIVE: 'On top of prices', INCLUSIVE: 'Within prices', NONE: 'None' } as const

/** Returns the name of a document: its number, or the words for a draft. */
export function documentTitle(kind: FinanceKind, { number }: Pick<FinanceRecord, 'number'>): string {
  return number ?? `Draft of ${kind === 'QUOTE' ? 'a' : 'an'} ${kindWords[kind].one}`
}

/** Formats an amount with all the digits of its currency, as documents do. */
export function amountInWords(amount: string, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount as `${number}`)
}

/**
 * Formats the day by which to pay or to decide: a date is the same everywhere, a time falls on its day in the zone of
 * the workspace.
 */
export function describeUntil(until: string | null, timeZone: string): string | null {
  return until && describeDay(until, until.includes('T') ? timeZone : 'UTC')
}
