import { transferredEntities, type TransferredEntity } from '@crm/contract'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'

const imports = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/import',
  // The kind for which the page opens a new import.
  validateSearch: ({ new: kind }: Record<string, unknown>): { readonly new?: TransferredEntity } => {
    const known = transferredEntities.find((one) => one === kind)
    return known ? { new: known } : {}
  },
  component: lazyRouteComponent(() => import('./imports-page.tsx'), 'ImportsPage'),
})

const everything = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/export',
  component: lazyRouteComponent(() => import('./everything-page.tsx'), 'EverythingPage'),
})

/** The pages of imports and of the export of everything, by address. */
export const transferRoutes = [imports, everything] as const
