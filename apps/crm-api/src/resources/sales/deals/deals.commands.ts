import { deals as dealsResource, type DealInput, type DealPatch } from '@crm/contract'
import type { Executor, Transaction } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { requireCurrency } from '../../../records/currencies.ts'
import { nextOwner, recallOwnedFacts } from '../../../records/owned/facts.ts'
import { definedOnly } from '../../../records/owned/plan.ts'
import type { Origin } from '../../../records/owned/trace.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { recallPipeline, withStage } from '../../../records/pipeline-facts.ts'
import { isVisibleRecord, requireReferences } from '../../../kinds/references.ts'
import { planDeal, planDealChange, type DealFacts } from './deals.intake.ts'
import { dealKind, type DealRow } from '../../../kinds/deals.ts'

type DealReferences = Pick<DealInput, 'contactId' | 'companyId' | 'leadId' | 'items' | 'currency'>

async function recallDealFacts(
  db: Executor,
  context: WriteContext,
  ownerId: string,
  pipelineId: string | undefined,
): Promise<DealFacts> {
  const owned = await recallOwnedFacts(db, context, dealKind, ownerId)
  return {
    ...owned,
    pipeline: await recallPipeline(db, context, 'DEAL', pipelineId),
    currency: context.workspace.currency,
  }
}

/** Refuses references of a deal that do not exist or that the caller may not see; present references may stay. */
async function requireDealReferences(
  db: Executor,
  context: WriteContext,
  sent: DealReferences,
  current?: DealRow,
): Promise<void> {
  if (sent.currency !== current?.currency) await requireCurrency(db, context, sent.currency)
  await requireReferences(db, context, dealKind.entityType, sent, current)
  await requireProducts(db, context, sent.items ?? [], current?.items ?? [])
}

async function requireProducts(
  db: Executor,
  context: WriteContext,
  sent: readonly { productId?: string | null }[],
  current: readonly { productId?: string | null }[],
): Promise<void> {
  const known = new Set(current.map(({ productId }) => productId))
  for (const [at, { productId }] of sent.entries()) {
    if (productId && !known.has(productId) && !(await isVisibleRecord(db, context, 'PRODUCT', productId)))
      throw invalidReference(`items.${at}.productId`)
  }
}

/** Creates a deal. */
export async function createDeal(tx: Transaction, context: WriteContext, input: DealInput): Promise<DealRow> {
  await requireDealReferences(tx, context, input)
  return writeDeal(tx, context, input)
}

/** Writes a new deal whose references were checked already; `origin` is the record from which it was made. */
export async function writeDeal(
  tx: Transaction,
  context: WriteContext,
  input: DealInput,
  origin?: Origin,
): Promise<DealRow> {
  const facts = await recallDealFacts(tx, context, nextOwner(context, input), input.pipelineId)
  return withStage(createRecord(tx, context, dealKind, planDeal(input, facts, context.at), undefined, origin))
}

/** The rules by which deals change. */
export const dealWriter: RecordWriter<DealRow, DealPatch> = {
  kind: dealKind,
  listQuery: dealsResource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    const facts = await recallDealFacts(
      tx,
      context,
      nextOwner(context, patch, current),
      patch.pipelineId ?? current.pipelineId,
    )
    await requireDealReferences(tx, context, definedOnly(patch), current)
    return planDealChange(current, patch, facts, context.at)
  },
  withWrite: withStage,
}
