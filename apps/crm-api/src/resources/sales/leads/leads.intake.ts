import type { LeadInput, LeadPatch } from '@crm/contract'
import { ApiError, invalidField, invalidReference } from '@crm/errors'
import {
  changeOf,
  definedOnly,
  normalizedPhone,
  planOwned,
  planOwnedChange,
  requireFields,
  type Change,
  type OwnedFacts,
} from '../../../records/owned/plan.ts'
import {
  refuseForbiddenMove,
  statusInStage,
  type PipelineFacts,
  type StageFacts,
} from '../../../records/stage-moves.ts'
import type { LeadRow, LeadValues } from '../../../kinds/leads.ts'
import type { SourceFacts } from './leads.repository.ts'
import { scoreOf } from '../../../domain/leads/lead-score.ts'

/** The facts of the workspace that a new or changed lead needs. */
export interface LeadFacts extends OwnedFacts {
  /** The requested pipeline, else the default one or the pipeline of the lead; null when it does not exist. */
  readonly pipeline: PipelineFacts | null
  readonly source: SourceFacts | null
}

const identifying = ['firstName', 'lastName', 'companyName', 'email', 'phone'] as const

/** Returns the row of a new lead with all its defaults, or refuses it (docs/guide/leads-and-deals.md). */
export function planLead(input: LeadInput, facts: LeadFacts, at: string): LeadValues {
  if (!identifying.some((field) => input[field])) {
    throw invalidField([], 'A lead needs at least one of firstName, lastName, companyName, email or phone')
  }
  if (!facts.pipeline) throw invalidReference('pipelineId')
  if (!facts.owner) throw invalidReference('ownerId')
  if (!facts.source) throw invalidReference('sourceId')
  const stage = chooseStage(facts.pipeline, input)
  const { stageId: _stage, status: _status, pipelineId: _pipeline, sourceId: _source, ...fields } = input
  const values: LeadValues = {
    ...fields,
    ...planOwned(input, facts),
    phone: normalizedPhone(input.phone),
    messengers: input.messengers ?? [],
    pipelineId: facts.pipeline.id,
    stageId: stage.id,
    status: statusInStage(facts.pipeline, stage),
    sourceId: facts.source.id,
    score: 0,
  }
  requireFields(stage.requiredFields, values)
  return { ...values, score: scoreOf(values, facts.source.systemKey, at, at) }
}

/** Returns the columns that a PATCH changes and their differences, or refuses the PATCH. */
export function planLeadChange(current: LeadRow, patch: LeadPatch, facts: LeadFacts, at: string): Change {
  const { stageId: _stage, status: _status, pipelineId: _pipeline, sourceId, phone, ...fields } = patch
  const set: Partial<LeadValues> = planOwnedChange(current, fields, facts)
  if (phone !== undefined) set.phone = normalizedPhone(phone)
  if (sourceId !== undefined) set.sourceId = sourceId && (facts.source?.id ?? refuseReference('sourceId'))
  Object.assign(set, stageColumns(current, patch, facts, at))
  const next = { ...current, ...set }
  if (!identifying.some((field) => next[field])) {
    throw invalidField([], 'A lead keeps at least one of firstName, lastName, companyName, email or phone')
  }
  set.score = scoreOf(next, facts.source?.systemKey ?? null, current.lastActivityAt ?? current.createdAt, at)
  return changeOf(current, set, ['score', 'statusChangedAt', 'stageChangedAt'])
}

function refuseReference(field: string): never {
  throw invalidReference(field)
}

function stageColumns(current: LeadRow, patch: LeadPatch, facts: LeadFacts, at: string): Partial<LeadValues> {
  // What is sent back as it is stored is no change, for a converted lead too.
  const isKept = (['pipelineId', 'stageId', 'status'] as const).every(
    (field) => patch[field] === undefined || patch[field] === current[field],
  )
  if (isKept) return {}
  if (current.convertedAt) throw alreadyConverted(current)
  if (!facts.pipeline) throw invalidReference('pipelineId')
  const staysInPipeline = facts.pipeline.id === current.pipelineId
  if (patch.stageId === undefined && patch.status === undefined && staysInPipeline) return {}
  if (patch.stageId === undefined && patch.status === current.status && staysInPipeline) return {}
  const stage = chooseStage(facts.pipeline, patch)
  if (staysInPipeline) refuseForbiddenMove(facts.pipeline, current.stageId, stage.id)
  requireFields(stage.requiredFields, { ...current, ...definedOnly(patch) })
  const status = statusInStage(facts.pipeline, stage)
  return {
    pipelineId: facts.pipeline.id,
    stageId: stage.id,
    status,
    ...(stage.id === current.stageId ? {} : { stageChangedAt: at }),
    ...(status === current.status ? {} : { statusChangedAt: at }),
  }
}

/** Returns the error for a change of a converted lead's pipeline, stage or status. */
export function alreadyConverted(lead: Pick<LeadRow, 'contactId' | 'companyId' | 'dealId'>): ApiError {
  const { contactId, companyId, dealId } = lead
  return new ApiError('LEAD_ALREADY_CONVERTED', { details: { contactId, companyId, dealId } })
}

function chooseStage(pipeline: PipelineFacts, wish: Pick<LeadInput, 'stageId' | 'status'>): StageFacts {
  if (wish.status === 'CONVERTED') throw invalidField('status', 'A lead is converted with POST /api/leads/{id}/convert')
  const stage = wish.stageId
    ? pipeline.stages.find(({ id }) => id === wish.stageId)
    : wish.status
      ? pipeline.stages.find((candidate) => statusInStage(pipeline, candidate) === wish.status)
      : pipeline.stages[0]
  if (!stage) throw new ApiError('STAGE_NOT_FOUND')
  const status = statusInStage(pipeline, stage)
  if (status === 'CONVERTED') throw invalidField('stageId', 'A lead is converted with POST /api/leads/{id}/convert')
  if (wish.stageId && wish.status && wish.status !== status)
    throw invalidField('status', `In this stage the status is ${status}`)
  return stage
}

/** The fields that a lead keeps when another lead is merged into it. */
export const notTakenByMerge: readonly string[] = [
  'pipelineId',
  'stageId',
  'status',
  'sourceId',
  'score',
  'statusChangedAt',
  'stageChangedAt',
  'lastActivityAt',
]
