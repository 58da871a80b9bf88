import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'

const page = lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage')

const overview = createRoute({ getParentRoute: () => signedIn, path: '/dashboards', component: page })

const dashboard = createRoute({ getParentRoute: () => signedIn, path: '/dashboards/$id', component: page })

/** The dashboards, the built-in one first. */
export const dashboardRoutes = [overview, dashboard] as const
