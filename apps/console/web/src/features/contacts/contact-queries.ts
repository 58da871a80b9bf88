import { contactSortFields } from '@crm/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { listAddress } from '../../records/list-search.ts'

/** Reads and changes the address of the list of contacts. */
export const contactAddress = listAddress({
  sortFields: contactSortFields,
  textFields: ['lastName', 'firstName', 'email'],
  filters: ['companyId', 'ownerId', 'savedFilterId'],
})

/** Reads one page of the contacts; the last page stays until the next one comes. */
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

/** Returns the names of up to a hundred companies by id, as far as the person may see them, in one call. */
export function useCompanyNames(ids: readonly (string | null)[] = []): ReadonlyMap<string, string> {
  const { may } = useSession()
  const wanted = [...new Set(ids)].filter((id) => id !== null).sort()
  const { data } = useQuery({ ...namedCompaniesQuery(wanted), enabled: wanted.length > 0 && may('VIEW_COMPANY') })
  return new Map(data?.map(({ id, name }) => [id, name]))
}
