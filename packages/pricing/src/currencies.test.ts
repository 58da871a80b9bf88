import { describe, expect, it } from 'vitest'
import { currenciesAsOf, currenciesOn, currencyOf, currencyProblem } from './index.ts'

describe('the currencies of a day', () => {
  it.each([
    ['BGN', '2025-12-31', '2026-01-01'],
    ['HRK', '2022-12-31', '2023-01-01'],
    ['SLL', '2023-12-31', '2024-01-01'],
    ['ZWL', '2024-08-31', '2024-09-01'],
    ['ANG', '2025-06-30', '2025-07-01'],
  ])('%s is there on %s, and gone on %s', (code, last, next) => {
    expect(currencyProblem(code, last)).toBeUndefined()
    expect(currencyProblem(code, next)).toBe(`${code} ended on ${last}`)
    expect(currenciesOn(next).map((one) => one.code)).not.toContain(code)
  })

  it.each([
    ['XCG', '2025-03-30', '2025-03-31'],
    ['ZWG', '2024-06-24', '2024-06-25'],
    ['SLE', '2022-03-31', '2022-04-01'],
    ['VED', '2021-09-30', '2021-10-01'],
  ])('%s is not there on %s, and there on %s', (code, before, first) => {
    expect(currencyProblem(code, before)).toBe(`${code} exists from ${first} on`)
    expect(currencyProblem(code, first)).toBeUndefined()
  })

  it.each(['XCG', 'ZWG', 'SLE', 'VED', 'VES', 'CLF', 'CHE', 'CHW', 'UYW', 'UYI', 'MXV', 'COU', 'BOV', 'USN', 'EUR'])(
    'have %s',
    (code) => expect(currencyProblem(code, currenciesAsOf)).toBeUndefined(),
  )

  it.each(['XXX', 'XTS', 'XAU', 'DEM', 'eur', '', 'toString', '__proto__'])('have no %s', (code) =>
    expect(currencyProblem(code, currenciesAsOf)).toBe(`There is no currency ${code}`),
  )

  it('are in order, each once, with digits and a name', () => {
    const all = currenciesOn(currenciesAsOf)
    expect(all.map(({ code }) => code)).toEqual([...new Set(all.map(({ code }) => code))].toSorted())
    for (const { code, digits, name } of all) {
      expect(code).toMatch(/^[A-Z]{3}$/)
      expect([0, 2, 3, 4]).toContain(digits)
      expect(name.trim()).toMatch(/^\S.+/)
    }
    expect(all.length).toBeGreaterThan(160)
  })

  it('have every code that the runtime knows and that has not ended', () => {
    const accounts = new Set(['XDR', 'XSU'])
    const known = Intl.supportedValuesOf('currency').filter((code) => !accounts.has(code))
    expect(known.filter((code) => currencyOf(code) === undefined)).toEqual([])
  })
})
