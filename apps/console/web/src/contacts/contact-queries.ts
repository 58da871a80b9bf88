import { contactSortFields } from '@crm/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { crm } from '../api.ts'
import { listAddress } from '../records/list-search.ts'

/** How the address of the list of contacts is read and changed. */
export const contactAddress = listAddress({ sortFields: contactSortFields, textFields: ['lastName', 'firstName', 'email'], filters: ['companyId', 'ownerId', 'savedFilterId'] })

/** One page of the list of contacts; while the next one comes, the last one stays. */
export function contactsQuery(query: ReturnType<typeof contactAddress.queryOf>) {
  return queryOptions({ queryKey: ['contacts', 'list', query], queryFn: ({ signal }) => crm.contacts.list({ query, signal }), placeholderData: keepPreviousData })
}

/** One contact. */
export function contactQuery(id: string) {
  return queryOptions({ queryKey: ['contacts', 'one', id], queryFn: async ({ signal }) => (await crm.contacts.get({ params: { id }, signal })).data })
}
