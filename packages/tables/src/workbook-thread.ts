// The thread in which workbooks are read: a hostile one takes the memory and the time of the thread alone.
import { parentPort } from 'node:worker_threads'
import { filesIn, formOfArchive, isArchive, openArchive, openEntry } from './archive.ts'
import type { Book, SheetLine } from './book.ts'
import { TableError, type Row } from './table.ts'
import type { ThreadAnswer, ThreadQuestion } from './workbook.ts'

const rowsAtOnce = 1_000

let rows: Iterator<Row> | undefined

parentPort?.on('message', (question: ThreadQuestion) => {
  void answerTo(question).then((answer) => parentPort?.postMessage(answer, []))
})

async function answerTo(question: ThreadQuestion): Promise<ThreadAnswer> {
  if (question.ask === 'more') return { rows: nextRows() }
  const { bytes } = question
  try {
    const book = await bookOf(bytes)
    if (question.ask === 'sheets') return { sheets: await book.sheets(bytes) }
    if (await breaksOff(bytes)) return { problem: 'SHEET_CUT_OFF' }
    const lines = await book.lines(bytes, question.sheet)
    if (!lines) return { problem: 'NO_SUCH_SHEET' }
    rows = rowsOf(lines)
    return { rows: nextRows() }
  } catch (error) {
    return { problem: error instanceof TableError ? error.code : 'BROKEN_WORKBOOK' }
  }
}

async function bookOf(bytes: Uint8Array): Promise<Book> {
  // How much it holds was judged before.
  const files = isArchive(bytes) ? await filesIn(bytes, { unpackedBytesMax: Infinity }) : []
  if (formOfArchive(files) === 'xlsx') return (await import('./xlsx-sheets.ts')).xlsxBook
  return (await import('./other-sheets.ts')).otherBook
}

/** The ends of the texts in which the cells of a workbook stand, by the names of their files. */
const ends: readonly { readonly file: RegExp; readonly end: RegExp }[] = [
  { file: /\/worksheets\/[^/]+\.xml$/i, end: /<\/(?:\w+:)?worksheet>\s*$/ },
  { file: /^content\.xml$/, end: /<\/(?:\w+:)?document-content>\s*$/ },
]
const endBytes = 64

/** Whether the text of a sheet ends before its end: the readers would return the rows that are there, or none, and say nothing. */
async function breaksOff(bytes: Uint8Array): Promise<boolean> {
  if (!isArchive(bytes)) return false
  const archive = await openArchive(bytes)
  for await (const entry of archive.eachEntry()) {
    const expected = ends.find(({ file }) => file.test(entry.fileName))
    if (!expected) continue
    let end: Uint8Array = new Uint8Array()
    for await (const piece of await openEntry(archive, entry)) end = Buffer.concat([end, piece]).subarray(-endBytes)
    if (!expected.end.test(Buffer.from(end).toString('utf8'))) return true
  }
  return false
}

function nextRows(): Row[] | null {
  const some: Row[] = []
  for (let next = rows?.next(); next && !next.done; next = rows?.next()) {
    some.push(next.value)
    if (some.length === rowsAtOnce) break
  }
  return some.length > 0 ? some : null
}

function* rowsOf(lines: Iterable<SheetLine>): Generator<Row> {
  let last: number | undefined
  for (const { line, cells } of lines) {
    if (cells.every((cell) => cell === '')) continue
    const followsGap = last !== undefined && line > last + 1
    last = line
    yield { line, cells, ...(followsGap ? { followsGap } : {}) }
  }
}
