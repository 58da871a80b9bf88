import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

/** One deal. */
export function dealQuery(id: string) {
  return queryOptions({
    queryKey: ['deals', 'one', id],
    queryFn: async ({ signal }) => (await crm.deals.get({ params: { id }, signal })).data,
  })
}
