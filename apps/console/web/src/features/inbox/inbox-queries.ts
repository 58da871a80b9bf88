import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { inboxKey } from '../../base/unread.ts'
import type { InboxTab } from './inbox-search.ts'

const states = { open: 'OPEN', snoozed: 'SNOOZED', done: 'DONE' } as const
const pageSize = 30

export type Notification = Awaited<ReturnType<typeof settings.notifications.list>>['items'][number]

/** Reads notifications page by page, newest first. */
export const notificationsQuery = (tab: InboxTab) =>
  infiniteQueryOptions({
    queryKey: [inboxKey, 'list', tab],
    queryFn: ({ signal, pageParam }) =>
      settings.notifications.list({ query: { state: states[tab], page: pageParam, pageSize }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
  })

/** Reads how the person wants each kind of notification. */
export const wishesQuery = queryOptions({
  queryKey: [inboxKey, 'wishes'],
  queryFn: async ({ signal }) => (await settings.notifications.wishes({ signal })).data,
})
