import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { projectPageSize, type ProjectSearch } from './project-search.ts'

/** Reads one page of the projects; the last page stays until the next one comes. */
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
