import { Readable } from 'node:stream'
import { parse, type CsvError } from 'csv-parse'
import { inWords, rowProblem, TableError, type Limits, type Row } from './table.ts'

export const delimiters = [',', ';', '\t', '|'] as const
type Delimiter = (typeof delimiters)[number]

/** How the cells of a text are told apart. */
export interface Dialect {
  readonly delimiter: Delimiter
  /** Whether the first line only names the delimiter, as spreadsheets write it. */
  readonly hasNamingLine: boolean
}

const linesJudged = 50
const charactersJudged = 100_000

/** Returns the dialect of a text: what its first line names, or the delimiter that gives the same number of cells in most lines. */
export function dialectOf(text: string): Dialect {
  const [, named] = /^"?sep=([,;\t|])"?\r?\n/i.exec(text) ?? []
  if (named) return { delimiter: named as Delimiter, hasNamingLine: true }
  const lines = unquoted(text.slice(0, charactersJudged))
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, linesJudged)
  const judged = delimiters.map((delimiter) => ({ delimiter, ...agreementOf(lines, delimiter) }))
  const [best] = judged.toSorted((a, b) => b.agreeing - a.agreeing || b.cells - a.cells)
  return { delimiter: best?.delimiter ?? ',', hasNamingLine: false }
}

/** Removes what stands in quotation marks: signs in there separate nothing. */
function unquoted(text: string): string {
  return text.replaceAll(/"(?:[^"]|"")*"/g, '')
}

/** Returns how many lines have the number of cells that most lines have, if that is more than one. */
function agreementOf(lines: readonly string[], delimiter: string): { agreeing: number; cells: number } {
  const counts = Map.groupBy(
    lines.map((line) => line.split(delimiter).length).filter((cells) => cells > 1),
    (cells) => cells,
  )
  const [usual] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
  return usual ? { agreeing: usual[1].length, cells: usual[0] } : { agreeing: 0, cells: 0 }
}

/** So many rows are read for each that counts: a file of separators alone ends as well. */
const readPerRow = 20

interface Parsed {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/**
 * Reads the rows of a text one by one; empty lines are none, and rows of empty cells, which spreadsheets leave below a table, do not count. A row that cannot be read comes with its problem.
 * @throws TableError for more rows than the limits allow, and where a quotation mark is never closed.
 */
export async function* readDelimited(text: string, dialect: Dialect, limits: Limits): AsyncGenerator<Row> {
  const parser = Readable.from(piecesOf(text, dialect)).pipe(parserFor(dialect, limits))
  let rows = 0
  let filled = 0
  let end = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      rows += 1
      if (record.some((cell) => cell.trim() !== '')) filled += 1
      if (filled > limits.rowsMax || rows > limits.rowsMax * readPerRow)
        throw new TableError('TOO_MANY_ROWS', { max: inWords(limits.rowsMax) })
      const problem = rowProblem(record, limits)
      const begin = info.lines - breaksIn(record)
      const place = {
        line: begin + (dialect.hasNamingLine ? 1 : 0),
        ...(begin > end + 1 && rows > 1 ? { followsGap: true as const } : {}),
      }
      yield problem ? { ...place, cells: [], problem } : { ...place, cells: record }
      end = info.lines
    }
  } catch (error) {
    throw isOfParser(error) ? tableErrorOf(error) : error
  } finally {
    parser.destroy()
  }
}

function breaksIn(cells: readonly string[]): number {
  return cells.reduce((breaks, cell) => breaks + (cell.match(lineBreak)?.length ?? 0), 0)
}

const lineBreak = /\r\n|\n|\r/g
const pieceCharacters = 64 * 1024

/** A parser that gets a long text at once holds all of its rows before the first is asked for. */
function* piecesOf(text: string, { hasNamingLine }: Dialect): Generator<string> {
  const start = hasNamingLine ? text.search(/\r\n|\n|\r/) : 0
  const from = hasNamingLine ? start + (text.startsWith('\r\n', start) ? 2 : 1) : 0
  for (let at = from; at < text.length;) {
    // A pair of surrogates, and a line end of two signs, stays in one piece.
    let end = at + pieceCharacters
    while (end < text.length && /[\r\ud800-\udbff]/.test(text[end - 1] ?? '')) end += 1
    yield text.slice(at, end)
    at = end
  }
}

function parserFor({ delimiter }: Dialect, { columnsMax, cellCharactersMax }: Limits): ReturnType<typeof parse> {
  return parse({
    delimiter,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // Beyond that no row is within the limits: a quotation mark is open.
    max_record_size: Math.min(columnsMax * cellCharactersMax, cellCharactersMax * 10),
  })
}

function isOfParser(error: unknown): error is CsvError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')
}

function tableErrorOf({ code, ...details }: CsvError): TableError {
  const { lines = 0 } = details as { lines?: number }
  const isOpen = code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED'
  return new TableError(isOpen ? 'OPEN_QUOTATION' : 'UNREADABLE_LINE', { line: String(lines) })
}
