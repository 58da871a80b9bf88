import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { companySortFields } from '@crm/contract'
import { allItems } from '../all-items.ts'
import { crm } from '../api.ts'
import { listAddress } from '../records/list-search.ts'
import { useSession } from '../session.ts'

/** How the address of the list of companies is read and changed. */
export const companyAddress = listAddress({ sortFields: companySortFields, textFields: ['name', 'domain'], filters: ['industryId', 'ownerId'] })

/** One page of the list of companies; while the next one comes, the last one stays. */
export function companiesQuery(query: ReturnType<typeof companyAddress.queryOf>) {
  return queryOptions({ queryKey: ['companies', 'list', query], queryFn: ({ signal }) => crm.companies.list({ query, signal }), placeholderData: keepPreviousData })
}

/** One company. */
export function companyQuery(id: string) {
  return queryOptions({ queryKey: ['companies', 'one', id], queryFn: async ({ signal }) => (await crm.companies.get({ params: { id }, signal })).data })
}

/** The first companies that a text finds. */
export function foundCompaniesQuery(search: string) {
  return queryOptions({
    queryKey: ['companies', 'found', search],
    queryFn: async ({ signal }) => (await crm.companies.list({ query: { search: search || undefined, pageSize: 20, sortBy: 'name', sortOrder: 'asc' }, signal })).items,
    placeholderData: keepPreviousData,
  })
}

const industriesQuery = queryOptions({
  queryKey: ['industries'],
  queryFn: ({ signal }) => allItems((page) => crm.industries.list({ query: { page, pageSize: 100 }, signal })),
  staleTime: 300_000,
})

/** The industries by name; none for a person who may not see them. */
export function useIndustries() {
  const { may } = useSession()
  return useQuery({ ...industriesQuery, enabled: may('VIEW_REFERENCE_DATA') }).data ?? []
}
