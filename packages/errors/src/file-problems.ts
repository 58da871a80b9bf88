import { filledIn } from './cell-problems.ts'

/** Why a file that somebody brings cannot be read, in the way of `cellProblems`. */
export const fileProblems = {
  EMPTY_FILE: 'The file is empty',
  NO_ROWS: 'The file has no rows',
  FILE_TOO_LARGE: 'The file is larger than {max} MB',
  UNPACKED_TOO_LARGE: 'Unpacked, the file is larger than {max} MB',
  TOO_MANY_ROWS: 'The table has more than {max} rows',
  NO_TABLE: 'The file is no table: save it as CSV or as an Excel workbook',
  WEB_PAGE: 'The file is a web page that is only named like a table; open it in a spreadsheet and save it as CSV',
  PDF_FILE: 'The file is a PDF; export the table as CSV or as an Excel workbook',
  PACKED_FILE: 'The file is packed in a form that is not read here; unpack it first',
  BROKEN_FILE: 'The file cannot be read; open it in the program that wrote it and save it again',
  BROKEN_WORKBOOK: 'The workbook cannot be read; open it in a spreadsheet and save it again',
  WORKBOOK_TOO_LARGE: 'The workbook is too large; save the sheet as CSV',
  WORKBOOK_WITH_PASSWORD: 'The workbook has a password; save it without one',
  SHEET_CUT_OFF: 'A sheet of the workbook breaks off before its end; open it in a spreadsheet and save it again',
  NO_SUCH_SHEET: 'The workbook has no sheet of this name',
  OTHER_ENCODING: 'The file holds bytes that are no {encoding}. Save it as CSV in UTF-8',
  OTHER_ENCODING_LIKE:
    'The file holds bytes that are no {encoding}. It seems to be in {likely}. Save it as CSV in UTF-8',
  OPEN_QUOTATION: 'A quotation mark is opened in or before line {line} and never closed',
  UNREADABLE_LINE: 'Line {line} cannot be read as a row of a table',
  NO_TABLES_INSIDE: 'The archive holds no tables',
  OTHER_RECORDS: 'The file has records of a kind that does not come in, or only lines of other records',
  LEFT_OUT: 'The tables of the archive stand beside it. Left out: {files}',
} as const

export type FileProblemCode = keyof typeof fileProblems

/** A problem of a file as it is stored and sent: its code, and the values of its sentence. */
export interface FileProblem {
  readonly code: FileProblemCode
  readonly values: Readonly<Record<string, string>>
}

/** Returns the English sentence of a problem of a file. */
export function sentenceOfFileProblem({ code, values }: FileProblem): string {
  return filledIn(fileProblems[code], values)
}
