import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { allItems } from '../../base/all-items.ts'
import { settings } from '../../base/api.ts'

/** The interval at which new messages of other people are read. */
const liveEveryMs = 5_000

export type Channel = Awaited<ReturnType<typeof settings.channels.list>>['items'][number]

/** Every channel by name. */
export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: ({ signal }) => allItems((page) => settings.channels.list({ query: { page, pageSize: 100 }, signal })),
})

/** Reads the conversations of a channel, or of all, page by page; the ones with the latest message come first. */
export function conversationsQuery({ channelId, search }: { readonly channelId?: string; readonly search?: string }) {
  return infiniteQueryOptions({
    queryKey: ['conversations', 'list', channelId, search],
    queryFn: ({ signal, pageParam }) =>
      settings.conversations.list({ query: { channelId, search, page: pageParam, pageSize: 25 }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: liveEveryMs,
  })
}

/** One conversation. */
export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: ['conversations', 'one', id],
    queryFn: async ({ signal }) => (await settings.conversations.get({ params: { id }, signal })).data,
  })
}

/** Reads the messages of a conversation, from the latest one back. */
export function messagesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['conversations', 'messages', id],
    queryFn: ({ signal, pageParam }) =>
      settings.conversations.messages({
        params: { id },
        query: { limit: 50, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: liveEveryMs,
  })
}
