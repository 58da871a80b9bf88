import { announcedBytes, isTracing, loggedClient, type LoggedClients, type Logger, type Metrics } from '@crm/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Exchange } from './exchange.ts'
import { traceIdOf, traceRequests } from './trace-requests.ts'

/** The parts that measuring and logging requests need. */
export interface Observing {
  readonly metrics: Metrics
  readonly logger: Logger
  /** How much of a client's address is logged. */
  readonly clients?: LoggedClients
}

const healthPaths: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Measures every request and logs one line for it, with the template of its route, because an address may hold a secret.
 * A refusal that its operation does not declare is counted separately and logged at level error.
 */
export function observeRequests(app: FastifyInstance, { metrics, logger, clients = 'prefix' }: Observing): void {
  if (isTracing()) traceRequests(app, (route) => !healthPaths.has(route))
  app.addHook('onRequest', (request, reply, next) => {
    writtenBefore.set(request, request.raw.socket.bytesWritten)
    metrics.requestsInFlight.inc()
    reply.raw.once('close', () => metrics.requestsInFlight.dec())
    next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    const { url: route = 'unknown' } = request.routeOptions
    const { method } = request
    const labels = { method, route, status: String(reply.statusCode) }
    metrics.httpRequests.observe(labels, reply.elapsedTime / 1_000)
    // Services without a contract have no exchange.
    const exchange = request.exchange as Exchange | null | undefined
    const code = exchange?.undeclaredCode
    if (code) {
      metrics.undeclaredCodes.inc({ route, code })
      logger.error(
        { ...labels, code, requestId: request.id },
        'refused with a code that the operation does not declare',
      )
    }
    const refusal = refusals.get(request)
    if (refusal) metrics.refusals.inc({ reason: refusal.code })
    const level = healthPaths.has(route) ? 'debug' : 'info'
    if (logger.isLevelEnabled(level))
      logger[level](
        {
          ...lineOf(request, reply),
          ...(callers.get(request) ?? whoIn(exchange)),
          client: loggedClient(request.ip, clients),
          ...refusal,
        },
        'request',
      )
    next()
  })
}

/** Returns the id of a request: that of its sender where it is one, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,100}$/.test(given) ? given : randomUUID()
}

/** A refusal as the log names it: its code, and the id that the answer of a fault shows. */
interface Refusal {
  readonly code: string
  readonly errorId?: string | undefined
}

const refusals = new WeakMap<FastifyRequest, Refusal>()

/** Remembers the refusal of a request for its line in the log. */
export function noteRefusal(request: FastifyRequest, refusal: Refusal): void {
  refusals.set(request, refusal)
}

/** The caller of a request as the log names it. */
export interface CallerOfLine {
  readonly workspaceId?: string | undefined
  readonly actorType?: string | undefined
  readonly actorId?: string | undefined
}

const callers = new WeakMap<FastifyRequest, CallerOfLine>()

/** Remembers the caller of a request for its line in the log, in a service that knows its callers without a contract. */
export function noteCaller(request: FastifyRequest, caller: CallerOfLine): void {
  callers.set(request, caller)
}

/** The bytes that a connection had sent when a request came. */
const writtenBefore = new WeakMap<FastifyRequest, number>()

/** Returns the size of an answer; of one in slices, which announces none, what its connection has sent, with its head. */
function sizeOf(request: FastifyRequest, reply: FastifyReply): number {
  const announced = reply.getHeader('content-length')
  return announced === undefined
    ? request.raw.socket.bytesWritten - (writtenBefore.get(request) ?? 0)
    : Number(announced)
}

function lineOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    requestId: request.id,
    traceId: traceIdOf(request) ?? traceIdIn(request.headers['traceparent']),
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    bytesIn: finite(announcedBytes(request)),
    bytesOut: finite(sizeOf(request, reply)),
  }
}

/** A body in chunks has no known size. */
function finite(bytes: number): number | undefined {
  return Number.isFinite(bytes) ? bytes : undefined
}

function whoIn(exchange: Exchange | null | undefined) {
  if (!exchange) return {}
  const { workspace, caller } = exchange.recognition
  return { workspaceId: workspace?.id, actorType: caller?.class, actorId: caller?.employee.id }
}

/** Returns the id of the trace in a header of W3C Trace Context. */
function traceIdIn(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(header)?.[1] : undefined
}
