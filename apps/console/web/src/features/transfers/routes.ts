import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'

const imports = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/imports',
  component: lazyRouteComponent(() => import('./imports-page.tsx'), 'ImportsPage'),
})

/** The pages of imports by address. */
export const transferRoutes = [imports] as const
