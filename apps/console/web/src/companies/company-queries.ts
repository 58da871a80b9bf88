import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { companySortFields } from '@crm/contract'
import { allItems } from '../all-items.ts'
import { crm } from '../api.ts'
import { listAddress } from '../records/list-search.ts'
import { useSession } from '../session.ts'

/** How the address of the list of companies is read and changed. */
export const companyAddress = listAddress({ sortFields: companySortFields, textFields: ['name', 'domain'], filters: ['industryId', 'ownerId', 'savedFilterId'] })

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

const namedCompaniesQuery = (ids: readonly string[]) => queryOptions({
  queryKey: ['companies', 'named', ids],
  queryFn: async ({ signal }) => (await crm.companies.list({ query: { ids: ids.join(','), pageSize: 100 }, signal })).items,
  staleTime: 60_000,
})

/** The names of up to a hundred companies by id, as far as the person may see them, in one call. */
export function useCompanyNames(ids: readonly (string | null)[] = []): ReadonlyMap<string, string> {
  const { may } = useSession()
  const wanted = [...new Set(ids)].filter((id) => id !== null).sort()
  const { data } = useQuery({ ...namedCompaniesQuery(wanted), enabled: wanted.length > 0 && may('VIEW_COMPANY') })
  return new Map(data?.map(({ id, name }) => [id, name]))
}
