import type { LeadInput, LeadPatch } from '@crm/contract'
import { fieldChanges, type FieldChange } from '@crm/db'
import { ApiError, invalidField, invalidReference, type Issue } from '@crm/errors'
import { toE164 } from '../../records/contact-points.ts'
import { checkCustomFields, type CustomFieldDefinition } from '../../records/custom-field-values.ts'
import { decideMove, statusInStage, type PipelineFacts, type StageFacts } from '../../records/stage-moves.ts'
import type { LeadRow, LeadValues } from './leads.record.ts'
import { scoreLead } from './leads.score.ts'

/** What is known of the workspace when a lead comes in or changes. */
export interface LeadFacts {
  /** The pipeline that was asked for, else the default one or that of the lead; null when it does not exist. */
  readonly pipeline: PipelineFacts | null
  readonly source: { readonly id: string; readonly systemKey: string | null } | null
  readonly owner: { readonly id: string; readonly departmentId: string | null } | null
  readonly customFields: readonly CustomFieldDefinition[]
}

const identifying = ['firstName', 'lastName', 'companyName', 'email', 'phone'] as const

/** The row of a new lead with all its defaults, or the refusal (interface 4.3, domain 5). */
export function planLead(input: LeadInput, facts: LeadFacts, at: string): LeadValues {
  if (!identifying.some((field) => input[field])) {
    throw invalidField([], 'A lead needs at least one of firstName, lastName, companyName, email or phone')
  }
  if (!facts.pipeline) throw invalidReference('pipelineId')
  if (!facts.owner) throw invalidReference('ownerId')
  if (!facts.source) throw invalidReference('sourceId')
  const stage = chooseStage(facts.pipeline, input)
  const { values: customFields, issues } = checkCustomFields(facts.customFields, input.customFields, null)
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
  const { stageId: _stage, status: _status, pipelineId: _pipeline, ownerId: _owner, sourceId: _source, ...fields } = input
  const values: LeadValues = {
    ...fields,
    phone: normalizedPhone(input.phone),
    messengers: input.messengers ?? [],
    tags: unique(input.tags ?? []),
    customFields,
    pipelineId: facts.pipeline.id,
    stageId: stage.id,
    status: statusInStage(facts.pipeline, stage),
    ownerId: facts.owner.id,
    departmentId: facts.owner.departmentId,
    sourceId: facts.source.id,
    score: 0,
  }
  requireStageFields(stage, values)
  return { ...values, score: scoreOf(values, facts.source.systemKey, at, at) }
}

/** What a change does to a lead. */
export interface LeadChange {
  readonly set: Partial<LeadValues>
  readonly changes: readonly FieldChange[]
}

/** The columns that a PATCH changes and how they differ, or the refusal. */
export function planLeadChange(current: LeadRow, patch: LeadPatch, facts: LeadFacts, at: string): LeadChange {
  refuseStale(current, patch)
  const { version: _version, stageId: _stage, status: _status, pipelineId: _pipeline, ownerId, sourceId, customFields, phone, tags, ...fields } = patch
  const set: Partial<LeadValues> = { ...definedOnly(fields) }
  if (phone !== undefined) set.phone = normalizedPhone(phone)
  if (tags !== undefined) set.tags = unique(tags)
  if (customFields !== undefined) set.customFields = changedCustomFields(current, customFields, facts)
  if (ownerId !== undefined) Object.assign(set, ownerColumns(facts))
  if (sourceId !== undefined) set.sourceId = facts.source?.id ?? refuseReference('sourceId')
  Object.assign(set, stageColumns(current, patch, facts, at))
  const next = { ...current, ...set }
  if (!identifying.some((field) => next[field])) {
    throw invalidField([], 'A lead keeps at least one of firstName, lastName, companyName, email or phone')
  }
  set.score = scoreOf(next, facts.source?.systemKey ?? null, current.lastActivityAt ?? current.createdAt, at)
  const changes = fieldChanges<LeadRow>(current, set).filter(({ field }) => field !== 'score' && !field.endsWith('ChangedAt'))
  return { set, changes }
}

function refuseStale(current: LeadRow, patch: LeadPatch): void {
  if (patch.version !== undefined && patch.version !== current.version) {
    throw new ApiError('VERSION_CONFLICT', { details: { version: current.version } })
  }
}

function changedCustomFields(current: LeadRow, sent: Record<string, unknown>, facts: LeadFacts): Record<string, unknown> {
  const { values, issues } = checkCustomFields(facts.customFields, sent, current.customFields)
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
  return values
}

function ownerColumns(facts: LeadFacts): Pick<LeadValues, 'ownerId' | 'departmentId'> {
  if (!facts.owner) throw invalidReference('ownerId')
  return { ownerId: facts.owner.id, departmentId: facts.owner.departmentId }
}

function refuseReference(field: string): never {
  throw invalidReference(field)
}

function stageColumns(current: LeadRow, patch: LeadPatch, facts: LeadFacts, at: string): Partial<LeadValues> {
  if (patch.stageId === undefined && patch.status === undefined && patch.pipelineId === undefined) return {}
  if (current.convertedAt) throw alreadyConverted(current)
  if (!facts.pipeline) throw invalidReference('pipelineId')
  const staysInPipeline = facts.pipeline.id === current.pipelineId
  if (patch.stageId === undefined && patch.status === undefined && staysInPipeline) return {}
  if (patch.stageId === undefined && patch.status === current.status && staysInPipeline) return {}
  const stage = chooseStage(facts.pipeline, patch)
  if (staysInPipeline) refuseForbiddenMove(facts.pipeline, current.stageId, stage.id)
  requireStageFields(stage, { ...current, ...definedOnly(patch) })
  const status = statusInStage(facts.pipeline, stage)
  return {
    pipelineId: facts.pipeline.id,
    stageId: stage.id,
    status,
    ...(stage.id === current.stageId ? {} : { stageChangedAt: at }),
    ...(status === current.status ? {} : { statusChangedAt: at }),
  }
}

function refuseForbiddenMove(pipeline: PipelineFacts, from: string, to: string): void {
  const decision = decideMove(pipeline, from, to)
  if (decision === 'allowed') return
  const message = decision === 'skips' ? 'The pipeline does not allow skipping stages' : 'The pipeline does not allow going back'
  throw new ApiError('STAGE_TRANSITION_NOT_ALLOWED', { message })
}

/** The refusal of changing a converted lead's place. */
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
  if (wish.stageId && wish.status && wish.status !== status) throw invalidField('status', `In this stage the status is ${status}`)
  return stage
}

function requireStageFields(stage: StageFacts, values: object): void {
  const issues: Issue[] = stage.requiredFields
    .filter((field) => isEmpty(valueAt(values, field)))
    .map((field) => ({ path: field.split('.'), message: 'The stage requires this field', code: 'required' }))
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

function valueAt(values: object, field: string): unknown {
  return field.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], values)
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function normalizedPhone(phone: string | null | undefined): string | null {
  if (!phone) return null
  const number = toE164(phone)
  if (!number) throw invalidField('phone', 'A phone must start with + and the country code')
  return number
}

function scoreOf(lead: Partial<LeadValues>, sourceKey: string | null, lastSignAt: string, now: string): number {
  return scoreLead({
    firstName: lead.firstName ?? null,
    lastName: lead.lastName ?? null,
    companyName: lead.companyName ?? null,
    email: lead.email ?? null,
    phone: lead.phone ?? null,
    jobTitle: lead.jobTitle ?? null,
    website: lead.website ?? null,
    temperature: lead.temperature ?? null,
    hasOwnSource: sourceKey !== 'direct',
    lastSignAt,
    now,
  })
}

function definedOnly<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

/** The empty fields of an existing lead that a new one's values fill when the two are merged. */
export function planMerge(existing: LeadRow, incoming: Partial<LeadValues>): Partial<LeadValues> {
  const left: readonly string[] = ['id', 'ownerId', 'departmentId', 'pipelineId', 'stageId', 'status', 'sourceId', 'score', 'tags', 'customFields', 'messengers', 'version']
  const filled = Object.entries(incoming).filter(
    ([field, value]) => !left.includes(field) && !isEmpty(value) && isEmpty(existing[field as keyof LeadRow]),
  )
  const messengers = [...existing.messengers, ...(incoming.messengers ?? [])]
  return {
    ...(Object.fromEntries(filled) as Partial<LeadValues>),
    tags: unique([...existing.tags, ...(incoming.tags ?? [])]),
    customFields: { ...incoming.customFields, ...existing.customFields },
    messengers: messengers.filter((entry, at) => messengers.findIndex((other) => sameMessenger(entry, other)) === at),
  }
}

function sameMessenger(a: { type: string; handle: string }, b: { type: string; handle: string }): boolean {
  return a.type === b.type && a.handle.toLowerCase() === b.handle.toLowerCase()
}
