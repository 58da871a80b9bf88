import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

/** One project. */
export function projectQuery(id: string) {
  return queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: async ({ signal }) => (await crm.projects.get({ params: { id }, signal })).data,
  })
}
