import { priceList as kind } from '@crm/model'
import * as z from 'zod'
import { currencyCode, id, instantInput, recordFields, unsignedDecimal } from '../fields.ts'
import { commonFilters, pagedList, sortQuery, usualPages } from '../lists.ts'
import { filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { percent } from './money.ts'

export const priceModes = ['FIXED', 'PERCENT_OFF'] as const
export const tierModes = ['VOLUME', 'GRADUATED'] as const

const priceList = recordOf(kind)
export type PriceListRecord = z.output<typeof priceList>

const priceListInput = inputOf(kind)
export type PriceListInput = z.output<typeof priceListInput>

const priceListPatch = patchOf(kind)
export type PriceListPatch = z.output<typeof priceListPatch>

const listOperations = standard({
  path: '/api/price-lists',
  noun: 'price list',
  plural: 'price lists',
  record: priceList,
  create: priceListInput,
  update: priceListPatch,
  list: pagedList(priceList, usualPages, {
    ...commonFilters,
    ...filtersOf(kind),
    companyId: id.optional(),
    ...sortQuery(sortFieldsOf(kind)),
  }),
  access: entityAccess('PRICE_LIST'),
})

export const priceLists = resource(
  { name: 'priceLists', entity: kind.entity },
  'CATALOG',
  withUndo({
    ...listOperations,
    create: {
      ...listOperations.create,
      description:
        'Its currency is that of the workspace unless it is named. isDefault takes that place from the list of the currency that had it.',
      errors: ['INVALID_CURRENCY'],
    },
    update: {
      ...listOperations.update,
      description: 'Takes any subset of the fields; null clears.',
      errors: ['INVALID_CURRENCY'],
    },
  }),
)

const money = z.string().nullable().meta({ description: 'A decimal string' })
const price = unsignedDecimal.nullable().optional().meta({ description: 'With mode FIXED' })
const off = percent.nullable().optional().meta({ description: 'With mode PERCENT_OFF: per cent off the base price' })

/** The access to entries and tiers, which are parts of a price list. */
const ofPriceLists = {
  view: { all: ['VIEW_PRICE_LIST'] },
  create: { all: ['UPDATE_PRICE_LIST'] },
  update: { all: ['UPDATE_PRICE_LIST'] },
  delete: { all: ['UPDATE_PRICE_LIST'] },
} as const

const entry = z.object({
  ...recordFields,
  priceListId: id,
  productId: id,
  mode: z.enum(priceModes),
  price: money,
  percent: money,
  tierMode: z.enum(tierModes),
})
export type PriceListEntryRecord = z.output<typeof entry>

const entryInput = z.strictObject({
  priceListId: id,
  productId: id,
  mode: z.enum(priceModes).default('FIXED'),
  price,
  percent: off,
  tierMode: z.enum(tierModes).optional(),
})

const entryPatch = z.strictObject({
  mode: z.enum(priceModes).optional(),
  price,
  percent: off,
  tierMode: z.enum(tierModes).optional(),
})

const entryOperations = standard({
  path: '/api/price-list-entries',
  noun: 'price list entry',
  plural: 'price list entries',
  record: entry,
  create: entryInput,
  update: entryPatch,
  list: pagedList(entry, usualPages, { priceListId: id.optional(), productId: id.optional() }),
  access: ofPriceLists,
})

export const priceListEntries = resource({ name: 'priceListEntries', entity: 'PRICE_LIST_ENTRY' }, 'CATALOG', {
  ...entryOperations,
  create: {
    ...entryOperations.create,
    description: 'A product stands in a list once. Mode FIXED needs price, PERCENT_OFF needs percent.',
    errors: ['NAME_TAKEN'],
  },
  update: { ...entryOperations.update, description: 'The mode of an entry with tiers stays.', errors: ['IN_USE'] },
  delete: { ...entryOperations.delete, summary: 'Delete a price list entry with its tiers' },
})

const tier = z.object({
  ...recordFields,
  entryId: id,
  minQuantity: z.string(),
  maxQuantity: z.string().nullable(),
  price: money,
  percent: money,
})

const maxQuantity = unsignedDecimal.nullable().optional().meta({ description: 'Included; null: without end' })

const tierInput = z.strictObject({
  entryId: id,
  minQuantity: unsignedDecimal.meta({ description: 'Included' }),
  maxQuantity,
  price,
  percent: off,
})

const tierPatch = z.strictObject({ minQuantity: unsignedDecimal.optional(), maxQuantity, price, percent: off })

const tierOperations = standard({
  path: '/api/price-list-entry-tiers',
  noun: 'price list entry tier',
  plural: 'price list entry tiers',
  record: tier,
  create: tierInput,
  update: tierPatch,
  list: pagedList(tier, usualPages, { entryId: id.optional() }),
  access: ofPriceLists,
})

export const priceListEntryTiers = resource(
  { name: 'priceListEntryTiers', entity: 'PRICE_LIST_ENTRY_TIER' },
  'CATALOG',
  {
    ...tierOperations,
    create: {
      ...tierOperations.create,
      description: 'A price or per cent off, as the mode of the entry says. Tiers of an entry do not overlap.',
      errors: ['TIER_OVERLAP'],
    },
    update: { ...tierOperations.update, errors: ['TIER_OVERLAP'] },
  },
)

const source = z
  .object({ priceListId: id, entryId: id, tierId: id.nullable() })
  .nullable()
  .meta({ description: 'null: the base price of the product, or no price' })

const quantity = unsignedDecimal.refine((value) => /[1-9]/.test(value), 'Expected a quantity above zero').default('1')

const asked = {
  quantity,
  companyId: id.optional(),
  currency: currencyCode.optional().meta({ description: 'Without it, that of the product' }),
  at: instantInput.optional().meta({ description: 'Without it, now' }),
}

const unitPrice = z.string().nullable().meta({ description: 'null: nothing prices the product in this currency' })

const effectivePrice = z.object({
  productId: id,
  name: z.string(),
  sku: z.string().nullable(),
  quantity: z.string(),
  currency: z.string(),
  unitPrice,
  total: unitPrice,
  source,
})

const mayPrice = { all: ['VIEW_PRODUCT', 'VIEW_PRICE_LIST'] } as const

export const prices = resource('prices', 'CATALOG', {
  list: {
    method: 'GET',
    path: '/api/prices',
    summary: 'List what products cost',
    description:
      'The effective price of each active product that you may see, for a company, a quantity, a currency and a time.',
    access: mayPrice,
    ...pagedList(effectivePrice, usualPages, {
      ...asked,
      search: commonFilters.search,
      productId: id.optional(),
      categoryId: id.optional(),
    }),
    errors: ['INVALID_CURRENCY'],
  },
  resolve: {
    method: 'GET',
    path: '/api/prices/resolve',
    summary: 'Tell what a product costs',
    description:
      'The list that is made for the company, then the active list with the largest priority that has the product, then the default list, then the base price. ' +
      'VOLUME tiers price the whole quantity, GRADUATED ones each part.',
    access: mayPrice,
    query: z.object({ productId: id, ...asked }),
    reply: data(
      200,
      z.object({ productId: id, quantity: z.string(), currency: z.string(), unitPrice, total: unitPrice, source }),
    ),
    errors: ['INVALID_CURRENCY'],
  },
})
