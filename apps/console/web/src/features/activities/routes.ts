import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { activityQuery } from '../../domain/activities/activity-queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'

const activity = createRoute({
  getParentRoute: () => signedIn,
  path: '/activities/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(activityQuery(params.id)),
  component: lazyRouteComponent(() => import('./activity-page.tsx'), 'ActivityPage'),
})

const activities = createRoute({
  getParentRoute: () => signedIn,
  path: '/activities',
  ...workListRoute('ACTIVITY'),
  component: lazyRouteComponent(() => import('./activities-page.tsx'), 'ActivitiesPage'),
})

/** The pages of activities by address. */
export const activityRoutes = [activities, activity] as const
