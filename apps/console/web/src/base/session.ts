import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { crm } from './api.ts'
import { applyPreferences } from './preferences.ts'

/** The signed-in person and their permissions. */
export interface Session {
  readonly person: Awaited<ReturnType<typeof crm.me.get>>
  readonly scopes: Awaited<ReturnType<typeof crm.me.scopes>>
  readonly usable: ReadonlySet<string>
}

/** Reads the signed-in person; fails with 401 when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => {
    const [person, scopes] = await Promise.all([crm.me.get({ signal }), crm.me.scopes({ signal })])
    applyPreferences(person)
    return { person, scopes, usable: usablePermissions(scopes) }
  },
  staleTime: 60_000,
  meta: { handles401: true },
})

/** Returns the permissions that have an effect now: the person's own, without the permissions of modules that are off. */
export function usablePermissions({
  effective,
  missing,
}: Pick<Session['scopes'], 'effective' | 'missing'>): ReadonlySet<string> {
  const useless = new Set(missing.map(({ scope }) => scope))
  return new Set(effective.filter((name) => !useless.has(name)))
}

/** Returns the session of the page; every page behind the sign-in has one. */
export function useSession(): Session & { readonly may: (permission: string) => boolean } {
  const { data } = useSuspenseQuery(sessionQuery)
  return { ...data, may: (permission) => data.usable.has(permission) }
}
