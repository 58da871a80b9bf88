import { newId, schema, type Executor } from '@crm/db'
import type { Product } from './catalogue.ts'
import type { Customer } from './customers.ts'
import type { History } from './history.ts'
import { dayMs, madeBy, pickOwner, type Place } from './place.ts'

type Tier = Pick<typeof schema.priceListEntryTiers.$inferInsert, 'minQuantity' | 'maxQuantity' | 'price' | 'percent'>
type Entry = Pick<typeof schema.priceListEntries.$inferInsert, 'mode' | 'price' | 'percent' | 'tierMode'> & {
  readonly sku: string
  readonly tiers: readonly Tier[]
}

const usualEntries: readonly Entry[] = [
  {
    sku: 'HW-ROLL',
    mode: 'FIXED',
    price: '14.95',
    tierMode: 'VOLUME',
    tiers: [
      { minQuantity: '10', maxQuantity: '49', price: '13.9' },
      { minQuantity: '50', maxQuantity: null, price: '12.5' },
    ],
  },
  {
    sku: 'LIC-S',
    mode: 'FIXED',
    price: '49',
    tierMode: 'GRADUATED',
    tiers: [
      { minQuantity: '11', maxQuantity: '100', price: '44' },
      { minQuantity: '101', maxQuantity: null, price: '39' },
    ],
  },
  {
    sku: 'HW-SCAN',
    mode: 'PERCENT_OFF',
    percent: '0',
    tierMode: 'VOLUME',
    tiers: [{ minQuantity: '5', maxQuantity: null, percent: '7.5' }],
  },
]
const partnerEntries: readonly Entry[] = [
  { sku: 'LIC-M', mode: 'FIXED', price: '129', tiers: [] },
  { sku: 'LIC-L', mode: 'PERCENT_OFF', percent: '12', tiers: [] },
  {
    sku: 'SRV-CON',
    mode: 'FIXED',
    price: '105',
    tierMode: 'VOLUME',
    tiers: [{ minQuantity: '40', maxQuantity: null, price: '95' }],
  },
]
const seasonEntries: readonly Entry[] = [
  { sku: 'HW-TAB', mode: 'PERCENT_OFF', percent: '10', tiers: [] },
  { sku: 'HW-LABEL', mode: 'PERCENT_OFF', percent: '15', tiers: [] },
]

/** Adds the usual prices with tiers, the prices agreed with two companies, and the prices of a season that ends soon. */
export async function addPriceLists(
  tx: Executor,
  place: Place,
  products: readonly Product[],
  [first, second]: readonly Customer[],
  history: History,
): Promise<void> {
  const { workspaceId, now } = place
  const day = (days: number): string => new Date(now.getTime() + days * dayMs).toISOString()
  const lists = [
    { name: 'Usual prices', isDefault: true, entries: usualEntries },
    {
      name: 'Framework agreement',
      priority: 10,
      companyIds: [first, second].flatMap((customer) => (customer ? [customer.companyId] : [])),
      entries: partnerEntries,
    },
    { name: 'Hardware weeks', priority: 5, startsAt: day(-14), endsAt: day(30), entries: seasonEntries },
  ]
  for (const { entries, ...list } of lists) {
    const [by, at, id] = [pickOwner(place), day(-60), newId()]
    await tx.insert(schema.priceLists).values({ workspaceId, id, currency: 'EUR', ...list, ...madeBy(by, at) })
    history.add({ entityType: 'PRICE_LIST', entityId: id, kind: 'CREATED', at, by })
    await addEntries(tx, workspaceId, id, products, entries)
  }
}

async function addEntries(
  tx: Executor,
  workspaceId: string,
  priceListId: string,
  products: readonly Product[],
  entries: readonly Entry[],
): Promise<void> {
  for (const { sku, tiers, ...entry } of entries) {
    const productId = products.find((product) => product.sku === sku)?.id
    if (!productId) throw new Error(`There is no product ${sku}`)
    const id = newId()
    await tx.insert(schema.priceListEntries).values({ workspaceId, id, priceListId, productId, ...entry })
    if (tiers.length > 0)
      await tx
        .insert(schema.priceListEntryTiers)
        .values(tiers.map((tier) => ({ workspaceId, id: newId(), entryId: id, ...tier })))
  }
}
