import type { ProductRecord } from '@crm/contract'
import { crm } from '../api.ts'
import { useSession } from '../session.ts'
import type { DocumentDraft } from './document-draft.ts'

/** Tells what a product costs the customer of a draft: by its price lists for a person who may see them, else its base price; empty when nothing prices it in the currency. */
export function usePriceOf({ companyId, currency }: Pick<DocumentDraft, 'companyId' | 'currency'>) {
  const { may } = useSession()
  return async (product: ProductRecord, quantity: string): Promise<string> => {
    const basePrice = (product.currency === currency && product.basePrice) || ''
    if (!may('VIEW_PRICE_LIST')) return basePrice
    try {
      const { data } = await crm.prices.resolve({ query: { productId: product.id, quantity: /^\d*[1-9]\d*$/.test(quantity) ? quantity : '1', companyId: companyId ?? undefined, currency } })
      return data.unitPrice ?? ''
    } catch {
      // What a line costs can be typed; it must not fail because the price lists cannot be asked.
      return basePrice
    }
  }
}
