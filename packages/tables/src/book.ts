import type { FileProblemCode } from '@crm/errors'
import type { Cell } from './table.ts'
import type { SheetInfo } from './workbook.ts'

/** A line of a sheet, empty ones too. */
export interface SheetLine {
  readonly line: number
  readonly cells: readonly Cell[]
}

/** A reader of workbooks. */
export interface Book {
  /** @throws BookError */
  sheets(bytes: Uint8Array): Promise<readonly SheetInfo[]>
  /** Returns the lines of a sheet; undefined where the workbook has none of the name. */
  lines(bytes: Uint8Array, sheet: string): Promise<Iterable<SheetLine> | undefined>
}

type BookProblem = Extract<FileProblemCode, 'WORKBOOK_WITH_PASSWORD' | 'BROKEN_WORKBOOK'>

/** The reason for which a workbook cannot be read. */
export class BookError extends Error {
  override readonly name = 'BookError'
  readonly code: BookProblem

  constructor(code: BookProblem) {
    super(code)
    this.code = code
  }
}
