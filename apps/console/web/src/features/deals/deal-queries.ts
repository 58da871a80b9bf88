import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { isRefusedWith } from '../../base/refusals.ts'
import { notify } from '../../shell/notices.tsx'
import { t } from '../../base/texts.ts'

/** One deal. */
export function dealQuery(id: string) {
  return queryOptions({
    queryKey: ['deals', 'one', id],
    queryFn: async ({ signal }) => (await crm.deals.get({ params: { id }, signal })).data,
  })
}

interface Move {
  readonly deal: { readonly id: string; readonly version: number }
  readonly stage: { readonly id: string; readonly name: string }
}

/** Moves deals between stages. */
export function useDealMove() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ deal: { id, version }, stage }: Move) =>
      crm.deals.update({ params: { id }, body: { stageId: stage.id, version } }),
    onSuccess: ({ data }, { stage }) => {
      client.setQueryData(dealQuery(data.id).queryKey, data)
      notify(t('deals.movedToName', { name: stage.name }))
      return client.invalidateQueries({ queryKey: ['deals'] })
    },
    // The refusal is shown beside the present values of the deal.
    onError: (error) =>
      isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: ['deals'] }) : undefined,
  })
}
