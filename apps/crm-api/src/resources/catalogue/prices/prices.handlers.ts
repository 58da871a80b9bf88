import { prices, success } from '@crm/contract'
import { schema, type Scope } from '@crm/db'
import { ApiError } from '@crm/errors'
import { resolvePrice } from '@crm/pricing'
import { eq } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { requireCurrency } from '../../../records/currencies.ts'
import { isReachable } from '../../../records/owned/repository.ts'
import { momentOf } from '../../../records/moment.ts'
import { listRecords } from '../../../records/owned/list.ts'
import { pageOf } from '../../../records/pages.ts'
import { companyKind } from '../../../kinds/companies.ts'
import { productKind } from '../../../kinds/products.ts'
import {
  findPriced,
  findPricedOne,
  type PriceFacts,
  type PricedProduct,
} from '../../../domain/prices/prices.repository.ts'

/** The quantity, company, currency and time of a price request. */
interface Asked {
  readonly quantity: string
  readonly companyId?: string | undefined
  readonly currency?: string | undefined
  readonly at?: string | undefined
}

export const implementedPrices = implement(prices, {
  list: async ({ query }, context) => {
    const scope = context.scope('PRODUCT')
    const facts = await requireFacts(context, query)
    const { page, pageSize, search, productId, categoryId } = query
    const filter = {
      page,
      pageSize,
      search,
      productId,
      categoryId,
      status: 'ACTIVE',
      sortBy: 'name',
      sortOrder: 'asc' as const,
    }
    const found = await listRecords(context.db, pricedKind, {
      scope,
      query: filter,
      customFieldFilters: new Map(),
      customFields: [],
      moment: momentOf(context),
    })
    // Of a product that is too large to be read now only the id is needed.
    const ids = [...found.items, ...(found.later ?? [])].map(({ id }) => id)
    const priced = await findPriced(context.db, scope, ids, facts)
    await requireCompany(context, scope, facts, priced.values().next().value)
    const items = ids
      .flatMap((id) => priced.get(id) ?? [])
      .map((product) => ({
        productId: product.id,
        name: product.name,
        sku: product.sku,
        ...answer(product, query, facts),
      }))
    return pageOf({ items, total: found.total }, query)
  },

  resolve: async ({ query }, context) => {
    const scope = context.scope('PRODUCT')
    const facts = await requireFacts(context, query)
    const product = await findPricedOne(context.db, scope, query.productId, facts)
    if (!product) throw new ApiError('NOT_FOUND', { message: 'There is no such product' })
    await requireCompany(context, scope, facts, product)
    return success({ productId: product.id, ...answer(product, query, facts) })
  },
})

/** The kind of products with the filters of price requests. */
const pricedKind = { ...productKind, filters: { ...productKind.filters, productId: { condition: productIs } } }

function productIs(id: string) {
  return eq(schema.products.id, id)
}

async function requireFacts(context: CrmContext, asked: Asked): Promise<PriceFacts> {
  const { companyId, currency, at = context.at } = asked
  await requireCurrency(context.db, context, currency)
  return { companyId: companyId ?? null, currency: currency ?? null, at }
}

/**
 * Refuses a company out of sight. Two scopes of a caller with the same level are equal, and then the query of the prices has
 * checked the company already.
 */
async function requireCompany(
  context: CrmContext,
  used: Scope,
  { companyId }: PriceFacts,
  priced: PricedProduct | undefined,
): Promise<void> {
  if (companyId === null) return
  const scope = context.scopeIfAllowed(companyKind.entityType)
  const isThere =
    scope &&
    (scope.level === used.level && priced
      ? priced.isCompanyInScope
      : await isReachable(context.db, companyKind, scope, companyId))
  if (!isThere) throw new ApiError('NOT_FOUND', { message: 'There is no such company' })
}

function answer(
  { basePrice, baseCurrency, candidates }: PricedProduct,
  { quantity }: Asked,
  { companyId, currency: asked, at }: PriceFacts,
) {
  const currency = asked ?? baseCurrency
  return {
    quantity,
    currency,
    ...resolvePrice({
      quantity,
      currency,
      companyId,
      at,
      base: { price: basePrice, currency: baseCurrency },
      candidates,
    }),
  }
}
