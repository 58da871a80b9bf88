import type { ToolRequest } from '@crm/tools'
import { Pool, type Dispatcher } from 'undici'

/** The parts of a caller's request that go on to the API. */
export interface CallerHead {
  readonly host: string
  readonly authorization: string
  /** Address of the caller, as the trusted edge says it. */
  readonly address: string
  readonly requestId: string
}

/** What the API answered; the body is read once. */
export interface ApiAnswer {
  readonly status: number
  readonly contentType: string
  /** Bytes of the body, when the API said how many. */
  readonly contentLength: number | null
  readonly retryAfter: string | null
  readonly wwwAuthenticate: string | null
  text(): Promise<string>
  bytes(): Promise<Uint8Array>
  /** Leaves the body unread. */
  discard(): Promise<void>
}

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
    send: async (head, request) => toAnswer(await reach(pool.request({ method: request.method, path: pathOf(request), headers: headersOf(head, request), body: bodyOf(request) }))),
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
    authorization,
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

function toAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): ApiAnswer {
  const length = header(headers, 'content-length')
  return {
    status: statusCode,
    contentType: header(headers, 'content-type') ?? '',
    contentLength: length === null ? null : Number(length),
    retryAfter: header(headers, 'retry-after'),
    wwwAuthenticate: header(headers, 'www-authenticate'),
    text: () => reach(body.text()),
    bytes: () => reach(body.bytes()),
    discard: () => body.dump(),
  }
}

function header(headers: Dispatcher.ResponseData['headers'], name: string): string | null {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new CrmApiUnreachable(cause)
  }
}
