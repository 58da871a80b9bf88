import { isUnavailable } from '@crm/db/unavailable'
import { answerError, answerNowhere, createServer, noteRefusal, observeRequests } from '@crm/http'
import { addHealthRoutes } from '@crm/runtime'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin } from './cors.ts'
import type { GatewayDeps } from './deps.ts'
import { addDiscoveryRoutes } from './discovery/routes.ts'
import { addOAuthRoutes } from './oauth/routes.ts'
import { addToolRoutes } from './tools/routes.ts'

/** A tool call may carry a file as base64. */
const bodyBytesMax = 16 * 1024 * 1024

/** Makes the tool server; its caller listens and closes. */
export function buildApp(deps: GatewayDeps, stopping?: AbortSignal): FastifyInstance {
  const app = createServer({ trustedProxies: deps.trustedProxies, bodyBytesMax })
  observeRequests(app, deps)
  allowAnyOrigin(app)
  addHealthRoutes(app, { ready: deps.ready, metrics: deps.metrics, stopping })
  addDiscoveryRoutes(app, deps)
  addOAuthRoutes(app, deps)
  addToolRoutes(app, deps)
  answerNowhere(app, (request, reply) => {
    noteRefusal(request, { code: 'NOT_FOUND' })
    return reply.code(404).send({ error: 'There is nothing at this path', code: 'NOT_FOUND' })
  })
  app.setErrorHandler((error, request, reply) =>
    answerError(error, request, reply, 'public', {
      isTransient: isUnavailable,
      report: (fault, details) => deps.logger.error({ err: fault, ...details }, 'unexpected fault'),
    }),
  )
  return app
}
