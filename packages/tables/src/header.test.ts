import { expect, it } from 'vitest'
import { dialectOf, readDelimited } from './delimited.ts'
import { refuse } from './refusals.ts'
import { headerOf, rowJudge } from './header.ts'
import { usualLimits, type Row } from './table.ts'

const rowsOf = (text: string): Promise<Row[]> => Array.fromAsync(readDelimited(text, dialectOf(text), usualLimits))

it.each([
  ['a usual table', 'Name,Mail\nAda,a@x.example\n', 1, ['Name', 'Mail'], []],
  [
    'a report with its name above',
    'Open deals\n\nName,Amount,Stage\nA,1,x\nB,2,y\n',
    3,
    ['Name', 'Amount', 'Stage'],
    ['Open deals'],
  ],
  [
    'a name above that fills its row with separators',
    'Open deals,,\nName,Amount,Stage\nA,1,x\nB,2,y\n',
    2,
    ['Name', 'Amount', 'Stage'],
    ['Open deals'],
  ],
  ['two columns with one title', 'Name,Phone,Phone\nA,1,2\n', 1, ['Name', 'Phone', 'Phone'], []],
  ['numbers as the first row', '1,2\n3,4\n', 1, ['1', '2'], []],
  ['decomposed letters', 'Stra\u00dfe,Cafe\u0301\nx,y\n', 1, ['Straße', 'Café'], []],
])('the header of %s', async (_, text, line, titles, above) => {
  const header = headerOf(await rowsOf(text))
  expect(header).toMatchObject({ line, titles })
  expect(header?.above.map(({ text }) => text)).toEqual(above)
})

it('a table without rows has no header', () => {
  expect(headerOf([])).toBeUndefined()
})

it('of a report, the records come in, and the other rows are named', async () => {
  const report =
    'Open deals,,\n\nName,Amount,Stage\nA,1,x\nB,2,\n,,\nC,3,z\nD,4,z,too many\nE,5,z,\n\nGrand Totals (3 Records),,\nConfidential,,\nshort\n'
  const rows = await rowsOf(report)
  const header = headerOf(rows)!
  const judge = rowJudge(header)
  const judged = rows.filter(({ line }) => line > header.line).map((row) => [row.line, judge(row)])
  expect(judged).toMatchObject([
    [4, { is: 'record' }],
    [5, { is: 'record' }],
    [6, { is: 'skipped', because: 'The row is empty' }],
    [7, { is: 'record' }],
    [8, { is: 'problem', because: 'The row has 4 cells, and the header has 3' }],
    [9, { is: 'record' }],
    [11, { is: 'skipped', because: 'The row stands below the table' }],
    [12, { is: 'skipped', because: 'The row stands below the table' }],
    [13, { is: 'skipped', because: 'The row has fewer cells than the header' }],
  ])
})

it('a row with one cell in the middle of a table is a record, and a row with a problem keeps it', () => {
  const judge = rowJudge({ line: 1, titles: ['Name', 'Mail'], above: [] })
  expect(judge({ line: 2, cells: ['Ada', ''] })).toEqual({ is: 'record' })
  expect(judge({ line: 3, cells: [], problem: refuse('UNREADABLE_CARD') })).toMatchObject({
    is: 'problem',
    code: 'UNREADABLE_CARD',
  })
})
