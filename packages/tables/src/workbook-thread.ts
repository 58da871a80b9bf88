// The thread in which workbooks are read: a hostile one takes the memory and the time of the thread alone.
import { parentPort } from 'node:worker_threads'
import { EncryptedFileError } from 'hucre'
import { readXlsx, type Cell as SheetCell, type CellValue, type Sheet } from 'hucre/xlsx'
import type { Entry, ZipFile } from 'yauzl'
import { openArchive } from './archive.ts'
import { typedCell, type DateSystem } from './sheet-cells.ts'
import type { Cell, Row } from './table.ts'
import type { SheetInfo, ThreadAnswer, ThreadQuestion } from './workbook.ts'

const rowsAtOnce = 1_000

let rows: Iterator<Row> | undefined

parentPort?.on('message', (question: ThreadQuestion) => {
  void answerTo(question).then((answer) => parentPort?.postMessage(answer, []))
})

async function answerTo(question: ThreadQuestion): Promise<ThreadAnswer> {
  if (question.ask === 'more') return { rows: nextRows() }
  try {
    if (question.ask === 'sheets') return { sheets: await listSheets(question.bytes) }
    if (await breaksOff(question.bytes)) return { problem: 'cut off' }
    const { sheets, dateSystem } = await readXlsx(question.bytes, { sheets: [question.sheet], readStyles: true })
    const [sheet] = sheets
    if (!sheet) return { problem: 'no sheet' }
    rows = rowsOf(sheet, dateSystem)
    return { rows: nextRows() }
  } catch (error) {
    return { problem: error instanceof EncryptedFileError ? 'encrypted' : 'broken' }
  }
}

const endOfSheet = /<\/(?:\w+:)?worksheet>\s*$/
const endBytes = 64

/** Whether the text of a sheet ends before its end: the reader would return the rows that are there, or none, and say nothing. */
async function breaksOff(bytes: Uint8Array): Promise<boolean> {
  const archive = await openArchive(bytes)
  for await (const entry of archive.eachEntry()) {
    if (!/\/worksheets\/[^/]+\.xml$/i.test(entry.fileName)) continue
    let end: Uint8Array = new Uint8Array()
    for await (const piece of await openEntry(archive, entry)) end = Buffer.concat([end, piece]).subarray(-endBytes)
    if (!endOfSheet.test(Buffer.from(end).toString('utf8'))) return true
  }
  return false
}

function openEntry(archive: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)))
  })
}

async function listSheets(bytes: Uint8Array): Promise<SheetInfo[]> {
  const found: SheetInfo[] = []
  await readXlsx(bytes, {
    sheets: ({ name, hidden = false, veryHidden = false }) => {
      found.push({ name, isHidden: hidden || veryHidden })
      return false
    },
  })
  return found
}

function nextRows(): Row[] | null {
  const some: Row[] = []
  for (let next = rows?.next(); next && !next.done; next = rows?.next()) {
    some.push(next.value)
    if (some.length === rowsAtOnce) break
  }
  return some.length > 0 ? some : null
}

function* rowsOf({ rows, cells }: Sheet, dateSystem: DateSystem | undefined): Generator<Row> {
  let last: number | undefined
  for (const [at, values] of rows.entries()) {
    if (values.every((value) => value === null || value === '')) continue
    const followsGap = last !== undefined && at > last + 1
    last = at
    yield {
      line: at + 1,
      cells: values.map((value, column) => cellOf(value, cells?.get(`${at},${column}`), dateSystem)),
      ...(followsGap ? { followsGap } : {}),
    }
  }
}

function cellOf(value: CellValue, details: SheetCell | undefined, dateSystem: DateSystem | undefined): Cell {
  return details?.type === 'error'
    ? { type: 'error', text: String(value) }
    : typedCell(value, details?.style?.numFmt, dateSystem)
}
