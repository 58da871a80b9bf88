import { queryOptions } from '@tanstack/react-query'
import { settings, settingsOnce } from '../../base/api.ts'

/** The ways of signing in to this workspace: a password, identity providers. */
export const waysQuery = queryOptions({
  queryKey: ['ways-of-signing-in'],
  queryFn: async ({ signal }) => (await settingsOnce.sso.providers({ signal })).data,
  meta: { handles401: true },
})

/** The person's accounts at identity providers. */
export const identitiesQuery = queryOptions({
  queryKey: ['linked-accounts'],
  queryFn: async ({ signal }) => (await settings.sso.identities({ signal })).data,
})

/** Returns the address at which a person goes to an identity provider, and comes back to a path of the console. */
export function providerAddress(
  slug: string,
  search: { readonly purpose?: 'link' | 'reauth'; readonly next: string },
): string {
  return `/api/auth/sso/${slug}/start?${String(new URLSearchParams(search))}`
}
