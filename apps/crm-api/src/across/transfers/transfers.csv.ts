import { invalidField } from '@crm/errors'
import type { Parser } from 'csv-parse'
import { Readable } from 'node:stream'

/** One row of a file with the line on which it begins. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
  /** The reason why the row cannot be read. */
  readonly problem?: string
}

const separators = [',', ';', '\t', '|'] as const
const rowBytesMax = 1024 * 1024

/**
 * Reads a CSV file row by row: UTF-8 with or without BOM, separated by commas, semicolons, tabs or bars, by the most
 * frequent of them in the first line. Rows that cannot be read are returned with their problem.
 */
export async function* readCsv(content: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const { separator, all } = await sniffSeparator(content)
  const unreadable: UnreadableRow[] = []
  // Bounded by the rows that an import may have; two faults in one line are one row.
  const lines = new Set<number>()
  const anew = ({ line }: CsvRow): boolean => lines.size < lines.add(line).size
  const parser = Readable.from(all).pipe(await parserFor(separator, unreadable))
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    const row = { line: info.lines, cells: record.map((cell) => cell.replaceAll('\0', '\uFFFD')) }
    if (anew(row)) yield row
    // The parser reads ahead, so these rows may stand below; the header is always the first row.
    yield* readableFrom(unreadable.splice(0)).filter(anew)
  }
  yield* readableFrom(unreadable).filter(anew)
}

/** A row that cannot be read; where it is too long, nothing after it is read as it was meant. */
interface UnreadableRow extends CsvRow {
  readonly hasNoEnd: boolean
}

function readableFrom(rows: readonly UnreadableRow[]): readonly CsvRow[] {
  const endless = rows.find(({ hasNoEnd }) => hasNoEnd)
  if (endless)
    throw invalidField(
      'file',
      `Line ${endless.line} begins or continues a row that does not end within 1 MB; is a quotation mark not closed?`,
    )
  return rows
}

async function parserFor(delimiter: string, unreadable: UnreadableRow[]): Promise<Parser> {
  const { parse } = await import('csv-parse')
  return parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: rowBytesMax,
    on_skip: (error) => {
      unreadable.push({
        line: Number(error?.['lines'] ?? 0),
        cells: [],
        hasNoEnd: error?.code === 'CSV_MAX_RECORD_SIZE',
        problem: `The row cannot be read: ${error?.message ?? 'unknown'}`,
      })
      return undefined
    },
  })
}

/** Returns the separator of a file, and the file including the part that was already read. */
async function sniffSeparator(
  content: AsyncIterable<Uint8Array>,
): Promise<{ separator: string; all: AsyncIterable<Uint8Array> }> {
  const reading = content[Symbol.asyncIterator]()
  const first = await reading.next()
  if (first.done) throw invalidField('file', 'The file is empty')
  const line = Buffer.from(first.value).toString('utf8').split(/\r?\n/, 1)[0] ?? ''
  const counts = separators.map((separator) => line.split(separator).length)
  const separator = separators[counts.indexOf(Math.max(...counts))] ?? ','
  return { separator, all: withFirst(first.value, reading) }
}

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** Spreadsheets of many countries split cells at these signs, even where the file uses another separator. */
const mistakenForSeparator = /[;\t\r|]/

/** Returns the lines of a CSV file. */
export async function csvLines(rows: readonly (readonly string[])[]): Promise<Uint8Array> {
  const { stringify } = await import('csv-stringify/sync')
  return Buffer.from(
    stringify(
      rows.map((row) => [...row]),
      { quoted_match: mistakenForSeparator },
    ),
  )
}
