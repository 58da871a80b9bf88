import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import type { RecordPlace } from '../../records/record-place.ts'

/** The files of a record, page by page, newest first. */
export function filesQuery({ entityType, entityId }: RecordPlace) {
  return infiniteQueryOptions({
    queryKey: ['files', entityType, entityId],
    queryFn: ({ signal, pageParam }) =>
      crm.files.list({ query: { entityType, entityId, page: pageParam, pageSize: 20 }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
  })
}

/** One file. */
export function fileQuery(id: string) {
  return queryOptions({
    queryKey: ['files', 'one', id],
    queryFn: async ({ signal }) => (await crm.files.get({ params: { id }, signal })).data,
  })
}
