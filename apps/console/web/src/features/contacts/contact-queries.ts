import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

/** One contact. */
export function contactQuery(id: string) {
  return queryOptions({
    queryKey: ['contacts', 'one', id],
    queryFn: async ({ signal }) => (await crm.contacts.get({ params: { id }, signal })).data,
  })
}
