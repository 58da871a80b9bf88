import { expect, it } from 'vitest'
import { readPacked } from './archive.ts'
import { openFile, readRows, type SingleFile } from './file.ts'
import { usualLimits, type Limits, type Row } from './table.ts'
import { packed, workbook } from './zip.fixture.ts'

async function* inPieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
const openAny = (content: string | Uint8Array, limits: Partial<Limits> = {}) =>
  openFile(inPieces(Buffer.from(content)), { ...usualLimits, ...limits })
const open = (content: string | Uint8Array, limits: Partial<Limits> = {}) =>
  openAny(content, limits) as Promise<SingleFile>
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
  ['a PDF', '%PDF-1.7', {}, 'The file is a PDF'],
  ['packed bytes', Buffer.from('1f8b0800', 'hex'), {}, 'The file is packed in a form that is not read here'],
  [
    'a web page',
    '<html><table><tr><td>1</td></tr></table></html>',
    {},
    'The file is a web page that is only named like a table',
  ],
  ['bytes of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), {}, 'The file is no table'],
  ['an archive without tables', packed([{ name: 'a.pdf', content: 'a' }]), {}, 'The archive holds no tables'],
  ['an archive within one', packed([{ name: 'a.zip', content: packed([]) }]), {}, 'The archive holds no tables'],
  [
    'an archive that unpacks to too much',
    packed([{ name: 'a.csv', content: Buffer.alloc(3_000_000) }]),
    { unpackedBytesMax: 2_000_000 },
    'Unpacked, the file is larger than 2 MB',
  ],
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

it('an archive tells of its tables, without what systems add', async () => {
  const bytes = packed([
    { name: 'export/contacts.csv', content: 'Name\nAda\n' },
    { name: 'export/deals.xlsx', content: workbook({ rows: '' }) },
    { name: 'export/read me.pdf', content: 'a' },
    { name: '__MACOSX/export/contacts.csv', content: 'a' },
    { name: 'export/.DS_Store', content: 'a' },
  ])
  const archive = await openAny(bytes)
  expect(archive).toMatchObject({
    form: 'archive',
    tables: [{ path: 'export/contacts.csv', bytes: 9 }, { path: 'export/deals.xlsx' }],
    others: ['export/read me.pdf'],
  })
  const inside = await openFile(readPacked(bytes, 'export/contacts.csv'))
  expect(await cellsOf(readRows(inside as SingleFile))).toEqual([['Name'], ['Ada']])
})

it('a file in an archive that is larger than declared is not read', async () => {
  const bytes = packed([{ name: 'a.csv', content: 'x'.repeat(5_000), declaredBytes: 100 }])
  await expect(openFile(readPacked(bytes, 'a.csv'))).rejects.toThrow('too many bytes')
})

it('cards of people are a table', async () => {
  const file = await open('BEGIN:VCARD\r\nVERSION:3.0\r\nN:Byron;Ada\r\nEND:VCARD\r\n')
  expect(await cellsOf(readRows(file))).toEqual([
    ['First name', 'Last name'],
    ['Ada', 'Byron'],
  ])
})
