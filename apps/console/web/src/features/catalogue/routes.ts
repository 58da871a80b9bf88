import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { priceListQuery, productQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { signedIn, workListRoute } from '../../frame/routes.tsx'

const products = createRoute({
  getParentRoute: () => signedIn,
  path: '/products',
  ...workListRoute('PRODUCT'),
  component: lazyRouteComponent(() => import('./products-page.tsx'), 'ProductsPage'),
})

const product = createRoute({
  getParentRoute: () => signedIn,
  path: '/products/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(productQuery(params.id)),
  component: lazyRouteComponent(() => import('./product-page.tsx'), 'ProductPage'),
})

const priceLists = createRoute({
  getParentRoute: () => signedIn,
  path: '/price-lists',
  ...workListRoute('PRICE_LIST'),
  component: lazyRouteComponent(() => import('./price-lists-page.tsx'), 'PriceListsPage'),
})

const priceList = createRoute({
  getParentRoute: () => signedIn,
  path: '/price-lists/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(priceListQuery(params.id)),
  component: lazyRouteComponent(() => import('./price-list-page.tsx'), 'PriceListPage'),
})

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

/** The pages of the catalogue by address. */
export const catalogueRoutes = [products, product, priceLists, priceList, productCategories, productAttributes] as const
