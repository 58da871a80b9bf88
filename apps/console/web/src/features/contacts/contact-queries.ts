import { contactSortFields } from '@crm/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { listAddress } from '../../records/list-search.ts'

/** How the address of the list of contacts is read and changed. */
export const contactAddress = listAddress({
  sortFields: contactSortFields,
  textFields: ['lastName', 'firstName', 'email'],
  filters: ['companyId', 'ownerId', 'savedFilterId'],
})

/** One page of the list of contacts; while the next one comes, the last one stays. */
export function contactsQuery(query: ReturnType<typeof contactAddress.queryOf>) {
  return queryOptions({
    queryKey: ['contacts', 'list', query],
    queryFn: ({ signal }) => crm.contacts.list({ query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One contact. */
export function contactQuery(id: string) {
  return queryOptions({
    queryKey: ['contacts', 'one', id],
    queryFn: async ({ signal }) => (await crm.contacts.get({ params: { id }, signal })).data,
  })
}

const namedCompaniesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['companies', 'named', ids],
    queryFn: async ({ signal }) =>
      (await crm.companies.list({ query: { ids: ids.join(','), pageSize: 100 }, signal })).items,
    staleTime: 60_000,
  })

/** The names of up to a hundred companies by id, as far as the person may see them, in one call. */
export function useCompanyNames(ids: readonly (string | null)[] = []): ReadonlyMap<string, string> {
  const { may } = useSession()
  const wanted = [...new Set(ids)].filter((id) => id !== null).sort()
  const { data } = useQuery({ ...namedCompaniesQuery(wanted), enabled: wanted.length > 0 && may('VIEW_COMPANY') })
  return new Map(data?.map(({ id, name }) => [id, name]))
}
