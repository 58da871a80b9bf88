import { productTags, success } from '@crm/contract'
import { rowReader, schema, type Transaction } from '@crm/db'
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
  usedBy: [],
  countOthers: (tx, workspaceId, { name }) => countTagged(tx, workspaceId, name),
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
  await tx.execute(
    sql`UPDATE ${products} SET tags = array_replace(tags, ${from}, ${to}) WHERE workspace_id = ${workspaceId} AND tags @> ARRAY[${from}]::text[]`,
  )
}

async function countTagged(tx: Transaction, workspaceId: string, name: string): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM ${products} WHERE workspace_id = ${workspaceId} AND tags @> ARRAY[${name}]::text[] AND deleted_at IS NULL`,
  )
  return rows[0]?.n ?? 0
}
