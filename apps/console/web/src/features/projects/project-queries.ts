import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

/** One project. */
export function projectQuery(id: string) {
  return queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: async ({ signal }) => (await crm.projects.get({ params: { id }, signal })).data,
  })
}

/** Reads the history of a project and its tasks, page by page, newest first. */
export function projectActivityQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['projects', 'activity', id],
    queryFn: ({ signal, pageParam }) =>
      crm.projects.activity({ params: { id }, query: { limit: 20, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}
