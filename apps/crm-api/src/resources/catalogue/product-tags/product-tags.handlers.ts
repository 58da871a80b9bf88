import { productTags, success } from '@crm/contract'
import { writeRows, rowReader, schema, type Transaction } from '@crm/db'
import { sql } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { changingWorkspace } from '../../../records/audit.ts'
import {
  lockReference,
  referenceHandlers,
  updateReference,
  type ReferenceKind,
} from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const { productTags: table, products } = schema

type TagRow = Omit<typeof table.$inferSelect, 'workspaceId' | 'isTwin'>

/** The tags of products. */
export const productTagKind: ReferenceKind<TagRow> = {
  table,
  rows: rowReader(shownColumns(table, 'productTags')),
  entityType: 'PRODUCT_TAG',
  noun: 'product tag',
  uniqueFields: { product_tags_name: 'name' },
  usedBy: [
    {
      entityType: 'PRODUCT',
      table: products,
      naming: ({ name }) => sql`${products.tags} @> ARRAY[${name}]::text[] AND ${products.deletedAt} IS NULL`,
    },
  ],
}

export const implementedProductTags = implement(productTags, {
  ...referenceHandlers(productTagKind),

  update: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const before = await lockReference(tx, context.workspace.id, productTagKind, params.id)
      const after = await updateReference(tx, context, productTagKind, params.id, body)
      if (after.name !== before.name) await renameTag(tx, context.workspace.id, before.name, after.name)
      return success(after)
    }),
})

async function renameTag(tx: Transaction, workspaceId: string, from: string, to: string): Promise<void> {
  await writeRows(
    tx,
    products,
    sql`UPDATE ${products} SET tags = array_replace(tags, ${from}, ${to}) WHERE workspace_id = ${workspaceId} AND tags @> ARRAY[${from}]::text[]`,
  )
}
