import type { MigrationFilePlan } from '@crm/contract'
import { t } from './texts.ts'

type CellProblemCode = NonNullable<MigrationFilePlan['skipped'][number]['code']>
type FileProblemCode = NonNullable<MigrationFilePlan['problemCode']>

/** The values that sentences of problems name; a problem has only those of its own. */
const noCellValues = { text: '', max: '', min: '', kind: '', cell: '', cells: '', columns: '', field: '' }
type CellValues = typeof noCellValues

const cellProblems: Readonly<Record<CellProblemCode, (values: CellValues) => string>> = {
  SPREADSHEET_ERROR: (values) => t('The spreadsheet has an error in this cell: {text}.', values),
  CONTROL_CHARACTERS: () => t('The cell has control characters.'),
  NOT_LETTERS: () => t('The cell has bytes that are not letters.'),
  TWO_NUMBERS: (values) => t('“{text}” can be two numbers. Choose how numbers are written.', values),
  NO_NUMBER: (values) => t('“{text}” is not a number.', values),
  NO_NUMBER_WITH_POINT: (values) => t('“{text}” is not a number with a decimal point.', values),
  NO_NUMBER_WITH_COMMA: (values) => t('“{text}” is not a number with a decimal comma.', values),
  TOO_MANY_DIGITS: (values) => t('“{text}” has more than {max} digits, and a number would lose some.', values),
  NOT_WHOLE: (values) => t('“{text}” is not a whole number.', values),
  PERCENT_FOR_AMOUNT: (values) => t('“{text}” is a percentage, not an amount.', values),
  NO_PHONE: (values) => t('“{text}” is not a phone number.', values),
  PHONE_WITH_LETTERS: (values) => t('“{text}” has letters; a phone number has digits only.', values),
  PHONE_WITHOUT_COUNTRY: (values) => t('“{text}” has no country code. Choose the country of the numbers.', values),
  NO_EMAIL: (values) => t('“{text}” is not an email address.', values),
  NO_DATE: (values) => t('“{text}” is not a date.', values),
  NO_DATE_DAY_FIRST: (values) => t('“{text}” is not a date with the day first.', values),
  NO_DATE_MONTH_FIRST: (values) => t('“{text}” is not a date with the month first.', values),
  TWO_DAYS: (values) => t('“{text}” can be two days. Choose whether the day or the month comes first.', values),
  TIME_FOR_DAY: (values) => t('“{text}” has a time, where only a day fits.', values),
  NO_CHOICE: (values) => t('“{text}” is none of the choices.', values),
  SEVERAL_CHOICES: (values) => t('“{text}” is the name of several choices.', values),
  NO_FLAG: (values) => t('“{text}” is neither yes nor no.', values),
  NOT_FOUND: (values) => t('There is no {kind} “{text}”.', values),
  SEVERAL_FOUND: (values) => t('There is more than one {kind} “{text}”.', values),
  NO_CURRENCY: (values) => t('There is no currency “{text}”.', values),
  TOO_LONG: (values) => t('“{text}” has more than {max} characters.', values),
  TOO_MANY_VALUES: (values) => t('The cell has more than {max} values.', values),
  NO_PERCENT: (values) => t('“{text}” is not from 0 to 100.', values),
  BELOW_MIN: (values) => t('“{text}” is not at least {min}.', values),
  ABOVE_MAX: (values) => t('“{text}” is not at most {max}.', values),
  OUT_OF_RANGE: (values) => t('“{text}” is not from {min} to {max}.', values),
  BELOW_ZERO: (values) => t('“{text}” is below zero.', values),
  AMOUNT_TOO_LONG: (values) => t('“{text}” has more than 12 digits before the decimals, or more than 6 after.', values),
  NO_WEBSITE: (values) => t('“{text}” is not the address of a website.', values),
  DOES_NOT_FIT: (values) => t('“{text}” does not fit this field.', values),
  NO_SINGLE_CELL: () => t('One cell cannot hold this field.'),
  NOT_WRITABLE: () => t('The service writes this field itself.'),
  EMPTY_ROW: () => t('The row is empty.'),
  FEWER_CELLS: () => t('The row has fewer cells than the header.'),
  MORE_CELLS: (values) => t('The row has {cells} cells, and the header has {columns}.', values),
  BELOW_TABLE: () => t('The row stands below the table.'),
  TOO_MANY_CELLS: (values) => t('The row has more than {max} cells.', values),
  CELL_TOO_LONG: (values) => t('Cell {cell} has more than {max} characters.', values),
  CELL_NOT_LETTERS: (values) => t('Cell {cell} has bytes that are not letters in the encoding of the file.', values),
  UNREADABLE_CARD: () => t('The card cannot be read.'),
  UNREADABLE_ROW: (values) => t('The row cannot be read: {text}', values),
  NOTHING_TO_TELL_BY: () => t('The row has no name, address or number to tell the record by.'),
  REQUIRED: (values) => t('{field} is required.', values),
  REFUSED: (values) => t('The row was refused: {text}', values),
  NUMBER_TAKEN: (values) => t('There is another record with the number “{text}”.', values),
  KEY_TAKEN: (values) => t('There is another record with the id “{text}”.', values),
  MAY_NOT_CHANGE: () => t('You may not change the record that is already here.'),
}

/** Returns the sentence of a problem of a row or a cell. */
export function cellProblem(code: CellProblemCode, values: Partial<CellValues>): string {
  return cellProblems[code]({ ...noCellValues, ...values })
}

const noFileValues = { max: '', line: '', encoding: '', likely: '', files: '' }
type FileValues = typeof noFileValues

const fileProblems: Readonly<Record<FileProblemCode, (values: FileValues) => string>> = {
  EMPTY_FILE: () => t('The file is empty.'),
  NO_ROWS: () => t('The file has no rows.'),
  FILE_TOO_LARGE: (values) => t('The file is larger than {max} MB.', values),
  UNPACKED_TOO_LARGE: (values) => t('Unpacked, the file is larger than {max} MB.', values),
  TOO_MANY_ROWS: (values) => t('The table has more than {max} rows.', values),
  NO_TABLE: () => t('The file is not a table. Save it as CSV or as an Excel workbook.'),
  WEB_PAGE: () =>
    t('The file is a web page that is only named like a table. Open it in a spreadsheet and save it as CSV.'),
  PDF_FILE: () => t('The file is a PDF. Export the table as CSV or as an Excel workbook.'),
  PACKED_FILE: () => t('The file is packed in a form that cannot be read here. Unpack it first.'),
  BROKEN_FILE: () => t('The file cannot be read. Open it in the program that wrote it and save it again.'),
  BROKEN_WORKBOOK: () => t('The workbook cannot be read. Open it in a spreadsheet and save it again.'),
  WORKBOOK_TOO_LARGE: () => t('The workbook is too large. Save the sheet as CSV.'),
  WORKBOOK_WITH_PASSWORD: () => t('The workbook has a password. Save it without one.'),
  SHEET_CUT_OFF: () =>
    t('A sheet of the workbook breaks off before its end. Open it in a spreadsheet and save it again.'),
  NO_SUCH_SHEET: () => t('The workbook has no sheet of this name.'),
  OTHER_ENCODING: (values) => t('The file has letters that are not {encoding}. Save it as CSV in UTF-8.', values),
  OTHER_ENCODING_LIKE: (values) =>
    t('The file has letters that are not {encoding}; it seems to be {likely}. Save it as CSV in UTF-8.', values),
  OPEN_QUOTATION: (values) => t('A quotation mark is opened in or before line {line} and never closed.', values),
  UNREADABLE_LINE: (values) => t('Line {line} cannot be read as a row of a table.', values),
  NO_TABLES_INSIDE: () => t('The archive holds no tables.'),
  OTHER_RECORDS: () => t('The file has records that cannot be imported, or only lines of other records.'),
  LEFT_OUT: (values) => t('The tables of the archive are listed beside it. Left out: {files}', values),
}

/** Returns the sentence of a problem of a file. */
export function fileProblem(code: FileProblemCode, values: Partial<FileValues>): string {
  return fileProblems[code]({ ...noFileValues, ...values })
}
