import type { MigrationPlanChange, MigrationState, TransferredEntity } from '@crm/contract'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { pollMs } from '../../base/under-way.ts'

export type Migration = Awaited<ReturnType<typeof settings.migrations.get>>['data']
export type MigrationField = Awaited<ReturnType<typeof settings.migrations.fields>>['data'][number]

const moving: readonly MigrationState[] = ['ANALYSING', 'CHECKING', 'QUEUED', 'RUNNING', 'REVERTING']

/** Whether the service works on a migration. */
export function isMoving(state: MigrationState | undefined): boolean {
  return state !== undefined && moving.includes(state)
}

/** Reads the migrations of the workspace, the latest first, repeatedly while the service works on one of them. */
export const migrationsQuery = (page: number) =>
  queryOptions({
    queryKey: ['migrations', page],
    queryFn: ({ signal }) => settings.migrations.list({ query: { page, pageSize: 20 }, signal }),
    refetchInterval: ({ state }) => (state.data?.items.some((one) => isMoving(one.state)) ? pollMs : false),
  })

const keyOf = (id: string) => ['migrations', 'one', id]

/** Reads a migration, repeatedly while the service works on it. */
export const migrationQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => (await settings.migrations.get({ params: { id }, signal })).data,
    refetchInterval: ({ state }) => (isMoving(state.data?.state) ? pollMs : false),
  })

/** Reads the fields of a kind that columns can go to. */
export const migrationFieldsQuery = (kind: TransferredEntity) =>
  queryOptions({
    queryKey: ['migration fields', kind],
    queryFn: async ({ signal }) => (await settings.migrations.fields({ query: { kind }, signal })).data,
  })

const verbs = ['check', 'start', 'cancel', 'revert'] as const
export type MigrationVerb = (typeof verbs)[number]

/** Returns what changes the plan of a migration, and what has the service work on it. */
export function useMigrationChanges(id: string) {
  const client = useQueryClient()
  const keep = ({ data }: { readonly data: Migration }) => {
    client.setQueryData(keyOf(id), data)
    void client.invalidateQueries({ queryKey: ['migrations'], predicate: ({ queryKey }) => queryKey[1] !== 'one' })
  }
  const params = { id }
  const change = useMutation({
    mutationFn: (plan: MigrationPlanChange) => settings.migrations.update({ params, body: { plan } }),
    // Changes of one plan go one after the other, so that the last answer is the latest plan.
    scope: { id: `migration ${id}` },
    onSuccess: keep,
  })
  const act = useMutation({
    mutationFn: (verb: MigrationVerb) => settings.migrations[verb]({ params }),
    scope: { id: `migration ${id}` },
    onSuccess: keep,
  })
  return { change, act }
}
