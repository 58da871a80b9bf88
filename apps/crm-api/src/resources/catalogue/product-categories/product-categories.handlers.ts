import { productCategories } from '@crm/contract'
import { rowReader, schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { implement } from '../../../platform/context.ts'
import { byColumn, referenceHandlers, type ReferenceKind } from '../../../records/reference-data.ts'
import { requireReferred } from '../../../kinds/references.ts'
import { shownColumns } from '../../../records/shown-columns.ts'
import { isWithin, lockTree } from '../../../records/trees.ts'

const { productCategories: table, products } = schema

const tree = { table, parentId: table.parentId }

type CategoryRow = Omit<typeof table.$inferSelect, 'workspaceId'>

/** The categories of products. */
export const productCategoryKind: ReferenceKind<CategoryRow> = {
  table,
  rows: rowReader(shownColumns(table, 'productCategories')),
  entityType: 'PRODUCT_CATEGORY',
  noun: 'product category',
  uniqueFields: { product_categories_name: 'name' },
  usedBy: [byColumn('PRODUCT_CATEGORY', table.parentId), byColumn('PRODUCT', products.categoryId)],
  filters: { parentId: table.parentId },
  order: [table.position, table.name],
  check: async (tx, { workspace }, values, current) => {
    const { parentId } = values as Partial<CategoryRow>
    if (!parentId) return
    await requireReferred(tx, workspace.id, table, parentId, 'parentId')
    if (!current) return
    await lockTree(tx, tree, workspace.id)
    if (await isWithin(tx, tree, workspace.id, parentId, [current.id]))
      throw new ApiError('PARENT_CYCLE', { message: 'A category cannot stand below itself' })
  },
}

export const implementedProductCategories = implement(productCategories, referenceHandlers(productCategoryKind))
