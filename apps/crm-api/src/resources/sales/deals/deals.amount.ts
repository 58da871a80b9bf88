import { invalidField } from '@crm/errors'
import { Money, sumOfItems, type DealItemPrice } from '@crm/pricing'

const amountBound = new Money(10).pow(12)

/** Returns the sum of the items of a deal, within the bounds of an amount; null without items. */
export function amountOfItems(items: readonly DealItemPrice[], currency: string): string | null {
  const sum = sumOfItems(items, currency)
  if (sum !== null && new Money(sum).abs().gte(amountBound))
    throw invalidField('items', 'The items come to more than an amount can hold')
  return sum
}

/** Whether two amounts are equal, regardless of notation. */
export function isSameAmount(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : new Money(one).equals(other)
}
