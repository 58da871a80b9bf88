import { addressParts, type AddressPart } from '../../base/address-parts.ts'
import type { CommercialInput, DealRecord, InvoiceRecord, OrderRecord, QuoteRecord } from '@crm/contract'
import { documentTotals, type DocumentTotals, type TaxRate } from '@crm/pricing'
import { dayOf } from '../../base/moments.ts'
import { newId } from '../../base/without-https.ts'

type Shown = QuoteRecord | OrderRecord | InvoiceRecord
type Discount = Shown['discount']

/** A discount while it is typed. */
export interface DiscountDraft {
  readonly type: 'PERCENT' | 'AMOUNT'
  readonly value: string
}

interface ListedPrice {
  readonly quantity: string
  readonly unitPrice: string
  readonly total: string
}

/** A line while it is typed; amounts are the texts of their fields. */
export interface LineDraft {
  /** Identifies the line as long as it is on the page. */
  readonly key: string
  readonly productId: string | null
  readonly name: string
  readonly description: string
  readonly quantity: string
  readonly unitId: string | null
  readonly unitPrice: string
  /**
   * The price that was looked up for the product; null when none was. As long as the field holds this price, it follows
   * the quantity.
   */
  readonly askedPrice: string | null
  /** What price lists ask for a quantity at a unit price, which is rounded; null when none told it. */
  readonly listed: ListedPrice | null
  readonly discount: DiscountDraft
  readonly taxRateId: string | null
}

export type AddressDraft = Readonly<Record<AddressPart, string>>

/** A quote, an order or an invoice while it is edited. */
export interface DocumentDraft {
  readonly companyId: string | null
  readonly contactId: string | null
  readonly dealId: string | null
  readonly currency: string
  readonly issueDate: string
  /** The day by which to pay or to decide. */
  readonly until: string
  readonly taxMode: Shown['taxMode']
  readonly lines: readonly LineDraft[]
  readonly discount: DiscountDraft
  readonly notes: string
  readonly terms: string
  /** The billing address; null stands for the company's. */
  readonly billingAddress: AddressDraft | null
}

/** An empty line. */
export function newLine(): LineDraft {
  return {
    key: newId(),
    productId: null,
    name: '',
    description: '',
    quantity: '1',
    unitId: null,
    unitPrice: '',
    askedPrice: null,
    listed: null,
    discount: noDiscount,
    taxRateId: null,
  }
}

/** Whether the line still has the looked-up price of its product. */
export function hasAskedPrice({ productId, unitPrice, askedPrice }: LineDraft): boolean {
  return productId !== null && unitPrice === askedPrice
}

const noDiscount: DiscountDraft = { type: 'PERCENT', value: '' }

/** A draft with one empty line. */
export function newDraft(begin: Pick<DocumentDraft, 'currency'> & Partial<DocumentDraft>): DocumentDraft {
  return {
    companyId: null,
    contactId: null,
    dealId: null,
    issueDate: '',
    until: '',
    taxMode: 'EXCLUSIVE',
    lines: [newLine()],
    discount: noDiscount,
    notes: '',
    terms: '',
    billingAddress: null,
    ...begin,
  }
}

/**
 * Returns what a document takes from its deal: the parties, the currency and the items. A deal with an amount alone becomes one line of
 * that amount.
 */
export function draftOfDeal(
  deal: Pick<DealRecord, 'companyId' | 'contactId' | 'currency' | 'items' | 'name' | 'amount'>,
): Pick<DocumentDraft, 'companyId' | 'contactId' | 'currency' | 'lines'> {
  const { companyId, contactId, currency, items, name, amount } = deal
  const lines = items.map((item): LineDraft => ({
    ...newLine(),
    productId: item.productId ?? null,
    name: item.name,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    discount: Number(item.discount) === 0 ? noDiscount : { type: 'AMOUNT', value: item.discount },
  }))
  const whole = amount === null ? newLine() : { ...newLine(), name, unitPrice: amount }
  return { companyId, contactId, currency, lines: lines.length > 0 ? lines : [whole] }
}

/**
 * Returns a document in the form in which its editor begins; a time by which to decide becomes its day in the zone of
 * the workspace.
 */
export function draftOf(record: Shown, timeZone: string): DocumentDraft {
  const { companyId, contactId, dealId, currency, taxMode, items, billingAddress } = record
  return {
    companyId,
    contactId,
    dealId,
    currency,
    taxMode,
    issueDate: record.issueDate ?? '',
    until: untilOf(record, timeZone),
    lines: items.map(({ productId, name, description, quantity, unitId, unitPrice, gross, discount, taxRateId }) => ({
      key: newId(),
      productId,
      name,
      description: description ?? '',
      quantity,
      unitId,
      unitPrice,
      askedPrice: null,
      listed: gross === undefined ? null : { quantity, unitPrice, total: gross },
      discount: discountDraft(discount),
      taxRateId,
    })),
    discount: discountDraft(record.discount),
    notes: record.notes ?? '',
    terms: record.terms ?? '',
    billingAddress: billingAddress && addressDraft(billingAddress),
  }
}

/** Returns the day by which to pay or to decide, as text for a form field. */
export function untilOf(record: Shown, timeZone: string): string {
  if (!('expiresAt' in record)) return record.dueDate ?? ''
  return record.expiresAt === null ? '' : dayOf(record.expiresAt, timeZone)
}

/** Returns an empty address, or an existing one as text for its fields. */
export function addressDraft(address: Partial<Record<keyof AddressDraft, string | null>> = {}): AddressDraft {
  return Object.fromEntries(addressParts.map((part) => [part, address[part] ?? ''])) as AddressDraft
}

function discountDraft(discount: Discount | string): DiscountDraft {
  if (typeof discount === 'string') return { type: 'AMOUNT', value: discount }
  return discount ?? noDiscount
}

/** Returns the body that saves a draft; empty fields are cleared, but a new document takes the address of its company. */
export function bodyOf(draft: DocumentDraft, { isNew }: { readonly isNew: boolean }) {
  const { companyId, contactId, dealId, currency, taxMode, notes, terms } = draft
  const address = addressOf(draft.billingAddress)
  return {
    companyId,
    contactId,
    dealId,
    currency,
    taxMode,
    notes,
    terms,
    issueDate: draft.issueDate || null,
    items: sentLines(draft).map(lineBody),
    discount: discountBody(draft.discount),
    ...(isNew && address === null ? {} : { billingAddress: address }),
  } satisfies Partial<Record<keyof CommercialInput, unknown>>
}

function lineBody({ productId, name, description, quantity, unitId, unitPrice, discount, taxRateId }: LineDraft) {
  return {
    productId,
    name: name.trim(),
    description,
    quantity: quantity.trim(),
    unitId,
    unitPrice: unitPrice.trim() || '0',
    discount: discountBody(discount),
    taxRateId,
  }
}

/** Returns the lines that are sent; the API counts them from 0 when it refuses one. */
export function sentLines(draft: DocumentDraft): readonly LineDraft[] {
  return draft.lines.filter((line) => !isUntouched(line))
}

function isUntouched({ productId, name, description, unitPrice }: LineDraft): boolean {
  return productId === null && [name, description, unitPrice].every((text) => text.trim() === '')
}

function discountBody({ type, value }: DiscountDraft) {
  return value.trim() === '' ? null : { type, value: value.trim() }
}

function addressOf(address: AddressDraft | null): AddressDraft | null {
  return address !== null && Object.values(address).some((part) => part.trim() !== '') ? address : null
}

/** Computes the totals of a draft by the API's own function; a field without a number counts as empty. */
export function totalsOf(
  { currency, taxMode, discount, lines }: DocumentDraft,
  taxRates: ReadonlyMap<string, TaxRate>,
): DocumentTotals {
  const priced = lines.map(({ quantity, unitPrice, listed, discount: ofLine, taxRateId }) => ({
    quantity: numberIn(quantity),
    unitPrice: numberIn(unitPrice),
    ...(listed?.quantity === quantity && listed.unitPrice === unitPrice ? { gross: listed.total } : {}),
    discount: discountIn(ofLine),
    taxRateId,
  }))
  return documentTotals({ currency, taxMode, discount: discountIn(discount), lines: priced, taxRates })
}

function discountIn({ type, value }: DiscountDraft): DiscountDraft | null {
  const known = numberIn(value)
  return type === 'PERCENT' && Number(known) > 100 ? null : { type, value: known }
}

function numberIn(text: string): string {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text.trim()) ? text.trim() : '0'
}
