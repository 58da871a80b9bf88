import { given, runScoped, schema, scopedStatement, type Executor, type Scope } from '@crm/db'
import type { PriceCandidate } from '@crm/pricing'
import { sql, type SQL } from 'drizzle-orm'
import { existing } from '../../records/owned/list.ts'
import { companyKind } from '../../kinds/companies.ts'
import { productKind } from '../../kinds/products.ts'

const { companies, priceListEntries: e, priceListEntryTiers: t, priceLists: l, products: p } = schema

/** A product with every list that can price it. */
export interface PricedProduct {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly basePrice: string | null
  readonly baseCurrency: string
  readonly candidates: readonly PriceCandidate[]
  /** Whether the requested company exists within the same scope; true without a company. */
  readonly isCompanyInScope: boolean
}

type PricedRow = PricedProduct & Record<string, unknown>

/** The facts that select the price lists. */
export interface PriceFacts {
  readonly companyId: string | null
  /** ISO 4217; null: the currency of each product. */
  readonly currency: string | null
  /** ISO 8601. */
  readonly at: string
}

/** Reads all facts that decide the prices of products, in one query; decimals as text, so that JSON does not turn them into floats. */
const selectPriced = (scope: Scope, isAsked: SQL): SQL => {
  const tiers = sql`SELECT coalesce(json_agg(json_build_object(
      'id', ${t.id}, 'minQuantity', ${t.minQuantity}::text, 'maxQuantity', ${t.maxQuantity}::text, 'price', ${t.price}::text, 'percent', ${t.percent}::text)), '[]')
    FROM ${t} WHERE ${t.workspaceId} = ${scope.workspaceId} AND ${t.entryId} = ${e.id}`
  const entry = sql`json_build_object(
    'id', ${e.id}, 'mode', ${e.mode}, 'price', ${e.price}::text, 'percent', ${e.percent}::text, 'tierMode', ${e.tierMode}, 'tiers', (${tiers}))`
  const candidates = sql`SELECT coalesce(json_agg(json_build_object(
      'id', ${l.id}, 'currency', ${l.currency}, 'isDefault', ${l.isDefault}, 'isActive', ${l.isActive}, 'priority', ${l.priority},
      'startsAt', ${l.startsAt}, 'endsAt', ${l.endsAt}, 'companyIds', ${l.companyIds}, 'entry', ${entry})), '[]')
    FROM ${e} JOIN ${l} ON ${l.workspaceId} = ${e.workspaceId} AND ${l.id} = ${e.priceListId}
    WHERE ${e.workspaceId} = ${scope.workspaceId} AND ${e.productId} = ${p.id} AND ${l.deletedAt} IS NULL AND ${l.isActive}
      AND ${l.currency} = coalesce(${given('currency')}, ${p.currency})
      AND (${l.startsAt} IS NULL OR ${l.startsAt} <= ${given('at')}) AND (${l.endsAt} IS NULL OR ${l.endsAt} > ${given('at')})
      AND (${l.companyIds} = '{}' OR ${given('companyId')}::uuid = ANY(${l.companyIds}))`
  const isCompanyInScope = sql`${given('companyId')}::uuid IS NULL OR EXISTS (SELECT FROM ${companies} WHERE ${existing(companyKind, scope)} AND ${companies.id} = ${given('companyId')}::uuid)`
  return sql`SELECT (${isCompanyInScope}) AS "isCompanyInScope", ${p.id} AS "id", ${p.name} AS "name", ${p.sku} AS "sku", ${p.basePrice}::text AS "basePrice", ${p.currency} AS "baseCurrency", (${candidates}) AS "candidates"
    FROM ${p} WHERE ${existing(productKind, scope)} AND ${isAsked}`
}

const pricedProducts = scopedStatement((scope) =>
  selectPriced(scope, sql`${p.id} = ANY(${given('productIds')}::uuid[])`),
)

/**
 * A statement of its own for one product: PostgreSQL assumes ten elements in an unknown array, so it would make a new plan
 * for each product, which costs four times as much as the reading.
 */
const pricedProduct = scopedStatement((scope) => selectPriced(scope, sql`${p.id} = ${given('productId')}`))

/** Returns products within the scope, by id, with the lists in force that can price them. */
export async function findPriced(
  db: Executor,
  scope: Scope,
  productIds: readonly string[],
  facts: PriceFacts,
): Promise<Map<string, PricedProduct>> {
  if (productIds.length === 0) return new Map()
  const rows = await runScoped<PricedRow>(db, pricedProducts, scope, { ...facts, productIds: [...productIds] })
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns one product within the scope with the lists in force that can price it. */
export async function findPricedOne(
  db: Executor,
  scope: Scope,
  productId: string,
  facts: PriceFacts,
): Promise<PricedProduct | undefined> {
  const [row] = await runScoped<PricedRow>(db, pricedProduct, scope, { ...facts, productId })
  return row
}
