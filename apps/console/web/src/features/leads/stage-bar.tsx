import type { LeadRecord } from '@crm/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { usePipelines } from '../../records/pipelines.ts'
import { StageBar } from '../../records/stage-bar.tsx'
import { notify } from '../../shell/notices.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { leadQuery } from './lead-queries.ts'
import { t } from '../../base/texts.ts'

/** The stages of a lead's pipeline; a click moves the lead. */
export function LeadStageBar({ lead }: { readonly lead: LeadRecord }) {
  const { may } = useSession()
  const pipeline = usePipelines('LEAD').find(({ id }) => id === lead.pipelineId)
  const { move, moveTo } = useStageMove(lead)
  if (pipeline === undefined) return null
  return (
    <>
      <StageBar
        pipeline={pipeline}
        stageId={lead.stageId}
        isFixed={!may('UPDATE_LEAD') || lead.convertedAt !== null || move.isPending}
        // Converting does more than moving, so it has a button of its own.
        whyClosed={({ mappedStatus }) => (mappedStatus === 'CONVERTED' ? t('leads.aLeadComesHereBy') : undefined)}
        onMove={({ id, name }) => moveTo(id, name)}
      />
      <RefusalAlert error={move.error} />
    </>
  )
}

function useStageMove(lead: LeadRecord) {
  const client = useQueryClient()
  const move = useMutation({
    mutationFn: ({ stageId }: { stageId: string; name: string }) =>
      crm.leads.update({ params: { id: lead.id }, body: { stageId, version: lead.version } }),
    onSuccess: ({ data }, { name }) => {
      client.setQueryData(leadQuery(lead.id).queryKey, data)
      notify(t('leads.movedToName', { name }))
      return client.invalidateQueries({ queryKey: ['leads'] })
    },
    // The refusal is shown beside the present values of the lead.
    onError: (error) =>
      isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: ['leads'] }) : undefined,
  })
  return { move, moveTo: (stageId: string, name: string) => move.mutate({ stageId, name }) }
}
