import { currencyDigits, Money, toAmount } from './money.ts'

/** An item of a deal; decimal strings. The discount is an amount. */
export interface DealItemPrice {
  readonly quantity: string
  readonly unitPrice: string
  readonly discount: string
}

/** Returns the amount of a deal's item: quantity × unit price − discount, rounded half up to the digits of the currency. */
export function itemAmount({ quantity, unitPrice, discount }: DealItemPrice, currency: string): Money {
  return new Money(quantity)
    .times(unitPrice)
    .minus(discount)
    .toDecimalPlaces(currencyDigits(currency), Money.ROUND_HALF_UP)
}

/** Returns the sum of a deal's items as a decimal string; null without items. */
export function sumOfItems(items: readonly DealItemPrice[], currency: string): string | null {
  if (items.length === 0) return null
  return toAmount(
    items.reduce((sum, item) => sum.plus(itemAmount(item, currency)), new Money(0)),
    currency,
  )
}
