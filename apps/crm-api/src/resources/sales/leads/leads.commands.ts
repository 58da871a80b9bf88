import { leads as leadsResource, type LeadInput, type LeadPatch } from '@crm/contract'
import { fieldChanges, type Executor, type Transaction } from '@crm/db'
import { nextOwner, recallOwnedFacts } from '../../../records/owned/facts.ts'
import { updateRecord } from '../../../records/owned/repository.ts'
import { leaveTrace, traceMerged } from '../../../records/owned/trace.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { planMerge } from '../../../records/owned/plan.ts'
import { recallPipeline, withStage } from '../../../records/pipeline-facts.ts'
import { notTakenByMerge, planLead, planLeadChange, type LeadFacts } from './leads.intake.ts'
import { leadKind, type LeadRow, type LeadValues } from '../../../kinds/leads.ts'
import { findExactDuplicate, lockContactPoints, recallSource } from './leads.repository.ts'

/** The references of a new or changed lead. */
interface LeadReferences {
  /** Absent: the default lead pipeline. */
  readonly pipelineId?: string
  readonly ownerId: string
  /** Absent: the direct source. */
  readonly sourceId?: string | null
}

/** Reads the facts for decisions about a lead: the set-up of the workspace, which all its leads share. */
export async function recallLeadFacts(
  db: Executor,
  context: Pick<WriteContext, 'workspace' | 'remembered'>,
  { pipelineId, ownerId, sourceId }: LeadReferences,
): Promise<LeadFacts> {
  const owned = await recallOwnedFacts(db, context, leadKind, ownerId)
  const pipeline = await recallPipeline(db, context, 'LEAD', pipelineId)
  const source = await recallSource(db, context, sourceId)
  return { ...owned, pipeline, source }
}

/** Creates a lead, or merges it into an existing one when the workspace is set up so (docs/guide/leads-and-deals.md). */
export async function createLead(
  tx: Transaction,
  context: WriteContext,
  input: LeadInput,
): Promise<LeadRow & { mergedIntoId?: string }> {
  const { workspace, at } = context
  const facts = await recallLeadFacts(tx, context, {
    pipelineId: input.pipelineId,
    ownerId: nextOwner(context, input),
    sourceId: input.sourceId,
  })
  const values = planLead(input, facts, at)
  const merged = workspace.mergeExactDuplicates ? await mergeIntoExisting(tx, context, values) : undefined
  if (merged) return { ...merged, mergedIntoId: merged.id }
  return withStage(createRecord(tx, context, leadKind, { ...values, statusChangedAt: at, stageChangedAt: at }))
}

async function mergeIntoExisting(
  tx: Transaction,
  context: WriteContext,
  values: LeadValues,
): Promise<LeadRow | undefined> {
  await lockContactPoints(tx, context.workspace.id, values)
  const duplicate = await findExactDuplicate(tx, context.workspace.id, values)
  if (!duplicate) return undefined
  const set = planMerge(duplicate, values, notTakenByMerge)
  const lead = await updateRecord(tx, leadKind, context.workspace.id, duplicate.id, set, context.at)
  await leaveTrace(tx, context, leadKind, traceMerged(leadKind, lead, [], fieldChanges<LeadRow>(duplicate, set)))
  return lead
}

/** The rules by which leads change. */
export const leadWriter: RecordWriter<LeadRow, LeadPatch> = {
  kind: leadKind,
  listQuery: leadsResource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    const facts = await recallLeadFacts(tx, context, {
      pipelineId: patch.pipelineId ?? current.pipelineId,
      ownerId: nextOwner(context, patch, current),
      sourceId: patch.sourceId === undefined ? current.sourceId : patch.sourceId,
    })
    return planLeadChange(current, patch, facts, context.at)
  },
  withWrite: withStage,
}
