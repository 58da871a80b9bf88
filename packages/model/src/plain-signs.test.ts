import { describe, expect, it } from 'vitest'
import { inPlainSigns } from './plain-signs.ts'

/** The digits of each way to write numbers that the runtime knows and that has ten of them. */
const systems = Intl.supportedValuesOf('numberingSystem').map((system) => ({
  system,
  digits: Array.from({ length: 10 }, (_, digit) =>
    new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(digit),
  ),
}))
const withDigits = systems.filter(({ digits }) => digits.every((digit) => /^\p{Nd}$/u.test(digit)))

it('knows how most of the world writes numbers', () => {
  expect(withDigits.length).toBeGreaterThan(60)
})

it.each(withDigits)('reads the digits of $system', ({ digits }) => {
  expect(inPlainSigns(digits.join(''))).toBe('0123456789')
})

describe('other signs', () => {
  it.each([
    ['＋８１　３－１２３４', '+81　3-1234'],
    ['‪+49 151 23456‬', '+49 151 23456'],
    ['١٬٢٣٤٫٥٪', "1'234٫5%"],
    ['12.50 €, O’Brien, ½', '12.50 €, O’Brien, ½'],
  ])('%s becomes %s', (text, plain) => {
    expect(inPlainSigns(text)).toBe(plain)
  })
})
