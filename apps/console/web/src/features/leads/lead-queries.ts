import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

/** One lead. */
export function leadQuery(id: string) {
  return queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: async ({ signal }) => (await crm.leads.get({ params: { id }, signal })).data,
  })
}
