import { Worker } from 'node:worker_threads'
import type { CommercialSheet } from './commercial-sheet.ts'
import type { LetterSheet } from './letter-sheet.ts'

/** What can be made a PDF of. */
export type Sheet = CommercialSheet | LetterSheet

interface Waiting {
  resolve(content: Uint8Array): void
  reject(error: Error): void
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
  /** Ends the thread when nobody has wanted a PDF for a while. */
  readonly rest: NodeJS.Timeout
}

const renderMsMax = 30_000
/** Room for hundreds of lines in several scripts, beyond what the process itself may hold. */
const threadMemoryMb = 256
/** The fonts and the heap of the thread are some thirty megabytes, which a process without PDFs does not hold. */
const idleMsMax = 120_000
let thread: Thread | undefined
let lastId = 0

/** Makes a PDF in a thread beside the event loop. One thread serves the process; it does not keep the process alive. */
export async function renderPdf(sheet: Sheet): Promise<Uint8Array> {
  const { worker, waiting } = readyThread()
  const id = ++lastId
  const timer = setTimeout(() => end(worker, new Error('The PDF took too long')), renderMsMax)
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ id, sheet })
    })
  } finally {
    clearTimeout(timer)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
  }
}

/** Starts the thread before anybody waits for it; the first PDF then comes as fast as the next ones. */
export function prepareToRender(): void {
  readyThread()
}

function readyThread(): Thread {
  thread ??= startThread()
  thread.rest.refresh()
  return thread
}

function startThread(): Thread {
  const worker = new Worker(new URL('./pdf-thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb } })
  const waiting = new Map<number, Waiting>()
  worker.on('message', ({ id, content, fault }: { id: number; content?: Uint8Array; fault?: string }) => {
    if (content) waiting.get(id)?.resolve(content)
    else waiting.get(id)?.reject(new Error(`The PDF could not be made: ${fault}`))
  })
  worker.on('error', (error: unknown) => end(worker, error instanceof Error ? error : new Error(String(error))))
  worker.unref()
  const rest = setTimeout(() => (waiting.size > 0 ? rest.refresh() : end(worker, new Error('No PDF is wanted'))), idleMsMax).unref()
  return { worker, waiting, rest }
}

/** The next PDF begins with a new thread. */
function end(worker: Worker, error: Error): void {
  if (thread?.worker !== worker) return
  const { waiting, rest } = thread
  thread = undefined
  clearTimeout(rest)
  for (const { reject } of waiting.values()) reject(error)
  void worker.terminate()
}
