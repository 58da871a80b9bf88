import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn } from '../../frame/routes.tsx'
import { addressReader } from '../../records/list/list-address.ts'
import { kindsQuery } from '../../records/record-kinds.ts'
import { addressOf, listOf } from '../../records/record-place.ts'

const list = {
  getParentRoute: () => signedIn,
  validateSearch: addressReader('CUSTOM_ENTITY'),
  component: lazyRouteComponent(() => import('./records-page.tsx'), 'CustomRecordsPage'),
}
const page = {
  getParentRoute: () => signedIn,
  component: lazyRouteComponent(() => import('./record-page.tsx'), 'CustomRecordPage'),
}

/** The records of a custom entity by its plural, such as `/vehicles`. */
const customRecords = createRoute({ ...list, path: '/$plural' })
const customRecord = createRoute({ ...page, path: '/$plural/$id' })

/** The same by the key of the custom entity: the only addresses of an entity whose plural names another page. */
const customRecordsByKey = createRoute({
  ...list,
  path: '/records/$key',
  beforeLoad: async ({ params: { key }, search }) => {
    await queryClient.ensureQueryData(kindsQuery)
    const to = listOf(key.toUpperCase())
    if (!to.startsWith('/records/')) throw redirect({ to, search, replace: true })
  },
})

const customRecordByKey = createRoute({
  ...page,
  path: '/records/$key/$id',
  beforeLoad: async ({ params: { key, id }, location: { searchStr } }) => {
    await queryClient.ensureQueryData(kindsQuery)
    const address = addressOf({ entityType: key.toUpperCase(), entityId: id })
    if (address.to === '/$plural/$id')
      throw redirect({ ...address, search: Object.fromEntries(new URLSearchParams(searchStr)), replace: true })
  },
})

const customEntities = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/custom-entities',
  component: lazyRouteComponent(() => import('./custom-entities-page.tsx'), 'CustomEntitiesPage'),
})

/** The pages of custom entities and their records by address. */
export const customEntityRoutes = [
  customRecords,
  customRecord,
  customRecordsByKey,
  customRecordByKey,
  customEntities,
] as const
