import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { listRoute, signedIn } from '../../frame/routes.tsx'
import { leadQuery, leadsQuery } from './lead-queries.ts'
import { leadAddress } from './lead-search.ts'
import { LeadsPage } from './leads-page.tsx'

const leads = createRoute({
  getParentRoute: () => signedIn,
  path: '/leads',
  ...listRoute(leadAddress, leadsQuery),
  component: LeadsPage,
})

const lead = createRoute({
  getParentRoute: () => signedIn,
  path: '/leads/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(leadQuery(params.id)),
  component: lazyRouteComponent(() => import('./lead-page.tsx'), 'LeadPage'),
})

/** The pages of leads by address. */
export const leadRoutes = [leads, lead] as const
