import type { FileProblemCode } from '@crm/errors'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
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
  | { readonly problem: FileProblemCode }

/** Returns the sheets of a workbook in their order; `filesIn` has judged how much a packed one holds. */
export async function sheetsOf(bytes: Uint8Array): Promise<readonly SheetInfo[]> {
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
  await using thread = new ReadingThread()
  let question: ThreadQuestion = { ask: 'open', bytes, sheet }
  for (let read = 0; ; question = { ask: 'more' }) {
    const answer = await thread.ask(question)
    if (!('rows' in answer) || answer.rows === null) return
    for (const row of answer.rows) {
      read += 1
      if (read > limits.rowsMax) throw new TableError('TOO_MANY_ROWS', { max: inWords(limits.rowsMax) })
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
    if ('problem' in answer) throw new TableError(answer.problem)
    return answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.terminate()
  }
}

function refuseTooLarge(error: { readonly code?: unknown; readonly name?: unknown }): never {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error.name === 'AbortError')
    throw new TableError('WORKBOOK_TOO_LARGE')
  throw error
}
