import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentTotals, type Discount, type PricedDocument, type PricedLine } from './document-totals.ts'
import { currencyDigits, Money } from './money.ts'

const taxRates = new Map([
  ['full', { name: 'VAT', rate: '19' }],
  ['low', { name: 'Reduced VAT', rate: '7' }],
  ['odd', { name: 'Odd', rate: '8.875' }],
])
const line = (quantity: string, unitPrice: string, rest: Partial<PricedLine> = {}): PricedLine => ({
  quantity,
  unitPrice,
  discount: null,
  taxRateId: null,
  ...rest,
})
const add = (rest: Partial<PricedDocument>) =>
  documentTotals({ currency: 'EUR', taxMode: 'EXCLUSIVE', discount: null, lines: [], taxRates, ...rest })

describe('documentTotals', () => {
  it('adds lines, taxes by rate and the discount of the document', () => {
    const lines = [
      line('2', '50', { taxRateId: 'full' }),
      line('1', '100', { taxRateId: 'low' }),
      line('3', '10', { discount: '5' }),
    ]
    expect(add({ lines, discount: { type: 'PERCENT', value: '10' } })).toEqual({
      lines: [
        { net: '100.00', tax: '17.10', total: '107.10' },
        { net: '100.00', tax: '6.30', total: '96.30' },
        { net: '25.00', tax: '0.00', total: '22.50' },
      ],
      subtotal: '225.00',
      discountTotal: '22.50',
      taxTotal: '23.40',
      total: '225.90',
      taxes: [
        { taxRateId: 'full', name: 'VAT', rate: '19', base: '90.00', amount: '17.10' },
        { taxRateId: 'low', name: 'Reduced VAT', rate: '7', base: '90.00', amount: '6.30' },
      ],
    })
  })

  it('takes inclusive taxes out of the prices', () => {
    const totals = add({
      taxMode: 'INCLUSIVE',
      lines: [line('1', '119', { taxRateId: 'full' })],
      discount: { type: 'AMOUNT', value: '11.90' },
    })
    expect(totals).toMatchObject({
      lines: [{ net: '100.00', tax: '17.10', total: '107.10' }],
      subtotal: '100.00',
      discountTotal: '10.00',
      taxTotal: '17.10',
      total: '107.10',
    })
  })

  it('bears no tax when taxes are off', () => {
    expect(add({ taxMode: 'NONE', lines: [line('1', '10', { taxRateId: 'full' })] })).toMatchObject({
      taxTotal: '0.00',
      taxes: [],
      total: '10.00',
    })
  })

  it.each([
    ['half up at cents', 'EUR', '1', '0.005', '0.01'],
    ['half up at whole yen', 'JPY', '1', '1.5', '2'],
    ['half up at a thousandth', 'KWD', '1', '1.0005', '1.001'],
    ['three of a third', 'EUR', '3', '0.333333', '1.00'],
    ['large amounts', 'EUR', '999999', '999999.99', '999998990000.01'],
  ])('rounds %s', (_what, currency, quantity, unitPrice, total) => {
    expect(add({ currency, lines: [line(quantity, unitPrice)] }).total).toBe(total)
  })

  it('gives the cent that is left to the largest remainder', () => {
    const { lines } = add({
      lines: [line('1', '33.33'), line('1', '33.33'), line('1', '33.34')],
      discount: { type: 'AMOUNT', value: '10' },
    })
    expect(lines.map(({ total }) => total)).toEqual(['30.00', '30.00', '30.00'])
  })

  it('never takes off more than there is', () => {
    expect(
      add({
        lines: [line('1', '10', { discount: { type: 'AMOUNT', value: '20' } }), line('1', '5')],
        discount: { type: 'AMOUNT', value: '90' },
      }),
    ).toMatchObject({ discountTotal: '5.00', total: '0.00' })
  })
})

const amounts = (max: number) => fc.integer({ min: 0, max }).map((value) => new Money(value).div(1000).toFixed())
const discounts: fc.Arbitrary<Discount> = fc.oneof(
  fc.record({ type: fc.constant('PERCENT' as const), value: fc.integer({ min: 0, max: 100 }).map(String) }),
  fc.record({ type: fc.constant('AMOUNT' as const), value: amounts(50_000) }),
)
const lines: fc.Arbitrary<PricedLine> = fc.record({
  quantity: amounts(100_000),
  unitPrice: amounts(1_000_000),
  discount: fc.option(fc.oneof(discounts, amounts(20_000))),
  taxRateId: fc.option(fc.constantFrom('full', 'low', 'odd')),
})
const documents: fc.Arbitrary<PricedDocument> = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  taxMode: fc.constantFrom('EXCLUSIVE', 'INCLUSIVE', 'NONE'),
  discount: fc.option(discounts),
  lines: fc.array(lines, { maxLength: 30 }),
  taxRates: fc.constant(taxRates),
})
const sum = (values: readonly string[]) => values.reduce((total, value) => total.plus(value), new Money(0))

describe('whatever the lines', () => {
  it('the total is the sum of the lines, and subtotal − discount + tax', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const totals = documentTotals(document)
        expect(sum(totals.lines.map(({ total }) => total)).equals(totals.total)).toBe(true)
        expect(sum(totals.lines.map(({ net }) => net)).equals(totals.subtotal)).toBe(true)
        expect(new Money(totals.subtotal).minus(totals.discountTotal).plus(totals.taxTotal).equals(totals.total)).toBe(
          true,
        )
      }),
    )
  })

  it('the tax table adds up to the taxes, and its bases to what is taxed', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const totals = documentTotals(document)
        expect(sum(totals.taxes.map(({ amount }) => amount)).equals(totals.taxTotal)).toBe(true)
        expect(sum(totals.lines.map(({ tax }) => tax)).equals(totals.taxTotal)).toBe(true)
        const untaxed = totals.lines.filter(
          (_line, at) => document.taxMode === 'NONE' || document.lines[at]?.taxRateId === null,
        )
        expect(
          sum(totals.taxes.map(({ base }) => base))
            .plus(sum(untaxed.map(({ total }) => total)))
            .plus(totals.taxTotal)
            .equals(totals.total),
        ).toBe(true)
      }),
    )
  })

  it('nothing is below zero or has more digits than the currency', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const { total, subtotal, discountTotal, taxTotal, lines: each } = documentTotals(document)
        for (const value of [
          total,
          subtotal,
          discountTotal,
          taxTotal,
          ...each.flatMap((one) => Object.values(one) as string[]),
        ]) {
          expect(new Money(value).gte(0)).toBe(true)
          expect(value.split('.')[1]?.length ?? 0).toBe(currencyDigits(document.currency))
        }
      }),
    )
  })

  it('splitting a line in two changes the total by no more than rounding', () => {
    const plain = lines.map((one) => ({ ...one, discount: null }))
    fc.assert(
      fc.property(plain, fc.constantFrom('EUR', 'JPY', 'KWD'), (one, currency) => {
        const half = new Money(one.quantity).div(2).toFixed()
        const document = { currency, taxMode: 'EXCLUSIVE', discount: null, taxRates } as const
        const whole = documentTotals({ ...document, lines: [one] }).total
        const split = documentTotals({
          ...document,
          lines: [
            { ...one, quantity: half },
            { ...one, quantity: half },
          ],
        }).total
        const unit = new Money(10).pow(-currencyDigits(currency))
        expect(new Money(whole).minus(split).abs().lte(unit.times(2))).toBe(true)
      }),
    )
  })
})
