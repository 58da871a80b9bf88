import { read, utils } from '@e965/xlsx'
import { streamXlsxRows } from 'hucre'
import { expect, it } from 'vitest'
import { cellCharactersMax, writeWorkbook, type WrittenCell } from './write-workbook.ts'

async function* inTurn(rows: readonly (readonly WrittenCell[])[]): AsyncGenerator<readonly WrittenCell[]> {
  yield* rows
}

/** Returns the rows of a written workbook, as another library reads them. */
async function written(rows: readonly (readonly WrittenCell[])[]): Promise<unknown[][]> {
  const pieces: Uint8Array[] = []
  for await (const piece of writeWorkbook('contacts', inTurn(rows))) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const book = read(bytes)
  expect(book.SheetNames).toEqual(['contacts'])
  const cells = utils.sheet_to_json<unknown[]>(book.Sheets['contacts'] ?? {}, { header: 1, defval: null })
  const again: unknown[][] = []
  for await (const { values } of streamXlsxRows(bytes)) again.push([...values])
  expect(again).toEqual(cells)
  return cells
}

it.each<[string, WrittenCell]>([
  ['a phone number', '+4930123456'],
  ['a leading zero', '01067'],
  ['sixteen digits', '1234567890123456'],
  ['a formula', '=SUM(A1)'],
  ['a date', '2026-04-03'],
  ['spaces around', '  x  '],
  ['a line break', 'a\nb'],
  ['letters of XML', '<b>&"\'</b>'],
  ['a sign beyond the basic plane', '𝔘 😀'],
  ['what looks like an escape', '_x0041_'],
  ['a number', 12.5],
  ['nothing', null],
])('keeps %s', async (_, cell) => {
  expect(
    await written([
      ['title', 'end'],
      [cell, 'end'],
    ]),
  ).toEqual([
    ['title', 'end'],
    [cell, 'end'],
  ])
})

it('leaves out what no workbook can hold: control characters, and the end of a text that is too long', async () => {
  const [, [cell, long] = []] = await written([
    ['title', 'long'],
    ['a\u0001b\uD800c', 'x'.repeat(40_000)],
  ])
  expect(cell).toBe('abc')
  expect(long).toHaveLength(cellCharactersMax)
})
