import { queryOptions } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { isUnderWay, pollMs } from '../../base/under-way.ts'

/** Reads the imports of the workspace, the latest first, repeatedly while one of them is running. */
export const importsQuery = (page: number) =>
  queryOptions({
    queryKey: ['imports', page],
    queryFn: ({ signal }) => settings.imports.list({ query: { page, pageSize: 20 }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some((job) => isUnderWay(job.state)) ? pollMs : false),
  })

/** Reads an import with its first bad rows, repeatedly while it is running. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'one', id],
    queryFn: async ({ signal }) => (await settings.imports.get({ params: { id }, signal })).data,
    refetchInterval: ({ state }) => (isUnderWay(state.data?.state) ? pollMs : false),
  })
