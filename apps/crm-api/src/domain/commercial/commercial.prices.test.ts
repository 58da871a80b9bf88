import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'
import { createCompany, createPriceList, createProduct, createRecord } from '../../../test/samples.ts'

const api = await apiUnderTest()
const { call, key } = api
const kinds = ['quotes', 'orders', 'invoices'] as const
const create = async (kind: string, body: object) =>
  (await call({ method: 'POST', path: `/api/${kind}`, key, body })).body.data
const change = async (kind: string, id: string, body: object) =>
  (await call({ method: 'PATCH', path: `/api/${kind}/${id}`, key, body })).body.data
const entry = (priceListId: string, productId: string, rest: object) =>
  createRecord(api, '/api/price-list-entries', { priceListId, productId, ...rest })
const tier = (entryId: string, minQuantity: string, maxQuantity: string | null, price: string) =>
  createRecord(api, '/api/price-list-entry-tiers', { entryId, minQuantity, maxQuantity, price })
const pricesOf = (document: { items: { unitPrice: string }[] }) => document.items.map(({ unitPrice }) => unitPrice)

describe.each(kinds)('the price of a product in %s', (kind) => {
  it('is the base price, unless a price is told', async () => {
    const productId = await createProduct(api, { basePrice: '12.5' })
    expect(
      pricesOf(
        await create(kind, { items: [{ productId }, { productId, unitPrice: '7' }, { productId, quantity: '0' }] }),
      ),
    ).toEqual(['12.50', '7.00', '12.50'])
  })

  it('is that of the list of the company, of the largest priority, then of the default list', async () => {
    const productId = await createProduct(api, { basePrice: '100' })
    const [companyId, other] = [await createCompany(api), await createCompany(api)]
    await entry(await createPriceList(api, { isDefault: true }), productId, { price: '90' })
    const price = async (rest: object = {}) => pricesOf(await create(kind, { items: [{ productId }], ...rest }))[0]
    expect(await price()).toBe('90.00')
    await entry(await createPriceList(api, { priority: 5 }), productId, { price: '80' })
    await entry(await createPriceList(api, { companyIds: [companyId] }), productId, {
      mode: 'PERCENT_OFF',
      percent: '40',
    })
    expect([await price(), await price({ companyId }), await price({ companyId: other })]).toEqual([
      '80.00',
      '60.00',
      '80.00',
    ])
  })

  it('follows the quantity by tiers', async () => {
    const productId = await createProduct(api, { basePrice: '10' })
    const list = await createPriceList(api, { priority: 9 })
    const volume = await entry(list, productId, { price: '10' })
    await tier(volume, '10', '19', '8')
    await tier(volume, '20', null, '6')
    const graduated = await createProduct(api, { basePrice: '10' })
    const parts = await entry(list, graduated, { price: '10', tierMode: 'GRADUATED' })
    await tier(parts, '1', '10', '10')
    await tier(parts, '11', null, '5')
    const items = [
      ...['1', '10', '19', '20'].map((quantity) => ({ productId, quantity })),
      { productId: graduated, quantity: '20' },
    ]
    expect(pricesOf(await create(kind, { items }))).toEqual(['10.00', '8.00', '8.00', '6.00', '7.50'])
  })

  it('is that of the day and the currency of the document', async () => {
    const productId = await createProduct(api, { basePrice: '10' })
    await entry(
      await createPriceList(api, { priority: 7, startsAt: '2030-01-01T00:00:00Z', endsAt: '2031-01-01T00:00:00Z' }),
      productId,
      { price: '5' },
    )
    await entry(await createPriceList(api, { currency: 'USD' }), productId, { price: '11' })
    const price = async (rest: object) => pricesOf(await create(kind, { items: [{ productId }], ...rest }))[0]
    expect(await price({ issueDate: '2029-12-31' })).toBe('10.00')
    expect(await price({ issueDate: '2030-01-01' })).toBe('5.00')
    expect(await price({ issueDate: '2030-12-31' })).toBe('5.00')
    expect(await price({ issueDate: '2031-01-01' })).toBe('10.00')
    expect(await price({ currency: 'USD' })).toBe('11.00')
    expect(await price({ currency: 'GBP' })).toBe('0.00')
  })

  it('is asked anew for lines that are sent anew, and stays for others', async () => {
    const productId = await createProduct(api, { basePrice: '10' })
    const companyId = await createCompany(api)
    const { id } = await create(kind, { items: [{ productId }] })
    await entry(await createPriceList(api, { companyIds: [companyId] }), productId, { price: '4' })
    expect(pricesOf(await change(kind, id, { companyId }))).toEqual(['10.00'])
    expect(pricesOf(await change(kind, id, { items: [{ productId }] }))).toEqual(['4.00'])
  })
})

describe('amounts in answers', () => {
  const digits = { JPY: 0, EUR: 2, KWD: 3 } as const
  const currencies = Object.keys(digits) as (keyof typeof digits)[]
  const isShaped = (text: string, currency: keyof typeof digits) =>
    new RegExp(digits[currency] === 0 ? '^-?\\d+(\\.\\d{1,6})?$' : `^-?\\d+\\.\\d{${digits[currency]},6}$`).test(text)
  const isExact = (text: string, currency: keyof typeof digits) =>
    isShaped(text, currency) && (text.split('.')[1]?.length ?? 0) === digits[currency]
  const amount = fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 6 }))
    .map(([whole, part, length]) =>
      length === 0 ? `${whole}` : `${whole}.${String(part).padStart(6, '0').slice(0, length)}`,
    )

  it.each(currencies)('have the digits of %s in lists of prices and products', async (currency) => {
    const productId = await createProduct(api, { basePrice: '3', cost: '1.5', currency })
    const priceListId = await createPriceList(api, { currency })
    const entryId = await entry(priceListId, productId, { price: '1.5' })
    const tierId = await tier(entryId, '5', null, '1.25')
    const read = async (path: string) => (await call({ path, key })).body
    const [product, oneEntry, entries, oneTier, tiers, prices] = await Promise.all([
      read(`/api/products/${productId}`),
      read(`/api/price-list-entries/${entryId}`),
      read(`/api/price-list-entries?priceListId=${priceListId}`),
      read(`/api/price-list-entry-tiers/${tierId}`),
      read(`/api/price-list-entry-tiers?entryId=${entryId}`),
      read(`/api/prices?productId=${productId}&currency=${currency}`),
    ])
    const changed = (
      await call({ method: 'PATCH', path: `/api/price-list-entries/${entryId}`, key, body: { price: '2.5' } })
    ).body
    const told = [
      product.data.basePrice,
      product.data.cost,
      oneEntry.data.price,
      entries.items[0].price,
      oneTier.data.price,
      tiers.items[0].price,
      prices.items[0].unitPrice,
      prices.items[0].total,
      changed.data.price,
    ]
    expect(told.filter((text) => !isShaped(text, currency))).toEqual([])
  })

  it('have the digits of the currency in every document, whatever is sent', async () => {
    const line = fc.record({
      name: fc.constant('x'),
      quantity: amount,
      unitPrice: amount,
      discount: fc.oneof(
        fc.constant(null),
        fc.record({ type: fc.constant('PERCENT'), value: fc.constant('12.5') }),
        fc.constant('0'),
      ),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...currencies),
        fc.constantFrom(...kinds),
        fc.array(line, { minLength: 1, maxLength: 4 }),
        async (currency, kind, items) => {
          const document = await create(kind, { currency, items, discount: { type: 'AMOUNT', value: '0' } })
          const { subtotal, discountTotal, taxTotal, total, discount } = document
          const sums = [
            subtotal,
            discountTotal,
            taxTotal,
            total,
            ...document.items.flatMap(({ net, tax, total: all }: Record<string, string>) => [net, tax, all]),
          ]
          expect(sums.filter((text) => !isExact(text, currency))).toEqual([])
          expect(
            [
              ...pricesOf(document),
              discount.value,
              ...document.items.flatMap(({ discount: of }: { discount: unknown }) =>
                typeof of === 'string' ? of : [],
              ),
            ].filter((text) => !isShaped(text, currency)),
          ).toEqual([])
        },
      ),
      { numRuns: 25 },
    )
  })

  it('follow a changed currency', async () => {
    const { id } = await create('quotes', {
      currency: 'EUR',
      items: [{ name: 'x', unitPrice: '1.5', discount: '0.5' }],
    })
    expect((await change('quotes', id, { currency: 'KWD' })).items).toMatchObject([
      { unitPrice: '1.500', discount: '0.500', net: '1.000' },
    ])
  })
})
