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

const everything = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/export',
  component: lazyRouteComponent(() => import('./everything-page.tsx'), 'EverythingPage'),
})

/** The pages of imports and of the export of everything, by address. */
export const transferRoutes = [imports, migration, everything] as const
