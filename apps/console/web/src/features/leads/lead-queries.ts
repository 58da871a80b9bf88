import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import type { leadQueryOf } from './lead-search.ts'

/** One page of the lead list; while the next one comes, the last one stays. */
export function leadsQuery(query: ReturnType<typeof leadQueryOf>) {
  return queryOptions({
    queryKey: ['leads', 'list', query],
    queryFn: ({ signal }) => crm.leads.list({ query, signal }),
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
