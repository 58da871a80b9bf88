import { ApiError } from '@crm/errors'
import type { LeadStatus } from '@crm/db'

/** The properties of a stage on which moves are decided. */
export interface StageFacts {
  readonly id: string
  readonly position: number
  readonly type: 'OPEN' | 'WON' | 'LOST'
  readonly mappedStatus: LeadStatus | null
  readonly requiredFields: readonly string[]
  /** Per cent, for deals. */
  readonly probability: number | null
}

/** A pipeline with its stages in order. */
export interface PipelineFacts {
  readonly id: string
  readonly noSkipping: boolean
  readonly noBackwards: boolean
  readonly stages: readonly StageFacts[]
}

/** Whether the rules of a pipeline allow the move; a lost stage can be reached from any stage. */
function decideMove(
  pipeline: PipelineFacts,
  fromStageId: string,
  toStageId: string,
): 'allowed' | 'skips' | 'goes-back' {
  const from = pipeline.stages.findIndex((stage) => stage.id === fromStageId)
  const to = pipeline.stages.findIndex((stage) => stage.id === toStageId)
  if (from < 0 || to < 0 || from === to || pipeline.stages[to]?.type === 'LOST') return 'allowed'
  if (pipeline.noBackwards && to < from) return 'goes-back'
  if (pipeline.noSkipping && to > from + 1) return 'skips'
  return 'allowed'
}

/** Returns the status of a lead in a stage: the mapped one, or the usual one for the kind of stage. */
export function statusInStage(pipeline: PipelineFacts, stage: StageFacts): LeadStatus {
  if (stage.mappedStatus) return stage.mappedStatus
  if (stage.type === 'WON') return 'QUALIFIED'
  if (stage.type === 'LOST') return 'UNQUALIFIED'
  return stage.id === pipeline.stages[0]?.id ? 'NEW' : 'IN_PROGRESS'
}

/** Refuses a move that the rules of its pipeline forbid. */
export function refuseForbiddenMove(pipeline: PipelineFacts, fromStageId: string, toStageId: string): void {
  const decision = decideMove(pipeline, fromStageId, toStageId)
  if (decision === 'allowed') return
  const message =
    decision === 'skips' ? 'The pipeline does not allow skipping stages' : 'The pipeline does not allow going back'
  throw new ApiError('STAGE_TRANSITION_NOT_ALLOWED', { message })
}
