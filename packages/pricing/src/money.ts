import { Decimal } from 'decimal.js'

/** Decimals by name, so that no setting of another package changes how money is counted. */
export const Money = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 40 })
export type Money = Decimal

/** Unit prices keep at most so many digits after the point. */
export const unitPriceDigits = 6

const iso = new Set(Intl.supportedValuesOf('currency'))
const digits = new Map<string, number>()

/** Whether ISO 4217 knows a currency code. */
export function isCurrencyCode(code: string): boolean {
  return iso.has(code)
}

/** How many digits after the point amounts in a currency have: JPY 0, EUR 2, KWD 3. */
export function currencyDigits(code: string): number {
  const known =
    digits.get(code) ??
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ??
    2
  digits.set(code, known)
  return known
}

/** An amount rounded half up to what its currency can pay, as a decimal string with all its digits: `"1250.00"`. */
export function toAmount(value: Decimal.Value, currency: string): string {
  return unsigned(new Money(value).toFixed(currencyDigits(currency), Decimal.ROUND_HALF_UP))
}

/** A unit price as a decimal string: the digits of its currency, and up to six where it has more. */
export function toUnitPrice(value: Decimal.Value, currency: string): string {
  return toExactAmount(new Money(value).toDecimalPlaces(unitPriceDigits, Decimal.ROUND_HALF_UP), currency)
}

/** An amount that may not be rounded: with the digits of its currency, and with more where it has them. */
export function toExactAmount(value: Decimal.Value, currency: string): string {
  const amount = new Money(value)
  return unsigned(amount.toFixed(Math.max(amount.decimalPlaces(), currencyDigits(currency))))
}

/** A number with all its digits, as a decimal string. */
export function toExactNumber(value: Decimal.Value): string {
  return unsigned(new Money(value).toFixed())
}

/** There is no minus zero in money. */
function unsigned(text: string): string {
  return /^-[0.]+$/.test(text) ? text.slice(1) : text
}
