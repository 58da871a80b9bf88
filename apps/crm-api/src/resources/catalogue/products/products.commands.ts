import { products as productsResource, type ProductInput, type ProductPatch } from '@crm/contract'
import { brokenConstraint, schema, sqlState, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { Money, toUnitPrice } from '@crm/pricing'
import { sql } from 'drizzle-orm'
import { requireCurrency } from '../../../records/currencies.ts'
import { nextOwner, recallOwnedFacts, requireVisible } from '../../../records/owned/facts.ts'
import { changeOf, definedOnly, planOwned, planOwnedChange } from '../../../records/owned/plan.ts'
import { noTrace } from '../../../records/owned/trace.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { requireReferred } from '../../../kinds/references.ts'
import { productKind, type ProductRow, type ProductValues } from '../../../kinds/products.ts'
import { refuseUsed } from '../../../records/uses.ts'
import { registerTags } from './products.tags.ts'

const { productCategories, products, taxRates, units } = schema

/** Creates a product. */
export async function createProduct(tx: Transaction, context: WriteContext, input: ProductInput): Promise<ProductRow> {
  const facts = await recallOwnedFacts(tx, context, productKind, nextOwner(context, input))
  await requireReferences(tx, context, input)
  const currency = input.currency ?? context.workspace.currency
  const values: ProductValues = {
    ...input,
    ...planOwned({ ...input, tags: await registerTags(tx, context, input.tags ?? []) }, facts),
    type: input.type ?? 'GOODS',
    status: input.status ?? 'ACTIVE',
    currency,
    ...prices(input, currency),
  }
  return withSku(createRecord(tx, context, productKind, values))
}

/** The rules by which products change. */
export const productWriter: RecordWriter<ProductRow, ProductPatch> = {
  kind: productKind,
  listQuery: productsResource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    const facts = await recallOwnedFacts(tx, context, productKind, nextOwner(context, patch, current))
    await requireReferences(tx, context, definedOnly(patch), current)
    const tags = patch.tags && (await registerTags(tx, context, patch.tags))
    const set = {
      ...planOwnedChange(current, { ...patch, tags }, facts),
      ...prices(patch, patch.currency ?? current.currency, current),
    }
    return changeOf(current, set)
  },
  withWrite: withSku,
  beforeDelete: async (tx, { workspace }, rows) => {
    const count = await countVariants(
      tx,
      workspace.id,
      rows.map(({ id }) => id),
    )
    refuseUsed('product', [{ entityType: 'PRODUCT', count }], 'The product has variants')
    return noTrace
  },
  beforeRestore: async (tx, context, { id, parentId }) => {
    if (parentId) await requireParent(tx, context, parentId, id)
    return {}
  },
}

/** Returns prices in their stored form; a price that differs only in notation stays unchanged. */
function prices(
  sent: Pick<ProductInput, 'basePrice' | 'cost'>,
  currency: string,
  current?: ProductRow,
): Partial<ProductValues> {
  const stored = (field: 'basePrice' | 'cost') => {
    const value = sent[field]
    if (value === undefined) return {}
    const before = current?.[field]
    if (value !== null && before && new Money(value).eq(before)) return { [field]: before }
    return { [field]: value && toUnitPrice(value, currency) }
  }
  return { ...stored('basePrice'), ...stored('cost') }
}

type References = Pick<ProductPatch, 'categoryId' | 'unitId' | 'taxRateId' | 'parentId' | 'currency'>

/** Refuses references of a product that do not exist; present references may stay. */
async function requireReferences(
  tx: Transaction,
  context: WriteContext,
  sent: References,
  current?: ProductRow,
): Promise<void> {
  const { id: workspaceId } = context.workspace
  if (sent.currency !== current?.currency) await requireCurrency(tx, context, sent.currency)
  if (sent.categoryId !== current?.categoryId)
    await requireReferred(tx, workspaceId, productCategories, sent.categoryId, 'categoryId')
  if (sent.unitId !== current?.unitId) await requireReferred(tx, workspaceId, units, sent.unitId, 'unitId')
  if (sent.taxRateId !== current?.taxRateId)
    await requireReferred(tx, workspaceId, taxRates, sent.taxRateId, 'taxRateId')
  if (sent.parentId && sent.parentId !== current?.parentId) await requireParent(tx, context, sent.parentId, current?.id)
}

/** Refuses an invalid parent: a variant belongs to a product that is no variant itself, and has no variants of its own. */
async function requireParent(tx: Transaction, context: WriteContext, parentId: string, id?: string): Promise<void> {
  const { id: workspaceId } = context.workspace
  if (parentId === id) throw new ApiError('PARENT_CYCLE', { message: 'A product cannot be a variant of itself' })
  await requireVisible(tx, context, productKind, parentId, 'parentId')
  // Without the lock, two products could become variants of each other at the same time.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`products:${workspaceId}`}, 0))`)
  const { rows } = await tx.execute(
    sql`SELECT 1 FROM ${products} WHERE workspace_id = ${workspaceId} AND id = ${parentId} AND parent_id IS NOT NULL`,
  )
  if (rows.length > 0) throw invalidField('parentId', 'A variant cannot have variants')
  if (id && (await countVariants(tx, workspaceId, [id])) > 0)
    throw invalidField('parentId', 'A product with variants cannot become a variant')
}

async function countVariants(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<number> {
  const asked = sql.param([...ids])
  const { rows } = await tx.execute<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM ${products} WHERE workspace_id = ${workspaceId} AND parent_id = ANY(${asked}::uuid[]) AND deleted_at IS NULL AND id <> ALL(${asked}::uuid[])`)
  return rows[0]?.n ?? 0
}

/** Runs a write and refuses an SKU that another product has; the database detects it, even for concurrent writes. */
async function withSku<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (sqlState(error) !== '23505' || brokenConstraint(error) !== 'products_sku') throw error
    throw new ApiError('SKU_TAKEN')
  }
}
