import { expect, it } from 'vitest'
import { decimalShown, decimalSignOf, decimalTyped } from './decimals.ts'

it.each([
  ['en', '.'],
  ['de', ','],
  ['fr', ','],
  ['es', ','],
  ['ru', ','],
] as const)('in %s decimals stand behind “%s”', (locale, sign) => {
  expect(decimalSignOf(locale)).toBe(sign)
})

it.each([
  ['1.234,50', '1234.50', '1234.50'],
  ['1,234.50', '1234.50', '1234.50'],
  ['1.234', '1234', '1.234'],
  ['1,234', '1.234', '1234'],
  ['0.125', '0.125', '0.125'],
  ['0,125', '0.125', '0.125'],
  ['1.50', '1.50', '1.50'],
  ['1,5', '1.5', '1.5'],
  ['1 234,50 €', '1234.50', '1234.50'],
  ['1\u202f234,50\u00a0€', '1234.50', '1234.50'],
  ["CHF1'234", "CHF1'234", "CHF1'234"],
  ["1'234.05", '1234.05', '1234.05'],
  ['12 %', '12', '12'],
  ['−9,90', '-9.90', '-9.90'],
  [' 7 ', '7', '7'],
  ['１２３４', '1234', '1234'],
  ['\u200e12\u200f', '12', '12'],
  ['7,', '7', '7'],
  [',5', '0.5', '0.5'],
  ['12.34.56', '12.34.56', '12.34.56'],
  ['a lot', 'a lot', 'a lot'],
  ['{{amount}}', '{{amount}}', '{{amount}}'],
  ['-', '-', '-'],
  ['', '', ''],
] as const)('“%s” is %s where decimals stand behind a comma, %s behind a point', (typed, comma, point) => {
  expect([decimalTyped(typed, ','), decimalTyped(typed, '.')]).toEqual([comma, point])
})

it.each(['0', '1234.567', '-0.5', '12', '1000000.25'])('%s is read again as it was shown', (number) => {
  expect(decimalShown(number, ',')).not.toContain('.')
  for (const sign of [',', '.'] as const) expect(decimalTyped(decimalShown(number, sign), sign)).toBe(number)
})

it('is how every field of the console reads numbers: a field of the browser loses what it does not know', () => {
  const sources = import.meta.glob('../**/*.tsx', { query: '?raw', import: 'default', eager: true })
  const native = Object.entries(sources).filter(([, text]) => /type="number"/.test(text))
  expect(native.map(([path]) => path)).toEqual([])
})
