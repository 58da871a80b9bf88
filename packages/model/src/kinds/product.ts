import * as z from 'zod'
import { choice, currency, money, parts, reference, text } from '../field.ts'
import { defineKind } from '../kind.ts'
import { id, instant } from '../values.ts'

export const productTypes = ['GOODS', 'SERVICE', 'DIGITAL'] as const
export const productStatuses = ['ACTIVE', 'ARCHIVED'] as const
export const attributeTypes = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'MULTI_SELECT'] as const

/** An image of a product in answers. */
export const productImage = z.object({
  id,
  createdAt: instant,
  updatedAt: instant,
  createdById: id.nullable(),
  productId: id,
  fileId: id,
  url: z.string().meta({ description: 'Where its bytes are, below the address of the workspace' }),
  contentType: z.string(),
  alt: z.string().nullable(),
  position: z.int(),
})

const attribute = z.object({
  assignmentId: id,
  attributeId: id,
  code: z.string(),
  name: z.string(),
  type: z.enum(attributeTypes),
  value: z.union([z.string(), z.boolean()]).nullable(),
  values: z.array(z.object({ id, name: z.string() })),
})

/** Something that is sold (docs/guide/finance.md). */
export const product = defineKind({
  entity: 'PRODUCT',
  noun: 'product',
  plural: 'products',
  stem: 'products',
  module: 'CATALOG',
  icon: 'products',
  title: ['name'],
  transferred: true,
  called: ['product', 'item', 'article', 'artikel', 'produkt', 'produit', 'artículo', 'producto', 'товар', 'продукт'],
  letter: ['name', 'sku', 'basePrice', 'currency', 'description'],
  list: { columns: ['name', 'sku', 'basePrice', 'type', 'categoryId', 'status', 'createdAt'] },
  main: ['name', 'sku', 'type', 'basePrice', 'currency', 'taxRateId', 'unitId', 'categoryId', 'status', 'tags'],
  defaults: { type: 'GOODS', status: 'ACTIVE' },
  fields: {
    name: text({ max: 300, presence: 'required', holds: 'name', sort: true }),
    sku: text({ max: 100, holds: 'name', sort: true, filter: true }),
    type: choice({ values: productTypes, presence: 'always', bulk: true, filter: true }),
    status: choice({ values: productStatuses, presence: 'always', bulk: true, sort: true, filter: true }),
    description: text({ max: 10_000, holds: 'prose' }),
    categoryId: reference({ to: 'PRODUCT_CATEGORY', bulk: true, filter: true }),
    unitId: reference({ to: 'UNIT', bulk: true, filter: true }),
    basePrice: money({ unsigned: true, sort: true, filter: 'basePrice' }),
    currency: currency({ presence: 'always', bulk: true, filter: true }),
    cost: money({ unsigned: true }),
    taxRateId: reference({ to: 'TAX_RATE', bulk: true, filter: true }),
    barcode: text({ max: 100, holds: 'name', filter: true }),
    parentId: reference({
      to: 'PRODUCT',
      filter: true,
      description: 'The product that this one is a variant of',
    }),
    images: parts(
      { presence: 'always', written: 'never', computed: true, holds: 'prose' },
      z.array(productImage),
      z.never(),
    ),
    attributes: parts(
      { presence: 'always', written: 'never', computed: true, holds: 'fixed' },
      z.array(attribute),
      z.never(),
    ),
  },
})
