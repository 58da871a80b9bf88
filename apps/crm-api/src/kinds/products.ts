import { rowReader, schema, isFolded } from '@crm/db'
import { product } from '@crm/model'
import { isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Moment } from '../records/moment.ts'
import { partsOf, type RecordKind, type Wanted } from '../records/owned/kind.ts'
import { shownColumns } from '../records/shown-columns.ts'
import { filtersOf, sortableOf } from './of-kind.ts'

const { products, productCategories } = schema

/** A product as it is read, without its images and attributes. */
export type ProductRow = Omit<typeof products.$inferSelect, 'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'>

/** The columns that a new product is written with. */
export type ProductValues = Omit<
  typeof products.$inferInsert,
  'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'
>

/**
 * Returns the condition that a product is in one of the categories or below it; where null is among them, products without a
 * category match too.
 */
function isInCategories(wanted: Wanted, { workspaceId }: Moment): SQL {
  const { values, orNone } = partsOf(wanted)
  const isBelow = sql`${products.categoryId} IN (
    WITH RECURSIVE below(id) AS (
      SELECT unnest(${sql.param([...values])}::uuid[])
      UNION SELECT c.id FROM ${productCategories} c JOIN below ON c.parent_id = below.id WHERE c.workspace_id = ${workspaceId}
    ) SELECT id FROM below)`
  return orNone ? (or(isBelow, isNull(products.categoryId)) as SQL) : isBelow
}

export const productKind: RecordKind<ProductRow> = {
  entityType: product.entity,
  noun: product.noun,
  table: products,
  rows: rowReader(shownColumns(products, 'products')),
  title: ({ name }) => name,
  filters: {
    ...filtersOf(product, products),
    categoryId: { condition: isInCategories },
    sku: { condition: (sku: string) => isFolded(products.sku, sku) },
  },
  sortable: sortableOf(product, products),
  customFields: null,
  timelineKinds: { ownerId: 'OWNER_CHANGED', status: 'STATUS_CHANGED' },
  followers: ['departmentId'],
  tellsEvents: true,
}
