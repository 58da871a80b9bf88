import { seed, stepsOf } from '@crm/testkit'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { delimiters, dialectOf, readDelimited } from './delimited.ts'
import { usualLimits, type Limits, type Row } from './table.ts'

const rowsOf = (text: string, limits: Partial<Limits> = {}): Promise<Row[]> =>
  Array.fromAsync(readDelimited(text, dialectOf(text), { ...usualLimits, ...limits }))
const cellsOf = async (text: string): Promise<(readonly unknown[])[]> => (await rowsOf(text)).map(({ cells }) => cells)

it.each([
  ['commas', 'a,b\n1,2\n', ','],
  ['semicolons, with commas in the numbers', 'a;b\n1,5;2,5\n3,5;4,5\n', ';'],
  ['tabs', 'a\tb\n1\t2\n', '\t'],
  ['bars', 'a|b\n1|2\n', '|'],
  ['a title above, with commas', 'Report, of today, for all\n\na;b;c\n1;2;3\n4;5;6\n', ';'],
  ['semicolons in quotation marks', 'a,b\n"1;2;3;4",x\n"5;6;7;8",y\n', ','],
  ['a header in quotation marks', '"a","b; c"\n1,2\n', ','],
  ['one column', 'name\nAda\n', ','],
])('the delimiter of a text with %s', (_, text, delimiter) => {
  expect(dialectOf(text)).toEqual({ delimiter, hasNamingLine: false })
})

it.each(['sep=;\r\na;b\r\n1;2', '"sep=;"\na;b\n1;2'])(
  'a first line that names the delimiter is no row: %j',
  async (text) => {
    expect(await rowsOf(text)).toEqual([
      { line: 2, cells: ['a', 'b'] },
      { line: 3, cells: ['1', '2'] },
    ])
  },
)

it.each([
  ['CR', 'a,b\r1,2\r3,4'],
  ['LF', 'a,b\n1,2\n3,4\n'],
  ['CR LF', 'a,b\r\n1,2\r\n3,4\r\n'],
  ['all of them', 'a,b\r\n1,2\n3,4\r'],
])('lines that end with %s', async (_, text) => {
  expect(await cellsOf(text)).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ])
})

it('rows know the line on which they begin, and a gap before them', async () => {
  expect(await rowsOf('a,b\n"x\ny",2\n\n\nz,3\n')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x\ny', '2'] },
    { line: 6, followsGap: true, cells: ['z', '3'] },
  ])
})

it('an inch sign within a cell stays', async () => {
  expect(await cellsOf('a,b\n6" pipe,2\n')).toEqual([
    ['a', 'b'],
    ['6" pipe', '2'],
  ])
})

it.each<[string, string, Partial<Limits>, string]>([
  ['cells', 'a,b\n1,2,3\n', { columnsMax: 2 }, 'The row has more than 2 cells'],
  ['characters', 'a,b\n1,12345\n', { cellCharactersMax: 4 }, 'Cell 2 has more than 4 characters'],
  [
    'bytes that are no letters',
    'a,b\n1,\ufdd0\n',
    {},
    'Cell 2 holds bytes that are no letters in the encoding of the file',
  ],
])('a row with too many %s is a problem with its line', async (_, text, limits, problem) => {
  expect((await rowsOf(text, limits))[1]).toMatchObject({ line: 2, cells: [], problem: { problem } })
})

it('rows of empty cells do not count, up to a bound', async () => {
  expect((await rowsOf(`a,b\n${',\n'.repeat(30)}1,2\n`, { rowsMax: 2 })).at(-1)).toMatchObject({ cells: ['1', '2'] })
  await expect(rowsOf(`a,b\n${' ,\n'.repeat(40)}`, { rowsMax: 2 })).rejects.toThrow('The table has more than 2 rows')
})

it('more rows than the limit are refused', async () => {
  await expect(rowsOf('a\n1\n2\n', { rowsMax: 2 })).rejects.toThrow('The table has more than 2 rows')
})

it.each([
  ['at the end', 'a,b\n1,"2\n3,4\n'],
  ['in a long file', `a,b\n1,"2\n${'3,4\n'.repeat(300_000)}`],
])('a quotation mark that is never closed is named, %s', async (_, text) => {
  await expect(rowsOf(text)).rejects.toThrow(/A quotation mark is opened in or before line \d+ and never closed/)
})

it('what is written with any delimiter is read back', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/^sep=/i.test(text))
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))
  const ends = fc.constantFrom('\n', '\r\n', '\r')
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom(...delimiters), ends, async (rows, delimiter, end) => {
      const text = stringify(rows, { delimiter, record_delimiter: end, quoted: true })
      const read = await Array.fromAsync(readDelimited(text, { delimiter, hasNamingLine: false }, usualLimits))
      expect(read.map(({ cells }) => cells)).toEqual(rows)
    }),
    { seed, numRuns: stepsOf(1_000) },
  )
})
