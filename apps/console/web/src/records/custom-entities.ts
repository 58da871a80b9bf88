import { queryOptions } from '@tanstack/react-query'
import { allItems } from '../base/all-items.ts'
import { crm } from '../base/api.ts'

/** The custom entities that the person knows: those with visible records, or all of them for a person who manages them. */
export const customEntitiesQuery = queryOptions({
  queryKey: ['custom-entities'],
  queryFn: ({ signal }) => allItems((page) => crm.customEntities.list({ query: { page, pageSize: 100 }, signal })),
  staleTime: 60_000,
})
