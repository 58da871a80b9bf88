import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'
import { projectQuery } from './project-queries.ts'

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  ...workListRoute('PROJECT'),
  component: lazyRouteComponent(() => import('./projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(projectQuery(params.id)),
  component: lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
})

/** The pages of projects by address. */
export const projectRoutes = [projects, project] as const
