// Two readers of each form see the same: what only ours would misread is found here.
import { read, utils, write } from '@e965/xlsx'
import { seed, stepsOf } from '@crm/testkit'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { delimiters, readDelimited } from './delimited.ts'
import { decode, encodings } from './encodings.ts'
import { textOf, usualLimits } from './table.ts'
import { readSheet } from './workbook.ts'

const word = fc.string({
  unit: fc.constantFrom('a', 'Z', 'é', '日', ' ', '"', ',', ';', '\t', '|', '\n', "'", '=', '0'),
  maxLength: 8,
})
const table = fc.array(fc.array(word, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })

it('texts are parted as Papa Parse parts them', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(...delimiters),
      fc.constantFrom('\n', '\r\n', '\r'),
      async (rows, delimiter, newline) => {
        const text = Papa.unparse(rows, { delimiter, newline })
        const theirs = Papa.parse<string[]>(text, { delimiter, newline, skipEmptyLines: true }).data
        const ours = await Array.fromAsync(readDelimited(text, { delimiter, hasNamingLine: false }, usualLimits))
        expect(ours.map(({ cells }) => cells)).toEqual(theirs)
      },
    ),
    { seed, numRuns: stepsOf(4_000) },
  )
})

it('single bytes are the letters that iconv-lite reads, wherever both know one', () => {
  const theirNames = { 'iso-8859-15': 'iso-8859-15', macintosh: 'macroman' }
  const single = encodings.filter((encoding) => /^windows|^iso|^koi|^mac/.test(encoding))
  for (const encoding of single) {
    const theirName = theirNames[encoding as keyof typeof theirNames] ?? encoding
    const different = Array.from({ length: 96 }, (_, at) => at + 160).filter((byte) => {
      const [ours, theirs] = [decode(Buffer.from([byte]), encoding), iconv.decode(Buffer.from([byte]), theirName)]
      return ours !== theirs && ours !== '\ufdd0' && theirs !== '\ufffd'
    })
    expect({ encoding, different }).toEqual({ encoding, different: knownDifferences[encoding] ?? [] })
  }
})

/** The WHATWG follows the Mac Roman of later years: a Greek omega, and the euro where a sign for any currency was. */
const knownDifferences: Readonly<Partial<Record<string, number[]>>> = { macintosh: [189, 219] }

it('workbooks hold what SheetJS reads in them, days of both calendars too', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).filter((value) => value.trim() === value)
  const day = fc.integer({ min: 61, max: 60_000 })
  const row = fc.tuple(text, fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.boolean(), day)
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), fc.boolean(), async (rows, date1904) => {
      const sheet = utils.aoa_to_sheet(
        rows.map(([name, number, flag, serial]) => [name, number, flag, { t: 'n', v: serial, z: 'yyyy-mm-dd' }]),
      )
      const book = { SheetNames: ['S'], Sheets: { S: sheet }, Workbook: { WBProps: { date1904 } } }
      const bytes = new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer)
      const theirs = read(bytes, { cellDates: true, UTC: true }).Sheets['S']!
      const expected = utils.sheet_to_json<unknown[]>(theirs, { header: 1, UTC: true, raw: true })
      const ours = await Array.fromAsync(readSheet(bytes, 'S', usualLimits))
      expect(ours.map(({ cells }) => cells.map(textOf))).toEqual(
        expected.map((cells) =>
          cells.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell))),
        ),
      )
    }),
    { seed, numRuns: stepsOf(60) },
  )
})
