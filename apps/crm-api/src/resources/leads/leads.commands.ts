import type { LeadInput, LeadPatch } from '@crm/contract'
import { recordChange, systemScope, type Scope, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import type { CrmContext } from '../../context.ts'
import { requireQuota } from '../../records/quotas.ts'
import { joinTraces, traceChanged, traceCreated, traceDeleted, traceMerged, type LeadTrace } from './leads.changes.ts'
import { planLead, planLeadChange, planMerge, type LeadFacts } from './leads.intake.ts'
import type { LeadRow, LeadValues } from './leads.record.ts'
import {
  findExactDuplicate, findSurvivor, hideLeads, insertLead, lockContactPoints, lockLeads, readLeadFacts, updateLead, type LeadReferences,
} from './leads.repository.ts'

/** The parts of a request's context that changing leads needs. */
export type LeadContext = Pick<CrmContext, 'workspace' | 'actor' | 'at' | 'caller' | 'remembered' | 'deps'>

/** Writes the history and events of lead changes. */
export async function leaveTrace(tx: Transaction, context: LeadContext, trace: LeadTrace): Promise<void> {
  context.deps.compaction.noteWrite(context.workspace.id, 'LEAD')
  await recordChange(tx, { workspaceId: context.workspace.id, actor: context.actor, at: context.at, ...trace })
}

/** Creates a lead, or merges it into an existing one when the workspace says so (interface 4.3). */
export async function createLead(tx: Transaction, context: LeadContext, input: LeadInput): Promise<LeadRow & { mergedIntoId?: string }> {
  const { workspace, caller, at } = context
  const ownerId = input.ownerId ?? caller.employee.id
  const facts = await recallFacts(tx, context, { pipelineId: input.pipelineId, ownerId, sourceId: input.sourceId })
  const values = planLead(input, facts, at)
  const merged = workspace.mergeExactDuplicates ? await mergeIntoExisting(tx, context, values) : undefined
  if (merged) return { ...merged, mergedIntoId: merged.id }
  await requireQuota(tx, workspace, 'leads')
  const lead = await insertLead(tx, workspace.id, caller.employee.id, values, at)
  await leaveTrace(tx, context, traceCreated(lead))
  return lead
}

/** What decisions about a lead need: the set-up of the workspace, which every lead of it shares. */
function recallFacts(tx: Transaction, { workspace, remembered }: LeadContext, references: LeadReferences): Promise<LeadFacts> {
  const { pipelineId, ownerId, sourceId } = references
  return remembered(`lead-facts:${pipelineId ?? ''}:${ownerId}:${sourceId ?? ''}`, () => readLeadFacts(tx, workspace.id, references))
}

async function mergeIntoExisting(tx: Transaction, context: LeadContext, values: LeadValues): Promise<LeadRow | undefined> {
  await lockContactPoints(tx, context.workspace.id, values)
  const duplicate = await findExactDuplicate(tx, context.workspace.id, values)
  if (!duplicate) return undefined
  const set = planMerge(duplicate, values)
  const changes = Object.entries(set)
    .filter(([field, to]) => JSON.stringify(duplicate[field as keyof LeadRow]) !== JSON.stringify(to))
    .map(([field, to]) => ({ field, from: duplicate[field as keyof LeadRow], to }))
  const lead = await updateLead(tx, systemScope(context.workspace.id), duplicate.id, set, context.at)
  await leaveTrace(tx, context, traceMerged(lead, [], changes))
  return lead
}

/** One lead locked for a change, or the 404 that also tells where a merged one went. */
export async function lockLead(tx: Transaction, scope: Scope, id: string): Promise<LeadRow> {
  const lead = (await lockLeads(tx, scope, [id])).get(id)
  if (lead) return lead
  throw await leadNotFound(tx, scope, id)
}

/** The 404 of a lead; a merged one names its survivor. */
export async function leadNotFound(db: Transaction | CrmContext['db'], scope: Scope, id: string): Promise<ApiError> {
  const mergedIntoId = await findSurvivor(db, scope, id)
  return new ApiError('NOT_FOUND', { message: 'There is no such lead', details: mergedIntoId ? { mergedIntoId } : undefined })
}

/** Changes one lead. */
export async function changeLead(tx: Transaction, context: LeadContext, scope: Scope, id: string, patch: LeadPatch): Promise<LeadRow> {
  const current = await lockLead(tx, scope, id)
  const facts = await factsFor(tx, context, current, patch)
  const { lead, trace } = await applyChange(tx, context, scope, current, patch, facts)
  await leaveTrace(tx, context, trace)
  return lead
}

/** What deciding about a change of this lead needs. */
export function factsFor(tx: Transaction, context: LeadContext, current: LeadRow, patch: LeadPatch): Promise<LeadFacts> {
  return recallFacts(tx, context, {
    pipelineId: patch.pipelineId ?? current.pipelineId,
    ownerId: patch.ownerId ?? current.ownerId ?? context.caller.employee.id,
    sourceId: patch.sourceId ?? current.sourceId,
  })
}

/** Applies a patch to a locked lead; the caller writes the trace. */
export async function applyChange(
  tx: Transaction,
  context: LeadContext,
  scope: Scope,
  current: LeadRow,
  patch: LeadPatch,
  facts: LeadFacts,
): Promise<{ lead: LeadRow; trace: LeadTrace }> {
  const { set, changes } = planLeadChange(current, patch, facts, context.at)
  if (changes.length === 0) return { lead: current, trace: joinTraces([]) }
  const lead = await updateLead(tx, scope, current.id, set, context.at)
  return { lead, trace: traceChanged(lead, changes) }
}

/** Deletes leads that were locked before. */
export async function deleteLeads(tx: Transaction, context: LeadContext, scope: Scope, locked: readonly LeadRow[]): Promise<void> {
  if (locked.length === 0) return
  await hideLeads(tx, scope, locked.map((lead) => lead.id), context.at)
  await leaveTrace(tx, context, joinTraces(locked.map(traceDeleted)))
}
