import { priceList, product } from '@crm/model'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { isTwin, nameOrder, rowId, searchText, stamps, workspaceId } from '../columns.ts'
import { addressKey, folded } from '../folding.ts'
import { columnsOf } from '../of-kind.ts'
import { employees, workspaces } from './core.ts'
import { foldedTagIndex, owned, ownedIndexes, tagIndex } from './crm.ts'
import { files } from './files.ts'

export const productTypes = ['GOODS', 'SERVICE', 'DIGITAL'] as const
export const productStatuses = ['ACTIVE', 'ARCHIVED'] as const
export const attributeTypes = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'MULTI_SELECT'] as const
export const priceModes = ['FIXED', 'PERCENT_OFF'] as const
export const tierModes = ['VOLUME', 'GRADUATED'] as const

/** The currencies of a workspace; amounts refer to them by code. */
export const currencies = pgTable(
  'currencies',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    /** ISO 4217. */
    code: text('code').notNull(),
    name: text('name').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    /** The value of one unit in the currency of the workspace. */
    rate: numeric('rate'),
    ...stamps(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.id] }), uniqueIndex('currencies_code').on(t.workspaceId, t.code)],
)

export const units = pgTable(
  'units',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    symbol: text('symbol'),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('units_name_folded')
      .on(t.workspaceId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
  ],
)

export const taxRates = pgTable(
  'tax_rates',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    /** Per cent. */
    rate: numeric('rate').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('tax_rates_name_folded')
      .on(t.workspaceId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
  ],
)

export const productCategories = pgTable(
  'product_categories',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    parentId: uuid('parent_id'),
    position: integer('position').notNull().default(0),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('product_categories_name_folded')
      .on(t.workspaceId, sql`coalesce(${t.parentId}, '00000000-0000-0000-0000-000000000000')`, folded(t.name))
      .where(sql`not ${t.isTwin}`),
    index('product_categories_by_parent').on(t.workspaceId, t.parentId),
    foreignKey({
      columns: [t.workspaceId, t.parentId],
      foreignColumns: [t.workspaceId, t.id],
      name: 'product_categories_parent',
    }),
  ],
)

/** The tags of products; products refer to them by name. */
export const productTags = pgTable(
  'product_tags',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    color: text('color'),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('product_tags_name_folded')
      .on(t.workspaceId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
  ],
)

export const products = pgTable(
  'products',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(product),
    basePrice: numeric('base_price'),
    cost: numeric('cost'),
    isTwin: isTwin(),
    ...owned(),
    searchText: searchText(sql`name || ' ' || coalesce(sku, '') || ' ' || coalesce(barcode, '')`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...ownedIndexes('products', t),
    index('products_in_order')
      .on(t.workspaceId, nameOrder(t.name), t.id)
      .where(sql`${t.deletedAt} is null`),
    uniqueIndex('products_sku_folded')
      .on(t.workspaceId, folded(t.sku))
      .where(sql`${t.deletedAt} is null and not ${t.isTwin}`),
    index('products_by_status')
      .on(t.workspaceId, t.status, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('products_by_category')
      .on(t.workspaceId, t.categoryId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('products_by_parent').on(t.workspaceId, t.parentId),
    index('products_by_unit').on(t.workspaceId, t.unitId),
    index('products_by_tax_rate').on(t.workspaceId, t.taxRateId),
    tagIndex('products', t),
    foldedTagIndex('products', t),
    foreignKey({
      columns: [t.workspaceId, t.categoryId],
      foreignColumns: [productCategories.workspaceId, productCategories.id],
      name: 'products_category',
    }),
    foreignKey({
      columns: [t.workspaceId, t.unitId],
      foreignColumns: [units.workspaceId, units.id],
      name: 'products_unit',
    }),
    foreignKey({
      columns: [t.workspaceId, t.taxRateId],
      foreignColumns: [taxRates.workspaceId, taxRates.id],
      name: 'products_tax_rate',
    }),
    foreignKey({
      columns: [t.workspaceId, t.parentId],
      foreignColumns: [t.workspaceId, t.id],
      name: 'products_parent',
    }),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'products_owner',
    }),
  ],
)

export const productImages = pgTable(
  'product_images',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    productId: uuid('product_id').notNull(),
    fileId: uuid('file_id').notNull(),
    alt: text('alt'),
    position: integer('position').notNull(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('product_images_file').on(t.workspaceId, t.productId, t.fileId),
    index('product_images_by_file').on(t.workspaceId, t.fileId),
    foreignKey({
      columns: [t.workspaceId, t.productId],
      foreignColumns: [products.workspaceId, products.id],
      name: 'product_images_product',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.fileId],
      foreignColumns: [files.workspaceId, files.id],
      name: 'product_images_of_file',
    }).onDelete('cascade'),
  ],
)

export const productAttributeGroups = pgTable(
  'product_attribute_groups',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    position: integer('position').notNull().default(0),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('product_attribute_groups_name_folded')
      .on(t.workspaceId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
  ],
)

export const productAttributes = pgTable(
  'product_attributes',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    groupId: uuid('group_id'),
    name: text('name').notNull(),
    code: text('code').notNull(),
    type: text('type', { enum: attributeTypes }).notNull(),
    position: integer('position').notNull().default(0),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('product_attributes_code_folded').on(t.workspaceId, addressKey(t.code)),
    index('product_attributes_by_group').on(t.workspaceId, t.groupId),
    foreignKey({
      columns: [t.workspaceId, t.groupId],
      foreignColumns: [productAttributeGroups.workspaceId, productAttributeGroups.id],
      name: 'product_attributes_group',
    }),
  ],
)

/** The options of an attribute of type SELECT or MULTI_SELECT. */
export const productAttributeValues = pgTable(
  'product_attribute_values',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    attributeId: uuid('attribute_id').notNull(),
    name: text('name').notNull(),
    position: integer('position').notNull().default(0),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('product_attribute_values_name_folded')
      .on(t.workspaceId, t.attributeId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
    foreignKey({
      columns: [t.workspaceId, t.attributeId],
      foreignColumns: [productAttributes.workspaceId, productAttributes.id],
      name: 'product_attribute_values_attribute',
    }).onDelete('cascade'),
  ],
)

/** The value of an attribute for a product: a plain value, or the chosen options. */
export const productAttributeAssignments = pgTable(
  'product_attribute_assignments',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    productId: uuid('product_id').notNull(),
    attributeId: uuid('attribute_id').notNull(),
    value: jsonb('value').$type<string | boolean>(),
    valueIds: uuid('value_ids').array().notNull().default([]),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('product_attribute_assignments_once').on(t.workspaceId, t.productId, t.attributeId),
    index('product_attribute_assignments_by_attribute').on(t.workspaceId, t.attributeId),
    index('product_attribute_assignments_by_value').using('gin', t.workspaceId, t.valueIds),
    foreignKey({
      columns: [t.workspaceId, t.productId],
      foreignColumns: [products.workspaceId, products.id],
      name: 'product_attribute_assignments_product',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.attributeId],
      foreignColumns: [productAttributes.workspaceId, productAttributes.id],
      name: 'product_attribute_assignments_attribute',
    }),
  ],
)

export const priceLists = pgTable(
  'price_lists',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(priceList),
    isDefault: boolean('is_default').notNull().default(false),
    isActive: boolean('is_active').notNull().default(true),
    priority: integer('priority').notNull().default(0),
    ...owned(),
    searchText: searchText(sql`name`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...ownedIndexes('price_lists', t),
    uniqueIndex('price_lists_default')
      .on(t.workspaceId, t.currency)
      .where(sql`${t.isDefault} and ${t.deletedAt} is null`),
    index('price_lists_by_company').using('gin', t.workspaceId, t.companyIds),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'price_lists_owner',
    }),
  ],
)

/** The price of a product in a list: an amount, or a percentage off the base price. */
export const priceListEntries = pgTable(
  'price_list_entries',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    priceListId: uuid('price_list_id').notNull(),
    productId: uuid('product_id').notNull(),
    mode: text('mode', { enum: priceModes }).notNull(),
    price: numeric('price'),
    percent: numeric('percent'),
    tierMode: text('tier_mode', { enum: tierModes }).notNull().default('VOLUME'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('price_list_entries_once').on(t.workspaceId, t.productId, t.priceListId),
    index('price_list_entries_of_list').on(t.workspaceId, t.priceListId, t.createdAt, t.id),
    foreignKey({
      columns: [t.workspaceId, t.priceListId],
      foreignColumns: [priceLists.workspaceId, priceLists.id],
      name: 'price_list_entries_list',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.productId],
      foreignColumns: [products.workspaceId, products.id],
      name: 'price_list_entries_product',
    }).onDelete('cascade'),
    check(
      'price_list_entries_one',
      sql`CASE ${t.mode} WHEN 'FIXED' THEN coalesce(${t.price} >= 0, false) AND ${t.percent} IS NULL ELSE coalesce(${t.percent} BETWEEN 0 AND 100, false) AND ${t.price} IS NULL END`,
    ),
  ],
)

/** The price of an entry from one quantity to another, both included; the migration keeps tiers of an entry from overlapping. */
export const priceListEntryTiers = pgTable(
  'price_list_entry_tiers',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    entryId: uuid('entry_id').notNull(),
    minQuantity: numeric('min_quantity').notNull(),
    maxQuantity: numeric('max_quantity'),
    price: numeric('price'),
    percent: numeric('percent'),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('price_list_entry_tiers_of_entry').on(t.workspaceId, t.entryId, t.minQuantity),
    foreignKey({
      columns: [t.workspaceId, t.entryId],
      foreignColumns: [priceListEntries.workspaceId, priceListEntries.id],
      name: 'price_list_entry_tiers_entry',
    }).onDelete('cascade'),
    check('price_list_entry_tiers_bounds', sql`${t.minQuantity} >= 0 AND ${t.maxQuantity} >= ${t.minQuantity}`),
  ],
)
