import { attributeTypes } from '@crm/model'
import * as z from 'zod'
import { id, position, recordFields, requiredText, text } from '../fields.ts'
import { pagedList, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { standard } from '../standard.ts'

export { attributeTypes }

/** The access to parts of products: the permissions of products themselves. */
const ofProducts = {
  view: { all: ['VIEW_PRODUCT'] },
  create: { all: ['UPDATE_PRODUCT'] },
  update: { all: ['UPDATE_PRODUCT'] },
  delete: { all: ['UPDATE_PRODUCT'] },
} as const

const search = { search: z.string().max(200).optional() }
const name = requiredText(100)

const category = z.object({ ...recordFields, name: z.string(), parentId: id.nullable(), position: z.int() })

const categoryOperations = standard({
  path: '/api/product-categories',
  noun: 'product category',
  plural: 'product categories',
  record: category,
  create: z.strictObject({ name, parentId: id.nullable().optional(), position: position.optional() }),
  update: z.strictObject({ name: name.optional(), parentId: id.nullable().optional(), position: position.optional() }),
  list: pagedList(category, usualPages, { ...search, parentId: id.optional() }),
  access: ofProducts,
})

/** The tree of product categories; names are unique within one parent. */
export const productCategories = resource({ name: 'productCategories', entity: 'PRODUCT_CATEGORY' }, 'CATALOG', {
  ...categoryOperations,
  create: { ...categoryOperations.create, errors: ['NAME_TAKEN'] },
  update: { ...categoryOperations.update, errors: ['NAME_TAKEN', 'PARENT_CYCLE'] },
  delete: {
    ...categoryOperations.delete,
    summary: 'Delete a product category without products or categories below it',
    errors: ['IN_USE'],
  },
})

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #4c6ef5')
  .nullable()
  .optional()
const tag = z.object({ ...recordFields, name: z.string(), color: z.string().nullable() })

const tagOperations = standard({
  path: '/api/product-tags',
  noun: 'product tag',
  plural: 'product tags',
  record: tag,
  create: z.strictObject({ name: requiredText(50), color }),
  update: z.strictObject({ name: requiredText(50).optional(), color }),
  list: pagedList(tag, usualPages, search),
  access: ofProducts,
})

/** The tags of products; a new word in the tags of a product creates one. */
export const productTags = resource({ name: 'productTags', entity: 'PRODUCT_TAG' }, 'CATALOG', {
  ...tagOperations,
  create: { ...tagOperations.create, errors: ['NAME_TAKEN'] },
  update: {
    ...tagOperations.update,
    description: 'A new name goes to every product that bears the tag.',
    errors: ['NAME_TAKEN'],
  },
  delete: { ...tagOperations.delete, summary: 'Delete a product tag that no product bears', errors: ['IN_USE'] },
})

const group = z.object({ ...recordFields, name: z.string(), position: z.int() })

const groupOperations = standard({
  path: '/api/product-attribute-groups',
  noun: 'product attribute group',
  plural: 'product attribute groups',
  record: group,
  create: z.strictObject({ name, position: position.optional() }),
  update: z.strictObject({ name: name.optional(), position: position.optional() }),
  list: pagedList(group, usualPages, search),
  access: ofProducts,
})

export const productAttributeGroups = resource(
  { name: 'productAttributeGroups', entity: 'PRODUCT_ATTRIBUTE_GROUP' },
  'CATALOG',
  {
    ...groupOperations,
    create: { ...groupOperations.create, errors: ['NAME_TAKEN'] },
    update: { ...groupOperations.update, errors: ['NAME_TAKEN'] },
    delete: {
      ...groupOperations.delete,
      summary: 'Delete a product attribute group without attributes',
      errors: ['IN_USE'],
    },
  },
)

const code = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,59}$/, 'Expected a letter, then letters, digits, _ or -')

const attribute = z.object({
  ...recordFields,
  groupId: id.nullable(),
  name: z.string(),
  code: z.string(),
  type: z.enum(attributeTypes),
  position: z.int(),
})

const attributeOperations = standard({
  path: '/api/product-attributes',
  noun: 'product attribute',
  plural: 'product attributes',
  record: attribute,
  create: z.strictObject({
    groupId: id.nullable().optional(),
    name,
    code,
    type: z.enum(attributeTypes),
    position: position.optional(),
  }),
  update: z.strictObject({
    groupId: id.nullable().optional(),
    name: name.optional(),
    code: code.optional(),
    position: position.optional(),
  }),
  list: pagedList(attribute, usualPages, {
    ...search,
    groupId: id.optional(),
    type: z.enum(attributeTypes).optional(),
  }),
  access: ofProducts,
})

/** The attributes that products can have; an attribute keeps its type. */
export const productAttributes = resource({ name: 'productAttributes', entity: 'PRODUCT_ATTRIBUTE' }, 'CATALOG', {
  ...attributeOperations,
  create: { ...attributeOperations.create, errors: ['NAME_TAKEN'] },
  update: { ...attributeOperations.update, errors: ['NAME_TAKEN'] },
  delete: {
    ...attributeOperations.delete,
    summary: 'Delete a product attribute that no product has; its values go with it',
    errors: ['IN_USE'],
  },
})

const value = z.object({ ...recordFields, attributeId: id, name: z.string(), position: z.int() })

const valueOperations = standard({
  path: '/api/product-attribute-values',
  noun: 'product attribute value',
  plural: 'product attribute values',
  record: value,
  create: z.strictObject({ attributeId: id, name, position: position.optional() }),
  update: z.strictObject({ name: name.optional(), position: position.optional() }),
  list: pagedList(value, usualPages, { ...search, attributeId: id.optional() }),
  access: ofProducts,
})

/** The options of an attribute of type SELECT or MULTI_SELECT. */
export const productAttributeValues = resource(
  { name: 'productAttributeValues', entity: 'PRODUCT_ATTRIBUTE_VALUE' },
  'CATALOG',
  {
    ...valueOperations,
    create: {
      ...valueOperations.create,
      description: 'Only attributes of type SELECT and MULTI_SELECT have values.',
      errors: ['NAME_TAKEN'],
    },
    update: { ...valueOperations.update, errors: ['NAME_TAKEN'] },
    delete: {
      ...valueOperations.delete,
      summary: 'Delete a product attribute value that no product has',
      errors: ['IN_USE'],
    },
  },
)

const plainValue = z
  .union([text(2_000), z.boolean()])
  .meta({ description: 'TEXT: text; NUMBER: a decimal string; BOOLEAN: true or false; DATE: YYYY-MM-DD' })
const chosen = z.array(id).max(100).meta({ description: 'SELECT: one value of the attribute; MULTI_SELECT: several' })

const assignment = z.object({
  ...recordFields,
  productId: id,
  attributeId: id,
  value: z.union([z.string(), z.boolean()]).nullable(),
  valueIds: z.array(id),
})

const assignmentOperations = standard({
  path: '/api/product-attribute-assignments',
  noun: 'product attribute assignment',
  plural: 'product attribute assignments',
  record: assignment,
  create: z.strictObject({ productId: id, attributeId: id, value: plainValue.optional(), valueIds: chosen.optional() }),
  update: z.strictObject({ value: plainValue.optional(), valueIds: chosen.optional() }),
  list: pagedList(assignment, usualPages, { productId: id.optional(), attributeId: id.optional() }),
  access: ofProducts,
})

/** The attribute values of products; a product has each attribute at most once. */
export const productAttributeAssignments = resource(
  { name: 'productAttributeAssignments', entity: 'PRODUCT_ATTRIBUTE_ASSIGNMENT' },
  'CATALOG',
  {
    ...assignmentOperations,
    create: {
      ...assignmentOperations.create,
      description: 'A value that fits the type of the attribute, or valueIds for SELECT and MULTI_SELECT.',
      errors: ['NAME_TAKEN'],
    },
  },
)
