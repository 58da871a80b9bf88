import { Agent, request as sendRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** One request to the edge. */
export interface Call {
  readonly path: string
  /** By default POST with a body, GET without one. */
  readonly method?: string
  /** The host name of a workspace. */
  readonly host: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown
  /** The source address, of 127.0.0.0/8. */
  readonly from?: string
  /** The time limit for the whole answer; 20 s by default. */
  readonly withinMs?: number
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** Sends a request to the edge; fails when there is no whole answer in time. */
export async function call(
  port: number,
  {
    path,
    host,
    body,
    method = body === undefined ? 'GET' : 'POST',
    headers = {},
    from = '127.0.0.1',
    withinMs = 20_000,
  }: Call,
): Promise<Answer> {
  const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const request = sendRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    localAddress: from,
    agent,
    signal: AbortSignal.timeout(withinMs),
    headers: {
      host,
      ...(sent === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }),
      ...headers,
    },
  })
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      buffer(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content }),
        reject,
      )
    })
    request.end(sent)
  })
}

/** Returns the status of an answer, or the code of the error when there was none. */
export async function outcomeOf(answer: Promise<Answer>): Promise<number | string> {
  try {
    return (await answer).status
  } catch (error) {
    return codeOf(error)
  }
}

/** Returns a short name of an error. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: string; readonly name?: string }
  return name === 'AbortError' || code === 'ABORT_ERR' ? 'no answer in time' : (code ?? String(error))
}

/** Returns an address of 127.0.0.0/8 for each number; the probe has none of them. */
export function addressOf(n: number): string {
  return `127.${1 + ((n >> 16) & 127)}.${(n >> 8) & 255}.${1 + (n & 127)}`
}
