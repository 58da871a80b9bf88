import type { ProductRecord } from '@crm/contract'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'

/** The customer and the currency that prices are for. */
interface Customer {
  readonly companyId: string | null
  readonly currency: string
}

/**
 * Returns the price of a product for the customer: from its price lists for a person who may see them, otherwise the
 * base price; empty when there is no price in the currency.
 */
export function usePriceOf(customer: Customer) {
  const ask = useListPriceOf(customer)
  return async (product: ProductRecord, quantity: string): Promise<string> =>
    (await ask(product.id, quantity)) ?? ((product.currency === customer.currency && product.basePrice) || '')
}

/** Returns the customer's price from the price lists; empty when none prices the product, undefined when they cannot be read. */
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
      // The price of a line can be typed; the line must not fail because the price lists cannot be read.
      return undefined
    }
  }
}

/** Whether a text is a quantity that has a price. */
export function isQuantity(text: string): boolean {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text.trim()) && /[1-9]/.test(text)
}
