import { priceListEntryTiers, success } from '@crm/contract'
import { brokenConstraint, schema, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { Money } from '@crm/pricing'
import { and, eq } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { pageOf } from '../../../records/pages.ts'
import {
  deletePart,
  insertPart,
  listParts,
  lockNamedPart,
  lockPart,
  requirePart,
  updatePart,
} from '../../../records/parts.ts'
import { entryKind, quotedFor, tierKind, type EntryRow, type Quoted } from './price-lists.parts.ts'

const { priceLists } = schema

export const implementedPriceListEntryTiers = implement(priceListEntryTiers, {
  list: async ({ query }, context) => pageOf(await listParts(context, tierKind, query), query),
  get: async ({ params }, context) => success(await requirePart(context.db, context, tierKind, params.id)),

  create: async ({ body }, context) =>
    context.transact(async (tx) => {
      const { price, percent, maxQuantity = null, ...fields } = body
      const entry = await lockNamedPart(tx, context, entryKind, body.entryId, 'entryId')
      checkBounds(fields.minQuantity, maxQuantity)
      const values = {
        ...fields,
        maxQuantity,
        ...(await quotedIn(tx, context, entry, { price: price ?? null, percent: percent ?? null })),
      }
      return success(await apart(insertPart(tx, context, tierKind, values)))
    }),

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = await lockPart(tx, context, tierKind, params.id)
      const entry = await lockNamedPart(tx, context, entryKind, current.entryId, 'entryId')
      const {
        minQuantity = current.minQuantity,
        maxQuantity = current.maxQuantity,
        price = current.price,
        percent = current.percent,
      } = body
      checkBounds(minQuantity, maxQuantity)
      const values = { minQuantity, maxQuantity, ...(await quotedIn(tx, context, entry, { price, percent })) }
      return success(await apart(updatePart(tx, context, tierKind, current.id, values)))
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const { id } = await lockPart(tx, context, tierKind, params.id)
      await deletePart(tx, context, tierKind, id)
      return success({ id })
    }),
})

function checkBounds(minQuantity: string, maxQuantity: string | null): void {
  if (maxQuantity !== null && new Money(maxQuantity).lt(minQuantity))
    throw invalidField('maxQuantity', 'The largest quantity must not be below the smallest')
}

async function quotedIn(tx: Transaction, { workspace }: CrmContext, { priceListId, mode }: EntryRow, quoted: Quoted) {
  const [list] = await tx
    .select({ currency: priceLists.currency })
    .from(priceLists)
    .where(and(eq(priceLists.workspaceId, workspace.id), eq(priceLists.id, priceListId)))
  return quotedFor(mode, quoted, list?.currency ?? workspace.currency)
}

/** Runs a write and refuses overlapping tiers; the database detects the overlap, even of concurrent writes. */
async function apart<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (brokenConstraint(error) !== 'price_list_entry_tiers_apart') throw error
    throw new ApiError('TIER_OVERLAP')
  }
}
