import { ClientError } from '@crm/client'
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type QueryFilters,
  type QueryKey,
} from '@tanstack/react-query'
import { keepSent, settleSent } from './unsaved.ts'

let leave: () => void = () => undefined

/** Sets the function to call when the API no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  leave = listener
}

function watch(error: unknown, meta: Readonly<Record<string, unknown>> | undefined): void {
  if (error instanceof ClientError && error.status === 401 && meta?.['handles401'] !== true) leave()
}

/** A cache that reads anew what changes, what is on its way for the first time included: its answer may be older than the change. */
export class FreshQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const first = this.getQueryCache()
      .findAll({ ...(filters as QueryFilters), fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    await super.invalidateQueries(filters, options)
    // The library waits for a first answer, and takes it for the new one.
    if (first.length > 0)
      await super.invalidateQueries(
        { predicate: (query) => first.some((one) => one.queryHash === query.queryHash) },
        options,
      )
  }
}

/**
 * The cache of the API's answers.
 *
 * A call with `meta: { handles401: true }` handles a 401 itself: there the answer means that a password is wrong, or
 * that nobody is signed in yet.
 */
export const queryClient = new FreshQueryClient({
  queryCache: new QueryCache({ onError: (error, query) => watch(error, query.meta) }),
  mutationCache: new MutationCache({
    onSuccess: settleSent,
    onError: (error, _variables, _result, mutation) => {
      keepSent()
      watch(error, mutation.meta)
    },
  }),
  defaultOptions: {
    // The API client itself repeats the calls that may be repeated.
    queries: { retry: false, staleTime: 15_000 },
    // A change without a connection fails at once and keeps the text; it must not be made later unseen.
    mutations: { networkMode: 'always' },
  },
})
