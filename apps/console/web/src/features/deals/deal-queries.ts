import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { isRefusedWith } from '../../base/refusals.ts'
import { notify } from '../../shell/notices.tsx'
import type { dealQueryOf } from './deal-search.ts'

/** Reads one page of the deals; the last page stays until the next one comes. */
export function dealsQuery(query: ReturnType<typeof dealQueryOf>) {
  return queryOptions({
    queryKey: ['deals', 'list', query],
    queryFn: ({ signal }) => crm.deals.list({ query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Reads the deals of one stage, page by page, the last changed ones first. */
export function stageQuery(stageId: string, search: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['deals', 'stage', stageId, search],
    queryFn: ({ signal, pageParam }) =>
      crm.deals.list({
        query: { stageId, search, sortBy: 'updatedAt', sortOrder: 'desc', page: pageParam, pageSize: 25 },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageCount }) => (page < pageCount ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
}

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
      notify(`Moved to ${stage.name}`)
      return client.invalidateQueries({ queryKey: ['deals'] })
    },
    // The refusal is shown beside the present values of the deal.
    onError: (error) =>
      isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: ['deals'] }) : undefined,
  })
}
