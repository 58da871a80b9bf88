import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { companySortFields } from '@crm/contract'
import { allItems } from '../../base/all-items.ts'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { listAddress } from '../../records/list-search.ts'

/** Reads and changes the address of the list of companies. */
export const companyAddress = listAddress({
  sortFields: companySortFields,
  textFields: ['name', 'domain'],
  filters: ['industryId', 'ownerId', 'savedFilterId'],
})

/** Reads one page of the companies; the last page stays until the next one comes. */
export function companiesQuery(query: ReturnType<typeof companyAddress.queryOf>) {
  return queryOptions({
    queryKey: ['companies', 'list', query],
    queryFn: ({ signal }) => crm.companies.list({ query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One company. */
export function companyQuery(id: string) {
  return queryOptions({
    queryKey: ['companies', 'one', id],
    queryFn: async ({ signal }) => (await crm.companies.get({ params: { id }, signal })).data,
  })
}

const industriesQuery = queryOptions({
  queryKey: ['industries'],
  queryFn: ({ signal }) => allItems((page) => crm.industries.list({ query: { page, pageSize: 100 }, signal })),
  staleTime: 300_000,
})

/** Returns the industries by name; none for a person who may not see them. */
export function useIndustries() {
  const { may } = useSession()
  return useQuery({ ...industriesQuery, enabled: may('VIEW_REFERENCE_DATA') }).data ?? []
}
