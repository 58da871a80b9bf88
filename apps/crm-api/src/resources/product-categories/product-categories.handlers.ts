import { productCategories } from '@crm/contract'
import { columnsExcept, rowReader, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { sql } from 'drizzle-orm'
import { implement } from '../../context.ts'
import { referenceHandlers, type ReferenceKind } from '../../records/reference-data.ts'
import { requireReferred } from '../../records/references.ts'

const { productCategories: table, products } = schema

type CategoryRow = Omit<typeof table.$inferSelect, 'workspaceId'>

const kind: ReferenceKind<CategoryRow> = {
  table,
  rows: rowReader(columnsExcept(table, ['workspaceId'])),
  noun: 'product category',
  uniqueFields: { product_categories_name: 'name' },
  usedBy: [table.parentId, products.categoryId],
  filters: { parentId: table.parentId },
  order: [table.position, sql`lower(${table.name})`],
  check: async (tx, { workspace }, values, current) => {
    const { parentId } = values as Partial<CategoryRow>
    if (!parentId) return
    await requireReferred(tx, workspace.id, table, parentId, 'parentId')
    if (!current) return
    await lockTree(tx, workspace.id)
    if (await isWithin(tx, workspace.id, parentId, current.id)) throw new ApiError('PARENT_CYCLE', { message: 'A category cannot stand below itself' })
  },
}

export const implementedProductCategories = implement(productCategories, referenceHandlers(kind))

/** Moves in the tree wait for each other: two at once could close a circle that neither of them sees. */
async function lockTree(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`product-categories:${workspaceId}`}, 0))`)
}

async function isWithin(db: Executor, workspaceId: string, id: string, ancestorId: string): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(sql`
    WITH RECURSIVE line(id, parent_id) AS (
      SELECT id, parent_id FROM product_categories WHERE workspace_id = ${workspaceId} AND id = ${id}
      UNION SELECT above.id, above.parent_id FROM product_categories above JOIN line ON above.id = line.parent_id WHERE above.workspace_id = ${workspaceId}
    ) SELECT EXISTS (SELECT FROM line WHERE id = ${ancestorId}) AS found`)
  return rows[0]?.found === true
}
