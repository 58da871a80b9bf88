import type { FileProblemCode } from '@crm/errors'
import { filesIn, formOfArchive, isArchive, tablesAmong, type PackedFile } from './archive.ts'
import { collectBytes } from './bytes.ts'
import { isCards, readCards } from './cards.ts'
import { dialectOf, readDelimited } from './delimited.ts'
import { decode, guessEncoding, type Encoding, type EncodingGuess } from './encodings.ts'
import { TableError, usualLimits, type Limits, type Row } from './table.ts'
import { readSheet, sheetsOf, type SheetInfo } from './workbook.ts'

/** A file that holds tables: a text with delimiters or of cards, a workbook with sheets, or an archive of such files. */
export type TableFile = SingleFile | PackedTables

/** An archive; `others` are the paths of its files that are no tables. */
export interface PackedTables {
  readonly form: 'archive'
  readonly bytes: Uint8Array
  readonly tables: readonly PackedFile[]
  readonly others: readonly string[]
}

/** A file that is one table, or a choice of sheets. */
export type SingleFile =
  | { readonly form: 'text'; readonly bytes: Uint8Array; readonly encoding: EncodingGuess }
  | { readonly form: 'workbook'; readonly bytes: Uint8Array; readonly sheets: readonly SheetInfo[] }

/** Which part of a file is read, and how; by default the most probable encoding, and the first sheet that is not hidden. */
export interface Part {
  readonly encoding?: Encoding
  readonly sheet?: string
}

/**
 * Reads a file and tells what it is, by its bytes alone.
 * @throws TableError for a file that holds no table or is too large.
 */
export async function openFile(content: AsyncIterable<Uint8Array>, limits: Limits = usualLimits): Promise<TableFile> {
  const bytes = await collectBytes(content, limits.bytesMax)
  if (bytes.length === 0) throw new TableError('EMPTY_FILE')
  if (isArchive(bytes)) return await openPacked(bytes, limits)
  if (startsWith(bytes, '\u00d0\u00cf\u0011\u00e0')) return { form: 'workbook', bytes, sheets: await sheetsOf(bytes) }
  const other = otherForms.find(({ begins }) => begins.some((mark) => startsWith(bytes, mark)))
  if (other) throw new TableError(other.code)
  const encoding = guessEncoding(bytes)
  const [likely = 'utf-8'] = encoding.likely
  const start = decode(bytes.subarray(0, beginningBytes), likely)
  if (/^\s*<(?:!doctype html|html|table|\?xml|meta|style)/i.test(start)) throw new TableError('WEB_PAGE')
  if (start.includes('\0')) throw new TableError('NO_TABLE')
  return { form: 'text', bytes, encoding }
}

const beginningBytes = 4_096

async function openPacked(bytes: Uint8Array, limits: Limits): Promise<TableFile> {
  const files = await filesIn(bytes, limits)
  if (formOfArchive(files) !== 'folder') return { form: 'workbook', bytes, sheets: await sheetsOf(bytes) }
  const { tables, others } = tablesAmong(files)
  if (tables.length === 0) throw new TableError('NO_TABLES_INSIDE')
  return { form: 'archive', bytes, tables, others }
}

/** The rows of a file one by one, the header among them. */
export function readRows(file: SingleFile, part: Part = {}, limits: Limits = usualLimits): AsyncGenerator<Row> {
  if (file.form === 'workbook') return readSheet(file.bytes, part.sheet ?? firstShown(file.sheets), limits)
  const text = decode(file.bytes, part.encoding ?? file.encoding.likely[0] ?? 'utf-8')
  return isCards(text) ? readCards(text, limits) : readDelimited(text, dialectOf(text), limits)
}

function firstShown(sheets: readonly SheetInfo[]): string {
  return (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])?.name ?? ''
}

/** Files that people take for tables, by their first bytes. */
const otherForms: readonly { readonly begins: readonly string[]; readonly code: FileProblemCode }[] = [
  { begins: ['%PDF'], code: 'PDF_FILE' },
  { begins: ['\u001f\u008b', 'Rar!', '7z\u00bc\u00af'], code: 'PACKED_FILE' },
]

function startsWith(bytes: Uint8Array, mark: string): boolean {
  return Buffer.from(mark, 'latin1').equals(bytes.subarray(0, mark.length))
}
