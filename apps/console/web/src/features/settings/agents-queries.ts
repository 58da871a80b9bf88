import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { finishedJob } from '../../base/jobs.ts'

export type AgentSession = Awaited<ReturnType<typeof settings.agentSessions.list>>['items'][number]

/** What a session did in one operation. */
export type SessionOperation = Awaited<ReturnType<typeof settings.agentSessions.get>>['data']['operations'][number]

/** The first key of the queries about sessions of agents. */
const agentSessionsKey = ['agent-sessions'] as const

/** Sessions, the newest first; those of one agent where one is chosen. */
export const sessionsQuery = (page: number, viaId: string | undefined) =>
  queryOptions({
    queryKey: [...agentSessionsKey, page, viaId ?? null],
    queryFn: ({ signal }) => settings.agentSessions.list({ query: { page, pageSize: 25, viaId }, signal }),
    placeholderData: keepPreviousData,
  })

/** What a session did, the newest first, page by page. */
export const operationsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...agentSessionsKey, 'one', id],
    queryFn: async ({ pageParam, signal }) =>
      (await settings.agentSessions.get({ params: { id }, query: { cursor: pageParam }, signal })).data,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** Undoes a session, or tells what that would do, and returns what stays. */
export async function undoSession(id: string, dryRun: boolean) {
  const { data } = await settings.agentSessions.undo({ params: { id }, body: { dryRun } })
  const { result } = await finishedJob(data.jobId)
  return result ?? { undone: 0, kept: [] }
}

type Connection = Awaited<ReturnType<typeof settings.connections.list>>['items'][number]

/** A key or a client, with the person with whose rights it works. */
export interface Agent extends Pick<
  Connection,
  'name' | 'writes' | 'limits' | 'confirm' | 'used' | 'lastUsedAt' | 'employeeId'
> {
  readonly id: string
  readonly personName: string
  readonly isKey: boolean
}

/** The keys and clients that the person may hold, without those that were revoked. */
export const agentsQuery = (withKeys: boolean) =>
  queryOptions({
    queryKey: ['agents', withKeys],
    queryFn: async ({ signal }): Promise<readonly Agent[]> => {
      const query = { page: 1, pageSize: 100 }
      const [clients, keys] = await Promise.all([
        settings.connections.list({ query, signal }),
        withKeys ? settings.apiKeys.list({ query, signal }) : { items: [] },
      ])
      return [
        ...clients.items.map((one) => ({ ...one, id: one.clientId, personName: one.employeeName, isKey: false })),
        ...keys.items
          .filter(({ revokedAt }) => revokedAt === null)
          .map((one) => ({ ...one, employeeId: one.ownerId, personName: one.ownerName, isKey: true })),
      ]
    },
  })
