import type { Logger, Metrics } from '@crm/runtime'
import type { FastifyInstance } from 'fastify'
import type { Exchange } from './exchange.ts'

/**
 * Measures every request, and logs it at level debug with the template of its route, because an address may hold a secret.
 * A refusal that its operation does not declare is counted separately and logged at level error.
 */
export function observeRequests(
  app: FastifyInstance,
  { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
): void {
  const isLogged = logger.isLevelEnabled('debug')
  app.addHook('onResponse', (request, reply, next) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    }
    metrics.httpRequests.observe(labels, reply.elapsedTime / 1_000)
    const code = undeclaredCodeOf(request)
    if (code) {
      metrics.undeclaredCodes.inc({ route: labels.route, code })
      logger.error(
        { ...labels, code, requestId: request.id },
        'refused with a code that the operation does not declare',
      )
    }
    if (isLogged)
      logger.debug({ ...labels, requestId: request.id, durationMs: Math.round(reply.elapsedTime) }, 'request')
    next()
  })
}

/** Services without a contract have no exchange. */
function undeclaredCodeOf({ exchange }: { readonly exchange?: Exchange | null }): string | undefined {
  return exchange?.undeclaredCode
}
