import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyDigits, Money, toAmount, toUnitPrice } from './index.ts'

describe('the digits of a currency', () => {
  it.each([
    ['JPY', 0],
    ['KRW', 0],
    ['EUR', 2],
    ['USD', 2],
    ['KWD', 3],
    ['BHD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['HRK', 2],
    ['ZZZ', 2],
  ] as const)('%s has %i', (code, digits) => {
    expect(currencyDigits(code)).toBe(digits)
  })
})

describe('rounding half up', () => {
  it.each([
    ['10.005', 'EUR', '10.01'],
    ['10.004999', 'EUR', '10.00'],
    ['-10.005', 'EUR', '-10.01'],
    ['-0.001', 'EUR', '0.00'],
    ['1.5', 'JPY', '2'],
    ['2.5', 'JPY', '3'],
    ['0.0005', 'KWD', '0.001'],
    ['1.2344999', 'KWD', '1.234'],
    ['999999999999.995', 'EUR', '1000000000000.00'],
    ['0.1', 'EUR', '0.10'],
  ])('%s %s is %s', (value, currency, amount) => {
    expect(toAmount(value, currency)).toBe(amount)
  })

  it.each([
    ['10', 'EUR', '10.00'],
    ['8.4915', 'EUR', '8.4915'],
    ['9.33333333', 'EUR', '9.333333'],
    ['1.5000', 'KWD', '1.500'],
    ['12', 'JPY', '12'],
    ['0.0000005', 'EUR', '0.000001'],
  ])('the unit price %s %s is written %s', (value, currency, price) => {
    expect(toUnitPrice(value, currency)).toBe(price)
  })

  it('is never further away than half of the smallest coin', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.constantFrom('JPY', 'EUR', 'KWD'),
        (micros, currency) => {
          const exact = new Money(micros.toString()).div(1_000_000)
          const coin = new Money(10).pow(-currencyDigits(currency))
          return new Money(toAmount(exact, currency)).minus(exact).abs().lte(coin.div(2))
        },
      ),
    )
  })
})
