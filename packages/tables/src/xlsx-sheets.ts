import { EncryptedFileError } from 'hucre'
import { readXlsx, type Cell as SheetCell, type CellValue, type Sheet } from 'hucre/xlsx'
import { typedCell, type DateSystem } from './sheet-cells.ts'
import type { Book, SheetLine } from './book.ts'
import { TableError, type Cell } from './table.ts'

/** Reads Excel's workbooks of today (xlsx, ECMA-376). */
export const xlsxBook: Book = {
  async sheets(bytes) {
    const found: Awaited<ReturnType<Book['sheets']>>[number][] = []
    await inWords(
      readXlsx(bytes, {
        sheets: ({ name, hidden = false, veryHidden = false }) => {
          found.push({ name, isHidden: hidden || veryHidden })
          return false
        },
      }),
    )
    return found
  },

  async lines(bytes, name) {
    const { sheets, dateSystem } = await inWords(readXlsx(bytes, { sheets: [name], readStyles: true }))
    const [sheet] = sheets
    return sheet && linesOf(sheet, dateSystem)
  },
}

function inWords<Read>(reading: Promise<Read>): Promise<Read> {
  return reading.catch((error: unknown) => {
    throw new TableError(error instanceof EncryptedFileError ? 'WORKBOOK_WITH_PASSWORD' : 'BROKEN_WORKBOOK')
  })
}

function* linesOf({ rows, cells }: Sheet, dateSystem: DateSystem | undefined): Generator<SheetLine> {
  for (const [at, values] of rows.entries())
    yield {
      line: at + 1,
      cells: values.map((value, column) => cellOf(value, cells?.get(`${at},${column}`), dateSystem)),
    }
}

function cellOf(value: CellValue, details: SheetCell | undefined, dateSystem: DateSystem | undefined): Cell {
  return details?.type === 'error'
    ? { type: 'error', text: String(value) }
    : typedCell(value, details?.style?.numFmt, dateSystem)
}
