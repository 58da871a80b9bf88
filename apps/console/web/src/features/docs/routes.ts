import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../frame/routes.tsx'

const docs = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  validateSearch: ({ operation }): { operation?: string } => (typeof operation === 'string' ? { operation } : {}),
  component: lazyRouteComponent(() => import('./docs-page.tsx'), 'DocsPage'),
})

/** The pages of the API reference by address. */
export const docsRoutes = [docs] as const
