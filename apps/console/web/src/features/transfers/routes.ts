import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'

const imports = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/import',
  component: lazyRouteComponent(() => import('./imports-page.tsx'), 'ImportsPage'),
})

const migration = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/import/$id',
  component: lazyRouteComponent(() => import('./migration-page.tsx'), 'MigrationPage'),
})

/** The pages of imports by address. */
export const transferRoutes = [imports, migration] as const
