import type { ProductRecord } from '@crm/contract'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'

/** For whom prices are asked, and in which currency. */
interface Customer {
  readonly companyId: string | null
  readonly currency: string
}

/** Tells what a product costs the customer: by its price lists for a person who may see them, else its base price; empty when nothing prices it in the currency. */
export function usePriceOf(customer: Customer) {
  const ask = useListPriceOf(customer)
  return async (product: ProductRecord, quantity: string): Promise<string> =>
    (await ask(product.id, quantity)) ?? ((product.currency === customer.currency && product.basePrice) || '')
}

/** Tells what the price lists ask of the customer; empty when nothing prices the product, undefined when they cannot be asked. */
export function useListPriceOf({ companyId, currency }: Customer) {
  const { may } = useSession()
  return async (productId: string, quantity: string): Promise<string | undefined> => {
    if (!may('VIEW_PRICE_LIST')) return undefined
    try {
      const { data } = await crm.prices.resolve({
        query: {
          productId,
          quantity: isQuantity(quantity) ? quantity.trim() : '1',
          companyId: companyId ?? undefined,
          currency,
        },
      })
      return data.unitPrice ?? ''
    } catch {
      // What a line costs can be typed; it must not fail because the price lists cannot be asked.
      return undefined
    }
  }
}

/** Whether a text is a quantity that prices can be asked for. */
export function isQuantity(text: string): boolean {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text.trim()) && /[1-9]/.test(text)
}
