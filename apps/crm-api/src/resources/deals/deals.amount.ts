import type { DealInput } from '@crm/contract'
import { invalidField } from '@crm/errors'
import { currencyDigits } from '@crm/pricing'
import { Decimal } from 'decimal.js'

type Item = Pick<NonNullable<DealInput['items']>[number], 'quantity' | 'unitPrice' | 'discount'>

const amountBound = new Decimal(10).pow(12)

/** What the items of a deal come to: quantity × unit price − discount, each rounded half up to the digits of the currency; null without items. */
export function sumOfItems(items: readonly Item[], currency: string): string | null {
  if (items.length === 0) return null
  const digits = currencyDigits(currency)
  const lines = items.map(({ quantity, unitPrice, discount }) => new Decimal(quantity).times(unitPrice).minus(discount).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP))
  const sum = lines.reduce((total, line) => total.plus(line), new Decimal(0))
  if (sum.abs().gte(amountBound)) throw invalidField('items', 'The items come to more than an amount can hold')
  return sum.toFixed(digits)
}

/** Whether two amounts are the same, however they are written. */
export function isSameAmount(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : new Decimal(one).equals(other)
}
