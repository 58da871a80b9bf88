import { priceLists as priceListsResource, type PriceListInput, type PriceListPatch } from '@crm/contract'
import { writeRows, schema, type Transaction } from '@crm/db'
import { invalidField } from '@crm/errors'
import { sql } from 'drizzle-orm'
import { requireCurrency } from '../../../records/currencies.ts'
import { nextOwner, recallOwnedFacts, requireVisible } from '../../../records/owned/facts.ts'
import { changeOf, definedOnly, planOwned, planOwnedChange, unique } from '../../../records/owned/plan.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { companyKind } from '../../../kinds/companies.ts'
import { priceListKind, type PriceListRow } from '../../../kinds/price-lists.ts'

const { priceLists } = schema

/** Creates a price list. */
export async function createPriceList(
  tx: Transaction,
  context: WriteContext,
  input: PriceListInput,
): Promise<PriceListRow> {
  const facts = await recallOwnedFacts(tx, context, priceListKind, nextOwner(context, input))
  const values = {
    ...input,
    ...planOwned(input, facts),
    currency: input.currency ?? context.workspace.currency,
    companyIds: unique(input.companyIds ?? []),
  }
  await checkPriceList(tx, context, values)
  if (values.isDefault) await takeDefault(tx, context, values.currency)
  return createRecord(tx, context, priceListKind, values)
}

/** The rules by which price lists change. */
export const priceListWriter: RecordWriter<PriceListRow, PriceListPatch> = {
  kind: priceListKind,
  listQuery: priceListsResource.operations.list.query,
  // Another list loses the place.
  notUndone: ['isDefault'],
  planChange: async (tx, context, current, patch) => {
    const facts = await recallOwnedFacts(tx, context, priceListKind, nextOwner(context, patch, current))
    const sent = definedOnly({ ...patch, companyIds: patch.companyIds && unique(patch.companyIds) })
    const set = planOwnedChange(current, sent, facts)
    const after = { ...current, ...sent }
    await checkPriceList(tx, context, after, current)
    if (after.isDefault && (!current.isDefault || after.currency !== current.currency))
      await takeDefault(tx, context, after.currency, current.id)
    return changeOf(current, set)
  },
  // Another list may have become the default meanwhile, and stays the default.
  beforeRestore: async (tx, context, list) => ({
    isDefault: list.isDefault && !(await hasDefault(tx, context, list.currency)),
  }),
}

type Checked = Pick<PriceListInput, 'currency' | 'startsAt' | 'endsAt' | 'companyIds'>

/** Refuses an end before the start, and references that do not exist; present references may stay. */
async function checkPriceList(
  tx: Transaction,
  context: WriteContext,
  list: Checked,
  current?: PriceListRow,
): Promise<void> {
  if (list.startsAt && list.endsAt && Date.parse(list.endsAt) <= Date.parse(list.startsAt))
    throw invalidField('endsAt', 'The end must lie after the start')
  if (list.currency !== current?.currency) await requireCurrency(tx, context, list.currency)
  for (const id of list.companyIds ?? []) {
    if (!current?.companyIds.includes(id)) await requireVisible(tx, context, companyKind, id, 'companyIds')
  }
}

/** Makes a list the only default list of its currency: it takes the place of the earlier one. */
async function takeDefault(
  tx: Transaction,
  { workspace, at }: WriteContext,
  currency: string,
  id: string | null = null,
): Promise<void> {
  await lockDefault(tx, workspace.id)
  const end = sql`
    UPDATE ${priceLists} SET is_default = false, version = version + 1, updated_at = ${at}
    WHERE workspace_id = ${workspace.id} AND currency = ${currency} AND is_default AND deleted_at IS NULL AND id IS DISTINCT FROM ${id}::uuid`
  await writeRows(tx, priceLists, end)
}

async function hasDefault(tx: Transaction, { workspace }: WriteContext, currency: string): Promise<boolean> {
  await lockDefault(tx, workspace.id)
  const { rows } = await tx.execute(
    sql`SELECT 1 FROM ${priceLists} WHERE workspace_id = ${workspace.id} AND currency = ${currency} AND is_default AND deleted_at IS NULL`,
  )
  return rows.length > 0
}

async function lockDefault(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`default-price-list:${workspaceId}`}, 0))`)
}
