import { stepsOf } from '@crm/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { createPriceList, createProduct, createRecord } from '../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key } = api
const post = async (path: string, body: object = {}) => {
  const answer = await call({ method: 'POST', path, key, body })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}

const price = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`)
const percent = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(6, '0')}`)
const quantity = fc.oneof(
  fc.integer({ min: 1, max: 2_000_000 }).map(String),
  fc.integer({ min: 1, max: 9_999_999 }).map((thousandths) => (thousandths / 1000).toFixed(3)),
)
const tiers = fc.uniqueArray(fc.integer({ min: 1, max: 50_000 }), { maxLength: 4 })

const catalogue = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  basePrice: price,
  mode: fc.constantFrom('FIXED' as const, 'PERCENT_OFF' as const),
  tierMode: fc.constantFrom('GRADUATED' as const, 'VOLUME' as const),
  values: fc.array(fc.tuple(price, percent), { minLength: 5, maxLength: 5 }),
  begins: tiers,
  quantities: fc.array(quantity, { minLength: 1, maxLength: 3 }),
  taxMode: fc.constantFrom('EXCLUSIVE', 'INCLUSIVE', 'NONE'),
})
type Catalogue = typeof catalogue extends fc.Arbitrary<infer One> ? One : never

async function stock({ currency, basePrice, mode, tierMode, values, begins }: Catalogue): Promise<string> {
  const productId = await createProduct(api, { basePrice, currency })
  const valueAt = (at: number) => {
    const [amount, off] = values[at] ?? ['1', '1']
    return mode === 'FIXED' ? { price: amount } : { percent: off }
  }
  const priceListId = await createPriceList(api, { currency, priority: 5 })
  const entryId = await createRecord(api, '/api/price-list-entries', {
    priceListId,
    productId,
    mode,
    tierMode,
    ...valueAt(4),
  })
  const sorted = begins.toSorted((one, other) => one - other)
  for (const [at, begin] of sorted.entries())
    await createRecord(api, '/api/price-list-entry-tiers', {
      entryId,
      minQuantity: `${begin}`,
      maxQuantity: sorted[at + 1] === undefined ? null : `${(sorted[at + 1] ?? 1) - 1}`,
      ...valueAt(at),
    })
  return productId
}

const resolved = async (productId: string, amount: string, currency: string) =>
  (await call({ path: `/api/prices/resolve?productId=${productId}&quantity=${amount}&currency=${currency}`, key })).body
    .data as { unitPrice: string; total: string }

describe('a document holds the total that resolve says', () => {
  it('for the sample of the finding: 15,001 pieces by tiers', async () => {
    const productId = await createProduct(api, { basePrice: '1' })
    const priceListId = await createPriceList(api, { priority: 9 })
    const entryId = await createRecord(api, '/api/price-list-entries', {
      priceListId,
      productId,
      price: '0.05',
      tierMode: 'GRADUATED',
    })
    const tier = { entryId, minQuantity: '1', maxQuantity: '1000', price: '0.05' }
    await createRecord(api, '/api/price-list-entry-tiers', tier)
    await createRecord(api, '/api/price-list-entry-tiers', {
      ...tier,
      minQuantity: '1001',
      maxQuantity: null,
      price: '0.04',
    })
    expect(await resolved(productId, '15001', 'EUR')).toMatchObject({ unitPrice: '0.040667', total: '610.04' })
    expect(await post('/api/invoices', { items: [{ productId, quantity: '15001' }] })).toMatchObject({
      items: [{ unitPrice: '0.040667', gross: '610.04', net: '610.04' }],
      total: '610.04',
    })
    // Somebody who types another price gets that one.
    expect((await post('/api/invoices', { items: [{ productId, quantity: '15001', unitPrice: '0.04' }] })).total).toBe(
      '600.04',
    )
  })

  it('whatever the catalogue, however it is written, and in every copy', async () => {
    await fc.assert(
      fc.asyncProperty(catalogue, async (one) => {
        const { currency, taxMode, quantities } = one
        const productId = await stock(one)
        const asked = await Promise.all(quantities.map((amount) => resolved(productId, amount, currency)))
        const totals = asked.map(({ total }) => total)
        const grossOf = (document: { items: { gross: string }[] }) => document.items.map(({ gross }) => gross)
        const quote = await post('/api/quotes', {
          currency,
          taxMode,
          items: quantities.map((amount) => ({ productId, quantity: amount })),
        })
        expect(grossOf(quote)).toEqual(totals)
        expect(quote.items.map(({ net }: { net: string }) => net)).toEqual(totals)
        const told = quantities.map((amount, at) => ({ productId, quantity: amount, unitPrice: asked[at]?.unitPrice }))
        expect((await post('/api/invoices', { currency, taxMode, items: told })).total).toBe(quote.total)
        const sentBack = await call({
          method: 'PATCH',
          path: `/api/quotes/${quote.id}`,
          key,
          body: { items: quote.items, notes: 'The same lines' },
        })
        expect(sentBack.body.data).toMatchObject({ total: quote.total, items: quote.items })
        await post(`/api/quotes/${quote.id}/send`, { to: [] })
        await post(`/api/quotes/${quote.id}/accept`)
        const { id } = await post(`/api/quotes/${quote.id}/convert`, { target: 'INVOICE' })
        const copies = [id, (await post(`/api/invoices/${id}/duplicate`)).id]
        for (const copy of copies) {
          const invoice = (await call({ path: `/api/invoices/${copy}`, key })).body.data
          expect([grossOf(invoice), invoice.total]).toEqual([totals, quote.total])
        }
      }),
      { numRuns: stepsOf(80) },
    )
  })
})
