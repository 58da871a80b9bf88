import { batchReadsMax } from '@crm/contract'
import type { Send } from './send.ts'

/** The reads of one moment that are sent alone, so that no slower read holds them up: these are the reads of the frame and of a list. */
const usualAloneMax = 3

interface Waiting {
  readonly url: string
  readonly init: RequestInit
  readonly settle: (answer: Promise<Response>) => void
}

/**
 * Returns the function that sends requests, of which it gathers the reads of one moment: beyond the first few, they go
 * together in one request. A page that shows much at once is thus not slowed down by its number of questions.
 * @param aloneMax the reads that are sent alone where there are more of them
 */
export function inBatches(send: Send, aloneMax = usualAloneMax): Send {
  let waiting: Waiting[] = []
  const sendAll = () => {
    const reads = waiting
    waiting = []
    const together = reads.length > aloneMax + 1 ? reads.splice(aloneMax) : []
    for (const { url, init, settle } of reads) settle(send(url, init))
    for (let at = 0; at < together.length; at += batchReadsMax) {
      sendTogether(together.slice(at, at + batchReadsMax), send)
    }
  }
  return (url, init) => {
    if (!isRead(init)) return send(url, init)
    return new Promise((resolve) => {
      if (waiting.length === 0) setTimeout(sendAll)
      waiting.push({ url, init, settle: resolve })
    })
  }
}

/** A request with a body or conditions of its own is no plain read. */
function isRead({ method = 'GET', body, headers }: RequestInit): boolean {
  return method === 'GET' && (body ?? null) === null && !new Headers(headers).has('if-none-match')
}

function sendTogether(reads: readonly Waiting[], send: Send): void {
  const [first] = reads
  if (!first) return
  const headers = new Headers(first.init.headers)
  headers.set('content-type', 'application/json')
  const body = JSON.stringify({ reads: reads.map(({ url }) => ({ path: url })) })
  const signals = reads.flatMap(({ init }) => init.signal ?? [])
  const signal = signals.length === reads.length ? whenAll(signals) : null
  // The answer is read even when nobody waits for it any more: until then it keeps a connection.
  const batch = send('/api/batch', { ...first.init, method: 'POST', headers, body, signal }).then(read)
  for (const [at, { init, settle }] of reads.entries())
    settle(abortable(batch, init.signal).then((answerTo) => answerTo(at)))
}

/** Reads the answer to a batch to its end; a batch that was refused as a whole is the answer to each of its reads. */
async function read(batch: Response): Promise<(at: number) => Response> {
  const text = await batch.text()
  if (!batch.ok) return () => new Response(text, batch)
  const { answers } = JSON.parse(text) as {
    readonly answers: readonly { readonly status: number; readonly body: unknown }[]
  }
  return (at) => {
    const answer = answers[at]
    if (!answer) throw new Error('The batch lacks an answer')
    return Response.json(answer.body, { status: answer.status })
  }
}

/** Returns a signal for the moment at which all readers have lost interest. */
function whenAll(signals: readonly AbortSignal[]): AbortSignal {
  const together = new AbortController()
  let waiting = signals.length
  for (const signal of signals)
    onAbort(signal, () => {
      waiting -= 1
      if (waiting === 0) together.abort(signal.reason)
    })
  return together.signal
}

/** Follows a promise until the reader loses interest; the other reads of the batch go on. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return promise
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => onAbort(signal, () => reject(signal.reason as Error))),
  ])
}

/** Acts when a reader loses interest, at once when that has happened already. */
function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}
