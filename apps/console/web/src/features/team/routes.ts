import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn } from '../../frame/routes.tsx'
import { departmentQuery, employeeQuery } from './team-queries.ts'

const person = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(employeeQuery(params.id)),
  component: lazyRouteComponent(() => import('./person-page.tsx'), 'PersonPage'),
})

const department = createRoute({
  getParentRoute: () => signedIn,
  path: '/departments/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(departmentQuery(params.id)),
  component: lazyRouteComponent(() => import('./department-page.tsx'), 'DepartmentPage'),
})

/** The pages of colleagues and departments by address. */
export const teamRoutes = [person, department] as const
