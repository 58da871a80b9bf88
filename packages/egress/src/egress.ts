import { traced, traceHeaders, type SpanStart } from '@crm/runtime'
import type { Dispatcher } from 'undici'
import type { Allowance, OutboundMethod } from './check-outbound.ts'
import type { AddressResolver } from './resolve.ts'
import type { Target } from './target.ts'
import { isWithin, readCidr } from './address.ts'
import { checkOutbound } from './check-outbound.ts'
import { connectorTo } from './connect.ts'
import { dnsResolver, resolveTarget } from './resolve.ts'
import { ADDRESS_REFUSED, readTarget } from './target.ts'

/** A request to send; `body` is JSON text, omitted for GET. */
export type OutboundRequest = {
  url: string
  method: OutboundMethod
  headers?: Readonly<Record<string, string>>
  body?: string | null
}

/**
 * The outcome of a request. `ok` means a 2xx status in time; `responseBody` is the beginning of the answer as text; `error` is one of
 * `DELIVERY_ERRORS`, null when ok.
 */
export type Delivered = {
  ok: boolean
  status: number | null
  durationMs: number
  responseBody: string
  error: string | null
}

/** The error sentences; none holds an address or a cause from the network. */
export const DELIVERY_ERRORS = {
  invalid: 'The request is not valid as configured.',
  refused: ADDRESS_REFUSED,
  timedOut: 'No answer came in time.',
  failed: 'The connection failed.',
  notSuccess: 'The answer was not a success.',
} as const

/** `timeoutMs` covers DNS, connection, TLS, headers and the read part of the answer, together. */
export type EgressOptions = Allowance & { timeoutMs?: number; resolver?: AddressResolver; answerBytesMax?: number }

/** A request of a protocol whose library needs the whole answer. */
export type OutboundFetch = {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | null
}

/** The error for a request that got no whole answer; its message tells nothing about the network. */
export class OutboundError extends Error {
  constructor(kind: keyof typeof DELIVERY_ERRORS, options?: ErrorOptions) {
    super(DELIVERY_ERRORS[kind], options)
    this.name = 'OutboundError'
  }
}

/** The only path to an address that a customer chose. */
export type Egress = {
  /** Sends one request, once; it does not throw. */
  send: (request: OutboundRequest) => Promise<Delivered>
  /**
   * Sends one request and returns its whole answer, of any status. Redirects are not followed, and http goes only to the
   * addresses of `allowCidrs`. Throws OutboundError for a refused address, no answer in time and an answer that is too large.
   */
  fetch: (url: string, init: OutboundFetch) => Promise<Response>
  /** Ends current requests and waits for their end; later requests fail. */
  close: () => Promise<void>
}

type Outcome = Omit<Delivered, 'durationMs'>

type SendOptions = {
  method: OutboundMethod
  headers: Readonly<Record<string, string>>
  body: string | null
}

const HEADER_BYTES_MAX = 16_384

/** Makes the guarded sender of outbound requests. Throws a RangeError when `allowCidrs` holds something other than blocks of addresses. */
export function createEgress({
  allowCidrs = [],
  timeoutMs = 10_000,
  resolver = dnsResolver(),
  answerBytesMax = 16_384,
}: EgressOptions = {}): Egress {
  const allowed = allowCidrs.map(readCidr)
  const closing = new AbortController()
  // Bounded: requests under way, each until its deadline.
  const underWay = new Set<Promise<unknown>>()

  async function fetchWhole(url: string, { method, headers = {}, body = null }: OutboundFetch): Promise<Response> {
    const target = readTarget(url, allowed)
    if ('fault' in target) throw new OutboundError(target.fault === ADDRESS_REFUSED ? 'refused' : 'invalid')
    if (checkOutbound({ url, method, headers }, { allowCidrs }).length > 0) throw new OutboundError('invalid')
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([deadline, closing.signal])
    try {
      const addresses = await resolveTarget(target, resolver, allowed, signal)
      const isPlain = target.url.protocol === 'http:'
      if (addresses.length === 0 || (isPlain && !addresses.every((each) => isWithin(each, allowed))))
        throw new OutboundError('refused')
      return await onClient(target, addresses, signal, async (send) => {
        const {
          statusCode,
          headers: answered,
          body: answer,
        } = await send({ method, headers: { ...traceHeaders(), ...headers }, body })
        const text = await readWhole(answer, answerBytesMax)
        const type = answered['content-type']
        return new Response(statusCode === 204 ? null : text, {
          status: statusCode,
          headers: typeof type === 'string' ? { 'content-type': type } : {},
        })
      })
    } catch (cause) {
      if (cause instanceof OutboundError) throw cause
      throw new OutboundError(deadline.aborted ? 'timedOut' : 'failed', { cause })
    }
  }

  /** Works with one connection: nothing is reused, so every request goes to an address that was just checked. */
  async function onClient<T>(
    target: Target,
    addresses: string[],
    signal: AbortSignal,
    work: (send: (options: SendOptions) => Promise<Dispatcher.ResponseData>) => Promise<T>,
  ): Promise<T> {
    // Most processes never send a request, so the client is loaded on first use.
    const { Client, request: sendRequest } = await import('undici')
    const client = new Client(target.url.origin, {
      connect: connectorTo(target, addresses, allowed, signal),
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    try {
      return await work((options) => sendRequest(target.url, { dispatcher: client, signal, ...options }))
    } finally {
      await client.destroy()
    }
  }

  async function attempt(request: OutboundRequest): Promise<Outcome> {
    const target = readTarget(request.url, allowed)
    if ('fault' in target) return failure(target.fault === ADDRESS_REFUSED ? 'refused' : 'invalid')
    if (checkOutbound(request, { allowCidrs }).length > 0) return failure('invalid')
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([deadline, closing.signal])
    try {
      const addresses = await resolveTarget(target, resolver, allowed, signal)
      return addresses.length === 0 ? failure('refused') : await exchange(request, target, addresses, signal)
    } catch {
      return failure(deadline.aborted ? 'timedOut' : 'failed')
    }
  }

  function exchange(
    request: OutboundRequest,
    target: Target,
    addresses: string[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    return onClient(target, addresses, signal, async (send) => {
      const hasBody = request.method !== 'GET'
      const { statusCode, body } = await send({
        method: request.method,
        headers: headersOf(request),
        body: hasBody ? (request.body ?? null) : null,
      })
      const ok = statusCode >= 200 && statusCode < 300
      return {
        ok,
        status: statusCode,
        responseBody: await readBeginning(body, answerBytesMax),
        error: ok ? null : DELIVERY_ERRORS.notSuccess,
      }
    })
  }

  return {
    async fetch(url, init) {
      const outcome = traced(spanOf(init), () => fetchWhole(url, init))
      underWay.add(outcome)
      return outcome.finally(() => underWay.delete(outcome))
    },
    async send(request) {
      const startedAt = performance.now()
      const outcome = traced(spanOf(request), () => attempt(request))
      underWay.add(outcome)
      const delivered = { ...(await outcome), durationMs: Math.round(performance.now() - startedAt) }
      underWay.delete(outcome)
      return delivered
    },
    async close() {
      closing.abort()
      await Promise.allSettled(underWay)
    },
  }
}

/** The span says nothing of the receiver, which a customer chose. */
function spanOf({ method }: { readonly method: string }): SpanStart {
  return { name: `${method} outbound`, kind: 'client', facts: { 'http.request.method': method } }
}

function failure(kind: keyof typeof DELIVERY_ERRORS): Outcome {
  return { ok: false, status: null, responseBody: '', error: DELIVERY_ERRORS[kind] }
}

/** Names are compared without case, so a configured Content-Type replaces the default one. */
function headersOf({ headers = {} }: OutboundRequest): Record<string, string> {
  const configured = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { 'content-type': 'application/json', ...traceHeaders(), ...Object.fromEntries(configured) }
}

/** Reads a whole body as text. Throws OutboundError when it is too large. */
async function readWhole(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new OutboundError('failed')
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Reads the beginning of a body. An answer that breaks off or is too slow keeps its status and the part read so far. */
async function readBeginning(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  body.on('error', () => {})
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= bytesMax) break
    }
  } catch {
    // see above
  }
  return toStorableText(Buffer.concat(chunks).subarray(0, bytesMax))
}

/** Returns bytes as text, without a split character at the end and without NUL, which the database cannot store. */
function toStorableText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD')
}
