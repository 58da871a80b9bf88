import { ClientError } from '@crm/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

let leave: () => void = () => undefined

/** Sets the function to call when the API no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  leave = listener
}

function watch(error: unknown, meta: Readonly<Record<string, unknown>> | undefined): void {
  if (error instanceof ClientError && error.status === 401 && meta?.['handles401'] !== true) leave()
}

/**
 * The cache of the API's answers.
 *
 * A call with `meta: { handles401: true }` handles a 401 itself: there the answer means that a password is wrong, or
 * that nobody is signed in yet.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => watch(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => watch(error, mutation.meta),
  }),
  defaultOptions: {
    // The API client itself repeats the calls that may be repeated.
    queries: { retry: false, staleTime: 15_000 },
    // A change without a connection fails at once and keeps the text; it must not be made later unseen.
    mutations: { networkMode: 'always' },
  },
})
