import { sightMax } from '@crm/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { settings } from '../base/api.ts'
import { usePeopleNames } from '../base/people.ts'
import { inList, t } from '../base/texts.ts'

/** Says which of some people may see no record of a kind, not even one that is given to them; undefined when all may. */
export function useMayNotSee(
  { key, plural }: { readonly key: string; readonly plural: string },
  people: readonly string[],
): string | undefined {
  const asked = people.slice(0, sightMax)
  const names = usePeopleNames(asked)
  const { data } = useQuery({
    queryKey: ['sight', key, asked],
    queryFn: async ({ signal }) =>
      (await settings.sight.ofKind({ params: { entityType: key }, query: { employeeIds: asked.join() }, signal })).data
        .hiddenFrom,
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const blind = asked.filter((id) => data?.includes(id)).map((id) => names.get(id) ?? '…')
  return blind.length === 0 ? undefined : t('records.mayNotSeeMany', { names: inList(blind), many: plural })
}
