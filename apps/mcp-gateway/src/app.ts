import { answerError, answerNowhere, createServer } from '@crm/http'
import { addHealthRoutes } from '@crm/runtime'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin } from './cors.ts'
import type { GatewayDeps } from './deps.ts'
import { addDiscoveryRoutes } from './discovery/routes.ts'
import { addOAuthRoutes } from './oauth/routes.ts'
import { addToolRoutes } from './tools/routes.ts'

/** A file goes to the API as base64 within a tool call. */
const bodyBytesMax = 16 * 1024 * 1024

/** Makes the tool server; whoever calls it listens and closes. */
export function buildApp(deps: GatewayDeps): FastifyInstance {
  const app = createServer({ trustedProxies: deps.trustedProxies, bodyBytesMax })
  observe(app, deps)
  allowAnyOrigin(app)
  addHealthRoutes(app, { ready: deps.ready, metrics: deps.metrics })
  addDiscoveryRoutes(app, deps)
  addOAuthRoutes(app, deps)
  addToolRoutes(app, deps)
  answerNowhere(app, (_request, reply) => reply.code(404).send({ error: 'There is nothing at this path', code: 'NOT_FOUND' }))
  app.setErrorHandler((error, request, reply) =>
    answerError(error, request, reply, 'public', { report: (fault, details) => deps.logger.error({ err: fault, ...details }, 'unexpected fault') }),
  )
  return app
}

/** The route template is measured and logged, never the raw address. */
function observe(app: FastifyInstance, { metrics, logger }: GatewayDeps): void {
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: String(reply.statusCode) }
    metrics.httpRequests.observe(labels, reply.elapsedTime / 1_000)
    logger.debug({ ...labels, requestId: request.id, durationMs: Math.round(reply.elapsedTime) }, 'request')
  })
}
