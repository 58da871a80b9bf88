import type { ProductRecord } from '@crm/contract'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'

/** The customer and the currency that prices are for. */
interface Customer {
  readonly companyId: string | null
  readonly currency: string
}

/** The price of one piece, empty when there is none in the currency, and what the quantity costs. */
export interface AskedPrice {
  readonly unitPrice: string
  readonly total: string | null
}

/** Returns the price of a product for the customer: from its price lists for a person who may see them, otherwise the base price. */
export function usePriceOf(customer: Customer) {
  const ask = useListPriceOf(customer)
  return async (product: ProductRecord, quantity: string): Promise<AskedPrice> =>
    (await ask(product.id, quantity)) ?? {
      unitPrice: (product.currency === customer.currency && product.basePrice) || '',
      total: null,
    }
}

/** Returns the customer's price from the price lists; undefined when they cannot be read. */
export function useListPriceOf({ companyId, currency }: Customer) {
  const { may } = useSession()
  return async (productId: string, quantity: string): Promise<AskedPrice | undefined> => {
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
      return { unitPrice: data.unitPrice ?? '', total: isQuantity(quantity) ? data.total : null }
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
