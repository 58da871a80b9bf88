import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

/** Reads the tasks below a task. */
export function subtasksQuery(id: string) {
  return queryOptions({
    queryKey: ['tasks', 'below', id],
    queryFn: async ({ signal }) =>
      (await crm.tasks.list({ query: { parentTaskId: id, pageSize: 100, sortBy: 'number', sortOrder: 'asc' }, signal }))
        .items,
  })
}
