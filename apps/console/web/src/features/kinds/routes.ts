import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn } from '../../frame/routes.tsx'
import type { KindPages } from '../../records/kind-pages.ts'
import type { ListAddress } from '../../records/list/list-address.ts'
import { startReading } from '../../records/list/start-reading.tsx'
import { recordQuery } from '../../records/record-calls.ts'
import { kindsQuery } from '../../records/record-kinds.ts'
import { addressOf, kindAt, listOf } from '../../records/record-place.ts'
import { KindListPage } from './list-page.tsx'
import { stemPath } from './stem-path.ts'

/** Returns the pages of all kinds by address, with what is special about some: one pair for their lists and records. */
export function kindRoutes(special: readonly KindPages[]) {
  const pagesOf = (entityType: string | undefined) => special.find((kind) => kind.entityType === entityType)
  const openList = (entityType: string | undefined, search: ListAddress) => {
    if (entityType !== undefined) startReading(queryClient, entityType, search)
    return pagesOf(entityType)?.list?.()
  }
  const openRecord = (entityType: string | undefined, id: string) => {
    if (entityType !== undefined) void queryClient.prefetchQuery(recordQuery(entityType, id))
    return pagesOf(entityType)?.page?.()
  }
  return [
    createRoute({
      ...list,
      path: '/$stem',
      loader: ({ params, deps }) => openList(kindAt(stemPath(params)), deps),
    }),
    createRoute({
      ...page,
      path: '/$stem/$id',
      loader: ({ params }) => openRecord(kindAt(stemPath(params)), params.id),
    }),
    // The same by the key of a custom entity: the only addresses of one whose plural names another page.
    createRoute({
      ...list,
      path: '/records/$key',
      beforeLoad: async ({ params: { key }, search }) => {
        await queryClient.ensureQueryData(kindsQuery)
        const to = listOf(key.toUpperCase())
        if (!to.startsWith('/records/')) throw redirect({ to, search, replace: true })
      },
      loader: ({ params, deps }) => openList(kindAt(stemPath(params)), deps),
    }),
    createRoute({
      ...page,
      path: '/records/$key/$id',
      beforeLoad: async ({ params: { key, id }, location: { searchStr } }) => {
        await queryClient.ensureQueryData(kindsQuery)
        const address = addressOf({ entityType: key.toUpperCase(), entityId: id })
        if (address.to === '/$stem/$id')
          throw redirect({ ...address, search: Object.fromEntries(new URLSearchParams(searchStr)), replace: true })
      },
      loader: ({ params }) => openRecord(kindAt(stemPath(params)), params.id),
    }),
  ] as const
}

const list = {
  getParentRoute: () => signedIn,
  // The parts of an address depend on the kind, which the list knows.
  validateSearch: (search: Readonly<Record<string, unknown>>) => search as ListAddress,
  loaderDeps: ({ search }: { readonly search: ListAddress }) => search,
  component: KindListPage,
}

const page = {
  getParentRoute: () => signedIn,
  component: lazyRouteComponent(() => import('./record-page.tsx'), 'KindRecordPage'),
}
