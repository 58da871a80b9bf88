import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

/** One task. */
export function taskQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'one', id],
    queryFn: async ({ signal }) => (await crm.tasks.get({ params: { id }, signal })).data,
  })
}

/** Reads the tasks below a task. */
export function subtasksQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'below', id],
    queryFn: async ({ signal }) =>
      (await crm.tasks.list({ query: { parentTaskId: id, pageSize: 100, sortBy: 'number', sortOrder: 'asc' }, signal }))
        .items,
  })
}

/** Reads the history of a task, page by page, newest first. */
export function taskActivityQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['tasks', 'activity', id],
    queryFn: ({ signal, pageParam }) =>
      crm.tasks.activity({ params: { id }, query: { limit: 20, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}
