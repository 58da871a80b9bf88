import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'
import { companyQuery } from './company-queries.ts'

const companies = createRoute({
  getParentRoute: () => signedIn,
  path: '/companies',
  ...workListRoute('COMPANY'),
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
