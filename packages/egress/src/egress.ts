import {
  codingsOf,
  decoderFor,
  isDamage,
  readUpTo,
  traced,
  traceHeaders,
  unpacked,
  UnknownCoding,
  type BodyCoding,
  type ReadBody,
  type SpanStart,
} from '@crm/runtime'
import type { IncomingMessage } from 'node:http'
import type { Allowance, OutboundMethod } from './check-outbound.ts'
import type { AddressResolver } from './resolve.ts'
import type { Target } from './target.ts'
import { isWithin, readCidr } from './address.ts'
import { checkOutbound } from './check-outbound.ts'
import { connectTo } from './connect.ts'
import { exchange, type SendOptions } from './exchange.ts'
import { DELIVERY_ERRORS, faultOf, OutboundError, type DeliveryFault } from './faults.ts'
import { dnsResolver, resolveTarget } from './resolve.ts'
import { ADDRESS_REFUSED, readTarget } from './target.ts'

/**
 * A request to send; `body` is JSON text, omitted for GET. Without a body no content type is sent of itself. A GET with `redirectsMax` goes
 * on to where answers lead it, that many times at most, with its headers; each further address is judged like the first.
 */
export type OutboundRequest = {
  url: string
  method: OutboundMethod
  headers?: Readonly<Record<string, string>>
  body?: string | null
  redirectsMax?: number
}

/**
 * The outcome of a request. `ok` means a 2xx status in time; `responseBody` is the beginning of the answer as text, `truncated` when there
 * was more; `error` is one of `DELIVERY_ERRORS`, null when ok; `movedTo` is the address that replaces the requested one for good.
 */
export type Delivered = {
  ok: boolean
  status: number | null
  durationMs: number
  responseBody: string
  truncated: boolean
  error: string | null
  movedTo?: string
}

/** `timeoutMs` covers DNS, connection, TLS, headers and the read part of the answer, together. */
export type EgressOptions = Allowance & { timeoutMs?: number; resolver?: AddressResolver; answerBytesMax?: number }

/** A request of a protocol whose library needs the whole answer. */
export type OutboundFetch = {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | null
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

/** An outcome that may lead to another address: resolved, and not judged yet. */
type Hop = Outcome & { location?: string }

/** The codings that answers are asked for in. */
const TAKEN_CODINGS: readonly BodyCoding[] = ['gzip', 'x-gzip', 'br']

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

  const guard: Guard = { allowCidrs, allowed, timeoutMs, resolver, answerBytesMax, closing: closing.signal }

  return {
    async fetch(url, init) {
      const outcome = traced(spanOf(init), () => fetchWhole(guard, url, init))
      underWay.add(outcome)
      return outcome.finally(() => underWay.delete(outcome))
    },
    async send(request) {
      const startedAt = performance.now()
      const outcome = traced(spanOf(request), () => attempt(guard, request))
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

/** What every request is held to. */
interface Guard {
  readonly allowCidrs: readonly string[]
  readonly allowed: readonly ReturnType<typeof readCidr>[]
  readonly timeoutMs: number
  readonly resolver: NonNullable<EgressOptions['resolver']>
  readonly answerBytesMax: number
  /** Aborted when the sender is closed. */
  readonly closing: AbortSignal
}

async function fetchWhole(
  guard: Guard,
  url: string,
  { method, headers = {}, body = null }: OutboundFetch,
): Promise<Response> {
  const { allowCidrs, allowed, timeoutMs, resolver, answerBytesMax, closing } = guard
  const target = readTarget(url, allowed)
  if ('fault' in target) throw new OutboundError(target.fault === ADDRESS_REFUSED ? 'refused' : 'invalid')
  if (checkOutbound({ url, method, headers }, { allowCidrs }).length > 0) throw new OutboundError('invalid')
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([deadline, closing])
  try {
    const addresses = await resolveTarget(target, resolver, allowed, signal)
    const isPlain = target.url.protocol === 'http:'
    if (addresses.length === 0 || (isPlain && !addresses.every((each) => isWithin(each, allowed))))
      throw new OutboundError('refused')
    const options = { method, headers: { ...traceHeaders(), ...headers }, body }
    return await onConnection(guard, target, addresses, signal, options, async (answer) => {
      const { bytes, isWhole, fault } = await readAnswer(answer, answerBytesMax)
      if (!isWhole) throw fault === undefined ? new OutboundError('tooLarge') : fault
      const { 'content-type': type, 'cache-control': cacheControl } = answer.headers
      return new Response(answer.statusCode === 204 ? null : decoderFor(type).decode(bytes), {
        status: answer.statusCode ?? 0,
        headers: {
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(cacheControl === undefined ? {} : { 'cache-control': cacheControl }),
        },
      })
    })
  } catch (cause) {
    throw cause instanceof OutboundError
      ? cause
      : new OutboundError(deadline.aborted ? 'timedOut' : faultOf(cause), { cause })
  }
}

/** Works with one connection: nothing is reused, so every request goes to an address that was just checked. */
async function onConnection<T>(
  { allowed }: Guard,
  target: Target,
  addresses: string[],
  signal: AbortSignal,
  options: SendOptions,
  work: (answer: IncomingMessage) => Promise<T>,
): Promise<T> {
  const socket = await connectTo(target, addresses, allowed, signal)
  try {
    return await work(await exchange(target.url, socket, options, signal))
  } finally {
    socket.destroy()
  }
}

/** All addresses of one request share its time. */
async function attempt(guard: Guard, { redirectsMax = 0, ...request }: OutboundRequest): Promise<Outcome> {
  const deadline = AbortSignal.timeout(guard.timeoutMs)
  let [url, movedTo, isForGood]: [string, string | undefined, boolean] = [request.url, undefined, true]
  for (let followed = 0; ; followed += 1) {
    const { location, ...outcome } = await attemptOnce(guard, { ...request, url }, deadline)
    const isFollowed = redirectsMax > 0 && location !== undefined && request.method === 'GET'
    if (!isFollowed) return { ...outcome, ...(movedTo === undefined ? {} : { movedTo }) }
    if (followed === redirectsMax) return { ...failure('redirects'), status: outcome.status }
    isForGood &&= outcome.status === 301 || outcome.status === 308
    url = location
    if (isForGood) movedTo = url
  }
}

async function attemptOnce(guard: Guard, request: OutboundRequest, deadline: AbortSignal): Promise<Hop> {
  const { allowCidrs, allowed, resolver, closing } = guard
  const target = readTarget(request.url, allowed)
  if ('fault' in target) return failure(target.fault === ADDRESS_REFUSED ? 'refused' : 'invalid')
  if (checkOutbound(request, { allowCidrs }).length > 0) return failure('invalid')
  const signal = AbortSignal.any([deadline, closing])
  try {
    const addresses = await resolveTarget(target, resolver, allowed, signal)
    if (addresses.length === 0) return failure('refused')
    const body = request.method === 'GET' ? null : (request.body ?? null)
    const options = { method: request.method, headers: headersOf(request, body !== null), body }
    return await onConnection(guard, target, addresses, signal, options, async (answer) => ({
      ...(await outcomeOf(guard, answer)),
      location: locationOf(answer, target.url),
    }))
  } catch (error) {
    return failure(deadline.aborted ? 'timedOut' : faultOf(error))
  }
}

/** An answer that breaks off or is too slow keeps its status and the part read so far. */
async function outcomeOf({ answerBytesMax }: Guard, answer: IncomingMessage): Promise<Outcome> {
  const status = answer.statusCode ?? 0
  const { bytes, isWhole, fault } = await readAnswer(answer, answerBytesMax)
  if (fault instanceof OutboundError) return { ...failure(fault.fault), status }
  const ok = status >= 200 && status < 300
  return {
    ok,
    status,
    responseBody: toStorableText(bytes, answer.headers['content-type']),
    truncated: !isWhole,
    error: ok ? null : DELIVERY_ERRORS.notSuccess,
  }
}

/** The span says nothing of the receiver, which a customer chose. */
function spanOf({ method }: { readonly method: string }): SpanStart {
  return { name: `${method} outbound`, kind: 'client', facts: { 'http.request.method': method } }
}

function failure(fault: DeliveryFault): Outcome {
  return { ok: false, status: null, responseBody: '', truncated: false, error: DELIVERY_ERRORS[fault] }
}

const REDIRECTS = [301, 302, 303, 307, 308]

/** Returns where an answer leads; a fragment says nothing to a server. */
function locationOf({ statusCode = 0, headers }: IncomingMessage, from: URL): string | undefined {
  const url =
    REDIRECTS.includes(statusCode) && headers.location !== undefined ? URL.parse(headers.location, from) : null
  if (url) url.hash = ''
  return url?.href
}

/** Names are compared without case, so a configured Content-Type replaces the default one. */
function headersOf({ headers = {} }: OutboundRequest, hasBody: boolean): Record<string, string> {
  const configured = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...traceHeaders(),
    ...Object.fromEntries(configured),
  }
}

/** Reads the beginning of an answer without its codings; `fault` is an OutboundError when the answer cannot be unpacked. */
async function readAnswer(answer: IncomingMessage, bytesMax: number): Promise<ReadBody> {
  try {
    const codings = codingsOf(answer.headers['content-encoding'], TAKEN_CODINGS)
    const read = await readUpTo(unpacked(answer, codings), bytesMax)
    return isDamage(read.fault) ? { ...read, fault: new OutboundError('coding', { cause: read.fault }) } : read
  } catch (error) {
    if (!(error instanceof UnknownCoding)) throw error
    // A body of nothing has no coding, whatever its head says.
    const read = await readUpTo(answer, 0)
    return read.isWhole ? read : { ...read, fault: new OutboundError('coding') }
  }
}

/** Returns bytes as text, without a split character at the end and without NUL, which the database cannot store. */
function toStorableText(bytes: Uint8Array, contentType: string | undefined): string {
  return decoderFor(contentType).decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD')
}
