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

async function* mutable(rows: AsyncIterable<readonly WrittenCell[]>): AsyncGenerator<WrittenCell[]> {
  for await (const row of rows) yield [...row]
}
