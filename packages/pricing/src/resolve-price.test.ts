import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Money, resolvePrice, type PriceCandidate, type PriceEntry, type PriceQuestion, type Tier } from './index.ts'

const at = '2026-06-15T12:00:00.000Z'
const acme = 'company-acme'

function tier(
  minQuantity: number | string,
  maxQuantity: number | string | null,
  price: string | null,
  percent: string | null = null,
): Tier {
  return {
    id: `t${minQuantity}`,
    minQuantity: String(minQuantity),
    maxQuantity: maxQuantity === null ? null : String(maxQuantity),
    price,
    percent,
  }
}

function list(id: string, entry: Partial<PriceEntry>, rest: Partial<PriceCandidate> = {}): PriceCandidate {
  return {
    id,
    currency: 'EUR',
    isDefault: false,
    isActive: true,
    priority: 0,
    startsAt: null,
    endsAt: null,
    companyIds: [],
    entry: { id: `entry-${id}`, mode: 'FIXED', price: '10', percent: null, tierMode: 'VOLUME', tiers: [], ...entry },
    ...rest,
  }
}

function ask(candidates: readonly PriceCandidate[], rest: Partial<PriceQuestion> = {}): PriceQuestion {
  return {
    quantity: '1',
    currency: 'EUR',
    companyId: null,
    at,
    base: { price: '100', currency: 'EUR' },
    candidates,
    ...rest,
  }
}

const off = (percent: string, rest: Partial<PriceEntry> = {}): Partial<PriceEntry> => ({
  mode: 'PERCENT_OFF',
  price: null,
  percent,
  ...rest,
})
const steps = [tier(1, 10, '9'), tier(11, 20, '8'), tier(21, null, '7')]
const late = [tier(10, null, '8')]
const gap = [tier(1, 10, '9'), tier(21, null, '7')]

// The question, the unit price, the total, and their list and tier.
const cases: readonly (readonly [
  string,
  PriceQuestion,
  string | null,
  string | null,
  string | null,
  (string | null)?,
])[] = [
  ['no list: the base price', ask([]), '100.00', '100.00', null],
  ['no list, a quantity', ask([], { quantity: '2.5' }), '100.00', '250.00', null],
  ['no list and no base price', ask([], { base: { price: null, currency: 'EUR' } }), null, null, null],
  ['a base price in another currency', ask([], { base: { price: '100', currency: 'USD' } }), null, null, null],
  ['a base price of nothing', ask([], { base: { price: '0', currency: 'EUR' } }), '0.00', '0.00', null],
  ['a list for everybody', ask([list('a', {})]), '10.00', '10.00', 'a'],
  ['the default list', ask([list('a', {}, { isDefault: true })]), '10.00', '10.00', 'a'],
  [
    'a list goes before the default one',
    ask([list('a', { price: '1' }, { isDefault: true, priority: 9 }), list('b', { price: '2' })]),
    '2.00',
    '2.00',
    'b',
  ],
  [
    'the larger priority',
    ask([list('a', { price: '1' }, { priority: 1 }), list('b', { price: '2' }, { priority: 2 })]),
    '2.00',
    '2.00',
    'b',
  ],
  [
    'a negative priority is smaller',
    ask([list('a', { price: '1' }, { priority: -1 }), list('b', { price: '2' })]),
    '2.00',
    '2.00',
    'b',
  ],
  ['of equals the older', ask([list('b', { price: '2' }), list('a', { price: '1' })]), '1.00', '1.00', 'a'],
  [
    'the list of the company first',
    ask([list('a', { price: '1' }, { companyIds: [acme] }), list('b', { price: '2' }, { priority: 99 })], {
      companyId: acme,
    }),
    '1.00',
    '1.00',
    'a',
  ],
  [
    'of two lists of the company the larger priority',
    ask(
      [
        list('a', { price: '1' }, { companyIds: [acme] }),
        list('b', { price: '2' }, { companyIds: [acme], priority: 1 }),
      ],
      { companyId: acme },
    ),
    '2.00',
    '2.00',
    'b',
  ],
  [
    'a list of a company is not for others',
    ask([list('a', {}, { companyIds: [acme] })], { companyId: 'company-other' }),
    '100.00',
    '100.00',
    null,
  ],
  ['a list of a company is not for nobody', ask([list('a', {}, { companyIds: [acme] })]), '100.00', '100.00', null],
  [
    'a default list of a company still is of the company',
    ask([list('a', { price: '1' }, { companyIds: [acme], isDefault: true }), list('b', { price: '2' })], {
      companyId: acme,
    }),
    '1.00',
    '1.00',
    'a',
  ],
  ['a list that is off', ask([list('a', {}, { isActive: false })]), '100.00', '100.00', null],
  [
    'a list that has not begun',
    ask([list('a', {}, { startsAt: '2026-06-15T12:00:00.001Z' })]),
    '100.00',
    '100.00',
    null,
  ],
  ['a list that begins now', ask([list('a', {}, { startsAt: at })]), '10.00', '10.00', 'a'],
  ['a list that ends now', ask([list('a', {}, { endsAt: at })]), '100.00', '100.00', null],
  ['a list that ends in a moment', ask([list('a', {}, { endsAt: '2026-06-15T12:00:00.001Z' })]), '10.00', '10.00', 'a'],
  ['a list in another currency', ask([list('a', {}, { currency: 'USD' })]), '100.00', '100.00', null],
  [
    'a list in the currency that is asked for',
    ask([list('a', { price: '1500' }, { currency: 'JPY' })], { currency: 'JPY', quantity: '1.5' }),
    '1500',
    '2250',
    'a',
  ],
  [
    'three digits',
    ask([list('a', { price: '1.2345' }, { currency: 'KWD' })], { currency: 'KWD', quantity: '3' }),
    '1.2345',
    '3.704',
    'a',
  ],
  ['no digits, half up', ask([list('a', { price: '0.5' }, { currency: 'JPY' })], { currency: 'JPY' }), '0.5', '1', 'a'],
  ['per cent off', ask([list('a', off('15'))]), '85.00', '85.00', 'a'],
  [
    'per cent off an odd price is not rounded before the total',
    ask([list('a', off('15'))], { quantity: '3', base: { price: '9.99', currency: 'EUR' } }),
    '8.4915',
    '25.47',
    'a',
  ],
  ['all off', ask([list('a', off('100'))]), '0.00', '0.00', 'a'],
  [
    'per cent off no base price: the next list',
    ask([list('a', off('10'), { priority: 1 }), list('b', {})], { base: { price: null, currency: 'EUR' } }),
    '10.00',
    '10.00',
    'b',
  ],
  [
    'per cent off a base price in another currency',
    ask([list('a', off('10'))], { base: { price: '100', currency: 'USD' } }),
    null,
    null,
    null,
  ],
  ['volume, first tier', ask([list('a', { tiers: steps })], { quantity: '10' }), '9.00', '90.00', 'a', 't1'],
  [
    'volume, second tier from its first unit',
    ask([list('a', { tiers: steps })], { quantity: '11' }),
    '8.00',
    '88.00',
    'a',
    't11',
  ],
  ['volume, a part of the 11th', ask([list('a', { tiers: steps })], { quantity: '10.5' }), '8.00', '84.00', 'a', 't11'],
  [
    'volume, tier without end',
    ask([list('a', { tiers: steps.toReversed() })], { quantity: '1000' }),
    '7.00',
    '7000.00',
    'a',
    't21',
  ],
  ['volume, below the first tier', ask([list('a', { tiers: late })], { quantity: '9' }), '10.00', '90.00', 'a', null],
  ['volume, in a gap', ask([list('a', { tiers: gap })], { quantity: '15' }), '10.00', '150.00', 'a', null],
  [
    'volume, above the last tier',
    ask([list('a', { tiers: [tier(1, 10, '9')] })], { quantity: '11' }),
    '10.00',
    '110.00',
    'a',
    null,
  ],
  [
    'volume, per cent',
    ask([list('a', off('10', { tiers: [tier(10, null, null, '25')] }))], { quantity: '10' }),
    '75.00',
    '750.00',
    'a',
    't10',
  ],
  [
    'graduated, within the first',
    ask([list('a', { tierMode: 'GRADUATED', tiers: steps })], { quantity: '10' }),
    '9.00',
    '90.00',
    'a',
    't1',
  ],
  [
    'graduated, over two',
    ask([list('a', { tierMode: 'GRADUATED', tiers: steps })], { quantity: '15' }),
    '8.666667',
    '130.00',
    'a',
    't11',
  ],
  [
    'graduated, over three',
    ask([list('a', { tierMode: 'GRADUATED', tiers: steps })], { quantity: '25' }),
    '8.20',
    '205.00',
    'a',
    't21',
  ],
  [
    'graduated, below the first tier',
    ask([list('a', { tierMode: 'GRADUATED', tiers: late })], { quantity: '9' }),
    '10.00',
    '90.00',
    'a',
    null,
  ],
  [
    'graduated, the units before the first tier',
    ask([list('a', { tierMode: 'GRADUATED', tiers: late })], { quantity: '15' }),
    '9.20',
    '138.00',
    'a',
    't10',
  ],
  [
    'graduated, units in a gap',
    ask([list('a', { tierMode: 'GRADUATED', tiers: gap })], { quantity: '25' }),
    '9.00',
    '225.00',
    'a',
    't21',
  ],
  [
    'graduated, ends in a gap',
    ask([list('a', { tierMode: 'GRADUATED', tiers: gap })], { quantity: '15' }),
    '9.333333',
    '140.00',
    'a',
    null,
  ],
  [
    'graduated, per cent',
    ask([list('a', off('0', { tierMode: 'GRADUATED', tiers: [tier(11, null, null, '50')] }))], { quantity: '20' }),
    '75.00',
    '1500.00',
    'a',
    't11',
  ],
]

it('stands on at least 40 cases', () => {
  expect(cases.length).toBeGreaterThanOrEqual(40)
})

describe('what a product costs', () => {
  const named = cases.map(([what, question, unitPrice, total, priceListId, tierId = null]) => ({
    what,
    question,
    unitPrice,
    total,
    priceListId,
    tierId,
  }))

  it.each(named)('$what', ({ question, unitPrice, total, priceListId, tierId }) => {
    const source = priceListId === null ? null : { priceListId, entryId: `entry-${priceListId}`, tierId }
    expect(resolvePrice(question)).toEqual({ unitPrice, total, source })
  })
})

/** Tiers without gaps from the first unit on, the last one unlimited. */
const gapless = fc
  .array(fc.record({ width: fc.integer({ min: 1, max: 50 }), price: fc.integer({ min: 0, max: 100_000 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => {
    let from = 1
    return parts.map(({ width, price }, index) => {
      const isLast = index === parts.length - 1
      const made = tier(from, isLast ? null : from + width - 1, new Money(price).div(100).toFixed())
      from += width
      return made
    })
  })

const quantity = fc.integer({ min: 1, max: 400 })
const lists = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    priority: fc.integer({ min: -3, max: 3 }),
    isDefault: fc.boolean(),
    isActive: fc.boolean(),
    currency: fc.constantFrom('EUR', 'USD'),
    companyIds: fc.constantFrom<readonly string[]>([], [acme], ['company-other']),
    price: fc.integer({ min: 0, max: 9_999 }).map(String),
  }),
  { maxLength: 8, selector: ({ id }) => id },
)

describe('over random lists and tiers', () => {
  it('graduated prices add up unit by unit', () => {
    fc.assert(
      fc.property(gapless, quantity, (tiers, asked) => {
        const { total } = resolvePrice(ask([list('a', { tierMode: 'GRADUATED', tiers })], { quantity: String(asked) }))
        const units = Array.from({ length: asked }, (_, at) =>
          tiers.find(
            ({ minQuantity, maxQuantity }) =>
              at + 1 >= Number(minQuantity) && (maxQuantity === null || at + 1 <= Number(maxQuantity)),
          ),
        )
        const sum = units.reduce((all, part) => all.plus(part?.price ?? '10'), new Money(0))
        expect(total).toBe(sum.toFixed(2))
      }),
    )
  })

  it('a volume price is that of one tier, and without tiers both modes say the same', () => {
    fc.assert(
      fc.property(gapless, quantity, (tiers, asked) => {
        const { unitPrice, source } = resolvePrice(ask([list('a', { tiers })], { quantity: String(asked) }))
        expect(new Money(unitPrice ?? -1).eq(tiers.find(({ id }) => id === source?.tierId)?.price ?? -2)).toBe(true)
        const plain = (tierMode: 'VOLUME' | 'GRADUATED') =>
          resolvePrice(ask([list('a', { tierMode })], { quantity: String(asked) }))
        expect(plain('VOLUME')).toEqual(plain('GRADUATED'))
      }),
    )
  })

  it('the order of the lists changes nothing, nor does a list that is not in force', () => {
    fc.assert(
      fc.property(lists, quantity, (made, asked) => {
        const candidates = made.map(({ price, ...rest }) => list(rest.id, { price }, rest))
        const question = ask(candidates, { quantity: String(asked), companyId: acme })
        const answer = resolvePrice(question)
        expect(resolvePrice({ ...question, candidates: candidates.toReversed() })).toEqual(answer)
        const inForce = candidates.filter(
          ({ isActive, currency, companyIds }) =>
            isActive && currency === 'EUR' && (companyIds.length === 0 || companyIds.includes(acme)),
        )
        expect(resolvePrice({ ...question, candidates: inForce })).toEqual(answer)
        const forCompany = inForce.filter(({ companyIds }) => companyIds.length > 0)
        if (forCompany.length > 0) expect(forCompany.map(({ id }) => id)).toContain(answer.source?.priceListId)
      }),
    )
  })
})
