import { sentenceOfFileProblem, type FileProblem, type FileProblemCode } from '@crm/errors/problems'
import { refuse, type Refused } from './refusals.ts'

/** Stands for bytes that are no letters: a sign that Unicode keeps for such uses, and that no text has. */
export const noLetter = '\ufdd0'

/** A value as a spreadsheet holds it, with its text in a form that is read in one way only. */
export interface TypedCell {
  /**
   * `number`: a decimal with a point; `day`: `YYYY-MM-DD`; `moment`: `YYYY-MM-DDTHH:mm:ss` in no zone; `flag`: `true` or `false`; `error`: the
   * name that spreadsheets give the error, such as `#REF!`.
   */
  readonly type: 'number' | 'day' | 'moment' | 'flag' | 'error'
  readonly text: string
  /** The code or the sign of the currency that the cell shows. */
  readonly currency?: string
}

/** What stands in one cell: a text, or a value of a spreadsheet. */
export type Cell = string | TypedCell

/** One row of a table with the line on which it begins, from 1. */
export interface Row {
  readonly line: number
  readonly cells: readonly Cell[]
  /** Whether empty lines stand before it. */
  readonly followsGap?: true
  /** The reason for which the row cannot be read. */
  readonly problem?: Refused
}

/** Returns a cell as people read it, without space around it. */
export function textOf(cell: Cell | undefined): string {
  return cell === undefined ? '' : typeof cell === 'string' ? cell.trim() : cell.text
}

/** How much of a file is read. */
export interface Limits {
  /** Bytes of the file. */
  readonly bytesMax: number
  /** Bytes of a workbook once it is unpacked. */
  readonly unpackedBytesMax: number
  /** Rows, the header included. */
  readonly rowsMax: number
  readonly columnsMax: number
  readonly cellCharactersMax: number
}

export const usualLimits: Limits = {
  bytesMax: 50_000_000,
  unpackedBytesMax: 200_000_000,
  rowsMax: 200_001,
  columnsMax: 1_000,
  cellCharactersMax: 100_000,
}

/** The reason for which a file is no table that can be read: in words for the person who brought it, and as a code with values. */
export class TableError extends Error implements FileProblem {
  override readonly name = 'TableError'
  readonly code: FileProblemCode
  readonly values: FileProblem['values']

  constructor(code: FileProblemCode, values: FileProblem['values'] = {}) {
    super(sentenceOfFileProblem({ code, values }))
    this.code = code
    this.values = values
  }
}

/** Returns the reason for which a row goes beyond the limits or holds what no text holds. */
export function rowProblem(cells: readonly Cell[], { columnsMax, cellCharactersMax }: Limits): Refused | undefined {
  if (cells.length > columnsMax) return refuse('TOO_MANY_CELLS', { max: inWords(columnsMax) })
  const tooLong = cells.findIndex((cell) => textOf(cell).length > cellCharactersMax)
  if (tooLong >= 0) return refuse('CELL_TOO_LONG', { cell: String(tooLong + 1), max: inWords(cellCharactersMax) })
  const broken = cells.findIndex((cell) => textOf(cell).includes(noLetter))
  return broken >= 0 ? refuse('CELL_NOT_LETTERS', { cell: String(broken + 1) }) : undefined
}

/** Returns a whole number as English texts have it. */
export function inWords(number: number): string {
  return number.toLocaleString('en')
}

/** Returns bytes as whole megabytes. */
export function megabytes(bytes: number): string {
  return inWords(Math.floor(bytes / 1e6))
}
