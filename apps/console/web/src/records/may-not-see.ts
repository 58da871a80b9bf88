import { sightMax } from '@crm/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { settings } from '../base/api.ts'
import { usePeopleNames } from '../base/people.ts'
import { inList, t } from '../base/texts.ts'

/**
 * Says which of some people may see no record of a kind, not even one that is given to them, and, of owners, whose records oneself does not
 * see; undefined when all is seen.
 */
export function useMayNotSee(
  { key, plural }: { readonly key: string; readonly plural: string },
  people: readonly string[],
  areOwners = false,
): string | undefined {
  const asked = people.slice(0, sightMax)
  const names = usePeopleNames(asked)
  const { data } = useQuery({
    queryKey: ['sight', key, asked],
    queryFn: async ({ signal }) =>
      (await settings.sight.ofKind({ params: { entityType: key }, query: { employeeIds: asked.join() }, signal })).data,
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const named = (ids: readonly string[] = []) =>
    inList(asked.filter((id) => ids.includes(id)).map((id) => names.get(id) ?? '…'))
  const blind = named(data?.hiddenFrom)
  const beyond = areOwners ? named(data?.outOfSight) : ''
  const said = [
    blind && t('{names} may not see any {many}.', { names: blind, many: plural }),
    beyond && t('You do not see the {many} of {names}.', { names: beyond, many: plural }),
  ]
  return said.filter(Boolean).join(' ') || undefined
}
