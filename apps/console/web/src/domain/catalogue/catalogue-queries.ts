import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { allItems } from '../../base/all-items.ts'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'

/** One product. */
function productQuery(id: string) {
  return queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: async ({ signal }) => (await crm.products.get({ params: { id }, signal })).data,
  })
}

/** The variants of a product by name. */
export function variantsQuery(parentId: string) {
  return queryOptions({
    queryKey: ['products', 'variants', parentId],
    queryFn: ({ signal }) =>
      allItems((page) =>
        crm.products.list({ query: { parentId, page, pageSize: 100, sortBy: 'name', sortOrder: 'asc' }, signal }),
      ),
  })
}

/** Reads the first products that match a text. */
export function foundProductsQuery(search: string) {
  return queryOptions({
    queryKey: ['products', 'found', search],
    queryFn: async ({ signal }) =>
      (
        await crm.products.list({
          query: { search: search || undefined, pageSize: 20, sortBy: 'name', sortOrder: 'asc' },
          signal,
        })
      ).items,
    placeholderData: keepPreviousData,
  })
}

/** Returns the known names of products by id. */
export function useProductNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const found = useQueries({ queries: [...new Set(ids)].map((id) => ({ ...productQuery(id), staleTime: 60_000 })) })
  return new Map(found.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])))
}

/** Reads a page of the entries of a price list. */
export function entriesQuery(priceListId: string, page: number) {
  return queryOptions({
    queryKey: ['priceLists', 'entries', priceListId, page],
    queryFn: ({ signal }) => crm.priceListEntries.list({ query: { priceListId, page, pageSize: 20 }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Reads the tiers of an entry from the smallest quantity. */
export function tiersQuery(entryId: string) {
  return queryOptions({
    queryKey: ['priceLists', 'tiers', entryId],
    queryFn: ({ signal }) =>
      allItems((page) => crm.priceListEntryTiers.list({ query: { entryId, page, pageSize: 100 }, signal })),
  })
}

const staleTime = 300_000
const currenciesQuery = queryOptions({
  queryKey: ['currencies'],
  queryFn: async ({ signal }) => (await crm.currencies.list({ signal })).data,
  staleTime,
})
const unitsQuery = queryOptions({
  queryKey: ['units'],
  queryFn: async ({ signal }) => (await crm.units.list({ signal })).data,
  staleTime,
})
const taxRatesQuery = queryOptions({
  queryKey: ['taxRates'],
  queryFn: async ({ signal }) => (await crm.taxRates.list({ signal })).data,
  staleTime,
})
/** The categories of products. */
export const categoriesQuery = queryOptions({
  queryKey: ['products', 'categories'],
  queryFn: ({ signal }) => allItems((page) => crm.productCategories.list({ query: { page, pageSize: 100 }, signal })),
  staleTime,
})

/** Returns the lists that describe products; each is empty for a person who may not see it. */
export function useCatalogueLists() {
  const { may } = useSession()
  const enabled = may('VIEW_REFERENCE_DATA')
  const currencies = useQuery({ ...currenciesQuery, enabled }).data ?? []
  const units = useQuery({ ...unitsQuery, enabled }).data ?? []
  const taxRates = useQuery({ ...taxRatesQuery, enabled }).data ?? []
  const categories = useQuery({ ...categoriesQuery, enabled: may('VIEW_PRODUCT') }).data ?? []
  return { currencies: currencies.filter(({ isActive }) => isActive), units, taxRates, categories }
}

/** The groups of attributes. */
export const attributeGroupsQuery = queryOptions({
  queryKey: ['products', 'attribute-groups'],
  queryFn: ({ signal }) =>
    allItems((page) => crm.productAttributeGroups.list({ query: { page, pageSize: 100 }, signal })),
})

/** The attributes of products. */
export const attributesQuery = queryOptions({
  queryKey: ['products', 'attributes'],
  queryFn: ({ signal }) => allItems((page) => crm.productAttributes.list({ query: { page, pageSize: 100 }, signal })),
})

/** Reads the values to choose for an attribute. */
export function attributeValuesQuery(attributeId: string) {
  return queryOptions({
    queryKey: ['products', 'attribute-values', attributeId],
    queryFn: ({ signal }) =>
      allItems((page) => crm.productAttributeValues.list({ query: { attributeId, page, pageSize: 100 }, signal })),
  })
}
