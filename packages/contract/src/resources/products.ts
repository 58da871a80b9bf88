import * as z from 'zod'
import { bulkOperations } from '../bulk.ts'
import {
  byId,
  currencyCode,
  expectedVersion,
  id,
  newOwner,
  ownedFields,
  position,
  recordFields,
  requiredText,
  shownAmount,
  tags,
  text,
  unsignedDecimal,
} from '../fields.ts'
import { enumFilter, idFilter } from '../filters.ts'
import { commonFilters, pagedList, sortQuery, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, deleted, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import { attributeTypes } from './product-attributes.ts'

export const productTypes = ['GOODS', 'SERVICE', 'DIGITAL'] as const
export const productStatuses = ['ACTIVE', 'ARCHIVED'] as const

const nullableText = z.string().nullable()

/** An image of a product as the API shows it. */
export const productImage = z.object({
  ...recordFields,
  productId: id,
  fileId: id,
  url: z.string().meta({ description: 'Where its bytes are, below the address of the workspace' }),
  contentType: z.string(),
  alt: nullableText,
  position: z.int(),
})
export type ProductImageRecord = z.output<typeof productImage>

/** A product as the API shows it (docs/guide/finance.md). */
export const product = z.object({
  ...ownedFields,
  name: z.string(),
  sku: nullableText,
  type: z.enum(productTypes),
  status: z.enum(productStatuses),
  description: nullableText,
  categoryId: id.nullable(),
  unitId: id.nullable(),
  basePrice: shownAmount,
  currency: z.string(),
  cost: shownAmount,
  taxRateId: id.nullable(),
  barcode: nullableText,
  parentId: id.nullable().meta({ description: 'The product that this one is a variant of' }),
  images: z.array(productImage),
  attributes: z.array(
    z.object({
      assignmentId: id,
      attributeId: id,
      code: z.string(),
      name: z.string(),
      type: z.enum(attributeTypes),
      value: z.union([z.string(), z.boolean()]).nullable(),
      values: z.array(z.object({ id, name: z.string() })),
    }),
  ),
})
export type ProductRecord = z.output<typeof product>

const editable = {
  sku: text(100).optional(),
  type: z.enum(productTypes).optional(),
  status: z.enum(productStatuses).optional(),
  description: text(10_000).optional(),
  categoryId: id.nullable().optional(),
  unitId: id.nullable().optional(),
  basePrice: unsignedDecimal.nullable().optional(),
  currency: currencyCode.optional(),
  cost: unsignedDecimal.nullable().optional(),
  taxRateId: id.nullable().optional(),
  barcode: text(100).optional(),
  parentId: id.nullable().optional(),
  ownerId: newOwner,
  tags: tags.optional(),
}

/** The body of a create (docs/guide/finance.md). */
export const productInput = z.strictObject({ name: requiredText(300), ...editable })
export type ProductInput = z.output<typeof productInput>

const productPatch = z.strictObject({ name: requiredText(300).optional(), ...editable, version: expectedVersion })
export type ProductPatch = z.output<typeof productPatch>

export const productSortFields = ['createdAt', 'updatedAt', 'name', 'status', 'sku', 'basePrice'] as const

/** The filters of the product list; bulk operations take the same. */
export const productFilters = {
  ...commonFilters,
  status: enumFilter({ values: productStatuses }).optional(),
  type: enumFilter({ values: productTypes }).optional(),
  categoryId: idFilter({ canBeEmpty: true, description: 'With all categories below it' }).optional(),
  unitId: idFilter({ canBeEmpty: true }).optional(),
  taxRateId: idFilter({ canBeEmpty: true }).optional(),
  parentId: idFilter({ canBeEmpty: true, description: 'The variants of one product' }).optional(),
  sku: z.string().max(100).optional(),
  barcode: z.string().max(100).optional(),
  currency: currencyCode.optional(),
  basePriceMin: unsignedDecimal.optional(),
  basePriceMax: unsignedDecimal.optional(),
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

const { type, status, categoryId, unitId, currency, taxRateId, ownerId } = editable

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
)

const writeErrors = ['SKU_TAKEN', 'INVALID_CURRENCY'] as const

export const products = resource(
  'products',
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
      set: z.strictObject({ type, status, categoryId, unitId, currency, taxRateId, ownerId }),
    }),
  }),
)

const imageParams = z.object({ id, imageId: id })
const mayView = { all: ['VIEW_PRODUCT'] } as const
const mayUpdate = { all: ['UPDATE_PRODUCT'] } as const

export const productImages = resource('products.images', 'CATALOG', {
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
