import { Decimal } from 'decimal.js'
import { currencyOf } from './currencies.ts'

/** A Decimal class of its own, so that no setting of another package changes how money is computed. */
export const Money = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 40 })
export type Money = Decimal

/** The most digits of a unit price after the point. */
export const unitPriceDigits = 6

const usualDigits = 2

/** Returns the number of digits after the point for amounts in a currency: JPY 0, EUR 2, KWD 3; 2 where the code is unknown. */
export function currencyDigits(code: string): number {
  return currencyOf(code)?.digits ?? usualDigits
}

/** Returns an amount rounded half up to the digits of its currency, as a decimal string with all its digits: `"1250.00"`. */
export function toAmount(value: Decimal.Value, currency: string): string {
  return unsigned(new Money(value).toFixed(currencyDigits(currency), Decimal.ROUND_HALF_UP))
}

/** Returns a unit price as a decimal string: with the digits of its currency, and up to six where it has more. */
export function toUnitPrice(value: Decimal.Value, currency: string): string {
  return toExactAmount(new Money(value).toDecimalPlaces(unitPriceDigits, Decimal.ROUND_HALF_UP), currency)
}

/** Returns an unrounded amount: with the digits of its currency, or more where it has them. */
export function toExactAmount(value: Decimal.Value, currency: string): string {
  const amount = new Money(value)
  return unsigned(amount.toFixed(Math.max(amount.decimalPlaces(), currencyDigits(currency))))
}

/** Returns a number with all its digits, as a decimal string. */
export function toExactNumber(value: Decimal.Value): string {
  return unsigned(new Money(value).toFixed())
}

/** Money has no minus zero. */
function unsigned(text: string): string {
  return /^-[0.]+$/.test(text) ? text.slice(1) : text
}
