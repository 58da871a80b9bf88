import type { LeadRecord } from '@crm/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { crm } from '../api.ts'
import { isRefusedWith } from '../refusals.ts'
import { useSession } from '../session.ts'
import { notify } from '../shell/notices.tsx'
import { RefusalAlert } from '../shell/states.tsx'
import { leadQuery, usePipelines } from './lead-queries.ts'
import classes from './stage-bar.module.css'

/** The stages of a lead's pipeline; a click moves the lead. */
export function StageBar({ lead }: { readonly lead: LeadRecord }) {
  const { may } = useSession()
  const pipeline = usePipelines().find(({ id }) => id === lead.pipelineId)
  const { move, moveTo } = useStageMove(lead)
  if (pipeline === undefined) return null
  const at = pipeline.stages.findIndex(({ id }) => id === lead.stageId)
  const isLost = pipeline.stages[at]?.type === 'LOST'
  const isFixed = !may('UPDATE_LEAD') || lead.convertedAt !== null
  return (
    <>
      <div role="group" aria-label={`Stage in ${pipeline.name}`} className={classes.bar}>
        {pipeline.stages.map(({ id, name, mappedStatus }, position) => (
          <button
            key={id}
            type="button"
            className={classes.stage}
            data-place={placeOf(position, at, isLost)}
            aria-current={position === at ? 'step' : undefined}
            // Converting does more than moving, so it has a button of its own.
            disabled={isFixed || move.isPending || mappedStatus === 'CONVERTED'}
            title={mappedStatus === 'CONVERTED' ? 'A lead comes here by being converted' : undefined}
            onClick={() => position !== at && moveTo(id, name)}
          >
            {name}
          </button>
        ))}
      </div>
      <RefusalAlert error={move.error} />
    </>
  )
}

/** A lost lead has not come further than the stages before; it has left them. */
function placeOf(position: number, at: number, isLost: boolean): 'behind' | 'here' | 'lost' | 'ahead' {
  if (position === at) return isLost ? 'lost' : 'here'
  return position < at && !isLost ? 'behind' : 'ahead'
}

function useStageMove(lead: LeadRecord) {
  const client = useQueryClient()
  const move = useMutation({
    mutationFn: ({ stageId }: { stageId: string; name: string }) => crm.leads.update({ params: { id: lead.id }, body: { stageId, version: lead.version } }),
    onSuccess: ({ data }, { name }) => {
      client.setQueryData(leadQuery(lead.id).queryKey, data)
      notify(`Moved to ${name}`)
      return client.invalidateQueries({ queryKey: ['leads'] })
    },
    // The refusal is shown beside what the lead holds by now.
    onError: (error) => (isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: ['leads'] }) : undefined),
  })
  return { move, moveTo: (stageId: string, name: string) => move.mutate({ stageId, name }) }
}
