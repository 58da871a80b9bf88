import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { beside, crm } from '../base/api.ts'
import { collectionOf, type RecordPlace } from './record-place.ts'

/** Reads the history of a record, page by page, newest first. */
export function timelineQuery({ entityType, entityId }: RecordPlace, kinds: readonly string[] = []) {
  return infiniteQueryOptions({
    queryKey: [collectionOf(entityType), 'timeline', entityId, kinds],
    queryFn: async ({ signal, pageParam }) => {
      const only = kinds.length > 0 ? { kinds: kinds.join(',') as never } : {}
      const query = { entityType, entityId, limit: 20, cursor: pageParam, ...only }
      const { items, nextCursor } = await crm.feed.list({ query, signal })
      return { items: items.filter((entry) => 'id' in entry), nextCursor }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

/** Reads the newest entry in the history of a record; null when there is none. */
export async function lastEntry({ entityType, entityId }: RecordPlace, signal?: AbortSignal) {
  const { items } = await crm.timeline.list({
    query: { entityType, entityId, limit: 1 },
    ...(signal ? { signal } : {}),
  })
  return items[0] ?? null
}

const notesMax = 100

export type CommentRecord = Awaited<ReturnType<typeof crm.comments.list>>['items'][number]

/** Reads the comments on a record, page by page, newest first. */
export function commentsQuery({ entityType, entityId }: RecordPlace) {
  return infiniteQueryOptions({
    queryKey: [collectionOf(entityType), 'comments', entityId],
    queryFn: ({ signal, pageParam }) =>
      beside.crm.comments.list({ query: { entityType, entityId, page: pageParam, pageSize: notesMax }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
  })
}

const openTasksMax = 50

/** Reads the open tasks of a record, with the earliest due date first. */
export const openTasksQuery = ({ entityType, entityId }: RecordPlace) =>
  queryOptions({
    queryKey: ['tasks', 'of', entityType, entityId],
    queryFn: async ({ signal }) =>
      (
        await beside.crm.tasks.list({
          query: {
            entityType,
            entityId,
            status: 'TODO,IN_PROGRESS,IN_REVIEW',
            sortBy: 'dueAt',
            sortOrder: 'asc',
            pageSize: openTasksMax,
            expand: ['links'],
          },
          signal,
        })
      ).items,
  })
