import { fieldChanges, schema, type Scope, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { and, eq, inArray } from 'drizzle-orm'
import { joinTraces, traceDeleted, traceMerged } from './leads.changes.ts'
import { leaveTrace, leadNotFound, type LeadContext } from './leads.commands.ts'
import { alreadyConverted, planMerge } from './leads.intake.ts'
import type { LeadRow, LeadValues } from './leads.record.ts'
import { hideLeads, lockLeads, updateLead } from './leads.repository.ts'

/** The fields of a lead that a merge may take from another one. */
const preferable: readonly (keyof LeadValues)[] = [
  'firstName', 'lastName', 'companyName', 'email', 'phone', 'jobTitle', 'website', 'address', 'description', 'temperature', 'sourceId',
  'utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm', 'gclid', 'fbclid', 'referrer', 'landingPage', 'lostReason',
]

/** Merges other leads into one: children move to it, the others answer 404 with its id (domain 5). */
export async function mergeLeads(
  tx: Transaction,
  context: LeadContext,
  scope: Scope,
  id: string,
  sourceIds: readonly string[],
  prefer: Readonly<Record<string, string>>,
): Promise<LeadRow> {
  if (sourceIds.includes(id)) throw invalidField('sourceIds', 'A lead cannot be merged into itself')
  const locked = await lockLeads(tx, scope, [id, ...sourceIds])
  const target = locked.get(id)
  if (!target) throw await leadNotFound(tx, scope, id)
  const sources = sourceIds.map((sourceId) => locked.get(sourceId))
  const found = sources.filter((source) => source !== undefined)
  if (found.length !== sourceIds.length) throw new ApiError('INVALID_REFERENCE', { details: { field: 'sourceIds' } })
  const converted = found.find((source) => source.convertedAt)
  if (converted) throw alreadyConverted(converted)
  const set = found.reduce<Partial<LeadValues>>((merged, source) => ({ ...merged, ...planMerge({ ...target, ...merged }, source) }), {})
  const chosen = { ...set, ...preferred(prefer, locked) }
  const changes = fieldChanges<LeadRow>(target, chosen)
  await moveChildren(tx, scope.workspaceId, id, sourceIds)
  await hideLeads(tx, scope, sourceIds, context.at, id)
  const lead = await updateLead(tx, scope, id, chosen, context.at)
  await leaveTrace(tx, context, joinTraces([traceMerged(lead, sourceIds, changes), ...found.map(traceDeleted)]))
  return lead
}

function preferred(prefer: Readonly<Record<string, string>>, locked: ReadonlyMap<string, LeadRow>): Partial<LeadValues> {
  const entries = Object.entries(prefer).map(([field, leadId]) => {
    const lead = locked.get(leadId)
    if (!preferable.includes(field as keyof LeadValues)) throw invalidField(['prefer', field], 'Unknown field')
    if (!lead) throw invalidField(['prefer', field], 'Expected one of the leads that are merged')
    return [field, lead[field as keyof LeadRow]]
  })
  return Object.fromEntries(entries) as Partial<LeadValues>
}

async function moveChildren(tx: Transaction, workspaceId: string, id: string, sourceIds: readonly string[]): Promise<void> {
  for (const table of [schema.comments, schema.timeline]) {
    await tx
      .update(table)
      .set({ entityId: id })
      .where(and(eq(table.workspaceId, workspaceId), eq(table.entityType, 'LEAD'), inArray(table.entityId, [...sourceIds])))
  }
  await tx
    .update(schema.leads)
    .set({ mergedIntoId: id })
    .where(and(eq(schema.leads.workspaceId, workspaceId), inArray(schema.leads.mergedIntoId, [...sourceIds])))
}
