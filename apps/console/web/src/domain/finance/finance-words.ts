import { entitiesWith, invoice, order, quote } from '@crm/model'
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
import { draftOf } from '../../records/kind-words.ts'
import type { Tone } from '../../shell/pill.tsx'
import { language, t } from '../../base/texts.ts'

/** The kinds of document with prices. */
export const financeKinds = entitiesWith('numbered')
export type FinanceKind = (typeof financeKinds)[number]

/** A quote, an order or an invoice as the API shows it. */
export type FinanceRecord = QuoteRecord | OrderRecord | InvoiceRecord

/** The words for the kinds of document. */
export const kindWords = {
  [quote.entity]: {
    one: t('quote'),
    many: t('quotes'),
    title: t('Quotes'),
    until: t('Valid until'),
  },
  [order.entity]: {
    one: t('order'),
    many: t('orders'),
    title: t('Orders'),
    until: t('Due'),
  },
  [invoice.entity]: {
    one: t('invoice'),
    many: t('invoices'),
    title: t('Invoices'),
    until: t('Due'),
  },
} as const

type FinanceStatus = (typeof quoteStatuses)[number] | (typeof orderStatuses)[number] | (typeof invoiceStatuses)[number]

/** The states of the documents in words, with their looks. */
export const statusWords: Readonly<Record<FinanceStatus, { readonly name: string; readonly tone: Tone }>> = {
  DRAFT: { name: t('Draft'), tone: 'neutral' },
  SENT: { name: t('Sent'), tone: 'blue' },
  ACCEPTED: { name: t('Accepted'), tone: 'green' },
  DECLINED: { name: t('Declined'), tone: 'red' },
  EXPIRED: { name: t('Expired'), tone: 'amber' },
  CONVERTED: { name: t('Converted'), tone: 'teal' },
  CONFIRMED: { name: t('Confirmed'), tone: 'blue' },
  FULFILLED: { name: t('Fulfilled'), tone: 'green' },
  CANCELLED: { name: t('Cancelled'), tone: 'red' },
  ISSUED: { name: t('Issued'), tone: 'blue' },
  PARTIALLY_PAID: { name: t('Partially paid'), tone: 'amber' },
  PAID: { name: t('Paid'), tone: 'green' },
  VOID: { name: t('Void'), tone: 'red' },
  UNCOLLECTIBLE: { name: t('Discarded'), tone: 'red' },
}

/** The payment methods in words. */
export const methodNames: Readonly<Record<(typeof paymentMethods)[number], string>> = {
  BANK_TRANSFER: t('Bank transfer'),
  CARD: t('Card'),
  CASH: t('Cash'),
  ONLINE: t('Online'),
  OTHER: t('Other'),
}

/** The ways in which a document's prices treat taxes, in words. */
export const taxModeNames = {
  EXCLUSIVE: t('Added to prices'),
  INCLUSIVE: t('Included in prices'),
  NONE: t('None'),
} as const

/** Returns the name of a document: its number, or the words for a draft. */
export function documentTitle(kind: FinanceKind, { number }: Pick<FinanceRecord, 'number'>): string {
  return number ?? draftOf(kind) ?? ''
}

/** Formats an amount with all the digits of its currency, as documents do. */
export function amountInWords(amount: string, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount as `${number}`)
}

/**
 * Formats the day by which to pay or to decide: a date is the same everywhere, a time falls on its day in the zone of
 * the workspace.
 */
export function describeUntil(until: string | null, timeZone: string): string | null {
  return until && describeDay(until, until.includes('T') ? timeZone : 'UTC')
}
