import { newId, schema, writeRows, type Database } from '@crm/db'
import type { RatioRow } from './rows.ts'
import type { LoadedWorkspace, Process, Stage } from './stage.ts'

const productCount = 1_000

/**
 * Measures price resolution: three lists have each product, one of them for a company, with tiers; the floor reads the same by one
 * query.
 */
export async function priceRow(
  api: Process,
  floor: Process,
  { db, owner }: Stage,
  workspace: LoadedWorkspace,
): Promise<RatioRow> {
  const { host, keys, workspaceId } = workspace
  const { productIds, companyId } = await loadPrices(db, workspace)
  // Both sides keep their first plans; plans without statistics would not represent an installation.
  await owner.query('VACUUM ANALYZE products, price_lists, price_list_entries, price_list_entry_tiers')
  const productOf = (n: number): string => productIds[(n * 7919) % productIds.length] as string
  return {
    what: 'prices, resolve one of three lists with tiers',
    ours: {
      on: api,
      status: 200,
      request: (n) => ({
        path: `/api/prices/resolve?productId=${productOf(n)}&quantity=${1 + (n % 40)}&companyId=${companyId}`,
        headers: { host, authorization: `Bearer ${keys[n % keys.length]}` },
      }),
    },
    floor: {
      on: floor,
      status: 200,
      request: (n) => ({ path: `/price?ws=${workspaceId}&productId=${productOf(n)}&companyId=${companyId}` }),
    },
    atLeast: 0.5,
  }
}

async function loadPrices(db: Database, { workspaceId, adminUserId: ownerId }: LoadedWorkspace) {
  const companyId = newId()
  const company = { workspaceId, id: companyId, name: 'Buyer', ownerId }
  await writeRows(db, schema.companies, db.insert(schema.companies).values(company).getSQL())
  const products = Array.from({ length: productCount }, (_, at) => ({
    workspaceId,
    id: newId(),
    name: `Product ${at}`,
    type: 'GOODS' as const,
    status: 'ACTIVE' as const,
    currency: 'EUR',
    basePrice: '100',
    ownerId,
  }))
  await writeRows(db, schema.products, db.insert(schema.products).values(products).getSQL())
  const lists = [{ companyIds: [companyId] }, { priority: 5 }, { isDefault: true }].map((rest) => ({
    workspaceId,
    id: newId(),
    name: 'List',
    currency: 'EUR',
    ownerId,
    ...rest,
  }))
  await writeRows(db, schema.priceLists, db.insert(schema.priceLists).values(lists).getSQL())
  for (const { id: priceListId } of lists) {
    const entries = products.map(({ id: productId }) => ({
      workspaceId,
      id: newId(),
      priceListId,
      productId,
      mode: 'FIXED' as const,
      price: '90',
      tierMode: 'GRADUATED' as const,
    }))
    await db.insert(schema.priceListEntries).values(entries)
    const tiers = entries.flatMap(({ id: entryId }) =>
      [
        ['1', '10', '85'],
        ['11', '20', '80'],
        ['21', null, '75'],
      ].map(([minQuantity, maxQuantity, price]) => ({
        workspaceId,
        id: newId(),
        entryId,
        minQuantity: minQuantity ?? '1',
        maxQuantity,
        price,
      })),
    )
    await db.insert(schema.priceListEntryTiers).values(tiers)
  }
  return { companyId, productIds: products.map(({ id }) => id) }
}
