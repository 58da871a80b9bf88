import type { Logger, Metrics } from '@crm/runtime'
import type { FastifyInstance } from 'fastify'

/** Measures every request, and logs it at level debug: with the template of its route, because an address may hold a secret. */
export function observeRequests(app: FastifyInstance, { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger }): void {
  const isLogged = logger.isLevelEnabled('debug')
  app.addHook('onResponse', (request, reply, next) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: String(reply.statusCode) }
    metrics.httpRequests.observe(labels, reply.elapsedTime / 1_000)
    if (isLogged) logger.debug({ ...labels, requestId: request.id, durationMs: Math.round(reply.elapsedTime) }, 'request')
    next()
  })
}
