import { seed, stepsOf } from '@crm/testkit'
import fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { expect, it } from 'vitest'
import { openFile, readRows, type SingleFile } from './file.ts'
import { textOf, usualLimits, type Cell, type Limits, type Row } from './table.ts'
import { sheetsOf } from './workbook.ts'
import { packed, workbook, type WorkbookParts } from './zip.fixture.ts'

async function rowsOf(bytes: Uint8Array, changed: Partial<Limits> = {}, sheet = 'Sheet 1'): Promise<Row[]> {
  const limits = { ...usualLimits, ...changed }
  const file = (await openFile(inOnePiece(bytes), limits)) as SingleFile
  return Array.fromAsync(readRows(file, { sheet }, limits))
}
async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
const cellsOf = async (parts: WorkbookParts): Promise<readonly Cell[]> =>
  (await rowsOf(workbook(parts)))[0]?.cells ?? []

it('the sheets of a workbook are told in their order, hidden ones too', async () => {
  expect(await sheetsOf(workbook({ rows: '' }))).toEqual([
    { name: 'Lists', isHidden: true },
    { name: 'Sheet 1', isHidden: false },
  ])
})

it.each<[string, string, string, Cell]>([
  ['a number', '<v>1250.5</v>', 'General', { type: 'number', text: '1250.5' }],
  [
    'a number with an error of binary numbers',
    '<v>0.30000000000000004</v>',
    'General',
    { type: 'number', text: '0.3' },
  ],
  ['a large number', '<v>1.5E+20</v>', 'General', { type: 'number', text: '150000000000000000000' }],
  ['a per cent', '<v>0.125</v>', '0.0%', { type: 'number', text: '12.5' }],
  ['a code with zeros', '<v>1067</v>', '00000', '01067'],
  ['an amount in euros', '<v>12.5</v>', '#,##0.00 [$€-407]', { type: 'number', text: '12.5', currency: '€' }],
  ['an amount in dollars', '<v>12.5</v>', '"$"#,##0.00', { type: 'number', text: '12.5', currency: '$' }],
  ['an amount with a code', '<v>12.5</v>', '[$CHF-807] #,##0.00', { type: 'number', text: '12.5', currency: 'CHF' }],
  ['a number with a unit', '<v>12.5</v>', '0.0 "per cent%"', { type: 'number', text: '12.5' }],
  ['a day', '<v>45385</v>', 'dd/mm/yyyy', { type: 'day', text: '2024-04-03' }],
  ['a moment', '<v>45385.604166666664</v>', 'dd/mm/yyyy hh:mm', { type: 'moment', text: '2024-04-03T14:30:00' }],
  ['a time of day', '<v>0.5</v>', 'h:mm', '12:00:00'],
  ['a length of time', '<v>1.5</v>', '[h]:mm', '36:00:00'],
  ['a long length of time', '<v>100.5</v>', '[h]:mm:ss', '2412:00:00'],
])('%s is read as its format shows it', async (_, value, format, cell) => {
  const rows = `<row r="1"><c r="A1" s="1">${value}</c></row>`
  expect(await cellsOf({ rows, formats: [format] })).toEqual([cell])
})

it.each(['date1904="1"', 'date1904="true"'])(
  'days are those of the calendar of the workbook, %s',
  async (properties) => {
    const rows = '<row r="1"><c r="A1" s="1"><v>43923</v></c><c r="B1" s="2"><v>1.5</v></c></row>'
    expect(await cellsOf({ rows, formats: ['yyyy-mm-dd', '[h]:mm'], properties })).toEqual([
      { type: 'day', text: '2024-04-03' },
      '36:00:00',
    ])
  },
)

it.each<[string, string, Cell]>([
  ['a shared text', '<c r="A1" t="s"><v>1</v></c>', 'Łódź & Söhne'],
  ['a text of its own', '<c r="A1" t="inlineStr"><is><t>Ada</t></is></c>', 'Ada'],
  ['a flag', '<c r="A1" t="b"><v>1</v></c>', { type: 'flag', text: 'true' }],
  ['an error', '<c r="A1" t="e"><v>#REF!</v></c>', { type: 'error', text: '#REF!' }],
  ['a formula with a number', '<c r="A1"><f>1+1</f><v>2</v></c>', { type: 'number', text: '2' }],
  ['a formula with zero', '<c r="A1"><f>1-1</f><v>0</v></c>', { type: 'number', text: '0' }],
  ['a formula with a text', '<c r="A1" t="str"><f>A2</f><v>Ada</v></c>', 'Ada'],
  ['a formula with a flag', '<c r="A1" t="b"><f>FALSE()</f><v>0</v></c>', { type: 'flag', text: 'false' }],
  ['a formula with an error', '<c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c>', { type: 'error', text: '#DIV/0!' }],
  ['a formula that reads another file', '<c r="A1" t="str"><f>[1]Secret!A1</f><v>seen</v></c>', 'seen'],
])('%s is the value that the workbook holds', async (_, cell, expected) => {
  const external = {
    name: 'xl/externalLinks/externalLink1.xml',
    content: '<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>',
  }
  const cells = await cellsOf({ rows: `<row r="1">${cell}</row>`, strings: ['', 'Łódź & Söhne'], more: [external] })
  expect(cells).toEqual([expected])
})

it('rows of empty cells are none, and what follows them follows a gap', async () => {
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" s="0"/></row><row r="5"><c r="B5"><v>7</v></c></row>'
  expect(await rowsOf(workbook({ rows, strings: ['Total'] }))).toEqual([
    { line: 1, cells: ['Total', ''] },
    { line: 5, followsGap: true, cells: ['', { type: 'number', text: '7' }] },
  ])
})

it('two cells in far corners are a problem of the file, not of the process', async () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
  await expect(rowsOf(workbook({ rows }))).rejects.toThrow('The workbook cannot be read')
})

it('a million empty rows are no rows', async () => {
  const empty = Array.from({ length: 1_000_000 }, (_, at) => `<row r="${at + 2}"/>`).join('')
  const rows = `<row r="1"><c r="A1"><v>1</v></c></row>${empty}`
  expect(await rowsOf(workbook({ rows }))).toHaveLength(1)
})

it.each<[string, () => Buffer, string]>([
  ['unpacks to too much', () => bomb(), 'Unpacked, the file is larger than 1 MB'],
  ['declares less than it holds', () => bomb(1_000), 'The workbook cannot be read'],
  ['declares nothing', () => bomb(0), 'The file cannot be read'],
  [
    'has a comment, behind which a second directory can hide',
    () => packed([{ name: 'a.csv', content: 'a' }], 'x'),
    'The file cannot be read',
  ],
  ['has no sheets', () => packed([{ name: '[Content_Types].xml', content: 'a' }]), 'The workbook cannot be read'],
  [
    'has a sheet whose text breaks off',
    () =>
      workbook({
        rows: '',
        more: [{ name: 'xl/worksheets/sheet3.xml', content: '<worksheet><sheetData><row r="1">' }],
      }),
    'A sheet of the workbook breaks off before its end',
  ],
  ['ends early', () => workbook({ rows: '' }).subarray(0, 600), 'The file cannot be read'],
])('a workbook that %s is refused', async (_, bytes, problem) => {
  await expect(rowsOf(bytes(), { unpackedBytesMax: 1_000_000 })).rejects.toThrow(problem)
})

function bomb(declaredBytes?: number): Buffer {
  return workbook({
    rows: '',
    more: [{ name: 'xl/sharedStrings.xml', content: Buffer.alloc(20_000_000), declaredBytes }],
  })
}

it('a sheet that is not there is named', async () => {
  await expect(rowsOf(workbook({ rows: '' }), {}, 'Sheet 9')).rejects.toThrow('The workbook has no sheet of this name')
})

it('rows and cells beyond the limits are told', async () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>'
  await expect(rowsOf(workbook({ rows }), { rowsMax: 1 })).rejects.toThrow('The table has more than 1 rows')
  expect((await rowsOf(workbook({ rows }), { columnsMax: 1 }))[0]?.problem?.problem).toBe(
    'The row has more than 1 cells',
  )
})

it('what is written into a sheet is read back', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() === text)
  const whole = fc.integer({ min: -1_000_000, max: 1_000_000 })
  const value = fc.oneof(text, whole, fc.boolean())
  const table = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const bytes = await writeXlsx({ sheets: [{ name: 'Sheet 1', rows }] })
      const read = await rowsOf(bytes)
      expect(read.map(({ cells }) => cells.map(textOf))).toEqual(rows.map((cells) => cells.map(String)))
    }),
    { seed, numRuns: stepsOf(100) },
  )
})
