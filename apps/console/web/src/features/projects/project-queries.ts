import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { projectPageSize, type ProjectSearch } from './project-search.ts'

/** One page of the project list; while the next one comes, the last one stays. */
export function projectsQuery({ page = 1, ...filters }: ProjectSearch) {
  const query = { ...filters, page, pageSize: projectPageSize }
  return queryOptions({
    queryKey: ['projects', 'list', query],
    queryFn: ({ signal }) => crm.projects.list({ query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One project. */
export function projectQuery(id: string) {
  return queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: async ({ signal }) => (await crm.projects.get({ params: { id }, signal })).data,
  })
}

/** What happened in a project and its tasks, page by page, newest first. */
export function projectActivityQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['projects', 'activity', id],
    queryFn: ({ signal, pageParam }) =>
      crm.projects.activity({ params: { id }, query: { limit: 20, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}
