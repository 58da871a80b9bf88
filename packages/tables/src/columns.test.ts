import { expect, it } from 'vitest'
import { guessColumn, settleFormats, type ColumnFormat, type ColumnGuess } from './columns.ts'
import type { Cell } from './table.ts'

const surroundings = { country: 'DE', currencies: ['EUR', 'USD'] }
const guess = (title: string, cells: readonly Cell[]): ColumnGuess =>
  guessColumn(
    title,
    cells.map((cell, at) => ({ line: at + 2, cell })),
    surroundings,
  )

it.each<[string, Cell[], ColumnGuess['meaning'], ColumnFormat]>([
  ['E-Mail', ['a@x.example', 'b@x.example'], 'email', {}],
  ['Contact', ['a@x.example', 'b@x.example; c@x.example'], 'email', {}],
  ['Telefon', ['030 / 1234567', '+49 30 1234567'], 'phone', { phones: 'national', validWithPlus: 0 }],
  ['Mobile Phone', ['4915112345678', '4915112345679'], 'phone', { phones: 'international', validWithPlus: 1 }],
  ['Close date', ['03/04/2026', '29/04/2026'], 'day', { order: 'day first' }],
  ['Close date', ['03/04/2026', '05/06/2026'], 'day', {}],
  ['Whenever', ['2026-04-03', '2026-04-04'], 'day', { order: 'day first' }],
  ['Created', ['2026-04-03 14:30', '2026-04-04 08:00'], 'instant', { order: 'day first' }],
  ['Amount', ['12,500.00', '300'], 'money', { decimal: '.' }],
  ['Betrag', ['€ 1.234,50', '300,00 €'], 'money', { decimal: ',', currency: 'EUR' }],
  ['Preis', ['1.234', '5.678'], 'money', {}],
  ['Probability', ['10 %', '20 %'], 'percent', { decimal: '.' }],
  ['Employees', ['10', '200'], 'number', { decimal: '.' }],
  ['Size', ['10,5', '200'], 'number', { decimal: ',' }],
  ['Newsletter', ['ja', 'nein', 'ja'], 'flag', {}],
  ['Is active', ['1', '0', '1'], 'flag', {}],
  ['Rating', ['1', '0', '1'], 'number', { decimal: '.' }],
  ['Record ID', ['1001', '1002'], 'id', {}],
  ['Lead', ['zcrm_400000001', 'zcrm_400000002'], 'id', {}],
  ['Account', ['0018d00000XyzAbAAJ', '0018d00000XyzAcAAJ'], 'id', {}],
  ['PLZ', ['01067', '10115'], 'id', {}],
  ['Stage', ['New', 'Won', 'New', 'New', 'Won', 'Won'], 'choice', {}],
  ['Name', ['Ada Lovelace', 'Grace Hopper'], 'text', {}],
  ['Notes', ['', '-', 'n/a'], 'empty', {}],
  ['Start', [{ type: 'day', text: '2026-04-03' }], 'day', {}],
  ['Value', [{ type: 'number', text: '12.5', currency: '€' }], 'money', { currency: 'EUR' }],
  ['Done', [{ type: 'flag', text: 'true' }], 'flag', {}],
])('the column %s of %j holds %s', (title, cells, meaning, format) => {
  const found = guess(title, cells)
  expect({ meaning: found.meaning, format: found.format }).toEqual({ meaning, format })
})

it('a title that says the same makes it surer, and one that says something else less sure', () => {
  const mails = ['a@x.example', 'b@x.example']
  const [said, unsaid, denied] = ['E-Mail', 'Who', 'Telefon'].map((title) => guess(title, mails).confidence)
  expect(said).toBeGreaterThan(unsaid!)
  expect(unsaid).toBeGreaterThan(denied!)
})

it('the values that do not fit are named with their lines', () => {
  const { meaning, misfits, samples } = guess('Mail', [
    'a@x.example',
    'b@x.example',
    'none',
    'c@x.example',
    'c at x',
    'd@x.example',
  ])
  expect(meaning).toBe('email')
  expect(misfits).toEqual([{ line: 6, text: 'c at x' }])
  expect(samples).toEqual(['a@x.example', 'b@x.example', 'c@x.example'])
})

it('where two orders fit, both are offered, until another column of the file decides', () => {
  const [open, decided] = [guess('Created on', ['03/04/2026']), guess('Close date', ['29/04/2026'])]
  expect(open).toMatchObject({ orders: ['day first', 'month first'], format: {} })
  expect(settleFormats([open, decided])[0]?.format).toEqual({ order: 'day first' })
  expect(settleFormats([open])[0]?.format).toEqual({})
  expect(settleFormats([open, decided, guess('Paid', ['04/29/2026'])])[0]?.format).toEqual({})
})

it('the decimal sign of one column decides those of the others', () => {
  const [open, decided] = [guess('Price', ['1.234']), guess('Cost', ['1.234,50'])]
  expect(open.decimals).toEqual(['.', ','])
  expect(settleFormats([open, decided])[0]?.format).toEqual({ decimal: ',' })
})

it('the choices of a column are all of its words', () => {
  expect(guess('Stage', ['New', 'Won', 'New', 'New', 'Won', 'Won']).choices).toEqual(['New', 'Won'])
})
