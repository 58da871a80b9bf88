import { queryOptions, useQuery } from '@tanstack/react-query'
import { beside } from './api.ts'

const readEveryMs = 60_000

/** The first part of the keys of all queries of the inbox. */
export const inboxKey = 'notifications'

/** The number of open notifications that the person has not read. */
const unreadQuery = queryOptions({
  queryKey: [inboxKey, 'unread'],
  queryFn: async ({ signal }) =>
    (await beside.settings.notifications.list({ query: { unread: true, state: 'OPEN', pageSize: 1 }, signal })).total,
  refetchInterval: readEveryMs,
})

/** Returns the number of unread notifications; 0 while it is not known. */
export function useUnread(): number {
  return useQuery(unreadQuery).data ?? 0
}
