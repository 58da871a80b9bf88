import type { Cell } from './table.ts'
import type { SheetInfo } from './workbook.ts'

/** A line of a sheet, empty ones too. */
export interface SheetLine {
  readonly line: number
  readonly cells: readonly Cell[]
}

/** A reader of workbooks; it throws TableError for what it cannot read. */
export interface Book {
  sheets(bytes: Uint8Array): Promise<readonly SheetInfo[]>
  /** Returns the lines of a sheet; undefined where the workbook has none of the name. */
  lines(bytes: Uint8Array, sheet: string): Promise<Iterable<SheetLine> | undefined>
}
