import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { converted } from '../../base/converted.ts'
import { inOwnDays, summedInOwnDays } from '../../base/moments.ts'
import { ofAssignee, type Narrowed } from '../../records/narrowed.ts'

const shownMax = 5
const tasksMax = 50
/** The most events in the feed; a change of many records is one of them, so that more entries are read. */
export const thingsMax = 10
const entriesMax = 50

/** Reads the open tasks of somebody that are due within a week or overdue. */
export const dueTasksQuery = (of: Narrowed) =>
  queryOptions({
    queryKey: ['tasks', 'due', of],
    queryFn: ({ signal }) =>
      crm.tasks.list({
        query: inOwnDays({
          ...ofAssignee(of),
          status: 'TODO,IN_PROGRESS,IN_REVIEW',
          dueTo: '7d',
          sortBy: 'dueAt',
          sortOrder: 'asc',
          pageSize: tasksMax,
          expand: ['links'],
        } as const),
        signal,
      }),
  })

/** What is stuck, by the reason: the parameters of the list that shows all of it. */
export const stuck = {
  forgotten: { status: 'OPEN', hasOpenTask: 'false' },
  rotting: { status: 'OPEN', isRotting: 'true' },
  unanswered: { status: 'NEW', lastActivity: 'never', createdTo: '-24h' },
} as const

/** Reads the open deals without a next step, those that were left alone longest first. */
export const dealsWithoutNextStepQuery = (of: Narrowed) =>
  queryOptions({
    queryKey: ['deals', 'without next step', of],
    queryFn: ({ signal }) =>
      crm.deals.list({
        query: { ...of, ...stuck.forgotten, sortBy: 'createdAt', sortOrder: 'asc', pageSize: shownMax },
        signal,
      }),
  })

/** Reads the open deals that nobody has touched for too long, the oldest first. */
export const rottingDealsQuery = (of: Narrowed) =>
  queryOptions({
    queryKey: ['deals', 'rotting', of],
    queryFn: ({ signal }) =>
      crm.deals.list({
        query: { ...of, ...stuck.rotting, sortBy: 'stageChangedAt', sortOrder: 'asc', pageSize: shownMax },
        signal,
      }),
  })

/** Reads the new leads whom nobody has contacted within a day, those that wait longest first. */
export const unansweredLeadsQuery = (of: Narrowed) =>
  queryOptions({
    queryKey: ['leads', 'unanswered', of],
    queryFn: ({ signal }) =>
      crm.leads.list({
        query: { ...of, ...stuck.unanswered, sortBy: 'createdAt', sortOrder: 'asc', pageSize: shownMax },
        signal,
      }),
  })

/** Reads the open deals of somebody, by stage. */
export const pipelineQuery = (currency: string, of: Narrowed) =>
  queryOptions({
    queryKey: ['deals', 'pipeline', currency, of],
    queryFn: ({ signal }) => summarizeDeals({ ...of, status: 'OPEN', groupBy: 'stageId' }, currency, signal),
  })

/** The deals won this month, as a list finds them. */
export const wonThisMonth = { status: 'WON', closedFrom: 'startOfMonth' } as const

/** Reads the sum of somebody's deals won this month. */
export const wonQuery = (currency: string, of: Narrowed) =>
  queryOptions({
    queryKey: ['deals', 'won', currency, of],
    queryFn: ({ signal }) => summarizeDeals({ ...of, ...wonThisMonth }, currency, signal),
  })

type Asked = NonNullable<Parameters<typeof crm.deals.summary>[0]>['query']

/** Returns amounts in one currency, or in each of their own where the workspace lacks an exchange rate. */
function summarizeDeals(narrowed: Asked, currency: string, signal: AbortSignal) {
  const query = summedInOwnDays({ ...narrowed, measures: 'count,sum:amount' })
  return converted(query, currency, (asked, client) => client.deals.summary({ query: asked, signal }))
}

/** The latest events of all records that a person sees, or of the deeds of one person. */
export const latestQuery = (actorId: string | undefined) =>
  queryOptions({
    queryKey: ['feed', 'latest', actorId],
    queryFn: ({ signal }) => crm.feed.list({ query: { limit: entriesMax, ...(actorId && { actorId }) }, signal }),
  })
