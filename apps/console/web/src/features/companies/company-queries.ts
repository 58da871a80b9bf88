import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

/** One company. */
export function companyQuery(id: string) {
  return queryOptions({
    queryKey: ['companies', 'one', id],
    queryFn: async ({ signal }) => (await crm.companies.get({ params: { id }, signal })).data,
  })
}
