import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'
import { taskQuery } from './task-queries.ts'

const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks',
  ...workListRoute('TASK'),
  component: lazyRouteComponent(() => import('./tasks-page.tsx'), 'TasksPage'),
})

const task = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(taskQuery(params.id)),
  component: lazyRouteComponent(() => import('./task-page.tsx'), 'TaskPage'),
})

/** The pages of tasks by address. */
export const taskRoutes = [tasks, task] as const
