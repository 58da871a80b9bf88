import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { collectionOf, type RecordPlace } from '../../records/record-place.ts'

/** Reads the emails about a record, page by page, newest first. */
export function emailsQuery({ entityType, entityId }: RecordPlace) {
  return infiniteQueryOptions({
    queryKey: [collectionOf(entityType), 'emails', entityId],
    queryFn: ({ signal, pageParam }) =>
      crm.activities.list({ query: { type: 'EMAIL', entityType, entityId, page: pageParam, pageSize: 10 }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
  })
}

/** One activity. */
export function activityQuery(id: string) {
  return queryOptions({
    queryKey: ['activities', 'one', id],
    queryFn: async ({ signal }) => (await crm.activities.get({ params: { id }, signal })).data,
  })
}
