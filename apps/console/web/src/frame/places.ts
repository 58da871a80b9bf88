import { queryOptions, useQuery } from '@tanstack/react-query'
import { allItems } from '../base/all-items.ts'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { headingOf, isFurther, useKinds } from '../records/record-kinds.ts'
import { listOf } from '../records/record-place.ts'
import type { IconName } from '../shell/icons.tsx'
import { destinationsFor, settingsGroups } from './navigation.ts'

/** A page or a view that a person can pin or start with. */
export interface KnownPlace {
  readonly path: string
  readonly label: string
  readonly icon: IconName
}

const everyViewQuery = queryOptions({
  queryKey: ['saved-filters', 'of every kind'],
  queryFn: ({ signal }) => allItems((page) => crm.savedFilters.list({ query: { page, pageSize: 100 }, signal })),
  staleTime: 60_000,
})

/** Returns the pages of the navigation, the lists of custom entities, and the saved views, as far as the person may see them. */
export function useKnownPlaces({ withViews }: { readonly withViews: boolean }): readonly KnownPlace[] {
  const { usable } = useSession()
  const kinds = useKinds()
  const views = useQuery({ ...everyViewQuery, enabled: withViews }).data ?? []
  const pages = destinationsFor(usable).filter(({ group }) => settingsGroups.every((one) => one !== group))
  const lists = new Map(kinds.map((kind) => [kind.key, { path: listOf(kind.key), label: kind.plural }]))
  const iconOf = (path: string) => pages.find(({ to }) => to === path)?.icon ?? 'records'
  return [
    ...pages.map(({ to, label, icon }) => ({ path: to, label, icon })),
    ...kinds
      .filter(isFurther)
      .map((kind) => ({ path: listOf(kind.key), label: headingOf(kind), icon: 'records' as const })),
    ...views.flatMap(({ id, name, entityType }) => {
      const list = lists.get(entityType)
      return list ? [{ path: `${list.path}?view=${id}`, label: name, icon: iconOf(list.path) }] : []
    }),
  ]
}
