import type { DealRecord } from '@crm/contract'
import { itemAmount, sumOfItems, toAmount, type DealItemPrice } from '@crm/pricing'
import { newId } from '../../base/without-https.ts'

/** An item of a deal while it is typed; amounts are the texts of their fields. */
export interface ItemDraft extends DealItemPrice {
  /** Identifies the item as long as it is on the page. */
  readonly key: string
  readonly productId: string | null
  readonly name: string
}

/** An empty item. */
export function newItem(): ItemDraft {
  return { key: newId(), productId: null, name: '', quantity: '1', unitPrice: '', discount: '' }
}

/** Returns the items of a deal in the form in which their editor begins. */
export function draftsOf(items: DealRecord['items']): ItemDraft[] {
  return items.map(({ productId = null, discount, ...item }) => ({
    ...item,
    key: newId(),
    productId,
    discount: isNothing(discount) ? '' : discount,
  }))
}

/** Returns the items in the API's form; empty fields get their defaults. */
export function itemsOf(drafts: readonly ItemDraft[]) {
  return drafts.map(({ key: _key, name, ...item }) => ({ ...item, name: name.trim(), ...priceOf(item) }))
}

/** Returns the amount of an item; null while a field holds no number. */
export function amountOf(draft: DealItemPrice, currency: string): string | null {
  return isPriced(draft) ? toAmount(itemAmount(priceOf(draft), currency), currency) : null
}

/** Returns the sum of all items; null while a field holds no number. */
export function sumOfDrafts(drafts: readonly ItemDraft[], currency: string): string | null {
  return drafts.every(isPriced) ? (sumOfItems(drafts.map(priceOf), currency) ?? toAmount(0, currency)) : null
}

function priceOf({ quantity, unitPrice, discount }: DealItemPrice): DealItemPrice {
  return { quantity: quantity.trim() || '1', unitPrice: unitPrice.trim() || '0', discount: discount.trim() || '0' }
}

function isPriced(draft: DealItemPrice): boolean {
  return Object.values(priceOf(draft)).every((text) => /^-?\d{1,12}(\.\d{1,6})?$/.test(text as string))
}

function isNothing(discount: string): boolean {
  return Number(discount) === 0
}
