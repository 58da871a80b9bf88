import { queryOptions, useQuery } from '@tanstack/react-query'
import { beside, crm } from './api.ts'
import { useSession } from './session.ts'
import { t } from './texts.ts'

const directoryMax = 200

const directoryQuery = queryOptions({
  queryKey: ['people', 'directory'],
  queryFn: async ({ signal }) =>
    (await beside.crm.employees.directory({ query: { limit: directoryMax }, signal })).items,
  staleTime: 300_000,
})

const namedQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['people', 'named', ids],
    queryFn: async ({ signal }) =>
      (await crm.employees.directory({ query: { ids: ids.join(','), limit: directoryMax }, signal })).items,
    staleTime: 300_000,
  })

/** Returns the name of a person, with the mark of somebody who has left. */
export function shownName({ name, status }: { readonly name: string; readonly status: string }): string {
  return status === 'TERMINATED' ? t('{name} (left)', { name }) : name
}

/** Returns the people to choose from, by name; none for a person who may not see them. */
export function useDirectory() {
  const { may } = useSession()
  return useQuery({ ...directoryQuery, enabled: may('VIEW_EMPLOYEE') }).data ?? []
}

/**
 * Returns where the picture of a person is; null for somebody without one. The navigation loads the people once, so no picture costs a
 * question of its own.
 */
export function usePicture(id: string | null | undefined): string | null {
  const { person } = useSession()
  const { data } = useQuery({
    ...directoryQuery,
    enabled: false,
    select: (people) => people.find((entry) => entry.id === id)?.pictureUrl ?? null,
  })
  return (id === person.id ? person.pictureUrl : data) ?? null
}

/** Returns the names of people by id, as far as this person may see them; the names for `ids` are loaded in any case. */
export function usePeopleNames(ids: readonly (string | null)[] = []): ReadonlyMap<string, string> {
  const { may, person } = useSession()
  const mayLook = may('VIEW_EMPLOYEE')
  const { data: known } = useQuery({ ...directoryQuery, enabled: mayLook })
  const isKnown = (id: string) => id === person.id || (known?.some((entry) => entry.id === id) ?? false)
  // These are people who have left, and in a large workspace the people beyond the first page.
  const missing = [...new Set(ids)]
    .filter((id) => id !== null && !isKnown(id))
    .map(String)
    .sort()
    .slice(0, directoryMax)
  const { data: more } = useQuery({
    ...namedQuery(missing),
    enabled: mayLook && known !== undefined && missing.length > 0,
  })
  const people = [...(known ?? []), ...(more ?? [])]
  return new Map([...people.map((entry) => [entry.id, shownName(entry)] as const), [person.id, person.name]])
}
