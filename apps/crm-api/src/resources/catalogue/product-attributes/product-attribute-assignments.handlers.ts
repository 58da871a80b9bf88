import { productAttributeAssignments, success } from '@crm/contract'
import { rowReader, schema, type Transaction } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { and, eq, sql } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { existing } from '../../../records/owned/list.ts'
import { unique } from '../../../records/owned/plan.ts'
import { isReachable } from '../../../records/owned/repository.ts'
import { pageOf } from '../../../records/pages.ts'
import {
  deletePart,
  insertPart,
  listParts,
  lockPart,
  requirePart,
  updatePart,
  type PartKind,
} from '../../../records/parts.ts'
import { requireReference } from '../../../records/reference-data.ts'
import { requireReferred } from '../../../kinds/references.ts'
import { productKind } from '../../../kinds/products.ts'
import { shownColumns } from '../../../records/shown-columns.ts'
import { attributeKind } from './product-attributes.handlers.ts'
import { checkSaid, type Said } from './product-attributes.values.ts'

const { productAttributeAssignments: table, productAttributes, productAttributeValues, products } = schema

type AssignmentRow = Omit<typeof table.$inferSelect, 'workspaceId'>

const kind: PartKind<AssignmentRow> = {
  table,
  rows: rowReader(shownColumns(table, 'productAttributeAssignments')),
  noun: 'product attribute assignment',
  uniqueFields: { product_attribute_assignments_once: 'attributeId' },
  filters: { productId: table.productId, attributeId: table.attributeId },
  order: [table.createdAt],
  within: (context, action) =>
    sql`${table.workspaceId} = ${context.workspace.id} AND EXISTS (SELECT FROM ${products} WHERE ${and(existing(productKind, context.scope('PRODUCT', action)), eq(products.id, table.productId))})`,
}

export const implementedProductAttributeAssignments = implement(productAttributeAssignments, {
  list: async ({ query }, context) => pageOf(await listParts(context, kind, query), query),
  get: async ({ params }, context) => success(await requirePart(context.db, context, kind, params.id)),

  create: async ({ body }, context) =>
    context.transact(async (tx) => {
      const { productId, attributeId, value = null, valueIds = [] } = body
      if (!(await isReachable(tx, productKind, context.scope('PRODUCT', 'UPDATE'), productId)))
        throw invalidReference('productId')
      const said = { value, valueIds: unique(valueIds) }
      await requireFitting(tx, context, attributeId, said)
      return success(await insertPart(tx, context, kind, { productId, attributeId, ...said }))
    }),

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = await lockPart(tx, context, kind, params.id)
      const { value = current.value, valueIds = current.valueIds } = body
      const said = { value, valueIds: unique(valueIds) }
      await requireFitting(tx, context, current.attributeId, said)
      return success(await updatePart(tx, context, kind, current.id, said))
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const { id } = await lockPart(tx, context, kind, params.id)
      await deletePart(tx, context, kind, id)
      return success({ id })
    }),
})

/** Refuses a value that does not fit the attribute: another type, or values of another attribute. */
async function requireFitting(
  tx: Transaction,
  { workspace }: CrmContext,
  attributeId: string,
  said: Said,
): Promise<void> {
  await requireReferred(tx, workspace.id, productAttributes, attributeId, 'attributeId')
  const { type } = await requireReference(tx, workspace.id, attributeKind, attributeId)
  checkSaid(type, said)
  if (said.valueIds.length === 0) return
  const { rows } = await tx.execute(
    sql`SELECT 1 FROM ${productAttributeValues} WHERE workspace_id = ${workspace.id} AND attribute_id = ${attributeId} AND id = ANY(${sql.param([...said.valueIds])}::uuid[]) FOR KEY SHARE`,
  )
  if (rows.length !== said.valueIds.length) throw invalidReference('valueIds')
}
