import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { crm } from '../api.ts'
import { useSession } from '../session.ts'
import type { leadQueryOf } from './lead-search.ts'

/** One page of the lead list; while the next one comes, the last one stays. */
export function leadsQuery(query: ReturnType<typeof leadQueryOf>) {
  return queryOptions({
    queryKey: ['leads', 'list', query],
    queryFn: ({ signal }) => crm.leads.list({ query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** One lead. */
export function leadQuery(id: string) {
  return queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: async ({ signal }) => (await crm.leads.get({ params: { id }, signal })).data,
  })
}

/** The history of a lead, page by page, newest first. */
export function timelineQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['leads', 'timeline', id],
    queryFn: ({ signal, pageParam }) => crm.timeline.list({ query: { entityType: 'LEAD', entityId: id, limit: 20, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

/** The comments on a lead, page by page, newest first. */
export function commentsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['leads', 'comments', id],
    queryFn: ({ signal, pageParam }) => crm.comments.list({ query: { entityType: 'LEAD', entityId: id, page: pageParam, pageSize: 20 }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
  })
}

const pipelinesQuery = queryOptions({
  queryKey: ['pipelines', 'LEAD'],
  queryFn: async ({ signal }) => (await crm.pipelines.list({ query: { entityType: 'LEAD', pageSize: 100 }, signal })).items,
  staleTime: 300_000,
})

/** The lead pipelines with their stages; none for a person who may not see them. */
export function usePipelines() {
  const { may } = useSession()
  const { data } = useQuery({ ...pipelinesQuery, enabled: may('VIEW_REFERENCE_DATA') })
  return data ?? []
}
