import { expect, it } from 'vitest'
import { openFile, readRows } from './file.ts'
import { usualLimits, type Limits, type Row } from './table.ts'
import { packed, workbook } from './zip.fixture.ts'

async function* inPieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
const open = (content: string | Uint8Array, limits: Partial<Limits> = {}) =>
  openFile(inPieces(Buffer.from(content)), { ...usualLimits, ...limits })
const cellsOf = async (rows: AsyncIterable<Row>) => (await Array.fromAsync(rows)).map(({ cells }) => cells)

it('a text is read by its most probable encoding, or by the one chosen', async () => {
  const file = await open(Buffer.from('Vorname;Nachname\r\nJürgen;Müller\r\n', 'latin1'))
  expect(file).toMatchObject({ form: 'text', encoding: { isSure: false } })
  expect(await cellsOf(readRows(file))).toEqual([
    ['Vorname', 'Nachname'],
    ['Jürgen', 'Müller'],
  ])
  expect((await cellsOf(readRows(file, { encoding: 'macintosh' })))[1]).toEqual(['J¸rgen', 'M¸ller'])
})

it('a workbook is read by its first sheet that is shown, or by the one chosen', async () => {
  const file = await open(workbook({ rows: '<row r="1"><c r="A1" t="inlineStr"><is><t>Ada</t></is></c></row>' }))
  expect(file).toMatchObject({ form: 'workbook', sheets: [{ name: 'Lists' }, { name: 'Sheet 1' }] })
  expect(await cellsOf(readRows(file))).toEqual([['Ada']])
  expect(await cellsOf(readRows(file, { sheet: 'Lists' }))).toEqual([[{ type: 'number', text: '1' }]])
})

it.each<[string, string | Uint8Array, Partial<Limits>, string]>([
  ['nothing', '', {}, 'The file is empty'],
  ['too many bytes', 'x'.repeat(3_000_000), { bytesMax: 2_000_000 }, 'The file is larger than 2 MB'],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), {}, 'The workbook is in an old form or has a password'],
  ['a PDF', '%PDF-1.7', {}, 'The file is a PDF'],
  ['packed bytes', Buffer.from('1f8b0800', 'hex'), {}, 'The file is packed; unpack it first'],
  [
    'a web page',
    '<html><table><tr><td>1</td></tr></table></html>',
    {},
    'The file is a web page that is only named like a table',
  ],
  ['bytes of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), {}, 'The file is no table'],
  ['an archive without a workbook', packed([{ name: 'a.csv', content: 'a,b' }]), {}, 'The workbook cannot be read'],
])('a file of %s is refused in words', async (_, content, limits, problem) => {
  await expect(open(content, limits)).rejects.toThrow(problem)
})

it('a file that is too large is not read to its end', async () => {
  let pieces = 0
  const endless = async function* () {
    for (;;) {
      pieces += 1
      yield Buffer.alloc(1_000_000)
    }
  }
  await expect(openFile(endless(), { ...usualLimits, bytesMax: 2_000_000 })).rejects.toThrow('larger than 2 MB')
  expect(pieces).toBe(3)
})
