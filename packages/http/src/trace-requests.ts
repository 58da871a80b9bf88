import { beginSpan, runWithin, type OpenSpan } from '@crm/runtime'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const spans = new WeakMap<FastifyRequest, OpenSpan>()

/** Makes a span of every request, which continues the trace of its sender. */
export function traceRequests(app: FastifyInstance, isTraced: (route: string | undefined) => boolean): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (!isTraced(request.routeOptions.url)) return next()
    const { traceparent } = request.headers
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    const { method } = request
    const span = beginSpan({ name: method, kind: 'server', parent, facts: { 'http.request.method': method } })
    if (!span) return next()
    spans.set(request, span)
    reply.raw.once('close', () => {
      const { url: route = 'unknown' } = request.routeOptions
      const facts = { 'http.route': route, 'http.response.status_code': reply.statusCode }
      span.end({ name: `${method} ${route}`, facts, failed: reply.statusCode >= 500 })
    })
    runWithin(span, next)
  })
  // The body arrives on the connection, which knows nothing of the request.
  app.addHook('preValidation', (request, _reply, next) => {
    const span = spans.get(request)
    if (span) runWithin(span, next)
    else next()
  })
}

/** Returns the id of the trace that a request belongs to, if this process traces it. */
export function traceIdOf(request: FastifyRequest): string | undefined {
  return spans.get(request)?.traceId
}
