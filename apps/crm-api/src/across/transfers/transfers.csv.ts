import { invalidField } from '@crm/errors'
import type { Dialect } from '@crm/tables'
import type { Parser } from 'csv-parse'
import { pipeline, Readable } from 'node:stream'

/** One row of a file with the line on which it begins. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
  /** The reason why the row cannot be read. */
  readonly problem?: string
}

const rowBytesMax = 1024 * 1024

/**
 * Reads a CSV file row by row: UTF-8 or marked UTF-16, separated by commas, semicolons, tabs or bars. Rows that cannot be read are
 * returned with their problem; bytes of another encoding end the reading, because replaced letters would be lost.
 */
export async function* readCsv(content: AsyncIterable<Uint8Array>, rowBytes = rowBytesMax): AsyncGenerator<CsvRow> {
  const { dialect, all } = await withDialect(content)
  const unreadable: UnreadableRow[] = []
  // Bounded by the rows that an import may have; two faults in one line are one row.
  const lines = new Set<number>()
  const anew = ({ line }: CsvRow): boolean => lines.size < lines.add(line).size
  // An error of the file ends the parser, which tells it; by pipe() nobody would hear of it.
  const parser = pipeline(Readable.from(all), await parserFor(dialect, unreadable, rowBytes), () => undefined)
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

async function parserFor(
  { delimiter, hasNamingLine }: Dialect,
  unreadable: UnreadableRow[],
  rowBytes: number,
): Promise<Parser> {
  const { parse } = await import('csv-parse')
  return parse({
    delimiter,
    info: true,
    from_line: hasNamingLine ? 2 : 1,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: rowBytes,
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

/** Returns how the cells of a file are told apart, and its text including the part that was already read. */
async function withDialect(
  content: AsyncIterable<Uint8Array>,
): Promise<{ dialect: Dialect; all: AsyncIterable<string> }> {
  const { decodeMarked, dialectOf, TableError } = await import('@crm/tables')
  const text = decodeMarked(content)[Symbol.asyncIterator]()
  const next = (): Promise<IteratorResult<string>> =>
    text.next().catch((error: unknown) => {
      throw error instanceof TableError ? invalidField('file', error.message) : error
    })
  let first = ''
  for (let piece = await next(); ; piece = await next()) {
    first += piece.value ?? ''
    if (piece.done || first.length >= charactersJudged) break
  }
  if (first === '') throw invalidField('file', 'The file is empty')
  return { dialect: dialectOf(first), all: withFirst(first, next) }
}

/** As many as show where most rows have their separators. */
const charactersJudged = 64 * 1024

async function* withFirst(first: string, rest: () => Promise<IteratorResult<string>>): AsyncIterable<string> {
  yield first
  for (let next = await rest(); !next.done; next = await rest()) yield next.value
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
