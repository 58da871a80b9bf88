import { queryOptions } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'

const shownMax = 5
const tasksMax = 50
const entriesMax = 10

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

/** Reads the open deals that a person sees, by stage, in one currency. */
export const pipelineQuery = (currency: string) =>
  queryOptions({
    queryKey: ['deals', 'pipeline', currency],
    queryFn: ({ signal }) =>
      crm.deals.summary({
        query: { status: 'OPEN', measures: 'count,sum:amount', groupBy: 'stageId', convertTo: currency },
        signal,
      }),
  })

/** Reads the sum of a person's deals won this month, in one currency. */
export const wonQuery = (currency: string) =>
  queryOptions({
    queryKey: ['deals', 'won', currency],
    queryFn: ({ signal }) =>
      crm.deals.summary({
        query: { status: 'WON', closedFrom: 'startOfMonth', measures: 'count,sum:amount', convertTo: currency },
        signal,
      }),
  })

/** The latest events of all records that a person sees. */
export const latestQuery = queryOptions({
  queryKey: ['feed', 'latest'],
  queryFn: ({ signal }) => crm.feed.list({ query: { limit: entriesMax }, signal }),
})
