import type { DealInput, DealPatch } from '@crm/contract'
import { ApiError, invalidField, invalidReference } from '@crm/errors'
import {
  changeOf,
  definedOnly,
  planOwned,
  planOwnedChange,
  requireFields,
  type Change,
  type OwnedFacts,
} from '../../../records/owned/plan.ts'
import { refuseForbiddenMove, type PipelineFacts, type StageFacts } from '../../../records/stage-moves.ts'
import { amountOfItems, isSameAmount, requireDigits } from './deals.amount.ts'
import type { DealRow, DealValues } from '../../../kinds/deals.ts'

/** The facts of the workspace that a new or changed deal needs. */
export interface DealFacts extends OwnedFacts {
  /** The requested pipeline, else the default one or the pipeline of the deal; null when it does not exist. */
  readonly pipeline: PipelineFacts | null
  /** ISO 4217, for deals that name no currency. */
  readonly currency: string
}

/** Returns the row of a new deal with all its defaults, or refuses it (docs/guide/leads-and-deals.md). */
export function planDeal(input: DealInput, facts: DealFacts, at: string): DealValues {
  if (!facts.pipeline) throw invalidReference('pipelineId')
  const stage = chooseStage(facts.pipeline, input)
  const { stageId: _stage, status: _status, pipelineId: _pipeline, ...fields } = input
  const currency = input.currency ?? facts.currency
  const items = input.items ?? []
  const values: DealValues = {
    ...fields,
    ...planOwned(input, facts),
    currency,
    items,
    amount: input.amount === undefined ? amountOfItems(items, currency) : input.amount,
    pipelineId: facts.pipeline.id,
    stageId: stage.id,
    status: stage.type,
    probability: input.probability === undefined ? probabilityIn(stage) : input.probability,
    stageChangedAt: at,
    closedAt: stage.type === 'OPEN' ? null : at,
  }
  requireDigits(values.amount ?? null, currency)
  requireFields(stage.requiredFields, values)
  return values
}

/** Returns the columns that a PATCH changes and their differences, or refuses the PATCH. */
export function planDealChange(current: DealRow, patch: DealPatch, facts: DealFacts, at: string): Change {
  const { stageId: _stage, status: _status, pipelineId: _pipeline, ...fields } = patch
  const set: Partial<DealValues> = planOwnedChange(current, fields, facts)
  Object.assign(set, amountColumns(current, patch), placeColumns(current, patch, facts, at))
  const isSilent = patch.probability === undefined && followsStage(current, facts)
  return changeOf(current, set, isSilent ? ['stageChangedAt', 'probability'] : ['stageChangedAt'])
}

/** Whether a probability is that of its stage. One that somebody set is told when a move replaces it, and comes back when that is undone. */
function followsStage({ stageId, probability }: DealRow, { pipeline }: DealFacts): boolean {
  const stage = pipeline?.stages.find(({ id }) => id === stageId)
  return stage === undefined || probabilityIn(stage) === probability
}

/** Returns the columns of the amount. An amount that was the sum of the items stays their sum. */
function amountColumns(current: DealRow, { amount, items, currency }: DealPatch): Partial<DealValues> {
  if (amount !== undefined) {
    if (isSameAmount(amount, current.amount)) return { amount: current.amount }
    requireDigits(amount, currency ?? current.currency)
    return { amount }
  }
  if (items === undefined) return {}
  const followed =
    current.amount === null || isSameAmount(current.amount, amountOfItems(current.items, current.currency))
  return followed ? { amount: amountOfItems(items, currency ?? current.currency) } : {}
}

function placeColumns(current: DealRow, patch: DealPatch, facts: DealFacts, at: string): Partial<DealValues> {
  if (patch.stageId === undefined && patch.status === undefined && patch.pipelineId === undefined) return {}
  if (!facts.pipeline) throw invalidReference('pipelineId')
  const staysInPipeline = facts.pipeline.id === current.pipelineId
  if (patch.stageId === undefined && (patch.status ?? current.status) === current.status && staysInPipeline) return {}
  const stage = chooseStage(facts.pipeline, patch)
  if (stage.id === current.stageId) return {}
  if (staysInPipeline) refuseForbiddenMove(facts.pipeline, current.stageId, stage.id)
  requireFields(stage.requiredFields, { ...current, ...definedOnly(patch) })
  return {
    pipelineId: facts.pipeline.id,
    stageId: stage.id,
    status: stage.type,
    stageChangedAt: at,
    ...(patch.probability === undefined ? { probability: probabilityIn(stage) } : {}),
    ...(stage.type === current.status ? {} : closingColumns(stage, patch, at)),
  }
}

function closingColumns(stage: StageFacts, { lostReason }: DealPatch, at: string): Partial<DealValues> {
  const reason = stage.type === 'LOST' || lostReason !== undefined ? {} : { lostReason: null }
  return { closedAt: stage.type === 'OPEN' ? null : at, ...reason }
}

function chooseStage(pipeline: PipelineFacts, wish: Pick<DealInput, 'stageId' | 'status'>): StageFacts {
  const stage = wish.stageId
    ? pipeline.stages.find(({ id }) => id === wish.stageId)
    : pipeline.stages.find(({ type }) => wish.status === undefined || type === wish.status)
  if (!stage) throw new ApiError('STAGE_NOT_FOUND')
  if (wish.status && wish.status !== stage.type)
    throw invalidField('status', `In this stage the status is ${stage.type}`)
  return stage
}

const probabilityOf = { OPEN: null, WON: 100, LOST: 0 } as const

function probabilityIn({ probability, type }: StageFacts): number | null {
  return probability ?? probabilityOf[type]
}
