import { read, type CellObject, type ParsingOptions, type WorkBook } from '@e965/xlsx'
import type { Book, SheetLine } from './book.ts'
import { typedCell, type DateSystem } from './sheet-cells.ts'
import { TableError, type Cell } from './table.ts'

/** Reads Excel's workbooks of old (xls) and in binary form (xlsb), and OpenDocument's (ods). */
export const otherBook: Book = {
  sheets: async (bytes) => {
    const { SheetNames, Workbook } = open(bytes, {})
    return SheetNames.map((name, at) => ({ name, isHidden: Boolean(Workbook?.Sheets?.[at]?.Hidden) }))
  },

  lines: async (bytes, name) => {
    const book = open(bytes, { sheets: name, cellNF: true, cellText: false, cellHTML: false, cellFormula: false })
    const sheet = book.Sheets[name] as { readonly '!data'?: readonly (Cells | undefined)[] } | undefined
    return sheet && linesOf(sheet['!data'] ?? [], book.Workbook?.WBProps?.date1904 ? '1904' : '1900')
  },
}

type Cells = readonly (CellObject | undefined)[]

function open(bytes: Uint8Array, how: ParsingOptions): WorkBook {
  try {
    return read(bytes, { ...how, dense: true, cellDates: true, UTC: true })
  } catch (error) {
    throw new TableError(/password|encrypt/i.test(String(error)) ? 'WORKBOOK_WITH_PASSWORD' : 'BROKEN_WORKBOOK')
  }
}

function* linesOf(lines: readonly (Cells | undefined)[], dateSystem: DateSystem): Generator<SheetLine> {
  // Lines and cells that are not there are skipped by the methods of arrays.
  for (let at = 0; at < lines.length; at += 1)
    yield { line: at + 1, cells: Array.from(lines[at] ?? [], (cell) => cellOf(cell, dateSystem)) }
}

function cellOf(cell: CellObject | undefined, dateSystem: DateSystem): Cell {
  const { t, v = null, z = 'General' } = cell ?? { t: 'z' }
  if (t === 'e') return { type: 'error', text: errorNames[Number(v)] ?? errorNames[notAvailable] }
  if (typeof v === 'string' && errorText.test(v)) return { type: 'error', text: v }
  return t === 'z' ? '' : typedCell(v, String(z), dateSystem)
}

const notAvailable = 0x2a

/** The names of errors by the numbers that they have in files (MS-XLS 2.5.10). */
const errorNames: Readonly<Record<number, string>> & { readonly [notAvailable]: string } = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  [notAvailable]: '#N/A',
}

/** OpenDocument has errors as texts. */
const errorText = /^(?:#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A)|Err:\d{3})$/
