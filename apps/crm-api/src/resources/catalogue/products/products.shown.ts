import type { ProductImageRecord, ProductRecord } from '@crm/contract'
import { isAnyOf, schema, type Executor } from '@crm/db'
import { toUnitPrice } from '@crm/pricing'
import { and, asc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../../platform/context.ts'
import type { ProductRow } from '../../../kinds/products.ts'

const {
  files,
  productAttributeAssignments: assignments,
  productAttributes: attributes,
  productAttributeValues: values,
  productImages: images,
} = schema

type Attribute = ProductRecord['attributes'][number]

/** Shows products with their images and attributes, and prices with the digits of their currency. */
export async function presentProducts(
  db: Executor,
  { workspace }: CrmContext,
  rows: readonly ProductRow[],
): Promise<ProductRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const imagesOf = Map.groupBy(
    await selectImages(db, workspace.id, isAnyOf(images.productId, ids)),
    ({ productId }) => productId,
  )
  const attributesOf = await selectAttributes(db, workspace.id, ids)
  const price = (value: string | null, currency: string) => value && toUnitPrice(value, currency)
  return rows.map((row) => ({
    ...row,
    basePrice: price(row.basePrice, row.currency),
    cost: price(row.cost, row.currency),
    images: imagesOf.get(row.id) ?? [],
    attributes: attributesOf.get(row.id) ?? [],
  }))
}

/** Returns images in their order, without those whose file is deleted. */
export async function selectImages(db: Executor, workspaceId: string, where: SQL): Promise<ProductImageRecord[]> {
  const { id, productId, fileId, alt, position, createdAt, updatedAt, createdById } = images
  const rows = await db
    .select({ id, productId, fileId, alt, position, createdAt, updatedAt, createdById, contentType: files.contentType })
    .from(images)
    .innerJoin(
      files,
      and(eq(files.workspaceId, images.workspaceId), eq(files.id, images.fileId), isNull(files.deletedAt)),
    )
    .where(and(eq(images.workspaceId, workspaceId), where))
    .orderBy(asc(position), asc(id))
  return rows.map((row) => ({ ...row, url: `/api/files/${row.fileId}/content` }))
}

async function selectAttributes(
  db: Executor,
  workspaceId: string,
  productIds: readonly string[],
): Promise<Map<string, Attribute[]>> {
  const chosen = sql<Attribute['values']>`coalesce((
    SELECT json_agg(json_build_object('id', ${values.id}, 'name', ${values.name}) ORDER BY ${values.position}, ${values.name})
    FROM ${values} WHERE ${values.workspaceId} = ${workspaceId} AND ${values.id} = ANY(${assignments.valueIds})), '[]')`
  const rows = await db
    .select({
      productId: assignments.productId,
      assignmentId: assignments.id,
      attributeId: attributes.id,
      code: attributes.code,
      name: attributes.name,
      type: attributes.type,
      values: chosen,
      // Raw SQL: the builder would parse the text of a number as JSON once more.
      value: sql<Attribute['value']>`${assignments.value}`,
    })
    .from(assignments)
    .innerJoin(
      attributes,
      and(eq(attributes.workspaceId, assignments.workspaceId), eq(attributes.id, assignments.attributeId)),
    )
    .where(and(eq(assignments.workspaceId, workspaceId), isAnyOf(assignments.productId, productIds)))
    .orderBy(asc(attributes.position), asc(attributes.name))
  const byProduct = Map.groupBy(rows, ({ productId }) => productId)
  return new Map(
    [...byProduct].map(([id, said]) => [id, said.map(({ productId: _product, ...attribute }) => attribute)]),
  )
}
