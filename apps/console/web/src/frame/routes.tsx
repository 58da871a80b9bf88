import { ClientError } from '@crm/client'
import { createRootRoute, createRoute, Outlet, redirect, type ErrorComponentProps } from '@tanstack/react-router'
import { queryClient } from '../base/queries.ts'
import { sessionQuery } from '../base/session.ts'
import { isFirstPage } from '../base/start-page.ts'
import { t } from '../base/texts.ts'
import { viewAs, viewedRole } from '../base/view-as.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { addressReader, isStanding, viewIdOf, type ListAddress } from '../records/list/list-address.ts'
import { listQuery, viewsQuery } from '../records/list/list-queries.ts'
import { isSummarized, pageQueryOf, stateOf } from '../records/list/list-state.ts'
import { Page } from '../shell/page.tsx'
import { RefusalAlert } from '../shell/states.tsx'
import { Frame } from './frame.tsx'

/** The root of all pages, including the ones before the sign-in. */
export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: PageError })

/** The root of all pages behind the sign-in. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'console',
  beforeLoad: async ({ location }) => {
    try {
      const session = await queryClient.ensureQueryData(sessionQuery)
      return { session, isFirst: isFirstPage() }
    } catch (error) {
      if (error instanceof ClientError && error.status === 401)
        throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } })
      // A role that is gone leads back to one's own rights.
      if (error instanceof ClientError && error.status === 403 && viewedRole() !== null) viewAs(null)
      throw error
    }
  },
  component: Frame,
  notFoundComponent: NotFoundPage,
  errorComponent: PageError,
})

/** Returns the parts of a route that shows the working list of a kind; reading begins before the page is loaded. */
export function workListRoute(entityType: string) {
  return {
    validateSearch: addressReader(entityType),
    loaderDeps: ({ search }: { readonly search: ListAddress }) => search,
    loader: ({ deps }: { readonly deps: ListAddress }) => {
      // What a saved view finds is known once it has been read.
      const state = stateOf(entityType, deps, undefined, undefined)
      if (isStanding(viewIdOf(entityType, deps)) && state.layout === 'table')
        void queryClient.prefetchQuery(listQuery(entityType, pageQueryOf(entityType, state)))
      if (isSummarized(entityType)) void queryClient.prefetchQuery(viewsQuery(entityType))
    },
  }
}

function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={t('base.thisPageCouldNotLoad')} narrow>
      <RefusalAlert error={error} retry={reset} />
    </Page>
  )
}
