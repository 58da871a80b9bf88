/** A cell of a written workbook; a text stays a text, whatever it looks like. */
export type WrittenCell = string | number | null

/** A spreadsheet has so many rows at most; the rest goes on in another sheet. */
const rowsOfSheet = 1_048_576

/** Writes a workbook row by row: memory does not depend on the number of rows. The first row is repeated on each further sheet. */
export async function* writeWorkbook(
  sheet: string,
  rows: AsyncIterable<readonly WrittenCell[]>,
): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await import('hucre')
  const stream = writeXlsxStream(mutable(rows), {
    name: sheet.slice(0, 31),
    maxRowsPerSheet: rowsOfSheet,
    freezePane: { rows: 1 },
  })
  yield* stream as unknown as AsyncIterable<Uint8Array>
}

/** A cell holds so many characters at most; a program refuses a file with a longer one. */
export const cellCharactersMax = 32_767

/** What XML cannot hold: control characters but for tab and line breaks, halves of letters and two that are none. */
const unwritable = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu

/** `_x0041_` in a cell stands for the character with that number, so what only looks so gets its `_` in that form. */
const looksEscaped = /_(?=x[\da-f]{4}_)/gi

function writable(cell: WrittenCell): WrittenCell {
  if (typeof cell !== 'string') return cell
  return cell.replaceAll(unwritable, '').slice(0, cellCharactersMax).replaceAll(looksEscaped, '_x005F_')
}

async function* mutable(rows: AsyncIterable<readonly WrittenCell[]>): AsyncGenerator<WrittenCell[]> {
  for await (const row of rows) yield row.map(writable)
}
