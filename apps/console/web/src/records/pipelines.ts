import type { pipelineEntities } from '@crm/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'

type PipelineEntity = (typeof pipelineEntities)[number]

const pipelinesQuery = (entityType: PipelineEntity) =>
  queryOptions({
    queryKey: ['pipelines', entityType],
    queryFn: async ({ signal }) => (await crm.pipelines.list({ query: { entityType, pageSize: 100 }, signal })).items,
    staleTime: 300_000,
  })

/** Returns the pipelines of leads or deals with their stages; none for a person who may not see them. */
export function usePipelines(entityType: PipelineEntity) {
  const { may } = useSession()
  const { data } = useQuery({ ...pipelinesQuery(entityType), enabled: may('VIEW_REFERENCE_DATA') })
  return data ?? []
}
