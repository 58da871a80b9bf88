import { newId, schema } from '@crm/db'
import type { Product } from './catalogue.ts'
import type { Customer } from './sales.ts'
import { add, addRecords, later, pickOwner, type Story } from './story.ts'

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
  story: Story,
  products: readonly Product[],
  customers: readonly Customer[],
): Promise<void> {
  const { now } = story
  const companyIds = customers.slice(0, 2).map(({ id }) => id)
  const lists = [
    { name: 'Usual prices', isDefault: true, entries: usualEntries },
    { name: 'Framework agreement', priority: 10, companyIds, entries: partnerEntries },
    { name: 'Hardware weeks', priority: 5, startsAt: later(now, -14), endsAt: later(now, 30), entries: seasonEntries },
  ]
  for (const { entries, ...list } of lists) {
    const priceListId = newId()
    const made = { by: pickOwner(story), at: later(now, -60) }
    await addRecords(story, 'PRICE_LIST', [{ id: priceListId, currency: 'EUR', ...list, ...made }])
    for (const { sku, tiers, ...entry } of entries) {
      const productId = products.find((product) => product.sku === sku)?.id
      if (!productId) throw new Error(`There is no product ${sku}`)
      const entryId = newId()
      await add(story, schema.priceListEntries, [{ id: entryId, priceListId, productId, ...entry }])
      await add(
        story,
        schema.priceListEntryTiers,
        tiers.map((tier) => ({ entryId, ...tier })),
      )
    }
  }
}
