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
}

const renderMsMax = 30_000
let thread: Thread | undefined
let lastId = 0

/** Makes a PDF in a thread beside the event loop. One thread serves the process; it does not keep the process alive. */
export async function renderPdf(sheet: Sheet): Promise<Uint8Array> {
  const { worker, waiting } = (thread ??= startThread())
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
  thread ??= startThread()
}

function startThread(): Thread {
  const worker = new Worker(new URL('./pdf-thread.ts', import.meta.url))
  const waiting = new Map<number, Waiting>()
  worker.on('message', ({ id, content, fault }: { id: number; content?: Uint8Array; fault?: string }) => {
    if (content) waiting.get(id)?.resolve(content)
    else waiting.get(id)?.reject(new Error(`The PDF could not be made: ${fault}`))
  })
  worker.on('error', (error: unknown) => end(worker, error instanceof Error ? error : new Error(String(error))))
  worker.unref()
  return { worker, waiting }
}

/** The next PDF begins with a new thread. */
function end(worker: Worker, error: Error): void {
  if (thread?.worker !== worker) return
  const { waiting } = thread
  thread = undefined
  for (const { reject } of waiting.values()) reject(error)
  void worker.terminate()
}
