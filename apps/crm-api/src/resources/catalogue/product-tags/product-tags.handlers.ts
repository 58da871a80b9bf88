import { productTags, success } from '@crm/contract'
import { rowReader, schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { sql } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { changingWorkspace } from '../../../records/audit.ts'
import { deleteReference, lockReference, referenceHandlers, updateReference } from '../../../records/reference-data.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const { productTags: table, products } = schema

const kind = {
  table,
  rows: rowReader(shownColumns(table, 'productTags')),
  noun: 'product tag',
  uniqueFields: { product_tags_name: 'name' },
  usedBy: [],
}

export const implementedProductTags = implement(productTags, {
  ...referenceHandlers(kind),

  update: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const before = await lockReference(tx, context.workspace.id, kind, params.id)
      const after = await updateReference(tx, context, kind, params.id, body)
      if (after.name !== before.name) await renameTag(tx, context.workspace.id, before.name, after.name)
      return success(after)
    }),

  delete: async ({ params }, context) =>
    changingWorkspace(context, async (tx) => {
      const { name } = await lockReference(tx, context.workspace.id, kind, params.id)
      const count = await countTagged(tx, context.workspace.id, name)
      if (count > 0) throw new ApiError('IN_USE', { message: 'Products bear the tag', details: { count } })
      await deleteReference(tx, context.workspace.id, kind, params.id)
      return success({ id: params.id })
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
