import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { allItems } from '../../base/all-items.ts'
import { settings } from '../../base/api.ts'

export type Workflow = Awaited<ReturnType<typeof settings.workflows.get>>['data']
export type Automation = Awaited<ReturnType<typeof settings.automations.list>>['items'][number]
export type WorkflowRun = Awaited<ReturnType<typeof settings.workflowRuns.list>>['items'][number]
export type RunInFull = Awaited<ReturnType<typeof settings.workflowRuns.get>>['data']
export type Rule = Awaited<ReturnType<typeof settings.automationRules.get>>['data']
export type Delivery = Awaited<ReturnType<typeof settings.deliveries.get>>['data']

/** The first key of all queries about automation; a change makes all of them stale. */
export const automationKey = ['automation'] as const

const pageSize = 20
/** The interval at which background work is read while its page is open. */
const liveEveryMs = 3_000

export const automationsQuery = (page: number) =>
  queryOptions({
    queryKey: [...automationKey, 'list', page],
    queryFn: ({ signal }) => settings.automations.list({ query: { page, pageSize }, signal }),
    placeholderData: keepPreviousData,
  })

export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: [...automationKey, 'workflow', id],
    queryFn: async ({ signal }) => (await settings.workflows.get({ params: { id }, signal })).data,
  })

/** Reads the workflows that a step can start. */
export const startableQuery = queryOptions({
  queryKey: [...automationKey, 'startable'],
  queryFn: ({ signal }) => allItems((page) => settings.workflows.list({ query: { page, pageSize: 100 }, signal })),
})

export const lastRequestQuery = (id: string) =>
  queryOptions({
    queryKey: [...automationKey, 'last-request', id],
    queryFn: async ({ signal }) => (await settings.workflows.lastRequest({ params: { id }, signal })).data,
  })

export const refusedCallsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...automationKey, 'refused-calls', id, page],
    queryFn: ({ signal }) => settings.workflows.refusedCalls({ params: { id }, query: { page, pageSize }, signal }),
    placeholderData: keepPreviousData,
  })

export const versionsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...automationKey, 'versions', id, page],
    queryFn: ({ signal }) => settings.workflows.versions({ params: { id }, query: { page, pageSize }, signal }),
    placeholderData: keepPreviousData,
  })

/** Reads one version of a workflow. The newest one comes first, so its number tells its page. */
export const versionQuery = (id: string, version: number, newest: number) =>
  queryOptions({
    queryKey: [...automationKey, 'version', id, version],
    queryFn: async ({ signal }) => {
      const query = { page: newest - version + 1, pageSize: 1 }
      return (await settings.workflows.versions({ params: { id }, query, signal })).items[0] ?? null
    },
  })

export const runsQuery = (workflowId: string, page: number) =>
  queryOptions({
    queryKey: [...automationKey, 'runs', workflowId, page],
    queryFn: ({ signal }) => settings.workflowRuns.list({ query: { workflowId, page, pageSize }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: liveEveryMs,
  })

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...automationKey, 'run', id],
    queryFn: async ({ signal }) => (await settings.workflowRuns.get({ params: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data && isOver(data.state) ? false : liveEveryMs),
  })

export const ruleQuery = (id: string) =>
  queryOptions({
    queryKey: [...automationKey, 'rule', id],
    queryFn: async ({ signal }) => (await settings.automationRules.get({ params: { id }, signal })).data,
  })

/** Reads the requests of a rule or of a run. */
export const deliveriesQuery = (of: { readonly ruleId: string } | { readonly runId: string }, page: number) =>
  queryOptions({
    queryKey: [...automationKey, 'deliveries', of, page],
    queryFn: ({ signal }) => settings.deliveries.list({ query: { ...of, page, pageSize }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: liveEveryMs,
  })

function isOver(state: WorkflowRun['state']): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED'
}
