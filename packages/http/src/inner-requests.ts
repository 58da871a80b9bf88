import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Answer, AnyPorts, Exchange, InnerRequest } from './exchange.ts'

/** The head and body of an inner request. */
export interface InnerHead {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its query. */
  readonly url: string
  readonly body?: unknown
  readonly headers: FastifyRequest['headers']
  readonly remoteAddress: string
}

/** Names an inner request; nobody outside can guess a name, and each lives only as long as its request. */
const nameHeader = 'x-crm-inner'

/** The inner requests under way. Bounded: the requests that send them. */
const underWay = new Map<string, InnerRequest>()

/** Headers that belong to the sending request alone. */
const ofTheSender = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'transfer-encoding',
])

/** Sends a request through the pipeline of the same process, and returns its answer. */
export async function sendInner(
  app: FastifyInstance,
  { method, url, body, headers, remoteAddress }: InnerHead,
  inner: InnerRequest,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const name = randomUUID()
  underWay.set(name, inner)
  try {
    const kept = Object.entries(headers).filter(([header]) => !ofTheSender.has(header))
    const answer = await app.inject({
      method,
      url,
      remoteAddress,
      headers: {
        ...Object.fromEntries(kept),
        [nameHeader]: name,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown) }
  } finally {
    underWay.delete(name)
  }
}

/** Returns the inner request that a request is, if it is one. */
export function innerOf(headers: FastifyRequest['headers']): InnerRequest | undefined {
  const { [nameHeader]: name } = headers
  return typeof name === 'string' ? underWay.get(name) : undefined
}

/** Does the work of an inner request as its sender wants it done. */
export function performInner(
  exchange: Exchange,
  _ports: AnyPorts,
  work: (running?: unknown) => Promise<Answer>,
): Promise<Answer> {
  if (!exchange.inner) throw new Error('Only an inner request has a sender')
  return exchange.inner.perform(exchange, work)
}
