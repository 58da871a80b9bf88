/** The beginning of a CSV file: its headers and its first rows. */
export interface CsvPreview {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const separators = [',', ';', '\t', '|'] as const
const bytesRead = 64 * 1024
const rowsShown = 5

/** Reads the beginning of a file in the browser; nothing is sent. */
export async function previewOf(file: Blob): Promise<CsvPreview> {
  return readPreview(await file.slice(0, bytesRead).text())
}

/** Reads headers and first rows from text; the separator is the most frequent candidate of the first line. */
export function readPreview(text: string): CsvPreview {
  const content = text.replace(/^\uFEFF/, '')
  const [header = [], ...rows] = readRows(content, separatorOf(content), rowsShown + 1)
  return { header: header.map((title) => title.trim()), rows }
}

function separatorOf(text: string): string {
  const line = text.split(/\r?\n/, 1)[0] ?? ''
  const counts = separators.map((separator) => line.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Reads rows. Cells in quotes may hold separators, line breaks and doubled quotes; empty lines are skipped. */
function readRows(text: string, separator: string, rowsMax: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const quotes = /"((?:[^"]|"")*)"/y
  for (let at = 0; at < text.length && rows.length < rowsMax;) {
    quotes.lastIndex = at
    const quoted = quotes.exec(text)
    const raw = quoted?.[0] ?? plainCell(text, at, separator)
    row.push(quoted?.[1]?.replaceAll('""', '"') ?? raw)
    at += raw.length
    if (text[at] === separator) {
      at += 1
      if (at < text.length) continue
      row.push('')
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    if (row.some((one) => one !== '')) rows.push(row)
    row = []
  }
  return rows
}

function plainCell(text: string, from: number, separator: string): string {
  let to = from
  while (to < text.length && text[to] !== separator && text[to] !== '\n' && text[to] !== '\r') to += 1
  return text.slice(from, to)
}
