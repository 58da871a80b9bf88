import type { Decimal } from 'decimal.js'
import { currencyDigits, Money, toAmount } from './money.ts'

/** A discount of a line or of a whole document; the value is a decimal string. */
export interface Discount {
  readonly type: 'PERCENT' | 'AMOUNT'
  readonly value: string
}

/** The prices of a line; decimal strings. A discount without a type is an amount. */
export interface PricedLine {
  readonly quantity: string
  readonly unitPrice: string
  /** The price of the whole quantity, where a price list tells it; otherwise it is quantity × unit price. */
  readonly gross?: string
  readonly discount: string | Discount | null
  readonly taxRateId: string | null
}

/** A tax rate in per cent, with its name. */
export interface TaxRate {
  readonly name: string
  readonly rate: string
}

/** The input of a document's totals. */
export interface PricedDocument {
  /** ISO 4217. */
  readonly currency: string
  readonly taxMode: 'EXCLUSIVE' | 'INCLUSIVE' | 'NONE'
  readonly discount: Discount | null
  readonly lines: readonly PricedLine[]
  /** By id; a line without a rate in this map bears no tax. */
  readonly taxRates: ReadonlyMap<string, TaxRate>
}

/** The totals of a line. */
export interface LineTotals {
  /** Without tax and before the discount of the document. */
  readonly net: string
  readonly tax: string
  /** After the discount of the document, with tax. */
  readonly total: string
}

/** The total of one tax rate. */
interface TaxTotals extends TaxRate {
  readonly taxRateId: string
  readonly base: string
  readonly amount: string
}

/** The totals of a document: `subtotal − discountTotal + taxTotal = total`, and `total` is the sum of the lines. */
export interface DocumentTotals {
  readonly lines: readonly LineTotals[]
  readonly subtotal: string
  readonly discountTotal: string
  readonly taxTotal: string
  readonly taxes: readonly TaxTotals[]
  readonly total: string
}

/** A line during the computation of its total, in whole currency digits. */
interface Reckoned {
  readonly taxRateId: string | null
  /** Without tax, before and after the discount of the document. */
  readonly net: Decimal
  readonly reducedNet: Decimal
  readonly tax: Decimal
}

const zero = new Money(0)
const hundredth = new Money('0.01')

/**
 * Computes the totals of a document (docs/guide/finance.md): each line is rounded half up to the digits of the currency, the discount
 * of the
 * document is spread over the lines in proportion with the largest remainder, and tax is then computed line by line.
 * With inclusive taxes prices and discounts contain the tax already, and the nets are the amounts without it.
 */
export function documentTotals({ currency, taxMode, discount, lines, taxRates }: PricedDocument): DocumentTotals {
  const amounts = lines.map((line) => lineAmount(line, currency))
  const shares = spread(discountAmount(discount, amounts, currency), amounts, currency)
  const reckoned = lines.map(({ taxRateId }, at): Reckoned => {
    const rate = taxMode === 'NONE' || taxRateId === null ? undefined : taxRates.get(taxRateId)
    const before = taxed(amounts[at] ?? zero, rate, taxMode, currency)
    const after = taxed((amounts[at] ?? zero).minus(shares[at] ?? zero), rate, taxMode, currency)
    return { taxRateId: rate ? taxRateId : null, net: before.net, reducedNet: after.net, tax: after.tax }
  })
  const write = (value: Decimal): string => toAmount(value, currency)
  const subtotal = sum(reckoned.map(({ net }) => net))
  const reduced = sum(reckoned.map(({ reducedNet }) => reducedNet))
  const taxTotal = sum(reckoned.map(({ tax }) => tax))
  return {
    lines: reckoned.map(({ net, reducedNet, tax }) => ({
      net: write(net),
      tax: write(tax),
      total: write(reducedNet.plus(tax)),
    })),
    subtotal: write(subtotal),
    discountTotal: write(subtotal.minus(reduced)),
    taxTotal: write(taxTotal),
    taxes: taxTable(reckoned, taxRates, write),
    total: write(reduced.plus(taxTotal)),
  }
}

/** Returns the price of the whole quantity before a discount, rounded half up. */
export function lineGross(
  { quantity, unitPrice, gross }: Pick<PricedLine, 'quantity' | 'unitPrice' | 'gross'>,
  currency: string,
): Decimal {
  return rounded(gross === undefined ? new Money(quantity).times(unitPrice) : new Money(gross), currency)
}

/** Returns the price of a line less its discount, rounded half up; a discount reduces a line to zero at most. */
export function lineAmount(line: PricedLine, currency: string): Decimal {
  const gross = lineGross(line, currency)
  if (line.discount === null) return gross
  return rounded(Money.max(gross.minus(reduction(line.discount, gross)), zero), currency)
}

/** Returns the sum of a document's lines before its discount, including tax where prices contain it. */
export function undiscounted(
  { taxMode, lines, currency }: Pick<PricedDocument, 'taxMode' | 'lines' | 'currency'>,
  { subtotal }: Pick<DocumentTotals, 'subtotal'>,
): Decimal {
  return taxMode === 'INCLUSIVE' ? sum(lines.map((line) => lineAmount(line, currency))) : new Money(subtotal)
}

/** Whether a discount is larger than the amount. */
export function exceeds(discount: string | Discount, amount: Decimal): boolean {
  return reduction(discount, amount).gt(amount)
}

function reduction(discount: string | Discount | null, amount: Decimal): Decimal {
  if (discount === null) return zero
  if (typeof discount === 'string') return new Money(discount)
  return discount.type === 'AMOUNT' ? new Money(discount.value) : amount.times(discount.value).times(hundredth)
}

function discountAmount(discount: Discount | null, amounts: readonly Decimal[], currency: string): Decimal {
  const whole = sum(amounts)
  return Money.min(rounded(reduction(discount, whole), currency), whole)
}

/** Splits an amount over lines in proportion; the remainder of rounding down goes, unit by unit, to the largest remainders. */
function spread(amount: Decimal, weights: readonly Decimal[], currency: string): Decimal[] {
  const whole = sum(weights)
  if (amount.isZero() || whole.isZero()) return weights.map(() => zero)
  const digits = currencyDigits(currency)
  // Integers divide exactly, and faster than decimals.
  const units = (value: Decimal): bigint => BigInt(value.times(`1e${digits}`).toFixed(0))
  const [shared, divisor] = [units(amount), units(whole)]
  const shares = weights.map((weight, at) => {
    const product = shared * units(weight)
    return { at, floor: product / divisor, remainder: product % divisor }
  })
  const left = Number(shares.reduce((rest, { floor }) => rest - floor, shared))
  const byRemainder = shares.toSorted((a, b) => Number(b.remainder - a.remainder) || a.at - b.at)
  const favoured = new Set(byRemainder.slice(0, left).map(({ at }) => at))
  return shares.map(({ at, floor }) => new Money(`${favoured.has(at) ? floor + 1n : floor}e-${digits}`))
}

function taxed(
  amount: Decimal,
  rate: TaxRate | undefined,
  taxMode: PricedDocument['taxMode'],
  currency: string,
): { readonly net: Decimal; readonly tax: Decimal } {
  if (!rate) return { net: amount, tax: zero }
  if (taxMode === 'EXCLUSIVE') return { net: amount, tax: rounded(amount.times(rate.rate).div(100), currency) }
  const tax = rounded(amount.times(rate.rate).div(new Money(rate.rate).plus(100)), currency)
  return { net: amount.minus(tax), tax }
}

/** Returns the taxes by rate, in the order of the lines. */
function taxTable(
  lines: readonly Reckoned[],
  taxRates: PricedDocument['taxRates'],
  write: (value: Decimal) => string,
): TaxTotals[] {
  return [...Map.groupBy(lines, ({ taxRateId }) => taxRateId)].flatMap(([taxRateId, ofRate]) => {
    const rate = taxRateId === null ? undefined : taxRates.get(taxRateId)
    if (taxRateId === null || !rate) return []
    const base = sum(ofRate.map(({ reducedNet }) => reducedNet))
    return [
      {
        taxRateId,
        name: rate.name,
        rate: rate.rate,
        base: write(base),
        amount: write(sum(ofRate.map(({ tax }) => tax))),
      },
    ]
  })
}

function rounded(value: Decimal, currency: string): Decimal {
  return value.toDecimalPlaces(currencyDigits(currency), Money.ROUND_HALF_UP)
}

function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), zero)
}
