import { infiniteQueryOptions } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'

export type Proposal = Awaited<ReturnType<typeof settings.settingsProposals.list>>['items'][number]

/** The first key of the queries about proposals. */
export const proposalsKey = ['proposals'] as const

/** What waits for the person's word, the newest first, page by page. */
export const waitingQuery = infiniteQueryOptions({
  queryKey: [...proposalsKey, 'waiting'],
  queryFn: ({ pageParam, signal }) =>
    settings.settingsProposals.list({ query: { state: 'PENDING', page: pageParam, pageSize: 50 }, signal }),
  initialPageParam: 1,
  getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
})
