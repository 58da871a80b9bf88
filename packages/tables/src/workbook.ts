import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openArchive } from './archive.ts'
import { inWords, rowProblem, TableError, type Limits, type Row } from './table.ts'

/** A sheet of a workbook. */
export interface SheetInfo {
  readonly name: string
  readonly isHidden: boolean
}

/** What the thread is asked for: the sheets, or some more rows of one. */
export type ThreadQuestion =
  | { readonly ask: 'sheets'; readonly bytes: Uint8Array }
  | { readonly ask: 'open'; readonly bytes: Uint8Array; readonly sheet: string }
  | { readonly ask: 'more' }

/** What the thread answers; rows are null after the last ones. */
export type ThreadAnswer =
  | { readonly sheets: readonly SheetInfo[] }
  | { readonly rows: readonly Row[] | null }
  | { readonly problem: 'encrypted' | 'broken' | 'cut off' | 'no sheet' }

/** Returns the sheets of a workbook in their order. */
export async function sheetsOf(bytes: Uint8Array, limits: Limits): Promise<readonly SheetInfo[]> {
  await requireUnpackable(bytes, limits)
  await using thread = new ReadingThread()
  const answer = await thread.ask({ ask: 'sheets', bytes })
  return 'sheets' in answer ? answer.sheets : []
}

/**
 * Reads the rows of one sheet; rows of empty cells are none. Formulas count by the result that the workbook holds, and nothing outside of the
 * workbook is followed.
 * @throws TableError for a workbook that cannot be read within the limits.
 */
export async function* readSheet(bytes: Uint8Array, sheet: string, limits: Limits): AsyncGenerator<Row> {
  await requireUnpackable(bytes, limits)
  await using thread = new ReadingThread()
  let question: ThreadQuestion = { ask: 'open', bytes, sheet }
  for (let read = 0; ; question = { ask: 'more' }) {
    const answer = await thread.ask(question)
    if (!('rows' in answer) || answer.rows === null) return
    for (const row of answer.rows) {
      read += 1
      if (read > limits.rowsMax) throw new TableError(`The sheet has more than ${inWords(limits.rowsMax)} rows`)
      const problem = rowProblem(row.cells, limits)
      yield problem ? { line: row.line, cells: [], problem } : row
    }
  }
}

const answersWithinMs = 60_000
const threadMemoryMb = 1_024

/** A thread that reads one workbook: what takes too long or too much memory ends with it. */
class ReadingThread {
  readonly #thread = new Worker(new URL('./workbook-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
  })

  async ask(question: ThreadQuestion): Promise<ThreadAnswer> {
    const answered = once(this.#thread, 'message', { signal: AbortSignal.timeout(answersWithinMs) })
    this.#thread.postMessage(question, [])
    const answer = await answered.then(([answer]) => answer as ThreadAnswer, refuseTooLarge)
    if ('problem' in answer) throw new TableError(problems[answer.problem])
    return answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.terminate()
  }
}

const problems = {
  encrypted: 'The workbook has a password; save it without one',
  broken: 'The workbook cannot be read; open it in a spreadsheet and save it again',
  'cut off': 'A sheet of the workbook breaks off before its end; open it in a spreadsheet and save it again',
  'no sheet': 'The workbook has no sheet of this name',
}

function refuseTooLarge(error: { readonly code?: unknown; readonly name?: unknown }): never {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error.name === 'AbortError')
    throw new TableError('The workbook is too large; save the sheet as CSV')
  throw error
}

const entriesMax = 10_000
/** The least that packed bytes of an entry can become is more than nothing. */
const emptyPackedBytes = 2

/**
 * Fails for an archive that holds more than it may, by the sizes that its directory declares: the reader of workbooks stops unpacking at those,
 * and knows no limit where none is declared.
 */
async function requireUnpackable(bytes: Uint8Array, { unpackedBytesMax }: Limits): Promise<void> {
  const archive = await openArchive(bytes).catch(() => {
    throw new TableError(problems.broken)
  })
  // With a comment, two readers could find two directories.
  if (archive.comment !== '' || archive.entryCount > entriesMax) throw new TableError(problems.broken)
  let unpacked = 0
  try {
    for await (const { uncompressedSize, compressedSize } of archive.eachEntry()) {
      if (uncompressedSize === 0 && compressedSize > emptyPackedBytes) throw new TableError(problems.broken)
      unpacked += uncompressedSize
      if (unpacked > unpackedBytesMax)
        throw new TableError(`Unpacked, the workbook is larger than ${inWords(Math.floor(unpackedBytesMax / 1e6))} MB`)
    }
  } catch (error) {
    throw error instanceof TableError ? error : new TableError(problems.broken)
  }
}
