import { confirmationHeader } from '@crm/http'
import { traced, traceHeaders } from '@crm/runtime'
import type { ToolRequest } from '@crm/tools'
import { Readable } from 'node:stream'
import { Pool, type Dispatcher } from 'undici'

/** The parts of a caller's request that go on to the API. */
export interface CallerHead {
  readonly host: string
  /** The credential; undefined for an anonymous caller. */
  readonly authorization: string | undefined
  /** The address of the caller, as the trusted edge reports it. */
  readonly address: string
  readonly requestId: string
}

/** The answer of the API. */
export interface ApiAnswer {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  readonly wwwAuthenticate: string | null
  /** The body, or its beginning when there is a rest; empty for a file of more than `wholeBytesMax`. */
  readonly body: Buffer
  /**
   * The remainder of a JSON body larger than `wholeBytesMax`. It arrives as fast as it is read, and must be read or
   * destroyed.
   */
  readonly rest: Readable | null
  /** The size of the body in bytes, whether it was kept or not; the bytes of a rest are not counted. */
  readonly size: number
}

/** Larger files are named instead of sent, and larger JSON is streamed. */
export const wholeBytesMax = 1024 * 1024

/** The API gave no answer. */
export class CrmApiUnreachable extends Error {
  constructor(cause: unknown) {
    super('The CRM API cannot answer now; please try again', { cause })
    this.name = 'CrmApiUnreachable'
  }
}

/** The expected kind of answer: a JSON file still counts as a file. */
interface Expected {
  readonly isFile: boolean
}

/** The CRM API as the tool server sees it. */
export interface CrmApi {
  /** @throws {CrmApiUnreachable} */
  send(
    head: CallerHead,
    request: Omit<ToolRequest, 'query'> & { readonly query?: URLSearchParams; readonly confirmationId?: string },
    expected?: Expected,
  ): Promise<ApiAnswer>
  /** Rejects when the API is not alive. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The waiting times for the API, in milliseconds. */
export interface Patience {
  /** The time without an answer after which the API is asked whether it is alive. */
  readonly aliveAfterMs: number
  /** The time that the API has to say that it is alive. */
  readonly aliveWithinMs: number
}

const connectionsMax = 128
const connectTimeoutMs = 3_000
/** Making a PDF may take this long. */
const answerTimeoutMs = 60_000
const usualPatience: Patience = { aliveAfterMs: 5_000, aliveWithinMs: 2_000 }

/** Opens a pool of kept-alive connections. A frozen API is given up after a few seconds, a working one is not. */
export function connectCrmApi(url: string, { aliveAfterMs, aliveWithinMs }: Patience = usualPatience): CrmApi {
  const pool = new Pool(new URL(url).origin, {
    connections: connectionsMax,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    connect: { timeout: connectTimeoutMs },
  })
  const check = async (): Promise<void> => {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: '/healthz',
      signal: AbortSignal.timeout(aliveWithinMs),
    })
    await body.dump()
    if (statusCode !== 200) throw new Error(`The CRM API is not alive: ${statusCode}`)
  }
  const sendOnce = async (options: Dispatcher.DispatchOptions, { isFile }: Expected): Promise<ApiAnswer> => {
    const { promise, resolve, reject } = Promise.withResolvers<ApiAnswer>()
    const collector = new AnswerCollector(resolve, reject, isFile)
    pool.dispatch(options, collector)
    const timer = setTimeout(() => void check().catch((error: Error) => collector.giveUp(error)), aliveAfterMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    send: (head, request, expected = { isFile: false }) =>
      traced({ name: `${request.method} crm-api`, kind: 'client' }, async () => {
        const { method } = request
        const options = { method, path: pathOf(request), headers: headersOf(head, request), body: bodyOf(request) }
        try {
          return await sendOnce(options, expected)
        } catch (error) {
          // A process that is being replaced closes its kept connections; another one answers the same question.
          if (method !== 'GET' || !isLostConnection(error)) throw error
          return sendOnce(options, expected)
        }
      }),
    check,
    close: () => pool.close(),
  }
}

const lostConnection: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE'])

/** Whether a connection broke or was refused before an answer began. */
function isLostConnection(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } }
  return error instanceof CrmApiUnreachable && lostConnection.has(cause?.code)
}

/** Returns the path of a request with its query. */
export function pathOf({ path, query }: { readonly path: string; readonly query?: URLSearchParams }): string {
  return query && query.size > 0 ? `${path}?${query}` : path
}

function headersOf(
  { host, authorization, address, requestId }: CallerHead,
  {
    body,
    idempotencyKey,
    confirmationId,
  }: Pick<ToolRequest, 'body' | 'idempotencyKey'> & { readonly confirmationId?: string },
): Record<string, string> {
  return {
    host,
    ...traceHeaders(),
    ...(authorization === undefined ? {} : { authorization }),
    'x-forwarded-for': address,
    'x-request-id': requestId,
    // The API believes this header only from a trusted proxy; it makes the history name the tool as the source.
    'x-crm-source': 'MCP',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(confirmationId === undefined ? {} : { [confirmationHeader]: confirmationId }),
  }
}

function bodyOf({ body }: Pick<ToolRequest, 'body'>): string | null {
  return body === undefined ? null : JSON.stringify(body)
}

/** Collects an answer as it comes from the wire; a stream in between would cost more than the rest of the call. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: ApiAnswer) => void
  readonly #reject: (error: CrmApiUnreachable) => void
  readonly #isFile: boolean
  #head: Omit<ApiAnswer, 'body' | 'rest' | 'size'> = {
    status: 0,
    contentType: '',
    retryAfter: null,
    wwwAuthenticate: null,
  }
  #chunks: Buffer[] = []
  #size = 0
  #controller: Dispatcher.DispatchController | undefined
  #rest: Readable | undefined
  #givenUp: Error | undefined

  constructor(resolve: (answer: ApiAnswer) => void, reject: (error: CrmApiUnreachable) => void, isFile: boolean) {
    this.#resolve = resolve
    this.#reject = reject
    this.#isFile = isFile
  }

  /** Stops waiting for an answer that has not begun. */
  giveUp(error: Error): void {
    if (this.#head.status !== 0) return
    this.#givenUp = error
    this.#controller?.abort(error)
    this.#reject(new CrmApiUnreachable(error))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#givenUp) controller.abort(this.#givenUp)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#head = {
      status,
      contentType: header(headers, 'content-type') ?? '',
      retryAfter: header(headers, 'retry-after'),
      wwwAuthenticate: header(headers, 'www-authenticate'),
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#rest) return void (this.#rest.push(chunk) || controller.pause())
    this.#size += chunk.byteLength
    this.#chunks.push(chunk)
    if (this.#size <= wholeBytesMax) return
    if (isJson(this.#head) && !this.#isFile) this.#passOn(controller)
    else this.#chunks = []
  }

  onResponseEnd(): void {
    if (this.#rest) return void this.#rest.push(null)
    this.#resolve({ ...this.#head, body: this.#body(), rest: null, size: this.#size })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#rest) return void this.#rest.destroy(error)
    this.#reject(new CrmApiUnreachable(error))
  }

  /** The answer is too large to be held: the remainder is passed on as it is read. */
  #passOn(controller: Dispatcher.DispatchController): void {
    this.#rest = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        if (!this.#rest?.readableEnded) controller.abort(error ?? new Error('The rest of the answer is not wanted'))
        done(error)
      },
    })
    this.#resolve({ ...this.#head, body: this.#body(), rest: this.#rest, size: this.#size })
    this.#chunks = []
  }

  #body(): Buffer {
    const [first] = this.#chunks
    return first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }
}

/** Whether an answer is JSON. */
function isJson({ contentType }: Pick<ApiAnswer, 'contentType'>): boolean {
  return contentType.includes('json')
}

function header(headers: Record<string, string | string[] | undefined>, name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}
