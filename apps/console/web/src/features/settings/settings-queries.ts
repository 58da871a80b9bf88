import { queryOptions } from '@tanstack/react-query'
import { allItems } from '../../base/all-items.ts'
import { crm, settings } from '../../base/api.ts'

export type Person = Awaited<ReturnType<typeof settings.users.list>>['items'][number]
export type PersonPatch = NonNullable<Parameters<typeof settings.users.update>[0]>['body']
export type Role = Awaited<ReturnType<typeof settings.roles.list>>['items'][number]
export type Department = Awaited<ReturnType<typeof crm.departments.list>>['items'][number]
export type Pipeline = Awaited<ReturnType<typeof crm.pipelines.list>>['items'][number]
export type Stage = Pipeline['stages'][number]

/** The roles of the workspace. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: ({ signal }) => allItems((page) => settings.roles.list({ query: { page, pageSize: 100 }, signal })),
  staleTime: 60_000,
})

/** The departments that the person may see. */
export const departmentsQuery = queryOptions({
  queryKey: ['departments'],
  queryFn: ({ signal }) => allItems((page) => crm.departments.list({ query: { page, pageSize: 100 }, signal })),
  staleTime: 60_000,
})

/** The pipelines of leads and deals with their stages. */
export const allPipelinesQuery = queryOptions({
  queryKey: ['pipelines', 'all'],
  queryFn: ({ signal }) => allItems((page) => crm.pipelines.list({ query: { page, pageSize: 100 }, signal })),
})

/** The rules for signing in. */
export const signInRulesQuery = queryOptions({
  queryKey: ['sign-in-rules'],
  queryFn: async ({ signal }) => (await settings.signInPolicy.get({ signal })).data,
})

/** The accounts of programs. */
export const serviceAccountsQuery = queryOptions({
  queryKey: ['people', 'services'],
  queryFn: ({ signal }) =>
    allItems((page) =>
      settings.users.list({ query: { kind: 'SERVICE', status: 'ACTIVE', page, pageSize: 100 }, signal }),
    ),
})
