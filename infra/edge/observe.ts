import { announcedBytes, loggedClient, type LoggedClients, type Logger, type Metrics } from '@crm/runtime'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request as the edge saw it. */
interface Seen {
  readonly method: string
  /** The path of the routing table that it fell under; `none` where there is none. */
  readonly route: string
  readonly status: number
  readonly seconds: number
  readonly bytesIn: number
  /** What its connection has sent. */
  readonly bytesOut: number
  readonly client: string | undefined
  readonly requestId: string | undefined
  readonly traceparent: string | undefined
  /** The code of an answer of the edge itself. */
  readonly code: string | undefined
}

/** Hears of the requests of an edge. */
export interface Observer {
  began(): void
  ended(seen: Seen): void
}

/** What becomes known of a request on its way. */
export interface Note {
  route: string
  client?: string | undefined
  traceparent?: string | undefined
  /** As its deployable said. */
  requestId?: string | string[] | undefined
}

const notes = new WeakMap<ServerResponse, { code?: string | undefined }>()

/** Tells an observer of a request once its answer is sent or its client is gone. */
export function observeExchange(
  observer: Observer,
  request: IncomingMessage,
  response: ServerResponse,
  note: Note,
): void {
  const beganAt = performance.now()
  const { socket } = request
  const writtenBefore = socket.bytesWritten
  const own: { code?: string | undefined } = {}
  notes.set(response, own)
  observer.began()
  response.once('close', () => {
    observer.ended({
      ...note,
      client: note.client,
      traceparent: note.traceparent,
      method: request.method ?? '',
      status: response.statusCode,
      seconds: (performance.now() - beganAt) / 1_000,
      bytesIn: announcedBytes(request),
      bytesOut: socket.bytesWritten - writtenBefore,
      requestId: typeof note.requestId === 'string' ? note.requestId : undefined,
      code: own.code,
    })
  })
}

/** Remembers that an answer is one of the edge itself. */
export function noteOwnAnswer(response: ServerResponse, status: number): void {
  const note = notes.get(response)
  if (note) note.code = codeOf(status)
}

const codes: Readonly<Record<number, string>> = {
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  429: 'RATE_LIMITED',
  431: 'HEADERS_TOO_LARGE',
  503: 'SERVICE_UNAVAILABLE',
}

/** Returns the code under which a refusal of the edge is counted; undefined for an answer that refuses nothing. */
export function codeOf(status: number): string | undefined {
  return status < 400 ? undefined : (codes[status] ?? 'VALIDATION_ERROR')
}

/**
 * Measures every request, and logs those that the edge answers itself: of the others, which are logged at level debug, the deployable that
 * answered them has the line.
 */
export function observerOf(metrics: Metrics, logger: Logger, clients: LoggedClients): Observer {
  return {
    began: () => metrics.requestsInFlight.inc(),
    ended: ({ seconds, client, traceparent, bytesIn, ...seen }) => {
      metrics.requestsInFlight.dec()
      const { method, route, status, code } = seen
      metrics.httpRequests.observe({ method, route, status: String(status) }, seconds)
      if (code !== undefined) metrics.refusals.inc({ reason: code })
      const level = code === undefined || route === healthRoute ? 'debug' : 'info'
      if (!logger.isLevelEnabled(level)) return
      logger[level](
        {
          ...seen,
          traceId: traceparent?.split('-')[1],
          durationMs: Math.round(seconds * 10_000) / 10,
          bytesIn: Number.isFinite(bytesIn) ? bytesIn : undefined,
          client: loggedClient(client, clients),
        },
        'request',
      )
    },
  }
}

/** The path that the edge answers by itself. */
export const healthRoute = '/healthz'
