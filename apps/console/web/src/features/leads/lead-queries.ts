import { leadStatuses, temperatures } from '@crm/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import type { leadAddress } from './lead-search.ts'

/** Reads one page of the leads; the last page stays until the next one comes. */
export function leadsQuery({ status, temperature, ...query }: ReturnType<typeof leadAddress.queryOf>) {
  const asked = {
    ...query,
    status: leadStatuses.find((known) => known === status),
    temperature: temperatures.find((known) => known === temperature),
  }
  return queryOptions({
    queryKey: ['leads', 'list', asked],
    queryFn: ({ signal }) => crm.leads.list({ query: asked, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One lead. */
export function leadQuery(id: string) {
  return queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: async ({ signal }) => (await crm.leads.get({ params: { id }, signal })).data,
  })
}
