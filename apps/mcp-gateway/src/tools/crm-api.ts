import type { ToolRequest } from '@crm/tools'
import { Pool, type Dispatcher } from 'undici'

/** The parts of a caller's request that go on to the API. */
export interface CallerHead {
  readonly host: string
  /** Undefined: nobody. */
  readonly authorization: string | undefined
  /** Address of the caller, as the trusted edge says it. */
  readonly address: string
  readonly requestId: string
}

/** What the API answered. */
export interface ApiAnswer {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  readonly wwwAuthenticate: string | null
  /** The body; empty when it is a file of more than `blobBytesMax`. */
  readonly body: Buffer
  /** Bytes of the body, whether they were kept or not. */
  readonly size: number
}

/** Larger files are named, not carried. */
export const blobBytesMax = 1024 * 1024

/** The API gave no answer. */
export class CrmApiUnreachable extends Error {
  constructor(cause: unknown) {
    super('The CRM API cannot be reached', { cause })
    this.name = 'CrmApiUnreachable'
  }
}

/** The CRM API as the tool server sees it. */
export interface CrmApi {
  /** @throws {CrmApiUnreachable} */
  send(head: CallerHead, request: Omit<ToolRequest, 'query'> & { readonly query?: URLSearchParams }): Promise<ApiAnswer>
  /** Rejects when the API is not alive. */
  check(): Promise<void>
  close(): Promise<void>
}

const connectionsMax = 128
const answerTimeoutMs = 60_000

/** Opens a pool of connections that are kept alive. */
export function connectCrmApi(url: string): CrmApi {
  const pool = new Pool(new URL(url).origin, { connections: connectionsMax, headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs })
  return {
    send: (head, request) =>
      new Promise((resolve, reject) => {
        pool.dispatch({ method: request.method, path: pathOf(request), headers: headersOf(head, request), body: bodyOf(request) }, new AnswerCollector(resolve, reject))
      }),
    check: async () => {
      const { statusCode, body } = await pool.request({ method: 'GET', path: '/healthz' })
      await body.dump()
      if (statusCode !== 200) throw new Error(`The CRM API is not alive: ${statusCode}`)
    },
    close: () => pool.close(),
  }
}

function pathOf({ path, query }: { readonly path: string; readonly query?: URLSearchParams }): string {
  return query && query.size > 0 ? `${path}?${query}` : path
}

function headersOf({ host, authorization, address, requestId }: CallerHead, { body, idempotencyKey }: Pick<ToolRequest, 'body' | 'idempotencyKey'>): Record<string, string> {
  return {
    host,
    ...(authorization === undefined ? {} : { authorization }),
    'x-forwarded-for': address,
    'x-request-id': requestId,
    // The API believes this only of a proxy that it trusts; it makes the history say that a tool did it.
    'x-crm-source': 'MCP',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  }
}

function bodyOf({ body }: Pick<ToolRequest, 'body'>): string | null {
  return body === undefined ? null : JSON.stringify(body)
}

/** Takes an answer as it comes from the wire; a stream in between would cost more than all the rest of a call. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: ApiAnswer) => void
  readonly #reject: (error: CrmApiUnreachable) => void
  #head: Omit<ApiAnswer, 'body' | 'size'> = { status: 0, contentType: '', retryAfter: null, wwwAuthenticate: null }
  #chunks: Buffer[] = []
  #size = 0

  constructor(resolve: (answer: ApiAnswer) => void, reject: (error: CrmApiUnreachable) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(): void {
    // A handler without it counts as one of the former generation.
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.#head = {
      status,
      contentType: header(headers, 'content-type') ?? '',
      retryAfter: header(headers, 'retry-after'),
      wwwAuthenticate: header(headers, 'www-authenticate'),
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.byteLength
    if (isJson(this.#head) || this.#size <= blobBytesMax) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  onResponseEnd(): void {
    const [first] = this.#chunks
    const body = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#resolve({ ...this.#head, body, size: this.#size })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(new CrmApiUnreachable(error))
  }
}

/** Whether an answer is a record or a refusal, not a file. */
export function isJson({ contentType }: Pick<ApiAnswer, 'contentType'>): boolean {
  return contentType.includes('json')
}

function header(headers: Record<string, string | string[] | undefined>, name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}
