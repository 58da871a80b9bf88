import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'
import { leadQuery } from './lead-queries.ts'
import { LeadsPage } from './leads-page.tsx'

const leads = createRoute({
  getParentRoute: () => signedIn,
  path: '/leads',
  ...workListRoute('LEAD'),
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
