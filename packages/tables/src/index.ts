export { choiceWords } from './choice-words.ts'
export {
  guessColumn,
  settleFormats,
  type ColumnCell,
  type ColumnFormat,
  type ColumnGuess,
  type Misfit,
  type Surroundings,
} from './columns.ts'
export { valueOfCell, type CellValue, type Conversion } from './convert.ts'
export { dateOrders, type DateOrder } from './dates.ts'
export { dialectOf, type Dialect } from './delimited.ts'
export {
  decodeMarked,
  differentLines,
  encodings,
  type DifferentLine,
  type Encoding,
  type EncodingGuess,
} from './encodings.ts'
export { openFile, readRows, type PackedTables, type Part, type SingleFile, type TableFile } from './file.ts'
export { readPacked, type PackedFile } from './archive.ts'
export { headerOf, rowJudge, type Header, type RowJudgement } from './header.ts'
export { currencyOf, decimalSigns, type DecimalSign } from './numbers.ts'
export { phoneFormOf, phoneForms, type PhoneForm } from './phones.ts'
export { cleaned, isEmpty, languages, wordKey } from './reading.ts'
export type { Reading, Refused } from './refusals.ts'
export type { Choice } from './words.ts'
export { TableError, textOf, usualLimits, type Cell, type Limits, type Row, type TypedCell } from './table.ts'
export { meanings, type Meaning } from './titles.ts'
export type { SheetInfo } from './workbook.ts'
export { fieldsNamed, isKeyTitle, titleKey, type NamedField, type TitledKind } from './field-titles.ts'
export { writeWorkbook, type WrittenCell } from './write-workbook.ts'
