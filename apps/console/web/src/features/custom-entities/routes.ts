import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'

const customEntities = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/custom-entities',
  component: lazyRouteComponent(() => import('./custom-entities-page.tsx'), 'CustomEntitiesPage'),
})

/** The page of custom entities by address. */
export const customEntityRoutes = [customEntities] as const
