import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'
import { dealQuery } from './deal-queries.ts'

const deals = createRoute({
  getParentRoute: () => signedIn,
  path: '/deals',
  ...workListRoute('DEAL'),
  component: lazyRouteComponent(() => import('./deals-page.tsx'), 'DealsPage'),
})

const deal = createRoute({
  getParentRoute: () => signedIn,
  path: '/deals/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(dealQuery(params.id)),
  component: lazyRouteComponent(() => import('./deal-page.tsx'), 'DealPage'),
})

/** The pages of deals by address. */
export const dealRoutes = [deals, deal] as const
