import { collectBytes } from './bytes.ts'
import { dialectOf, readDelimited } from './delimited.ts'
import { decode, guessEncoding, type Encoding, type EncodingGuess } from './encodings.ts'
import { TableError, usualLimits, type Limits, type Row } from './table.ts'
import { readSheet, sheetsOf, type SheetInfo } from './workbook.ts'

/** A file that holds tables: a text with delimiters, or a workbook with sheets. */
export type TableFile =
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
  if (bytes.length === 0) throw new TableError('The file is empty')
  if (startsWith(bytes, 'PK\u0003\u0004')) return { form: 'workbook', bytes, sheets: await sheetsOf(bytes, limits) }
  const other = otherForms.find(({ begins }) => begins.some((mark) => startsWith(bytes, mark)))
  if (other) throw new TableError(other.problem)
  const encoding = guessEncoding(bytes)
  const [likely = 'utf-8'] = encoding.likely
  const start = decode(bytes.subarray(0, beginningBytes), likely)
  if (/^\s*<(?:!doctype html|html|table|\?xml|meta|style)/i.test(start))
    throw new TableError(
      'The file is a web page that is only named like a table; open it in a spreadsheet and save it as CSV',
    )
  if (start.includes('\0')) throw new TableError('The file is no table: save it as CSV or as an Excel workbook')
  return { form: 'text', bytes, encoding }
}

const beginningBytes = 4_096

/** The rows of a file one by one, the header among them. */
export function readRows(file: TableFile, part: Part = {}, limits: Limits = usualLimits): AsyncGenerator<Row> {
  if (file.form === 'workbook') return readSheet(file.bytes, part.sheet ?? firstShown(file.sheets), limits)
  const text = decode(file.bytes, part.encoding ?? file.encoding.likely[0] ?? 'utf-8')
  return readDelimited(text, dialectOf(text), limits)
}

function firstShown(sheets: readonly SheetInfo[]): string {
  return (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])?.name ?? ''
}

/** Files that people take for tables, by their first bytes. */
const otherForms: readonly { readonly begins: readonly string[]; readonly problem: string }[] = [
  {
    begins: ['\u00d0\u00cf\u0011\u00e0'],
    problem: 'The workbook is in an old form or has a password; save it as .xlsx without a password',
  },
  { begins: ['%PDF'], problem: 'The file is a PDF; export the table as CSV or as an Excel workbook' },
  { begins: ['\u001f\u008b', 'Rar!', '7z\u00bc\u00af'], problem: 'The file is packed; unpack it first' },
]

function startsWith(bytes: Uint8Array, mark: string): boolean {
  return Buffer.from(mark, 'latin1').equals(bytes.subarray(0, mark.length))
}
