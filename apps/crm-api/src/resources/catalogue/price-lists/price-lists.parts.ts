import { rowReader, schema, type Given, type RowReader } from '@crm/db'
import { invalidField } from '@crm/errors'
import { toUnitPrice } from '@crm/pricing'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { existing } from '../../../records/owned/list.ts'
import type { PartKind } from '../../../records/parts.ts'
import { priceListKind } from '../../../kinds/price-lists.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const { priceListEntries: entries, priceListEntryTiers: tiers, priceLists, products } = schema

export type EntryRow = Omit<typeof entries.$inferSelect, 'workspaceId'>
export type TierRow = Omit<typeof tiers.$inferSelect, 'workspaceId'>

/** Returns a row reader that gives prices the digits of the currency of their list. */
function withPrice<Row extends { price: string | null }>(
  rows: RowReader<Row>,
  currencyOf: (workspaceId: Given) => SQL,
): RowReader<Row> {
  const computed = (workspaceId: Given) => sql`(${currencyOf(workspaceId)}) AS "currency"`
  return {
    ...rows,
    computed,
    selection: (workspaceId) => sql`${rows.stored}, ${computed(workspaceId)}`,
    read: (raw) => {
      const { currency: code, ...row } = rows.read(raw) as Row & { readonly currency?: string }
      return { ...row, price: row.price && code ? toUnitPrice(row.price, code) : row.price } as Row
    },
  }
}

const listCurrency = (workspaceId: Given) =>
  sql`SELECT ${priceLists.currency} FROM ${priceLists} WHERE ${priceLists.workspaceId} = ${workspaceId} AND ${priceLists.id} = ${entries.priceListId}`

/** The entries of the lists within the caller's reach, without those of deleted products. */
export const entryKind: PartKind<EntryRow> = {
  table: entries,
  rows: withPrice(rowReader(shownColumns(entries, 'priceListEntries')), listCurrency),
  noun: 'price list entry',
  uniqueFields: { price_list_entries_once: 'productId' },
  filters: { priceListId: entries.priceListId, productId: entries.productId },
  order: [entries.createdAt],
  within: (context, action) => sql`${entries.workspaceId} = ${context.workspace.id}
    AND EXISTS (SELECT FROM ${priceLists} WHERE ${and(existing(priceListKind, context.scope('PRICE_LIST', action)), eq(priceLists.id, entries.priceListId))})
    AND EXISTS (SELECT FROM ${products} WHERE ${products.workspaceId} = ${context.workspace.id} AND ${products.id} = ${entries.productId} AND ${products.deletedAt} IS NULL)`,
}

/** The tiers of those entries, from the smallest quantity. */
export const tierKind: PartKind<TierRow> = {
  table: tiers,
  rows: withPrice(
    rowReader(shownColumns(tiers, 'priceListEntryTiers')),
    (workspaceId) =>
      sql`SELECT (${listCurrency(workspaceId)}) FROM ${entries} WHERE ${entries.workspaceId} = ${workspaceId} AND ${entries.id} = ${tiers.entryId}`,
  ),
  noun: 'price list entry tier',
  uniqueFields: {},
  filters: { entryId: tiers.entryId },
  order: [tiers.entryId, tiers.minQuantity],
  within: (context, action) =>
    sql`${tiers.workspaceId} = ${context.workspace.id} AND EXISTS (SELECT FROM ${entries} WHERE ${entries.id} = ${tiers.entryId} AND ${entryKind.within(context, action)})`,
}

/** The price or the per cent of an entry or a tier. */
export interface Quoted {
  readonly price?: string | null
  readonly percent?: string | null
}

/** Returns the price or the per cent, by the mode; refuses the other one. */
export function quotedFor(
  mode: EntryRow['mode'],
  { price = null, percent = null }: Quoted,
  currency: string,
): { price: string | null; percent: string | null } {
  if (mode === 'FIXED') {
    if (percent !== null) throw invalidField('percent', 'With mode FIXED there is a price')
    if (price === null) throw invalidField('price', 'With mode FIXED a price is needed')
    return { price: toUnitPrice(price, currency), percent: null }
  }
  if (price !== null) throw invalidField('price', 'With mode PERCENT_OFF there is a percent')
  if (percent === null) throw invalidField('percent', 'With mode PERCENT_OFF a percent is needed')
  return { price: null, percent }
}
