import { isSameValue } from '@crm/db'
import type { CommercialInput, CommercialPatch, LineInput } from '@crm/contract'
import type { schema } from '@crm/db'
import { ApiError, invalidField, invalidReference, type ErrorCode } from '@crm/errors'
import {
  documentTotals,
  exceeds,
  lineGross,
  Money,
  toUnitPrice,
  undiscounted,
  type Discount,
  type TaxRate,
} from '@crm/pricing'
import { requireExistingCurrency } from '../../records/currencies.ts'
import { planOwned, planOwnedChange, type OwnedFacts } from '../../records/owned/plan.ts'
import type { MoneyFacts, Party, Prices, ProductFacts } from './commercial.facts.ts'
import type { CommercialRow, CommercialValues } from '../../kinds/commercial.ts'

type StoredLine = (typeof schema.invoices.$inferSelect)['items'][number]

/** The facts that decide how a document is created or changed. */
export interface CommercialFacts extends OwnedFacts {
  readonly money: MoneyFacts
  readonly products: ReadonlyMap<string, ProductFacts>
  /** The prices for the currency, the company and the day of the document. */
  readonly prices: Prices
  readonly party: Party
  /** ISO 4217, for documents that name no currency. */
  readonly currency: string
  /** The day of the request, for documents without a date. */
  readonly today: string
}

/** The first value that is too large for a column of amounts. */
const amountBound = new Money(10).pow(12)

/** Returns the columns of a new document that quotes, orders and invoices share, or refuses it. */
export function planCommercial(input: CommercialInput, facts: CommercialFacts): CommercialValues {
  const currency = input.currency ?? facts.currency
  requireUsable(currency, input.issueDate, facts)
  const { customFields: _customFields, ...owned } = planOwned(input, facts)
  const { taxMode = 'EXCLUSIVE', discount = null } = input
  const rates = ratesOf(facts.money, [])
  return {
    companyId: input.companyId ?? null,
    contactId: input.contactId ?? null,
    dealId: input.dealId ?? null,
    partyName: facts.party.name,
    currency,
    issueDate: input.issueDate ?? null,
    taxMode,
    notes: input.notes ?? null,
    terms: input.terms ?? null,
    billingAddress: input.billingAddress === undefined ? facts.party.billingAddress : input.billingAddress,
    ...owned,
    ...addUp(planLines(input.items ?? [], facts, currency, rates, []), { currency, taxMode, discount }, rates),
  }
}

/** The fields of a document that are fixed once it has left the workspace. */
const fixedFields = [
  'companyId',
  'contactId',
  'currency',
  'issueDate',
  'items',
  'discount',
  'taxMode',
  'terms',
  'billingAddress',
] as const

/** Refuses a change of fixed fields. */
export function refuseFixed(current: CommercialRow, patch: CommercialPatch, code: ErrorCode): void {
  const sent = patch.discount ? { ...patch, discount: discountInDigits(patch.discount, current.currency) } : patch
  const changed = fixedFields.filter(
    (field) => sent[field] !== undefined && (field === 'items' || !isSameValue(sent[field], current[field])),
  )
  if (changed.length > 0)
    throw new ApiError(code, {
      message: `${changed.join(', ')} cannot be changed while the status is ${(current as { status?: string }).status}`,
    })
}

/** Refuses a document that is due before it is issued. */
export function refuseDueBeforeIssue({
  issueDate,
  dueDate,
}: {
  readonly issueDate?: string | null | undefined
  readonly dueDate?: string | null | undefined
}): void {
  if (issueDate && dueDate && dueDate < issueDate)
    throw invalidField('dueDate', `Expected ${issueDate}, the date of issue, or a later day`)
}

/** Returns the columns that a PATCH changes; the sums are computed again when a part of them changes. */
export function planCommercialChange(
  current: CommercialRow,
  patch: CommercialPatch,
  facts: CommercialFacts,
): Partial<CommercialValues> {
  const { items, ...fields } = patch
  const set: Partial<CommercialValues> = planOwnedChange(current, fields, facts)
  if (patch.companyId !== undefined || patch.contactId !== undefined) set.partyName = facts.party.name
  if (
    items === undefined &&
    patch.currency === undefined &&
    patch.discount === undefined &&
    patch.taxMode === undefined
  )
    return set
  const { currency = current.currency, taxMode = current.taxMode } = patch
  if (currency !== current.currency)
    requireUsable(currency, patch.issueDate === undefined ? current.issueDate : patch.issueDate, facts)
  const discount = patch.discount === undefined ? current.discount : patch.discount
  const rates = ratesOf(facts.money, current.taxes)
  const lines = items === undefined ? current.items : planLines(items, facts, currency, rates, current.items)
  return { ...set, ...addUp(lines, { currency, taxMode, discount }, rates) }
}

/** Refuses a currency that the workspace does not use, or that does not exist on the date of a document. */
export function requireUsable(
  currency: string,
  issueDate: string | null | undefined,
  { money, today }: Pick<CommercialFacts, 'money' | 'today'>,
): void {
  if (!money.currencies.includes(currency))
    throw new ApiError('INVALID_CURRENCY', { message: `The workspace does not work with the currency ${currency}` })
  requireExistingCurrency(currency, issueDate ?? today)
}

/** Returns the tax rates by id; a document keeps a rate that was deleted. */
function ratesOf({ taxRates }: MoneyFacts, known: CommercialRow['taxes']): ReadonlyMap<string, TaxRate> {
  return new Map([
    ...known.map(({ taxRateId, name, rate }) => [taxRateId, { name, rate }] as const),
    ...taxRates.map(({ id, name, rate }) => [id, { name, rate }] as const),
  ])
}

type DraftLine = Omit<StoredLine, 'net' | 'tax' | 'total'>

function planLines(
  sent: readonly LineInput[],
  facts: CommercialFacts,
  currency: string,
  rates: ReadonlyMap<string, TaxRate>,
  known: readonly DraftLine[],
): DraftLine[] {
  const { money, products, prices } = facts
  const usable = usableRates(money)
  const had = (field: 'productId' | 'unitId' | 'taxRateId', id: string): boolean =>
    known.some((line) => line[field] === id)
  return sent.map((line, at) => {
    const { productId, description, quantity, discount } = line
    const product = productId === null ? undefined : products.get(productId)
    if (productId !== null && !product && !had('productId', productId)) throw invalidReference(`items.${at}.productId`)
    const name = line.name ?? product?.name
    if (name === undefined) throw invalidField(['items', at, 'name'], 'A line without a visible product needs a name')
    const unitId = line.unitId === undefined ? (product?.unitId ?? null) : line.unitId
    if (unitId !== null && !money.units.some(({ id }) => id === unitId) && !had('unitId', unitId))
      throw invalidReference(`items.${at}.unitId`)
    const taxRateId = line.taxRateId === undefined ? (product?.taxRateId ?? null) : line.taxRateId
    if (!isUsableRate(taxRateId, usable) && !had('taxRateId', taxRateId ?? ''))
      throw invalidReference(`items.${at}.taxRateId`)
    const price = priceOf(line, prices, known)
    if (discount !== null && exceeds(discount, lineGross({ quantity, ...price }, currency))) {
      throw invalidField(['items', at, 'discount'], 'The discount is larger than the line')
    }
    return { productId, name, description, quantity, unitId, ...price, discount, taxRateId }
  })
}

function usableRates({ taxRates }: MoneyFacts): ReadonlySet<string> {
  return new Set(taxRates.filter(({ isActive }) => isActive).map(({ id }) => id))
}

function isUsableRate(id: string | null, usable: ReadonlySet<string>): boolean {
  return id === null || usable.has(id)
}

/** Refuses lines with a tax rate that no new line can have. */
export function refuseRetiredRates(items: readonly StoredLine[], money: MoneyFacts): void {
  const usable = usableRates(money)
  const at = items.findIndex(({ taxRateId }) => !isUsableRate(taxRateId, usable))
  if (at !== -1) throw invalidReference(`items.${at}.taxRateId`)
}

type LinePrice = Pick<DraftLine, 'unitPrice' | 'gross'>

/**
 * Returns the price of a line: the told one, or that of the product. A told price that is the one of the product for the quantity, or that of
 * the stored line, has the same total: the price of one piece is rounded, and its product with the quantity may differ from what lists ask.
 */
function priceOf(
  { productId, quantity, unitPrice }: LineInput,
  prices: Prices,
  known: readonly DraftLine[],
): LinePrice {
  const asked = productId === null ? null : prices(productId, quantity)
  if (unitPrice === undefined) return asked ?? { unitPrice: '0' }
  if (asked && isSame(asked.unitPrice, unitPrice)) return asked
  const stored = known.find(
    (line) => line.productId === productId && isSame(line.quantity, quantity) && isSame(line.unitPrice, unitPrice),
  )
  return stored?.gross === undefined ? { unitPrice } : { unitPrice, gross: stored.gross }
}

function isSame(one: string, other: string): boolean {
  return new Money(one).eq(other)
}

/** Returns the lines with their amounts, and the sums of the document. */
function addUp(
  lines: readonly DraftLine[],
  terms: Pick<CommercialRow, 'currency' | 'taxMode' | 'discount'>,
  taxRates: ReadonlyMap<string, TaxRate>,
) {
  const { lines: reckoned, taxes, ...sums } = documentTotals({ ...terms, lines, taxRates })
  if (new Money(sums.total).gte(amountBound) || new Money(sums.subtotal).gte(amountBound))
    throw invalidField('items', 'The lines come to more than an amount can hold')
  if (terms.discount !== null && exceeds(terms.discount, undiscounted({ ...terms, lines }, sums)))
    throw invalidField(['discount', 'value'], 'The discount is larger than the lines')
  const items = lines.map((line, at) => ({
    ...inDigits(line, terms.currency),
    ...(reckoned[at] ?? { net: '0', tax: '0', total: '0' }),
  }))
  return { items, taxes: [...taxes], ...sums, discount: discountInDigits(terms.discount, terms.currency) }
}

/** Returns the amounts of a line with the digits of the currency; further digits stay, since they count. */
function inDigits(line: DraftLine, currency: string): DraftLine {
  const { unitPrice, discount } = line
  return {
    ...line,
    unitPrice: toUnitPrice(unitPrice, currency),
    discount: typeof discount === 'string' ? toUnitPrice(discount, currency) : discountInDigits(discount, currency),
  }
}

function discountInDigits(discount: Discount | null, currency: string): Discount | null {
  return discount?.type === 'AMOUNT' ? { ...discount, value: toUnitPrice(discount.value, currency) } : discount
}
