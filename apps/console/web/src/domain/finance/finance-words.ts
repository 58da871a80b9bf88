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
    one: t('finance.quote'),
    many: t('finance.quotes'),
    title: t('common.quotes'),
    until: t('finance.validUntil'),
  },
  [order.entity]: {
    one: t('finance.order'),
    many: t('finance.orders'),
    title: t('common.orders'),
    until: t('common.due'),
  },
  [invoice.entity]: {
    one: t('finance.invoice'),
    many: t('finance.invoices'),
    title: t('common.invoices'),
    until: t('common.due'),
  },
} as const

type FinanceStatus = (typeof quoteStatuses)[number] | (typeof orderStatuses)[number] | (typeof invoiceStatuses)[number]

/** The states of the documents in words, with their looks. */
export const statusWords: Readonly<Record<FinanceStatus, { readonly name: string; readonly tone: Tone }>> = {
  DRAFT: { name: t('common.draft'), tone: 'neutral' },
  SENT: { name: t('finance.sent'), tone: 'blue' },
  ACCEPTED: { name: t('finance.accepted'), tone: 'green' },
  DECLINED: { name: t('finance.declined'), tone: 'red' },
  EXPIRED: { name: t('finance.expired'), tone: 'amber' },
  CONVERTED: { name: t('finance.converted'), tone: 'teal' },
  CONFIRMED: { name: t('finance.confirmed'), tone: 'blue' },
  FULFILLED: { name: t('finance.fulfilled'), tone: 'green' },
  CANCELLED: { name: t('common.cancelled'), tone: 'red' },
  ISSUED: { name: t('finance.issued'), tone: 'blue' },
  PARTIALLY_PAID: { name: t('finance.partiallyPaid'), tone: 'amber' },
  PAID: { name: t('finance.paid'), tone: 'green' },
  VOID: { name: t('finance.void'), tone: 'red' },
  UNCOLLECTIBLE: { name: t('finance.discarded'), tone: 'red' },
}

/** The payment methods in words. */
export const methodNames: Readonly<Record<(typeof paymentMethods)[number], string>> = {
  BANK_TRANSFER: t('finance.bankTransfer'),
  CARD: t('finance.card'),
  CASH: t('finance.cash'),
  ONLINE: t('finance.online'),
  OTHER: t('finance.other'),
}

/** The ways in which a document's prices treat taxes, in words. */
export const taxModeNames = {
  EXCLUSIVE: t('finance.addedToPrices'),
  INCLUSIVE: t('finance.includedInPrices'),
  NONE: t('common.none'),
} as const

/** Returns the name of a document: its number, or the words for a draft. */
export function documentTitle(kind: FinanceKind, { number }: Pick<FinanceRecord, 'number'>): string {
  return number ?? t(`finance.draftOf.${kind}`)
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
