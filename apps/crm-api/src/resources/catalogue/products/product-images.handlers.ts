import { productImages, success, type ProductImageRecord } from '@crm/contract'
import { newId, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidField, invalidReference } from '@crm/errors'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { lockRecord } from '../../../records/owned/repository.ts'
import { requireRecord } from '../../../records/owned/handlers.ts'
import { pageOf, offsetOf } from '../../../records/pages.ts'
import { withUniqueFields } from '../../../records/unique.ts'
import { opensInline } from '../../../domain/files/files.content-type.ts'
import { traceLinks } from '../../../domain/files/files.links.ts'
import { insertLinks, keepFile, lockFile, type FileRow } from '../../../domain/files/files.repository.ts'
import { visibleFiles } from '../../../domain/files/files.visibility.ts'
import { productKind } from '../../../kinds/products.ts'
import { selectImages } from './products.shown.ts'

const { files, productImages: images } = schema

export const implementedProductImages = implement(productImages, {
  list: async ({ params, query }, context) => {
    const { id } = await requireRecord(context, productKind, params.id)
    const all = await selectImages(context.db, context.workspace.id, eq(images.productId, id))
    return pageOf({ items: all.slice(offsetOf(query), offsetOf(query) + query.pageSize), total: all.length }, query)
  },

  create: async ({ params, body }, context) => {
    const scope = context.scope('PRODUCT', 'UPDATE')
    const { workspace, caller, at } = context
    return context.transact(async (tx) => {
      const product = await lockRecord(tx, context, productKind, scope, params.id)
      const file = await requireImage(tx, context, body.fileId)
      const position = body.position ?? (await nextPosition(tx, workspace.id, product.id))
      const row = {
        workspaceId: workspace.id,
        id: newId(),
        productId: product.id,
        fileId: file.id,
        alt: body.alt ?? null,
        position,
        createdById: caller.employee.id,
        createdAt: at,
        updatedAt: at,
      }
      await withUniqueFields({ product_images_file: 'fileId' }, () => tx.insert(images).values(row))
      await linkToProduct(tx, context, file, product.id)
      return success(await requireShown(tx, context, product.id, row.id))
    })
  },

  update: async ({ params, body }, context) => {
    const scope = context.scope('PRODUCT', 'UPDATE')
    return context.transact(async (tx) => {
      const product = await lockRecord(tx, context, productKind, scope, params.id)
      const image = await requireShown(tx, context, product.id, params.imageId)
      await tx
        .update(images)
        .set({ ...body, updatedAt: context.at })
        .where(isImage(context, image.id))
      return success(await requireShown(tx, context, product.id, image.id))
    })
  },

  delete: async ({ params }, context) => {
    const scope = context.scope('PRODUCT', 'UPDATE')
    return context.transact(async (tx) => {
      const product = await lockRecord(tx, context, productKind, scope, params.id)
      const { id } = await requireShown(tx, context, product.id, params.imageId)
      await tx.delete(images).where(isImage(context, id))
      return success({ id })
    })
  },
})

/** Returns a file that the caller may use and that browsers show as an image. */
async function requireImage(tx: Transaction, context: CrmContext, fileId: string): Promise<FileRow> {
  const file = await lockFile(tx, usableFiles(context), fileId)
  if (!file) throw invalidReference('fileId')
  if (!file.contentType.startsWith('image/') || !opensInline(file.contentType))
    throw invalidField('fileId', 'The file is not an image')
  return file
}

/** Returns the condition for usable files: the caller may use their own uploads, even without the permission to see files. */
function usableFiles(context: CrmContext): SQL {
  const maySee = context.scopeIfAllowed('FILE') ?? context.scopeIfAllowed('DOCUMENT')
  if (maySee) return visibleFiles(context)
  return and(
    eq(files.workspaceId, context.workspace.id),
    isNull(files.deletedAt),
    eq(files.uploadedById, context.caller.employee.id),
  ) as SQL
}

/** Links an image to its product: people who see the product see the image, and it is kept as long. */
async function linkToProduct(tx: Transaction, context: CrmContext, file: FileRow, productId: string): Promise<void> {
  const link = { entityType: productKind.entityType, entityId: productId }
  await insertLinks(tx, context.workspace.id, file.id, [link], context.at)
  await keepFile(tx, { workspaceId: context.workspace.id, id: file.id })
  await traceLinks(tx, context, file, { added: [link] })
}

async function nextPosition(tx: Transaction, workspaceId: string, productId: string): Promise<number> {
  const { rows } = await tx.execute<{ next: number }>(
    sql`SELECT coalesce(max(position) + 1, 0)::int AS next FROM ${images} WHERE workspace_id = ${workspaceId} AND product_id = ${productId}`,
  )
  return rows[0]?.next ?? 0
}

async function requireShown(
  db: Executor,
  { workspace }: CrmContext,
  productId: string,
  id: string,
): Promise<ProductImageRecord> {
  const [image] = await selectImages(db, workspace.id, and(eq(images.productId, productId), eq(images.id, id)) as SQL)
  if (!image) throw new ApiError('NOT_FOUND', { message: 'There is no such image' })
  return image
}

function isImage({ workspace }: CrmContext, id: string): SQL | undefined {
  return and(eq(images.workspaceId, workspace.id), eq(images.id, id))
}
