import { ClientError } from '@crm/client'
import { createRootRoute, createRoute, Outlet, redirect, type ErrorComponentProps } from '@tanstack/react-router'
import { queryClient } from '../base/queries.ts'
import { sessionQuery } from '../base/session.ts'
import { isFirstPage } from '../base/start-page.ts'
import { t } from '../base/texts.ts'
import { viewAs, viewedRole } from '../base/view-as.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
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

function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={t('This page could not load')} narrow>
      <RefusalAlert error={error} retry={reset} />
    </Page>
  )
}
