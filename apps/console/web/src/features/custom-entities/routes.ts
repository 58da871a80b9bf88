import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'
import { addressReader } from '../../records/list/list-address.ts'

const customRecords = createRoute({
  getParentRoute: () => signedIn,
  path: '/records/$key',
  validateSearch: addressReader('CUSTOM_ENTITY'),
  component: lazyRouteComponent(() => import('./records-page.tsx'), 'CustomRecordsPage'),
})

const customRecord = createRoute({
  getParentRoute: () => signedIn,
  path: '/records/$key/$id',
  component: lazyRouteComponent(() => import('./record-page.tsx'), 'CustomRecordPage'),
})

const customEntities = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/custom-entities',
  component: lazyRouteComponent(() => import('./custom-entities-page.tsx'), 'CustomEntitiesPage'),
})

/** The pages of custom entities and their records by address. */
export const customEntityRoutes = [customRecords, customRecord, customEntities] as const
