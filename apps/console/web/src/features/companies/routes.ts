import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { listRoute, signedIn } from '../../frame/routes.tsx'
import { companiesQuery, companyAddress, companyQuery } from './company-queries.ts'

const companies = createRoute({
  getParentRoute: () => signedIn,
  path: '/companies',
  ...listRoute(companyAddress, companiesQuery),
  component: lazyRouteComponent(() => import('./companies-page.tsx'), 'CompaniesPage'),
})

const company = createRoute({
  getParentRoute: () => signedIn,
  path: '/companies/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(companyQuery(params.id)),
  component: lazyRouteComponent(() => import('./company-page.tsx'), 'CompanyPage'),
})

/** The pages of companies by address. */
export const companyRoutes = [companies, company] as const
