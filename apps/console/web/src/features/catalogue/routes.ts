import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'
import type { KindPages } from '../../records/kind-pages.ts'

const productCategories = createRoute({
  getParentRoute: () => signedIn,
  path: '/product-categories',
  component: lazyRouteComponent(() => import('./categories-page.tsx'), 'CategoriesPage'),
})

const productAttributes = createRoute({
  getParentRoute: () => signedIn,
  path: '/product-attributes',
  component: lazyRouteComponent(() => import('./attributes-page.tsx'), 'AttributesPage'),
})

/** The further pages of the catalogue by address. */
export const catalogueRoutes = [productCategories, productAttributes] as const

/** What is special about the pages of products and price lists. */
export const cataloguePages: readonly KindPages[] = [
  { entityType: 'PRODUCT', page: () => import('./product-parts.tsx') },
  { entityType: 'PRICE_LIST', page: () => import('./price-list-parts.tsx') },
]
