import { invalidField } from '@crm/errors'
import { currencyDigits, Money, sumOfItems, type DealItemPrice } from '@crm/pricing'

const amountBound = new Money(10).pow(12)

/** Returns the sum of the items of a deal, within the bounds of an amount; null without items. */
export function amountOfItems(items: readonly DealItemPrice[], currency: string): string | null {
  const sum = sumOfItems(items, currency)
  if (sum !== null && new Money(sum).abs().gte(amountBound))
    throw invalidField('items', 'The items come to more than an amount can hold')
  return sum
}

/** Refuses an amount with more digits after the point than its currency has; noughts at the end do not count. */
export function requireDigits(amount: string | null, currency: string): void {
  const digits = currencyDigits(currency)
  if (amount !== null && new Money(amount).decimalPlaces() > digits)
    throw invalidField('amount', `An amount in ${currency} has ${digits === 0 ? 'no' : digits} digits after the point`)
}

/** Whether two amounts are equal, regardless of notation. */
export function isSameAmount(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : new Money(one).equals(other)
}
