import { readFile } from 'node:fs/promises'
import { CFB, utils, write } from '@e965/xlsx'
import { expect, it } from 'vitest'
import { filesIn, readPacked } from './archive.ts'
import { openFile, readRows, type SingleFile } from './file.ts'
import { usualLimits } from './table.ts'
import { packed } from './zip.fixture.ts'

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
const open = (bytes: Uint8Array) => openFile(whole(bytes), usualLimits) as Promise<SingleFile>
const written = (ending: string): Promise<Buffer> =>
  readFile(new URL(`../fixtures/libreoffice.${ending}`, import.meta.url))

it.each(['ods', 'xls'])('a workbook that LibreOffice saved as .%s is read as its sheet shows it', async (ending) => {
  const file = await open(await written(ending))
  expect(file).toMatchObject({ form: 'workbook', sheets: [{ name: 'Deals' }, { name: 'Other' }] })
  const [header, deal, second] = await Array.fromAsync(readRows(file))
  expect(header?.cells.slice(0, 4)).toEqual(['Deal Name', 'Amount', 'Share', 'Close date'])
  expect(deal).toEqual({
    line: 2,
    cells: [
      'Jürgen Ωmega',
      { type: 'number', text: '12500.5', currency: '€' },
      { type: 'number', text: '12.5' },
      { type: 'day', text: '2024-04-03' },
      '00042',
      { type: 'flag', text: 'true' },
      { type: 'number', text: '25001', currency: '€' },
      { type: 'error', text: '#DIV/0!' },
      { type: 'moment', text: '2024-04-03T14:30:00' },
      '09:05:00',
      '30:05:00',
    ],
  })
  expect(second).toEqual({ line: 3, cells: ['two\nlines'] })
  expect(await Array.fromAsync(readRows(file, { sheet: 'Other' }))).toEqual([{ line: 1, cells: ['x'] }])
})

it('a workbook in binary form is read', async () => {
  const book = { SheetNames: ['S'], Sheets: { S: utils.aoa_to_sheet([['Name'], ['Ada'], [], [7]]) } }
  const file = await open(new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsb' }) as Buffer))
  expect(await Array.fromAsync(readRows(file))).toEqual([
    { line: 1, cells: ['Name'] },
    { line: 2, cells: ['Ada'] },
    { line: 4, followsGap: true, cells: [{ type: 'number', text: '7' }] },
  ])
})

it('a workbook with a password, or with something else in its form, is refused in words', async () => {
  const locked = CFB.utils.cfb_new()
  CFB.utils.cfb_add(locked, '/EncryptionInfo', Buffer.alloc(64))
  CFB.utils.cfb_add(locked, '/EncryptedPackage', Buffer.alloc(64))
  await expect(open(CFB.write(locked, { type: 'buffer' }) as Buffer)).rejects.toThrow('password')
  const letter = CFB.utils.cfb_new()
  CFB.utils.cfb_add(letter, '/WordDocument', Buffer.alloc(64))
  await expect(open(CFB.write(letter, { type: 'buffer' }) as Buffer)).rejects.toThrow('cannot be read')
  await expect(open(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).rejects.toThrow('cannot be read')
})

it('an OpenDocument sheet whose text breaks off is refused', async () => {
  const bytes = await written('ods')
  const files = await Promise.all(
    (await filesIn(bytes, usualLimits)).map(async ({ path }) => {
      const content = Buffer.concat(await Array.fromAsync(readPacked(bytes, path)))
      return { name: path, content: path === 'content.xml' ? content.subarray(0, -200) : content }
    }),
  )
  const reading = open(packed(files)).then((file) => Array.fromAsync(readRows(file)))
  await expect(reading).rejects.toThrow('breaks off before its end')
})
