import { seed, stepsOf } from '@crm/testkit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalSigns, decimalSignsOf, readNumber, type DecimalSign } from './numbers.ts'

const currencies = ['EUR', 'USD', 'CHF', 'GBP', 'PLN']

it.each<[string, DecimalSign, string]>([
  ['12,500.00', '.', '12500.00'],
  ['12.500,00', ',', '12500.00'],
  ['12 500', '.', '12500'],
  ['12\u00a0500,5', ',', '12500.5'],
  ['12\u202f500,5', ',', '12500.5'],
  ["12'500.50", '.', '12500.50'],
  ['12,34,567.8', '.', '1234567.8'],
  ['1.234', ',', '1234'],
  ['1.234', '.', '1.234'],
  ['(12.00)', '.', '-12.00'],
  ['-12', '.', '-12'],
  ['−12', '.', '-12'],
  ['12-', '.', '-12'],
  ['+12', '.', '12'],
  ['.5', '.', '0.5'],
  ['007', '.', '7'],
  ['-0.00', '.', '0.00'],
  ['١٬٢٣٤٫٥٠', '.', '1234.50'],
  ['١٬٢٣٤٫٥٠', ',', '1234.50'],
  ['१,२३,४५६.७०', '.', '123456.70'],
  ['－１２３４．５', '.', '-1234.5'],
  ['\u200e12.50\u200b', '.', '12.50'],
  ['１２．５０', '.', '12.50'],
  ['12,-', ',', '12'],
  ['1.200,—', ',', '1200'],
])('%s with the decimal sign %s is %s', (text, sign, number) => {
  expect(readNumber(text, sign, currencies)).toEqual({ value: { number, isPercent: false } })
})

it.each<[string, DecimalSign, string, string]>([
  ['€ 1.234,50', ',', '1234.50', 'EUR'],
  ['1.234,50 €', ',', '1234.50', 'EUR'],
  ['-€5', '.', '-5', 'EUR'],
  ['€-5', '.', '-5', 'EUR'],
  ['CHF 12.50', '.', '12.50', 'CHF'],
  ['12.50 usd', '.', '12.50', 'USD'],
  ['US$12', '.', '12', 'USD'],
  ['$12', '.', '12', '$'],
  ['1 200,00 zł', ',', '1200.00', 'PLN'],
  ['($12.50)', '.', '-12.50', '$'],
  ['$(12.50)', '.', '-12.50', '$'],
  ['CHF (12.50)', '.', '-12.50', 'CHF'],
  ['(1.234,50) €', ',', '-1234.50', 'EUR'],
  ['( 12,50 € )', ',', '-12.50', 'EUR'],
  ['Fr. 12.50', '.', '12.50', 'CHF'],
  ['12,– €', ',', '12', 'EUR'],
])('%s is an amount', (text, sign, number, currency) => {
  expect(readNumber(text, sign, currencies)).toEqual({ value: { number, currency, isPercent: false } })
})

it.each(['12 %', '12%'])('%s is a per cent', (text) => {
  expect(readNumber(text, '.', currencies)).toEqual({ value: { number: '12', isPercent: true } })
})

it.each<[string, DecimalSign, string]>([
  ['12.500,00', '.', '“12.500,00” is no number with a decimal point'],
  ['12,500.00', ',', '“12,500.00” is no number with a decimal comma'],
  ['12345678901234567890', '.', '“12345678901234567890” has more than 15 digits, and a number would lose some of them'],
  ['12 PCS', '.', '“12 PCS” is no number'],
  ['€12 €', '.', '“€12 €” is no number'],
  ['(12', '.', '“(12” is no number'],
  ['-(12)', '.', '“-(12)” is no number'],
  ['12,50,0', '.', '“12,50,0” is no number'],
  ['1.2.3', '.', '“1.2.3” is no number'],
  ['twelve', '.', '“twelve” is no number'],
])('%s with the decimal sign %s is refused', (text, sign, problem) => {
  expect(readNumber(text, sign, currencies)).toMatchObject({ problem })
})

it.each<[string, string[], DecimalSign[]]>([
  ['one number decides', ['1.234', '1.234,50'], [',']],
  ['the other way', ['1,234', '12.5'], ['.']],
  ['nothing decides', ['1.234', '5.678'], ['.', ',']],
  ['two numbers contradict', ['1.234,50', '1,234.50'], []],
  ['what is no number decides nothing', ['1,5', 'n. a.'], [',']],
])('the decimal sign: %s', (_, texts, signs) => {
  expect(decimalSignsOf(texts, currencies)).toEqual(signs)
})

it('numbers as languages write them are read with all their digits', () => {
  const languages: readonly [string, DecimalSign][] = [
    ['en', '.'],
    ['de', ','],
    ['fr', ','],
    ['de-CH', '.'],
    ['en-IN', '.'],
    ['ru', ','],
    ['pt-BR', ','],
  ]
  fc.assert(
    fc.property(
      fc.integer({ min: -999_999_999, max: 999_999_999 }),
      fc.constantFrom(...languages),
      (cents, [language, sign]) => {
        const text = (cents / 100).toLocaleString(language, { minimumFractionDigits: 2 })
        expect(decimalSigns).toContain(sign)
        expect(readNumber(text, sign, currencies)).toEqual({
          value: { number: (cents / 100).toFixed(2), isPercent: false },
        })
      },
    ),
    { seed, numRuns: stepsOf(2_000) },
  )
})
