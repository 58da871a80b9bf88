import { priceListEntries, success } from '@crm/contract'
import { schema, type Transaction } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { and, count, eq } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { requireVisible } from '../../../records/owned/facts.ts'
import { lockRecords } from '../../../records/owned/repository.ts'
import { pageOf } from '../../../records/pages.ts'
import { deletePart, insertPart, listParts, lockPart, requirePart, updatePart } from '../../../records/parts.ts'
import { refuseUsed } from '../../../records/uses.ts'
import { productKind } from '../../../kinds/products.ts'
import { entryKind, quotedFor } from './price-lists.parts.ts'
import { priceListKind, type PriceListRow } from '../../../kinds/price-lists.ts'

const { priceListEntryTiers: tiers } = schema

export const implementedPriceListEntries = implement(priceListEntries, {
  list: async ({ query }, context) => pageOf(await listParts(context, entryKind, query), query),
  get: async ({ params }, context) => success(await requirePart(context.db, context, entryKind, params.id)),

  create: async ({ body }, context) =>
    context.transact(async (tx) => {
      const { price, percent, ...fields } = body
      const { currency } = await lockList(tx, context, body.priceListId)
      await requireVisible(tx, context, productKind, body.productId, 'productId')
      return success(
        await insertPart(tx, context, entryKind, { ...fields, ...quotedFor(body.mode, { price, percent }, currency) }),
      )
    }),

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = await lockPart(tx, context, entryKind, params.id)
      const { mode = current.mode, tierMode = current.tierMode } = body
      const { currency } = await lockList(tx, context, current.priceListId)
      if (mode !== current.mode) await refuseWithTiers(tx, context, current.id)
      // The values of the earlier mode are removed with it.
      const before = mode === current.mode ? current : {}
      const quoted = quotedFor(mode, { ...before, ...sentOnly(body) }, currency)
      return success(await updatePart(tx, context, entryKind, current.id, { mode, tierMode, ...quoted }))
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const { id } = await lockPart(tx, context, entryKind, params.id)
      await deletePart(tx, context, entryKind, id)
      return success({ id })
    }),
})

function sentOnly({ price, percent }: { price?: string | null | undefined; percent?: string | null | undefined }) {
  return { ...(price === undefined ? {} : { price }), ...(percent === undefined ? {} : { percent }) }
}

/** Locks the list of a new entry; its currency cannot change until the entry is written. */
async function lockList(tx: Transaction, context: CrmContext, id: string): Promise<PriceListRow> {
  const list = (await lockRecords(tx, priceListKind, context.scope('PRICE_LIST', 'UPDATE'), [id])).get(id)
  if (!list) throw invalidReference('priceListId')
  return list
}

/** Refuses a change of the mode while there are tiers: their prices are in the mode of their entry. */
async function refuseWithTiers(tx: Transaction, { workspace }: CrmContext, entryId: string): Promise<void> {
  const [row] = await tx
    .select({ n: count() })
    .from(tiers)
    .where(and(eq(tiers.workspaceId, workspace.id), eq(tiers.entryId, entryId)))
  refuseUsed('mode', [{ entityType: 'PRICE_TIER', count: row?.n ?? 0 }], 'The mode of an entry with tiers stays')
}
