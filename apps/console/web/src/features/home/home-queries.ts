import { ClientError } from '@crm/client'
import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

const shownMax = 5
const tasksMax = 50
/** The most events in the feed; a change of many records is one of them, so that more entries are read. */
export const thingsMax = 10
const entriesMax = 50

/** Reads the open tasks of a person that are due within a week or overdue. */
export const dueTasksQuery = (assigneeId: string) =>
  queryOptions({
    queryKey: ['tasks', 'due', assigneeId],
    queryFn: ({ signal }) =>
      crm.tasks.list({
        query: {
          assigneeId,
          status: 'TODO,IN_PROGRESS,IN_REVIEW',
          dueTo: '7d',
          sortBy: 'dueAt',
          sortOrder: 'asc',
          pageSize: tasksMax,
          expand: ['links'],
        },
        signal,
      }),
  })

/** Reads the open deals of a person without a next step. */
export const dealsWithoutNextStepQuery = (ownerId: string) =>
  queryOptions({
    queryKey: ['deals', 'without next step', ownerId],
    queryFn: ({ signal }) =>
      crm.deals.list({ query: { ownerId, status: 'OPEN', hasOpenTask: false, pageSize: shownMax }, signal }),
  })

/** Reads the open deals of a person that nobody has touched for too long. */
export const rottingDealsQuery = (ownerId: string) =>
  queryOptions({
    queryKey: ['deals', 'rotting', ownerId],
    queryFn: ({ signal }) =>
      crm.deals.list({ query: { ownerId, status: 'OPEN', isRotting: true, pageSize: shownMax }, signal }),
  })

/** Reads the new leads of a person whom nobody has contacted within a day. */
export const unansweredLeadsQuery = (ownerId: string) =>
  queryOptions({
    queryKey: ['leads', 'unanswered', ownerId],
    queryFn: ({ signal }) =>
      crm.leads.list({
        query: { ownerId, status: 'NEW', lastActivity: 'never', createdTo: '-24h', pageSize: shownMax },
        signal,
      }),
  })

/** Reads the open deals that a person sees, by stage. */
export const pipelineQuery = (currency: string) =>
  queryOptions({
    queryKey: ['deals', 'pipeline', currency],
    queryFn: ({ signal }) => summarizeDeals({ status: 'OPEN', groupBy: 'stageId' }, currency, signal),
  })

/** Reads the sum of the deals won this month that a person sees. */
export const wonQuery = (currency: string) =>
  queryOptions({
    queryKey: ['deals', 'won', currency],
    queryFn: ({ signal }) => summarizeDeals({ status: 'WON', closedFrom: 'startOfMonth' }, currency, signal),
  })

/** Reads the sum of a person's own deals won this month. */
export const wonByQuery = (ownerId: string, currency: string) =>
  queryOptions({
    queryKey: ['deals', 'won by', ownerId, currency],
    queryFn: ({ signal }) => summarizeDeals({ status: 'WON', closedFrom: 'startOfMonth', ownerId }, currency, signal),
  })

type Narrowed = NonNullable<Parameters<typeof crm.deals.summary>[0]>['query']

/** Returns amounts in one currency, or in each of their own where the workspace lacks an exchange rate. */
async function summarizeDeals(narrowed: Narrowed, currency: string, signal: AbortSignal) {
  const query = { ...narrowed, measures: 'count,sum:amount' }
  try {
    return await crm.deals.summary({ query: { ...query, convertTo: currency }, signal })
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'RATE_MISSING') throw error
    return crm.deals.summary({ query, signal })
  }
}

/** The latest events of all records that a person sees. */
export const latestQuery = queryOptions({
  queryKey: ['feed', 'latest'],
  queryFn: ({ signal }) => crm.feed.list({ query: { limit: entriesMax }, signal }),
})
