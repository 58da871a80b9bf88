import { product as kind, productImage } from '@crm/model'
import * as z from 'zod'
import { bulkOperations } from '../bulk.ts'
import { byId, id, position, text } from '../fields.ts'
import { idFilter } from '../filters.ts'
import { commonFilters, pagedList, sortQuery, usualPages } from '../lists.ts'
import { bulkSetOf, filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, deleted, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'

export { productStatuses, productTypes } from '@crm/model'

export type ProductImageRecord = z.output<typeof productImage>

/** A product as the API shows it (docs/guide/finance.md). */
export const product = recordOf(kind)
export type ProductRecord = z.output<typeof product>

/** The body of a create (docs/guide/finance.md). */
export const productInput = inputOf(kind)
export type ProductInput = z.output<typeof productInput>

const productPatch = patchOf(kind)
export type ProductPatch = z.output<typeof productPatch>

export const productSortFields = sortFieldsOf(kind)

/** The filters of the product list; bulk operations take the same. */
const productFilters = {
  ...commonFilters,
  ...filtersOf(kind),
  categoryId: idFilter({ canBeEmpty: true, description: 'With all categories below it' }).optional(),
  parentId: idFilter({ canBeEmpty: true, description: 'The variants of one product' }).optional(),
}

const paged = pagedList(product, usualPages, { ...productFilters, ...sortQuery(productSortFields) })

const productList = {
  query: paged.query,
  reply: {
    status: 200,
    body: paged.reply.body.extend({ totalPages: z.int().meta({ description: 'The same as pageCount' }) }),
  },
  queryPolicy: 'strict',
} as const

const operations = withSummary(
  standard({
    path: '/api/products',
    noun: 'product',
    plural: 'products',
    record: product,
    create: productInput,
    update: productPatch,
    list: productList,
    access: entityAccess('PRODUCT'),
  }),
  kind.fields,
)

const writeErrors = ['SKU_TAKEN', 'INVALID_CURRENCY'] as const

export const products = resource(
  { name: 'products', entity: kind.entity },
  'CATALOG',
  withUndo({
    ...operations,
    create: {
      ...operations.create,
      description:
        'Needs a name; the currency is that of the workspace unless it is named. With parentId it is a variant of that product, which is no variant itself.',
      errors: writeErrors,
    },
    update: {
      ...operations.update,
      description: 'Takes any subset of the fields; null clears.',
      errors: [...writeErrors, 'PARENT_CYCLE'],
    },
    delete: { ...operations.delete, summary: 'Delete a product without variants', errors: ['IN_USE'] },
    ...bulkOperations({
      path: '/api/products',
      plural: 'products',
      entity: 'PRODUCT',
      set: bulkSetOf(kind),
    }),
  }),
)

const imageParams = z.object({ id, imageId: id })
const mayView = { all: ['VIEW_PRODUCT'] } as const
const mayUpdate = { all: ['UPDATE_PRODUCT'] } as const

export const productImages = resource({ name: 'products.images', entity: 'PRODUCT_IMAGE' }, 'CATALOG', {
  list: {
    method: 'GET',
    path: '/api/products/{id}/images',
    summary: 'List the images of a product',
    access: mayView,
    params: byId,
    ...pagedList(productImage, usualPages, {}),
  },
  create: {
    method: 'POST',
    path: '/api/products/{id}/images',
    summary: 'Add an uploaded image to a product',
    description:
      'fileId is the id that the upload of a file gave; a file that is not an image is refused. Without a position it comes last.',
    access: mayUpdate,
    params: byId,
    body: z.strictObject({ fileId: id, alt: text(300).optional(), position: position.optional() }),
    reply: data(201, productImage),
    errors: ['NAME_TAKEN'],
  },
  update: {
    method: 'PATCH',
    path: '/api/products/{id}/images/{imageId}',
    summary: 'Change the text or the place of an image',
    access: mayUpdate,
    params: imageParams,
    body: z.strictObject({ alt: text(300).optional(), position: position.optional() }),
    reply: data(200, productImage),
  },
  delete: {
    method: 'DELETE',
    path: '/api/products/{id}/images/{imageId}',
    summary: 'Take an image off a product',
    description: 'The file stays.',
    access: mayUpdate,
    params: imageParams,
    reply: deleted,
  },
})
